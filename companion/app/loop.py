"""The running box: sources, clock, journal, displays and speaker around the pure `Box`. Knows ports, no adapter.

Threads: everything here runs in the event loop's thread, but for one thread a display ("display 1", …): a picture takes
a bus up to 25 ms, and the loop must be free to take the next press. The loop hands it the newest scene (an older one
that was not shown yet is skipped); it hands back faults by `call_soon_threadsafe`. The journal's own thread calls
`on_durable` and `on_fault`, which cross into the loop the same way.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec.structs import replace

from companion.app.storing.evidence import finish_evidence
from companion.app.storing.sealing import Sealing
from companion.core.errors import CompanionError, Unavailable
from companion.core.match.effects import Began, Effect, GaveUp, Log, Recorded, Sound, Tone, TookIn, Wrote
from companion.core.play.commands import Done, perform
from companion.core.play.health import SourceStatus
from companion.core.record.lines import Line, PressLine, Restart, dump_line
from companion.core.timing.events import MS, SECOND, SourceEvent
from companion.ports import KeptPress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PIL import Image

    from companion.core.evidence.capture import Captured
    from companion.core.play.commands import Command
    from companion.core.play.pipeline import Box
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene
    from companion.ports import ButtonSource, Display, EvidenceStore, Intake, Journal, Signer, Speaker

LOG = logging.getLogger("companion")

RETRY_S = 2.0
"""How often a display, a source or a journal that failed is tried again."""
CHECK_S = 1.0
"""How often sources are asked to look for edges they missed."""
SETTLE_S = 0.005
"""How often it is looked, while stopping, whether the last presses have settled."""
LONGEST_CONTACT_NS = SECOND
"""Longer than a contact can be under way before it is accepted or rejected, with the longest times that can be set."""


def wall_time() -> str:
    """Give the wall time, RFC 3339."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Watcher(Protocol):
    """Whoever wants each new scene in the loop's own thread: a terminal, a log, later the web."""

    def show(self, scene: Scene) -> None:
        """Take a new scene; must not block."""


class Follower(Protocol):
    """Whoever wants more than the scene, after each turn in which it may have changed: the web."""

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Look at the session as it is now; must not block, nor keep it."""

    def sound(self, tone: Tone) -> None:
        """A tone is played."""


class Drawn(Protocol):
    """A scene's picture."""

    image: Image.Image
    """Of mode "1"."""
    first: tuple[int, int]
    """The rows of pixels, the end exclusive, that should be seen before the others."""


class DisplayThread:
    """Shows the newest scene on one display, in a thread of its own.

    A picture that is still on its way when a newer scene arrives is broken off for it. Shared with the loop's thread,
    under the condition: `_scene` (None: nothing new) and `_stopping`.
    """

    def __init__(
        self,
        name: str,
        display: Display,
        draw: Callable[[Scene, tuple[int, int]], Drawn],
        on_state: Callable[[str | None], None],
    ) -> None:
        self._display, self._draw, self._on_state = display, draw, on_state
        self._changed = threading.Condition()
        self._scene: Scene | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to show."""
        self._thread.start()

    def show(self, scene: Scene) -> None:
        """Have this scene shown as soon as the bus is free."""
        with self._changed:
            self._scene = scene
            self._changed.notify()

    def stop(self) -> None:
        """Show what is left, blank the display and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        is_well: bool | None = None
        shown: Scene | None = None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._scene is not None or self._stopping, RETRY_S)
                fresh, self._scene = self._scene, None
                stopping = self._stopping
            shown = fresh or shown
            if shown is not None:  # the same picture again costs a few bytes, and notices a pulled cable
                is_well = self._try(shown, is_well)
            if stopping:
                self._display.close()
                return

    def _has_newer(self) -> bool:
        return self._scene is not None  # without the condition: a moment late is soon enough

    def _try(self, scene: Scene, was_well: bool | None) -> bool:
        try:
            if not was_well:
                self._display.open()
            drawn = self._draw(scene, self._display.size)
            self._display.show(drawn.image, drawn.first, self._has_newer)
        except Unavailable as error:
            if was_well is not False:
                self._on_state(str(error))
            return False
        if not was_well:
            self._on_state(None)
        return True


class Reading(NamedTuple):
    """What the sources gave, each event with its source's name; and up to when each that holds back has given all."""

    events: list[tuple[str, SourceEvent]]
    given: dict[str, int | None]


class SourceWatch:
    """The sources of presses in the event loop: what they give, which of them have gone, which are back.

    turn: called when one has something to give. alarm: told, by the source's name, how it failed, None once it is well.
    """

    def __init__(
        self, sources: Sequence[ButtonSource], turn: Callable[[], None], alarm: Callable[[str, str | None], None]
    ) -> None:
        self._sources = list(sources)
        self._gone: list[ButtonSource] = []
        self._turn, self._alarm = turn, alarm
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Watch every source, all of which must be open."""
        self._loop = loop
        for source in self._sources:
            loop.add_reader(source.fileno(), self._turn)

    @property
    def delays(self) -> dict[str, int]:
        """The longest that each of them may take to hand an edge over, by its name."""
        return {source.name: source.delay_ns for source in self._sources}

    def read(self) -> Reading:
        """Take all that the sources have."""
        here = [source for source in self._sources if source not in self._gone]
        events = [(source.name, event) for source in here for event in source.read()]
        return Reading(events, {source.name: source.given_until_ns for source in here})

    def statuses(self) -> tuple[SourceStatus, ...]:
        """Give how each source is."""
        return tuple(
            SourceStatus(
                name=source.name,
                fault="its lines have gone" if source in self._gone else None,
                remark=source.remark,
            )
            for source in self._sources
        )

    def check(self) -> None:
        """Let them look for edges they missed, and see whether one has gone."""
        for source in self._sources:
            if source not in self._gone:
                source.check()
                self._watch_for_leaving(source)

    def retry(self) -> None:
        """Try those again that have gone."""
        for source in list(self._gone):
            self._try_again(source)

    def close(self) -> None:
        """Watch them no more, and close them."""
        for source in self._sources:
            if source not in self._gone and self._loop is not None:
                self._loop.remove_reader(source.fileno())
                source.close()

    def _watch_for_leaving(self, source: ButtonSource) -> None:
        if not source.is_gone or self._loop is None:
            return
        self._turn()  # what it had to say
        self._loop.remove_reader(source.fileno())
        source.close()
        self._gone.append(source)
        self._alarm(source.name, f"{source.name}: the buttons' lines have gone")

    def _try_again(self, source: ButtonSource) -> None:
        if self._loop is None:
            return
        try:
            source.open()
        except CompanionError as error:
            LOG.debug("%s", error)
            return
        self._gone.remove(source)
        self._loop.add_reader(source.fileno(), self._turn)
        self._alarm(source.name, None)


class EffectRunner:
    """Does in the world what the session wants done: lines to the journal, tones to speaker and followers, seals.

    match_id: the match that lines go to; the one that is offered until it is taken up, None where there is none.
    """

    def __init__(
        self,
        journal: Journal,
        speaker: Speaker | None,
        followers: Sequence[Follower],
        match_id: int | None,
        boot_id: str | None,
        wall_time: Callable[[], str],
        sealing: Sealing,
        *,
        intake: Intake | None = None,
        evidence: EvidenceStore | None = None,
    ) -> None:
        self.journal, self.speaker, self.match_id, self.sealing = journal, speaker, match_id, sealing
        self.intake, self.evidence = intake, evidence
        self._followers, self._boot_id, self._wall_time = followers, boot_id, wall_time
        self._game: str | None = None  # of a match that has begun and has no id yet

    def run(self, session: Session) -> None:
        """Do all that the session wants done, then have it write a seal where one is due; must not block."""
        for effect in session.take():
            self.do(effect)
        if (seal := self.sealing.next()) is not None:
            session.seal(seal)
            self.run(session)

    def do(self, effect: Effect) -> None:
        """Do one; must not block."""
        if isinstance(effect, Wrote):
            self._store(effect.line)
        elif isinstance(effect, (TookIn, Recorded)):
            self._keep(effect)
        elif isinstance(effect, Began):
            self._game = effect.game
            self.sealing.begin()
        elif isinstance(effect, GaveUp):
            if self.match_id is not None:
                self.journal.finish(self.match_id)
        elif isinstance(effect, Sound):
            self._sound(effect.tone)
        elif isinstance(effect, Log):
            LOG.info("%s", effect.text)

    def keep(self, captured: Sequence[Captured]) -> None:
        """Have the evidence of races of this match stored; before the effects that may begin another match."""
        for one in captured:
            if self.evidence is not None and self.match_id is not None:
                self.evidence.keep(self.match_id, one)

    def _sound(self, tone: Tone) -> None:
        if self.speaker is not None:
            self.speaker.play(tone)
        for follower in self._followers:
            follower.sound(tone)

    def _keep(self, effect: TookIn | Recorded) -> None:
        """Have an accepted press outlive the program, or need it no more."""
        if self.intake is None:
            return
        if isinstance(effect, Recorded):
            self.intake.settle(effect.press)
        elif self.match_id is not None:
            self.intake.take(KeptPress(self.match_id, self._boot_id, effect.press))

    def retry(self) -> None:
        """Try again to store what could not be stored."""
        self.journal.retry()
        if self.evidence is not None:
            self.evidence.retry()
        if self.intake is not None:
            self.intake.retry()

    def close(self) -> None:
        """Store what is left and fall silent."""
        if self.evidence is not None:
            self.evidence.close()
        self.journal.close()
        if self.intake is not None:
            self.intake.close()
        if self.speaker is not None:
            self.speaker.close()

    def _store(self, line: Line) -> None:
        stamped = line if isinstance(line, PressLine) else replace(line, wall=self._wall_time())
        raw = dump_line(stamped)
        LOG.debug("%s", raw.decode())
        if self._game is not None:
            self.match_id = self.journal.begin(self._game, [raw], self._boot_id)
            self._game = None
        elif self.match_id is not None:
            self.sealing.take_up(partial(self.journal.lines, self.match_id))
            self.journal.append(self.match_id, raw, boot_id=self._boot_id if isinstance(line, Restart) else None)
        self.sealing.add(raw)


class BoxLoop:
    """Drives a `Box` until `stop` is called. Everything but the display threads happens in the event loop's thread.

    clock: CLOCK_MONOTONIC in nanoseconds, the sources' clock. wall_time: RFC 3339, stamped onto lines as a remark.
    open_signer: gives who signs for the box, and raises CompanionError where nobody can; None: records are not sealed.
    """

    def __init__(
        self,
        box: Box,
        *,
        sources: Sequence[ButtonSource],
        journal: Journal,
        displays: Sequence[Display],
        speaker: Speaker | None,
        draw: Callable[[Scene, tuple[int, int]], Drawn],
        watchers: Sequence[Watcher] = (),
        followers: Sequence[Follower] = (),
        boot_id: str | None = None,
        match_id: int | None = None,
        intake: Intake | None = None,
        clock: Callable[[], int],
        wall_time: Callable[[], str] = wall_time,
        evidence: EvidenceStore | None = None,
        open_signer: Callable[[], Signer] | None = None,
    ) -> None:
        self.box = box
        self._clock = clock
        self._watchers = list(watchers)
        self._followers = list(followers)
        self._sources = SourceWatch(sources, self.turn, self._alarm)
        sealing = Sealing(open_signer, self.call)
        self._effects = EffectRunner(
            journal, speaker, self._followers, match_id, boot_id, wall_time, sealing, intake=intake, evidence=evidence
        )
        self._displays = [
            DisplayThread(f"display {number}", display, draw, partial(self.alarm, f"display {number}"))
            for number, display in enumerate(displays, start=1)
        ]
        self._scene: Scene | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = asyncio.Event()

    # -- life --------------------------------------------------------------------------------------------------------

    async def run(self, on_ready: Callable[[], None] | None = None) -> None:
        """Run until `stop`. The sources must be open; closes them, displays, speaker and journal. `on_ready` is called
        once every source is being watched."""
        self._loop = asyncio.get_running_loop()
        for thread in self._displays:
            thread.start()
        self._sources.start(self._loop)
        self.turn()
        if on_ready is not None:
            on_ready()
        checking = asyncio.create_task(self._check_now_and_then())
        try:
            await self._stopped.wait()
            await self._settle()
        finally:
            checking.cancel()
            self._close()

    def stop(self) -> None:
        """End `run`; presses made before this call are still taken."""
        self._stopped.set()

    def sources(self) -> tuple[SourceStatus, ...]:
        """Give how each source of presses is."""
        return self._sources.statuses()

    @property
    def match_id(self) -> int | None:
        """The match that lines go to; the one that is offered until it is taken up, None where there is none."""
        return self._effects.match_id

    def journal_durable(self, match_id: int, lines: int) -> None:
        """For the journal, from any thread: the first `lines` lines of a match are stored."""
        self._call(self._stored, match_id, lines)

    def journal_fault(self, text: str) -> None:
        """For the journal, from any thread: it cannot store."""
        self._call(self._not_stored, text)

    def alarm(self, key: str, text: str | None) -> None:
        """From any thread: a part of the box failed (`text` says how) or is well again (None)."""
        self._call(self._alarm, key, text)

    def follow(self, follower: Follower) -> None:
        """Have a follower told of each turn from now on; from any thread."""
        self._call(self._follow, follower)

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session from any thread: `act` in the loop's own."""
        self._call(self.act, action)

    # -- the turn ----------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Take what the sources have, let the box decide, do what it wants, show what there is, set the next alarm."""
        now_ns = self._clock()  # before the sources are read: what happened by then is in what they give
        reading = self._sources.read()
        self.box.arbiter.delays = self._sources.delays
        self.box.advance(now_ns, reading.events, reading.given)
        self._effects.keep(self.box.evidence.take())
        self._effects.run(self.box.session)
        self._show()
        for follower in self._followers:
            follower.follow(self.box.session, self._scene or self.box.session.scene(), now_ns, self.match_id)
        self._set_alarm()

    def ask(self, command: Command, answer: Callable[[Done | CompanionError], None]) -> None:
        """Have a command carried out (`request`)."""
        self.request(lambda session, t_ns: perform(session, command, t_ns), answer)

    def request(
        self, what: Callable[[Session, int], Done], answer: Callable[[Done | CompanionError], None]
    ) -> None:  # fmt: skip
        """Have `what` done to the session in its turn among the presses, as of now; from any thread.

        `answer` is called once, in the loop's thread: what was done, or why it could not be.
        """
        t_ns = self._clock()

        def do(session: Session) -> None:
            try:
                answer(what(session, t_ns))
            except CompanionError as error:
                answer(error)

        def put() -> None:
            self.box.ask(t_ns, do)
            self.turn()

        self._call(put)

    def act(self, action: Callable[[Session], None]) -> None:
        """Do something to the session from outside (a command, a fault), then what follows from it."""
        action(self.box.session)
        self.turn()

    def _set_alarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline_ns = self.box.next_deadline()
        if deadline_ns is not None and self._loop is not None:
            wait_ns = max(deadline_ns - self._clock(), MS // 2)
            self._timer = self._loop.call_later(wait_ns / SECOND, self.turn)

    def _show(self) -> None:
        scene = self.box.session.scene()
        if scene == self._scene:
            return
        self._scene = scene
        for thread in self._displays:
            thread.show(scene)
        for watcher in self._watchers:
            watcher.show(scene)

    def _follow(self, follower: Follower) -> None:
        self._followers.append(follower)
        self._refresh()

    # -- faults ------------------------------------------------------------------------------------------------------

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        if self._loop is None:
            function(*arguments)
            return
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # the loop has ended: nobody is left to be told
            return

    def _stored(self, match_id: int, lines: int) -> None:
        if match_id == self.match_id:
            self.box.session.stored(lines)
            self._refresh()

    def _not_stored(self, text: str) -> None:
        LOG.error("%s", text)
        self.box.session.not_stored(text)
        self._refresh()

    def _refresh(self) -> None:
        if self._loop is not None:
            self.turn()

    def _alarm(self, key: str, text: str | None) -> None:
        self.box.session.alarm(key, text)
        self._refresh()

    async def _check_now_and_then(self) -> None:
        """Let sources look for edges they missed, try again what failed."""
        waited = 0.0
        while True:
            await asyncio.sleep(CHECK_S)
            waited += CHECK_S
            self._sources.check()
            if waited >= RETRY_S:
                waited = 0.0
                self._effects.retry()
                self._sources.retry()

    async def _settle(self) -> None:
        """Let what was pressed before the stop arrive and be confirmed, so that it is in the record."""
        loop = asyncio.get_running_loop()
        stopped_ns = self._clock()
        give_up = loop.time() + (self.box.arbiter.delay_ns + LONGEST_CONTACT_NS) / SECOND
        self.turn()
        sealing = self._effects.sealing
        while (self.box.arbiter.settled_ns < stopped_ns or sealing.is_opening) and loop.time() < give_up:
            await asyncio.sleep(SETTLE_S)
            self.turn()
        if self._effects.evidence is not None:
            self.box.evidence.flush(self._clock())
            await finish_evidence(self.turn, self._effects.evidence)

    def _close(self) -> None:
        self._sources.close()
        if self._timer is not None:
            self._timer.cancel()
        self._effects.close()
        for thread in self._displays:
            thread.stop()

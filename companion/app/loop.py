"""The running box: sources, clock, journal, displays and buzzer around the pure `Box`. Knows ports, no adapter.

Threads: everything here runs in the event loop's thread, but for one thread a display ("display 1", …): a picture takes
a bus up to 25 ms, and the loop must be free to take the next press. The loop hands it the newest scene (an older one
that was not shown yet is skipped); it hands back faults by `call_soon_threadsafe`. The journal's own thread calls
`on_durable` and `on_fault`, which cross into the loop the same way (`into_loop`).
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from companion.app.storing.evidence import finish_evidence
from companion.app.storing.sealing import Sealing
from companion.app.turn.bounded_log import flush_log
from companion.app.turn.display_thread import DisplayThread
from companion.app.turn.effect_runner import EffectRunner
from companion.app.turn.into_loop import IntoLoop
from companion.app.turn.mute import Mute
from companion.app.turn.own_screens import OwnScreens
from companion.app.turn.right_of_way import RightOfWay
from companion.app.turn.source_watch import SourceWatch
from companion.core.errors import CompanionError
from companion.core.play.commands import Done, perform
from companion.core.shown.times import USUAL
from companion.core.timing.events import MS, SECOND
from companion.ports import UNTIMED, Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.calibration.storing import Measurements
    from companion.app.turn.onlookers import Follower, Watcher
    from companion.core.play.commands import Command
    from companion.core.play.health import SourceStatus
    from companion.core.play.pipeline import Box
    from companion.core.play.session import Session
    from companion.ports import (
        Announcer,
        ButtonSource,
        Buzzer,
        Display,
        EvidenceStore,
        Intake,
        Journal,
        KeepsEdges,
        Signer,
    )
    from companion.screens.oled.large.leafing import Draw

LOG = logging.getLogger("companion")

RETRY_S = 2.0
"""How often a source or a journal that failed is tried again."""
CHECK_S = 1.0
"""How often sources are asked to look for edges they missed."""
SETTLE_S = 0.005
"""How often it is looked, while stopping, whether the last presses have settled."""
WAY = "turn"
SOON_NS = 10 * MS
"""What is due so soon follows from an edge that was just read: the right of way is kept until then."""
LONGEST_CONTACT_NS = SECOND
"""Longer than a contact can be under way before it is accepted or rejected, with the longest times that can be set."""


def wall_time() -> str:
    """Give the wall time, RFC 3339."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class BoxLoop:
    """Drives a `Box` until `stop` is called. Everything but the display threads happens in the event loop's thread.

    clock: CLOCK_MONOTONIC in nanoseconds, the sources' clock. wall_time: RFC 3339, stamped onto lines as a remark.
    announcer: who says what the session wants said, None: nobody.
    open_signer: gives who signs for the box, and raises CompanionError where nobody can; None: records are not sealed.
    keepers: those of the sources whose devices keep their edges until they are safe.
    """

    def __init__(
        self,
        box: Box,
        *,
        sources: Sequence[ButtonSource],
        journal: Journal,
        displays: Sequence[Display],
        buzzer: Buzzer | None,
        draw: Draw,
        watchers: Sequence[Watcher] = (),
        followers: Sequence[Follower] = (),
        boot_id: str | None = None,
        match_id: int | None = None,
        intake: Intake | None = None,
        clock: Callable[[], int],
        wall_time: Callable[[], str] = wall_time,
        evidence: EvidenceStore | None = None,
        announcer: Announcer | None = None,
        open_signer: Callable[[], Signer] | None = None,
        leaf_ns: int = USUAL.leaf_ns,
        measurements: Measurements | None = None,
        keepers: Sequence[KeepsEdges] = (),
    ) -> None:
        self.box = box
        self.journal = journal
        self.way = RightOfWay()
        """Taken from the reading of an edge until all that follows from it is shown; whoever may wait asks it."""
        self._clock = clock
        self._followers = list(followers)
        self._sources = SourceWatch(sources, self.turn, self._alarm, keepers)
        sealing = Sealing(open_signer, self.call)
        self._effects = EffectRunner(
            journal, buzzer, self._followers, match_id, boot_id, wall_time, sealing, intake=intake, evidence=evidence,
            measurements=measurements,
        )  # fmt: skip
        self._effects.on_recorded = lambda press: self.box.kept((press,))
        threads = [
            DisplayThread(
                f"display {number}", display, draw, partial(self.alarm, f"display {number}"), self.way, clock, leaf_ns
            )
            for number, display in enumerate(displays, start=1)
        ]
        self.screens = OwnScreens(threads, watchers)
        """The box's own; to be used in the loop's thread (`call`)."""
        self._effects.announcer = announcer or Mute(self.call, clock)
        self._timer: asyncio.TimerHandle | None = None
        self._is_turn_due = False
        self._into = IntoLoop()
        self._stopped = asyncio.Event()

    # -- life --------------------------------------------------------------------------------------------------------

    async def run(self, on_ready: Callable[[], None] | None = None) -> None:
        """Run until `stop`. The sources must be open; closes them, displays, buzzer and journal. `on_ready` is called
        once every source is being watched."""
        loop = asyncio.get_running_loop()
        self._into.begin(loop)
        self.screens.start()
        self._sources.start(loop)
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
        self._into.call(self._stored, match_id, lines)

    def journal_fault(self, text: str) -> None:
        """For the journal, from any thread: it cannot store."""
        self._into.call(self._not_stored, text)

    def alarm(self, key: str, text: str | None, lasts_ns: int | None = None) -> None:
        """From any thread: a part of the box failed (`text` says how) or is well again (None).

        lasts_ns: how long that is said; None until something else is.
        """
        self._into.call(self._alarm, key, text, lasts_ns)

    def follow(self, follower: Follower) -> None:
        """Have a follower told of each turn from now on; from any thread."""
        self._into.call(self._follow, follower)

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session from any thread: `act` in the loop's own."""
        self._into.call(self.act, action)

    # -- the turn ----------------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """Take what the sources have, let the box decide, do what it wants, show what there is, set the next alarm."""
        self.way.take(WAY)
        try:
            self._turn()
        except BaseException:
            self.way.give(WAY)
            raise

    def _turn(self) -> None:
        self._is_turn_due = False
        now_ns = self._clock()  # before the sources are read: what happened by then is in what they give
        reading = self._sources.read()
        self.box.arbiter.delays = self._sources.delays
        self.box.advance(now_ns, reading.events, reading.given)
        self._sources.set_aside(self.box.sick)
        self._effects.keep(self.box.evidence.take(), is_busy=self.box.is_busy)
        self._effects.run(self.box.session)
        self._sources.acknowledge(self.box.safe())
        scene = self.box.session.scene()
        self.screens.show(scene, now_ns)
        for follower in self._followers:
            follower.follow(self.box.session, scene, now_ns, self.match_id)
        self._set_alarm()

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        """Have a command carried out (`request`)."""
        self.request(lambda session, t_ns: perform(session, command, t_ns, sent.error_ns), answer, sent.t_ns)

    def request(
        self, what: Callable[[Session, int], Done], answer: Callable[[Done | CompanionError], None],
        asked_ns: int | None = None,
    ) -> None:  # fmt: skip
        """Have `what` done to the session in its turn among the presses, as of `asked_ns` (None: now); from any thread.

        `answer` is called once, in the loop's thread: what was done, or why it could not be.
        """
        t_ns = self._clock() if asked_ns is None else asked_ns

        def do(session: Session) -> None:
            try:
                answer(what(session, t_ns))
            except CompanionError as error:
                answer(error)

        def put() -> None:
            self.box.ask(t_ns, do)
            self.turn()

        self._into.call(put)

    def act(self, action: Callable[[Session], None]) -> None:
        """Do something to the session from outside (a command, a fault), then what follows from it."""
        action(self.box.session)
        self.turn()

    def _set_alarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadlines = [i for i in (self.box.next_deadline(), self.screens.next_deadline()) if i is not None]
        wait_ns = max(min(deadlines) - self._clock(), MS // 2) if deadlines else None
        if wait_ns is not None and self._into.loop is not None:
            self._timer = self._into.loop.call_later(wait_ns / SECOND, self.turn)
        if wait_ns is None or wait_ns > SOON_NS:
            self.way.give(WAY)

    def _follow(self, follower: Follower) -> None:
        self._followers.append(follower)
        self._refresh()

    # -- faults ------------------------------------------------------------------------------------------------------

    def _stored(self, match_id: int, lines: int) -> None:
        if match_id == self.match_id:
            self.box.session.stored(lines)
            if self._into.loop is not None and not self._is_turn_due:  # one turn for all that was stored by now
                self._is_turn_due = True
                self._into.loop.call_soon(self.turn)

    def _not_stored(self, text: str) -> None:
        LOG.error("%s", text)
        self.box.session.not_stored(text)
        self._refresh()

    def _refresh(self) -> None:
        if self._into.loop is not None:
            self.turn()

    def _alarm(self, key: str, text: str | None, lasts_ns: int | None = None) -> None:
        self.box.session.alarm(key, text, None if lasts_ns is None else self._clock() + lasts_ns)
        self._refresh()

    async def _check_now_and_then(self) -> None:
        """Let sources look for edges they missed, try again what failed."""
        waited = 0.0
        while True:
            await asyncio.sleep(CHECK_S)
            waited += CHECK_S
            flush_log()
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
            self._effects.keep(self.box.evidence.take(), is_busy=False)  # no press comes that would have to wait for it
            await finish_evidence(self.turn, self._effects.evidence)

    def _close(self) -> None:
        self._sources.close()
        if self._timer is not None:
            self._timer.cancel()
        self.way.give(WAY)
        self._effects.close()
        self.screens.stop()

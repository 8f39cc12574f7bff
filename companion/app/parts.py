"""What a box is made of, one part each: what it gives to the loop, and what is begun and ended with it. Part of `app`.

The theory: a panel and a simulation differ in their list of parts and in nothing else. `companion.app.launch` takes any
such list through one life, in order: every part is opened, the loop is built around what they give, every part is
attached to it, they run, they are told that the box is ready, and they are closed, the last one first.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from companion.app.signals.following import SignalFollower
from companion.app.signals.hushed import HushedBuzzer
from companion.app.signals.thread import SignalThread
from companion.core.errors import Unavailable
from companion.core.shown.calibrating import Calibrating
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from companion.app.event.part import BoxAtEvent
    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.app.reading.stream import TextStreamFollower
    from companion.app.signals.lit_buttons import LitButtons
    from companion.app.speech.box_voices import BoxVoices
    from companion.app.turn.onlookers import Watcher
    from companion.config.settings import Sound as SoundSettings
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene
    from companion.ports import Announcer, ButtonSource, Buzzer, Display, KeepsEdges, Signals

LOG = logging.getLogger("companion")
STAYS_S = 1.5
"""So long it runs on after the end: what became of the allowance is stored and said in that time."""


class Outbox(Protocol):
    """Whoever hands stored matches on to elsewhere. Both are called in the journal's thread, and must not block."""

    def durable(self, match_id: int, count: int) -> None:
        """The first `count` lines of a match are stored."""

    def is_spared(self, first: bytes, lines: int) -> bool:
        """Tell of a match, by its first line and the number of its lines, whether it must not be deleted yet."""


class Part:
    """A part that gives nothing and does nothing; each kind says what is different with it.

    sources, displays and buzzer are the loop's while it runs: it closes them. keepers: those of the sources that keep
    their edges until they are safe. lines: what may be pressed. signals: its lamps and motors, which `SeatSignals`
    opens and closes. outbox: told of what is stored, and asked what must not be deleted yet.
    """

    sources: Sequence[ButtonSource] = ()
    keepers: Sequence[KeepsEdges] = ()
    lines: Sequence[str] = ()
    displays: Sequence[Display] = ()
    buzzer: Buzzer | None = None
    announcer: Announcer | None = None
    watchers: Sequence[Watcher] = ()
    signals: Sequence[Signals] = ()
    outbox: Outbox | None = None

    def open(self) -> None:
        """Claim what is needed before there is a loop; sources must be open then. Raises CompanionError."""

    def attach(self, loop: BoxLoop) -> None:
        """Take the loop, which does not run yet. Raises CompanionError."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Give what lasts for as long as the loop runs."""
        return nullcontext()

    def ready(self) -> None:
        """Every press from now on is taken, and the service manager knows it. In the loop's thread: must not block."""

    def close(self) -> None:
        """Let go of everything; also called where `open` or another part failed."""


class PanelButtons(Part):
    """The buttons on pins; None for a box without any. Says on standard error when presses are taken."""

    def __init__(self, source: ButtonSource | None, lines: Sequence[str]) -> None:
        self._source = source
        self.sources = (source,) if source is not None else ()
        self.lines = lines
        self._read: tuple[str, ...] = ()

    def open(self) -> None:
        """Claim the pins."""
        if self._source is not None:
            self._source.open()
            if (remark := self._remark()) is not None:
                LOG.warning("%s", remark)

    def attach(self, loop: BoxLoop) -> None:
        """Note in the record what is special about them; see what else is read."""
        self._read = tuple(source.name for source in loop.sources())
        if self._source is not None and (remark := self._remark()) is not None:
            loop.box.session.note(remark, self._source.name)

    def ready(self) -> None:
        """Tell a script that waits for this line, and whoever reads it what presses come from."""
        sys.stderr.write(f"ready: {', '.join(self._read) or 'no buttons'}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Give the pins back."""
        if self._source is not None:
            self._source.close()

    def _remark(self) -> str | None:
        return self._source.remark if self._source is not None else None


class Screen(Part):
    """Displays, which show the same. The loop opens and blanks them; what is shown where the box cannot start stays."""

    def __init__(self, *displays: Display) -> None:
        self.displays = displays


class Sound(Part):
    """The buzzer, heard as the settings, the night and the sound's switch allow. Better no sound than no referee."""

    def __init__(self, buzzer: Buzzer, chosen: SoundSettings) -> None:
        self._hushed = HushedBuzzer(buzzer, chosen)
        self.buzzer: Buzzer = self._hushed

    def attach(self, loop: BoxLoop) -> None:
        """Open it; where it is not there the players are told."""
        self._hushed.switch = loop.box.session.sounds
        self._hushed.switch.is_there = True
        self._hushed.sitters = lambda: loop.box.session.sitters
        try:
            self.buzzer.open()
        except Unavailable as error:
            loop.box.session.alarm("buzzer", text("no sound: {why}").format(why=error))

    def close(self) -> None:
        """Fall silent."""
        self.buzzer.close()


class SeatSignals(Part):
    """Lamps and motors of seats and lamps in buttons, by expanders or in pods. A box needs none of them to referee."""

    def __init__(self, signals: Sequence[Signals], buttons: LitButtons | None = None) -> None:
        self._signals = [*signals, *([] if buttons is None else [buttons])]
        self._thread: SignalThread | None = None
        if buttons is not None:
            self.watchers = (buttons,)
            buttons.on_change = self._wake

    def attach(self, loop: BoxLoop) -> None:
        """Begin to switch them, and follow the loop; what cannot be reached is told, and tried again."""
        self._thread = SignalThread(self._signals, loop.alarm, loop.way)
        self._thread.start()
        loop.follow(SignalFollower(self._thread))

    def close(self) -> None:
        """Switch all of them off."""
        if self._thread is not None:
            self._thread.stop()
            self._thread = None

    def _wake(self) -> None:
        if self._thread is not None:
            self._thread.wake()


class Speech(Part):
    """The voice, and seats' earphones. A box refereeing in silence is better than none: what fails is said by them."""

    def __init__(self, voices: BoxVoices) -> None:
        self._voices = voices
        self.announcer = voices if voices.speaks else None

    def attach(self, loop: BoxLoop) -> None:
        """Follow the loop."""
        self._voices.attach(loop)

    def ready(self) -> None:
        """Begin to speak."""
        self._voices.start()

    def close(self) -> None:
        """Fall silent."""
        self._voices.close()


class Pages(Part):
    """Buttons in browsers, served from the start: without these nobody could press anything."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.sources, self.lines = (web.source,), tuple(web.source.lines)

    def open(self) -> None:
        """Take the address."""
        self._web.open()

    def attach(self, loop: BoxLoop) -> None:
        """Serve."""
        self._web.attach(loop)

    def ready(self) -> None:
        """Say where it is."""
        self._web.announce(sys.stdout)
        sys.stdout.write("Ctrl-C ends.\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Stop serving."""
        self._web.close()
        self._web.source.close()


class ReadAlong(Part):
    """Lets anybody on this machine read along by `companion follow`."""

    def __init__(self, stream: TextStreamFollower) -> None:
        self._stream = stream

    def attach(self, loop: BoxLoop) -> None:
        """Listen."""
        self._stream.open(loop)

    def close(self) -> None:
        """Let everybody go."""
        self._stream.close()


class AtEvent(Part):
    """An event of many boxes: what of it is stored is pushed, and what its desk says is done. Refereeing waits for none
    of it."""

    def __init__(self, event: BoxAtEvent) -> None:
        self._event = event
        self.outbox = event

    def attach(self, loop: BoxLoop) -> None:
        """Follow the loop."""
        self._event.attach(loop)

    def ready(self) -> None:
        """Begin to push."""
        self._event.ready()

    def close(self) -> None:
        """Say that the box goes."""
        self._event.close()


def begin_trials(session: Session) -> None:
    """Begin, or go on with what was kept."""
    if session.measuring.is_on:
        session.measuring.menu.go_on()


class CalibrationRun(Part):
    """Begins the trials once the box is ready. stop: called once the calibration is over."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.watchers = (self,)
        self._stop, self._was_on = stop, False
        self._loop: BoxLoop | None = None

    def attach(self, loop: BoxLoop) -> None:
        """Take the loop."""
        self._loop = loop

    def ready(self) -> None:
        """Begin."""
        if self._loop is not None:
            self._loop.call(begin_trials)

    def show(self, scene: Scene) -> None:
        """See whether it is over."""
        is_on = isinstance(scene.body, Calibrating)
        if self._was_on and not is_on:
            asyncio.get_running_loop().call_later(STAYS_S, self._stop)
        self._was_on = is_on

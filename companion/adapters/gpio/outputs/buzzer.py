"""The buzzer, by gpiozero: each tone is a short pattern of notes that is known again with eyes shut.

A passive piezo plays pitches; an active buzzer, which has one pitch of its own, plays rhythms. So the tones differ in
rhythm as well as in pitch.

One thread ("buzzer") plays: it sleeps without a timeout while there is nothing to play, and until the next note while
there is. `play` only hands it the newest tone. Fields touched by two threads: `_wanted` and `_is_closing`, under the
condition; `fault` is written by the thread and read by anyone. Knows no game.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gpiozero import Buzzer, TonalBuzzer

from companion.adapters.gpio.pin_factory import OpenFactory, open_factory
from companion.core.errors import Malformed, Unavailable
from companion.ports import Tone
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

Kind = Literal["passive", "active", "none"]
KINDS: tuple[Kind, ...] = ("passive", "active", "none")


class Note(NamedTuple):
    """A pitch (0 is silence) for so many milliseconds."""

    hz: float
    ms: int


REST = Note(0, 70)

PITCHES: Mapping[Tone, Sequence[Note]] = {
    Tone.ACCEPTED: (Note(1047, 60), Note(1568, 110)),
    Tone.IGNORED: (Note(330, 260),),
    Tone.PUNISHED: (Note(784, 180), Note(523, 180), Note(262, 500)),
    Tone.CHOOSE: (Note(1319, 70), REST, Note(1319, 70)),
    Tone.REFUSED: (Note(247, 60), REST, Note(247, 60), REST, Note(247, 60), REST, Note(247, 60)),
    Tone.TIME_LOW: (Note(2093, 60), Note(1760, 60)),
    Tone.TIME_UP: (Note(1760, 120), REST, Note(1760, 120), REST, Note(1760, 700)),
}
"""Rising is good, low is not, falling is bad, two equal ones are a question, a rattle is a no; very high is time."""

RHYTHMS: Mapping[Tone, Sequence[Note]] = {
    Tone.ACCEPTED: (Note(1, 60),),
    Tone.IGNORED: (Note(1, 300),),
    Tone.PUNISHED: (Note(1, 900),),
    Tone.CHOOSE: (Note(1, 60), REST, Note(1, 60)),
    Tone.REFUSED: (Note(1, 60), REST, Note(1, 60), REST, Note(1, 60), REST, Note(1, 60)),
    Tone.TIME_LOW: (Note(1, 60), REST, Note(1, 60), REST, Note(1, 60)),
    Tone.TIME_UP: (Note(1, 240), REST, Note(1, 240), REST, Note(1, 500)),
}
"""One beep, a longer one, a very long one, two, four; three short ones, and three long ones."""


class PanelBuzzer:
    """A `Speaker` on a GPIO.

    gpio: its number. kind: "passive" for a bare piezo, "active" for one that sounds by itself, "none" for silence.
    factory, chip, work_dir: see `open_factory`. on_fault is called, from the buzzer's thread, with a sentence when it
    fails while playing; it is silent until it could be claimed anew. wait: replaces the condition's wait in tests.
    """

    def __init__(
        self,
        gpio: int,
        *,
        kind: Kind = "passive",
        factory: str = "auto",
        chip: str | None = None,
        work_dir: Path | None = None,
        on_fault: Callable[[str], None] | None = None,
        wait: Callable[[threading.Condition, float | None], object] | None = None,
    ) -> None:
        if kind not in KINDS:
            raise Malformed(f"no buzzer is of the kind {kind!r}; there are: {', '.join(KINDS)}")
        self._gpio, self._kind = gpio, kind
        self._factory, self._chip, self._work_dir = factory, chip, work_dir
        self._on_fault = on_fault
        self._wait = wait or threading.Condition.wait
        self._condition = threading.Condition()
        self._wanted: Tone | None = None
        self._is_closing = False
        self._thread: Watched | None = None
        self._device: Any = None
        self.pins: OpenFactory | None = None
        """The open factory, None while closed."""
        self.fault: str | None = None
        """Why it is silent, None while it is well."""

    def open(self) -> None:
        """Claim the pin. Raises Unavailable where it cannot be had; `play` may be called all the same, unheard."""
        if self._kind == "none" or self._thread is not None:
            return
        self.fault = None
        try:
            self._claim()
        except Exception as error:
            self.fault = f"the buzzer on GPIO {self._gpio} cannot be had: {error}"
            self._release()
            raise Unavailable(self.fault) from error
        self._is_closing = False
        self._thread = Watched(self._run, name="buzzer")
        self._thread.start()

    def play(self, tone: Tone) -> None:
        """Begin `tone` and cut off the one that sounds; returns at once."""
        with self._condition:
            self._wanted = tone
            self._condition.notify()

    def close(self) -> None:
        """Fall silent and give the pin back; may be called again."""
        with self._condition:
            self._is_closing = True
            self._wanted = None
            self._condition.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._release()

    def _claim(self) -> None:
        self.pins = open_factory(self._factory, chip=self._chip, work_dir=self._work_dir)
        self._device = self._make()

    def _make(self) -> Any:
        if self.pins is None:
            raise Unavailable("no pin factory is open")
        if self._kind == "active":
            return Buzzer(self._gpio, pin_factory=self.pins.factory)
        return TonalBuzzer(self._gpio, mid_tone=784.0, octaves=2, pin_factory=self.pins.factory)

    def _release(self) -> None:
        if self._device is not None:
            self._device.close()
        if self.pins is not None:
            self.pins.close()
        self._device = self.pins = None

    def _run(self) -> None:
        """The thread: sleep until a tone is wanted, play it, and again. Begun again, it claims the pin anew."""
        try:
            if self.fault is not None and not self._is_closing:
                self._release()
                self._claim()
            self.fault = None
            while (tone := self._next()) is not None:
                self._perform((RHYTHMS if self._kind == "active" else PITCHES)[tone])
        except Exception as error:
            self._failed(error)
            raise

    def _failed(self, error: Exception) -> None:
        fault = f"the buzzer on GPIO {self._gpio} failed: {error}"
        is_news, self.fault = fault != self.fault, fault
        if is_news and self._on_fault is not None:
            self._on_fault(fault)

    def _next(self) -> Tone | None:
        """Wait for a tone, None when it is time to end."""
        with self._condition:
            while self._wanted is None and not self._is_closing:
                self._wait(self._condition, None)
            tone, self._wanted = self._wanted, None
            return None if self._is_closing else tone

    def _perform(self, notes: Sequence[Note]) -> None:
        for note in notes:
            self._sound(note.hz)
            if self._is_cut_off(note.ms / 1000):
                break
        self._sound(0)

    def _is_cut_off(self, seconds: float) -> bool:
        """Let a note sound; True where something else is wanted before it has ended."""
        with self._condition:
            if self._wanted is None and not self._is_closing:
                self._wait(self._condition, seconds)
            return self._wanted is not None or self._is_closing

    def _sound(self, hz: float) -> None:
        if self._kind == "active":
            (self._device.on if hz else self._device.off)()
        elif hz:
            self._device.play(hz)
        else:
            self._device.stop()

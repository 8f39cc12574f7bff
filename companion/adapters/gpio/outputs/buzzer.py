"""The buzzer, by gpiozero: each tone is a short pattern of notes that is known again with eyes shut.

A passive piezo plays pitches; an active buzzer, which has one pitch of its own, plays rhythms. So the tones differ in
rhythm as well as in pitch; which notes they are stands in `companion/core/signals/tones.py`.

One thread ("buzzer") plays: it sleeps without a timeout while there is nothing to play, and until the next note while
there is. `play` only hands it what is to sound. Fields touched by two threads: `_wanted`, `_is_cut`,
`_is_idle` and `_is_closing`, under the condition; `fault` is written by the thread and read by anyone. Knows no game.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Literal

from gpiozero import Buzzer, TonalBuzzer

from companion.adapters.gpio.pin_factory import OpenFactory, open_factory
from companion.core.errors import Malformed, Unavailable
from companion.core.signals.tones import duty_of, notes_of
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.core.match.effects import Sound
    from companion.core.signals.tones import Note

Kind = Literal["passive", "active", "none"]
KINDS: tuple[Kind, ...] = ("passive", "active", "none")


MOST_WAITING = 3
"""So many tones at most follow the one that sounds."""


class PanelBuzzer:
    """A `Buzzer` on a GPIO.

    gpio: its number. kind: "passive" for a bare piezo, "active" for one that sounds by itself, "none" for silence.
    volume: 0 to 100, of a passive one: the share of each wave for which it is on (`duty_of`). An active buzzer knows on
    and off only, and is as loud as it is. factory, chip, work_dir: see `open_factory`. on_fault is called, from the
    buzzer's thread, with a sentence when it fails while playing; it is silent until it could be claimed anew. wait:
    replaces the condition's wait in tests.
    """

    def __init__(
        self,
        gpio: int,
        *,
        kind: Kind = "passive",
        volume: int = 100,
        factory: str = "auto",
        chip: str | None = None,
        work_dir: Path | None = None,
        on_fault: Callable[[str], None] | None = None,
        wait: Callable[[threading.Condition, float | None], object] | None = None,
    ) -> None:
        if kind not in KINDS:
            raise Malformed(f"no buzzer is of the kind {kind!r}; there are: {', '.join(KINDS)}")
        self._gpio, self._kind, self._duty = gpio, kind, duty_of(volume)
        self._factory, self._chip, self._work_dir = factory, chip, work_dir
        self._on_fault = on_fault
        self._wait = wait or threading.Condition.wait
        self._condition = threading.Condition()
        self._wanted: deque[Sound] = deque()
        self._is_cut = self._is_idle = self._is_closing = False
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

    def play(self, sound: Sound) -> None:
        """Begin a tone and cut off the one that sounds, or have it follow; returns at once."""
        with self._condition:
            if not sound.follows:
                self._wanted.clear()
                self._is_cut = True
            elif len(self._wanted) == MOST_WAITING:
                self._wanted.pop()
            self._wanted.append(sound)
            if self._is_cut or self._is_idle:
                self._condition.notify()

    def close(self) -> None:
        """Fall silent and give the pin back; may be called again."""
        with self._condition:
            self._is_closing = True
            self._wanted.clear()
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
            while (sound := self._next()) is not None:
                self._perform(notes_of(sound.tone, sound.seats, has_pitches=self._kind == "passive"))
        except Exception as error:
            self._failed(error)
            raise

    def _failed(self, error: Exception) -> None:
        fault = f"the buzzer on GPIO {self._gpio} failed: {error}"
        is_news, self.fault = fault != self.fault, fault
        if is_news and self._on_fault is not None:
            self._on_fault(fault)

    def _next(self) -> Sound | None:
        """Wait for what is to sound, None when it is time to end."""
        with self._condition:
            while not self._wanted and not self._is_closing:
                self._is_idle = True
                self._wait(self._condition, None)
            self._is_cut = self._is_idle = False
            return None if self._is_closing else self._wanted.popleft()

    def _perform(self, notes: Sequence[Note]) -> None:
        for note in notes:
            self._sound(note.hz)
            if self._is_cut_off(note.ms / 1000):
                break
        self._sound(0)

    def _is_cut_off(self, seconds: float) -> bool:
        """Let a note sound; True where something else is wanted before it has ended."""
        with self._condition:
            if not self._is_cut and not self._is_closing:
                self._wait(self._condition, seconds)
            return self._is_cut or self._is_closing

    def _sound(self, hz: float) -> None:
        if self._kind == "active":
            (self._device.on if hz else self._device.off)()
        elif hz and self._duty:
            self._device.play(hz)
            self._device.pwm_device.value = self._duty
        else:
            self._device.stop()

"""A gpiozero pin factory for outputs by libgpiod 2, so that the buzzer costs nothing while it is silent.

lgpio's C thread for square waves wakes 50 times a second for ever once the chip is open (over 1 % of a slow processor);
here a wave has a thread of its own ("square wave"), which lives only while a note sounds. Its pitch is kept by counting
from the note's beginning, its edges are as late as the scheduler makes them: fit for a buzzer, not for a servo. So a
soft tone, whose pulses are short, is as soft as the scheduler lets it be: pulses below `LEAST_SLEEP_NS` are written
back to back, and those a little above come out longer. Fields touched by two threads: `_Wave.parts_ns` and
`_Wave.is_over`, each written as a whole. Inputs are `gpiod_source`'s.
"""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from gpiozero.exc import PinInvalidFunction, PinPWMFixedValue, PinSetInput
from gpiozero.pins import Factory, Pin

from companion.adapters.gpio.gpiod_chip import cannot_claim, find_chip, load_gpiod
from companion.core.timing.events import SECOND
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable

CONSUMER = "companion buzzer"
FURTHEST_BEHIND = 4
"""A wave that is so many periods late goes on from now instead of catching up."""
LEAST_SLEEP_NS = 60_000
"""A sleep takes no less than about so long on a Pi: a shorter part of a wave lasts as long as the next write takes."""


class _Wave:
    """A square wave that sounds from its construction until `stop`. parts_ns: how long it is high, and low."""

    def __init__(self, write: Callable[[bool], None], parts_ns: tuple[int, int]) -> None:
        self._write = write
        self.parts_ns = parts_ns
        self.is_over = False
        self._thread = Watched(self._run, name="square wave")
        self._thread.start()

    def stop(self) -> None:
        self.is_over = True
        self._thread.join()

    def _run(self) -> None:
        level = True
        due_ns = time.monotonic_ns()
        try:
            while not self.is_over:
                self._write(level)
                parts_ns = self.parts_ns
                part_ns = parts_ns[0 if level else 1]
                level = not level
                due_ns += part_ns
                if part_ns < LEAST_SLEEP_NS:
                    continue
                ahead_ns = due_ns - time.monotonic_ns()
                if ahead_ns > 0:
                    time.sleep(ahead_ns / SECOND)
                elif -ahead_ns > FURTHEST_BEHIND * sum(parts_ns):
                    due_ns = time.monotonic_ns()
        except OSError:
            return  # the chip has gone; whoever writes the next level is told so


def parts_of_wave_ns(hz: float, duty: float) -> tuple[int, int]:
    """Give how long a wave is high and low in each period; `hz` is above 0, `duty` between 0 and 1."""
    high_ns = round(SECOND * duty / hz)
    return high_ns, round(SECOND / hz) - high_ns


class _OutputPin(Pin):  # type: ignore[misc]  # gpiozero has no types
    """One output, claimed while its function is "output"."""

    def __init__(self, number: int, claim: Callable[[int], Any]) -> None:
        self._number = number
        self._claim = claim
        self._info = SimpleNamespace(name=f"GPIO{number}")
        self._request: Any = None
        self._level = 0.0
        self._hz: float | None = None
        self._wave: _Wave | None = None

    def __repr__(self) -> str:
        return str(self._info.name)

    def close(self) -> None:
        self._set_function("input")

    def write(self, level: bool) -> None:
        value = load_gpiod().line.Value
        self._request.set_value(self._number, value.ACTIVE if level else value.INACTIVE)

    def _get_info(self) -> SimpleNamespace:
        return self._info

    def _get_function(self) -> str:
        return "input" if self._request is None else "output"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"{self!r} can be an output, or let go of; not {value!r}")
        if value == "output" and self._request is None:
            self._request = self._claim(self._number)
        elif value == "input" and self._request is not None:
            self._silence()
            self._hz = None
            self._request.release()
            self._request = None

    def _get_state(self) -> float:
        return self._level

    def _set_state(self, value: float) -> None:
        if self._request is None:
            raise PinSetInput(f"{self!r} is not an output")
        self._level = value
        self._sound()

    def _get_frequency(self) -> float | None:
        return self._hz

    def _set_frequency(self, value: float | None) -> None:
        if value is not None and self._request is None:
            raise PinPWMFixedValue(f"{self!r} is not an output")
        if value is None:
            self._level = 0.0
        self._hz = value
        if self._request is not None:
            self._sound()

    def _sound(self) -> None:
        """Do what level and frequency now say; any level between is the share of a wave that is high."""
        if self._hz is None or self._level in (0, 1):
            self._silence()
            self.write(bool(self._level))
        elif self._wave is None:
            self._wave = _Wave(self.write, parts_of_wave_ns(self._hz, self._level))
        else:
            self._wave.parts_ns = parts_of_wave_ns(self._hz, self._level)

    def _silence(self) -> None:
        if self._wave is not None:
            self._wave.stop()
            self._wave = None


class GpiodOutputs(Factory):  # type: ignore[misc]  # gpiozero has no types
    """Outputs of one chip. The kernel itself knows which lines are taken, so reservations are not kept here."""

    def __init__(self, chip: str | None = None) -> None:
        """Find the chip. Raises Unavailable as `find_chip` does."""
        super().__init__()
        self._wanted = chip
        find_chip(chip, 1)
        self.pins: dict[int, _OutputPin] = {}

    def pin(self, name: int) -> _OutputPin:
        """Give the one object of a GPIO number."""
        return self.pins.setdefault(name, _OutputPin(name, self._claim))

    def reserve_pins(self, requester: Any, *names: Any) -> None:
        """Reserve nothing: see the class."""

    def release_pins(self, reserver: Any, *names: Any) -> None:
        """Release nothing: see the class."""

    def release_all(self, reserver: Any) -> None:
        """Release nothing: see the class."""

    def ticks(self) -> float:
        """Give the time in seconds, as gpiozero's local factories do."""
        return time.monotonic()

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Give the seconds between two ticks."""
        return later - earlier

    def _claim(self, number: int) -> Any:
        gpiod = load_gpiod()
        line = gpiod.line
        settings = gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=line.Value.INACTIVE)
        with gpiod.Chip(find_chip(self._wanted, number + 1).path) as chip:
            try:
                return chip.request_lines({number: settings}, CONSUMER)
            except OSError as error:
                raise cannot_claim(chip, {"buzzer": number}, error) from error

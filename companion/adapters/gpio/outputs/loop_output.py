"""The output of a loop of wire: writes a level and looks at the clock before and after.

High is the rest, as of a button that nobody presses; low closes the contact. By libgpiod where the buttons are read by
it, else by the pin factory of gpiozero that reads them. No thread. Knows no line and no trial.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from companion.adapters.gpio.gpiod_chip import cannot_claim, find_chip, load_gpiod
from companion.core.errors import Unavailable
from companion.core.timing.loop_errors import Change

if TYPE_CHECKING:
    from collections.abc import Callable

CONSUMER = "companion certify"
LABEL = "the output of the loop"


class LoopOutput:
    """An output that is high from `open` on, and let go of by `close`. clock: CLOCK_MONOTONIC in ns.

    claim: takes the pin, and gives what writes to it (True: high) and what gives it back.
    """

    def __init__(
        self,
        claim: Callable[[], tuple[Callable[[bool], None], Callable[[], None]]],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._claim = claim
        self._clock = clock
        self._write: Callable[[bool], None] | None = None
        self._release: Callable[[], None] | None = None

    def open(self) -> None:
        """Take the pin. Raises Unavailable where it cannot be had."""
        self._write, self._release = self._claim()

    def change(self, active: bool) -> Change:
        """Close or open the contact that the loop stands for. Raises Unavailable where the pin is gone, or not open."""
        write, clock = self._write, self._clock
        if write is None:
            raise Unavailable("the output of the loop is not open: open it first")
        try:
            before_ns = clock()
            write(not active)
            after_ns = clock()
        except OSError as error:
            raise Unavailable(
                f"the output of the loop cannot be written any more: {error.strerror or error}"
            ) from error
        return Change(active, before_ns, after_ns)

    def close(self) -> None:
        """Give the pin back: it is an input again. May be called again."""
        release, self._release, self._write = self._release, None, None
        if release is not None:
            release()


def by_gpiod(gpio: int, chip: str | None = None) -> LoopOutput:
    """Give an output on a pin by libgpiod 2. chip: as of `GpiodSource`."""

    def claim() -> tuple[Callable[[bool], None], Callable[[], None]]:
        gpiod = load_gpiod()
        line, found = gpiod.line, find_chip(chip, gpio + 1)
        settings = gpiod.LineSettings(direction=line.Direction.OUTPUT, output_value=line.Value.ACTIVE)
        with gpiod.Chip(found.path) as opened:
            try:
                request = opened.request_lines({gpio: settings}, CONSUMER)
            except OSError as error:
                raise cannot_claim(opened, {LABEL: gpio}, error) from error
        high, low = line.Value.ACTIVE, line.Value.INACTIVE
        return lambda level: request.set_value(gpio, high if level else low), request.release

    return LoopOutput(claim)


def by_factory(gpio: int, factory: Callable[[], Any]) -> LoopOutput:
    """Give an output on a pin of the gpiozero factory that `factory` gives, which is open by then and stays so."""

    def claim() -> tuple[Callable[[bool], None], Callable[[], None]]:
        from gpiozero import DigitalOutputDevice  # noqa: PLC0415 - only for those who read by it

        try:
            device = DigitalOutputDevice(gpio, initial_value=True, pin_factory=factory())
        except Exception as error:
            raise Unavailable(
                f"GPIO {gpio} ({LABEL}) cannot be had: {error}: stop what uses it, or use another pin"
            ) from error
        pin = device.pin

        def write(level: bool) -> None:
            pin.state = level

        return write, device.close

    return LoopOutput(claim)

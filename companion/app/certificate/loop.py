"""The loop of wire of `companion certify`: its output, on the library that reads the buttons. Part of `app`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.adapters.gpio.loop_output import LoopOutput
    from companion.config.settings import Source
    from companion.ports import ButtonSource


def source_name(source: ButtonSource) -> str:
    """Say how an open source reads the buttons: "gpiod", "gpiozero/lgpio"."""
    pins = getattr(source, "pins", None)
    return source.name if pins is None else f"{source.name}/{pins.name}"


def make_loop(source: ButtonSource, chosen: Source, gpio: int | None) -> LoopOutput:
    """Give the output of the loop, not opened, on the library that reads the buttons. source: open.

    Raises Unavailable where no pin is named for it.
    """
    from companion.adapters.gpio.loop_output import by_factory, by_gpiod

    if gpio is None:
        raise Unavailable('no pin drives the loop of wire: name a free one in the configuration, [pins] "certify" = 18')
    if source.name == "gpiod":
        return by_gpiod(gpio, chosen.chip or None)
    return by_factory(gpio, lambda: getattr(source, "pins").factory)  # noqa: B009 - a gpiozero source, which is open

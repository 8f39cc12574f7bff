"""The loop of wire of `companion certify`: its output, on the library that reads the buttons. Part of `app`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.adapters.gpio.outputs.loop_output import LoopOutput
    from companion.config.settings import Source
    from companion.ports import ButtonSource


def source_name(source: ButtonSource) -> str:
    """Say how an open source reads the buttons: "gpiod", "gpiozero/lgpio"."""
    from companion.adapters.gpio.gpiozero_source import GpiozeroSource

    if isinstance(source, GpiozeroSource) and source.pins is not None:
        return f"{source.name}/{source.pins.name}"
    return source.name


def pods_name(unique_ids: Iterable[str]) -> str:
    """Say the same of the pods that are assigned: another pod has another counter, and other pins."""
    return f"pods/{','.join(sorted(unique_ids))}"


def make_loop(source: ButtonSource, chosen: Source, gpio: int | None) -> LoopOutput:
    """Give the loop's output, not opened, by gpiozero where that reads the buttons, else by libgpiod. source: open.

    Raises Unavailable where no pin is named for it.
    """
    from companion.adapters.gpio.gpiozero_source import GpiozeroSource
    from companion.adapters.gpio.outputs.loop_output import by_factory, by_gpiod

    if gpio is None:
        raise Unavailable('no pin drives the loop of wire: name a free one in the configuration, [pins] "certify" = 18')
    if isinstance(source, GpiozeroSource) and source.pins is not None:
        pins = source.pins
        return by_factory(gpio, lambda: pins.factory)
    return by_gpiod(gpio, chosen.chip or None)

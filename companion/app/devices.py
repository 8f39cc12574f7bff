"""Gives the parts of a real panel that the settings name, not opened: buttons, display, buzzer. Part of `app`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.config.reading import state_directory
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.config.settings import Settings
    from companion.ports import ButtonSource, Display, Speaker

LOG = logging.getLogger("companion")


def make_source(settings: Settings) -> ButtonSource | None:
    """Give the buttons' source that the settings name, not opened; None for none. Raises Malformed."""
    from companion.adapters.gpio.gpiod_chip import load_gpiod
    from companion.adapters.gpio.gpiod_source import GpiodSource

    chosen, wanted = settings.source, settings.source.chip or None
    if chosen.kind == "none":
        return None
    kind: str = chosen.kind
    if kind == "auto":
        try:
            load_gpiod()
            kind = "gpiod"
        except Unavailable as error:
            LOG.warning("%s; reading the buttons by gpiozero", error)
            kind = "gpiozero"
    if kind == "gpiod":
        gpiod = GpiodSource(
            settings.pins.lines, rotary=settings.pins.knob, chip=wanted, error_ns=chosen.error_ns
        )  # fmt: skip
        if chosen.delay_ns is not None:
            gpiod.delay_ns = chosen.delay_ns
        return gpiod
    from companion.adapters.gpio.gpiozero_source import GpiozeroSource

    return GpiozeroSource(
        settings.pins.lines,
        rotary=settings.pins.knob,
        factory=chosen.pin_factory or "auto",
        chip=wanted,
        work_dir=state_directory(settings),
        delay_ns=chosen.delay_ns,
    )


def make_display(settings: Settings) -> Display | None:
    """Give the display that the settings name, not opened; None for none."""
    from companion.adapters.oled.display import OledDisplay
    from companion.adapters.oled.wiring import I2cWiring, SpiWiring

    chosen = settings.display
    if chosen.kind == "none":
        return None
    wiring: I2cWiring | SpiWiring = I2cWiring(chosen.i2c_bus, chosen.i2c_address)
    if chosen.interface == "spi":
        wiring = SpiWiring(chosen.spi_port, chosen.spi_device, chosen.spi_dc_gpio, chosen.spi_reset_gpio)
    return OledDisplay(chosen.kind, wiring, rotation=chosen.rotate, contrast=chosen.contrast)


def make_speaker(settings: Settings, source: ButtonSource | None) -> Speaker | None:
    """Give the buzzer, not opened; None on a box without one. Beside gpiod it needs no lgpio, which never rests."""
    if settings.pins.buzzer is None or settings.buzzer.kind == "none":
        return None
    from companion.adapters.gpio.buzzer import PanelBuzzer

    by_gpiod = source is not None and source.name == "gpiod"

    return PanelBuzzer(
        settings.pins.buzzer,
        kind=settings.buzzer.kind,
        factory=settings.source.pin_factory or ("gpiod" if by_gpiod else "auto"),
        chip=settings.source.chip or None,
        work_dir=state_directory(settings),
    )

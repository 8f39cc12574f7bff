"""What a box's settings ask of the Pi's boot files: which pins must be free, and whether the display's bus is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.boot_files.config_txt import Wanted
from companion.config.pins import I2C_KEYS

if TYPE_CHECKING:
    from companion.config.pins import PinMap
    from companion.config.settings import DisplaySettings, Signals, Source

HEADER_BUS = 1
"""The I2C bus on the header's pins; the speed of any other is none of this program's."""


def wanted(source: Source, pins: PinMap, display: DisplaySettings, signals: Signals) -> Wanted:
    """Say what a box with these settings needs of the header."""
    shows = display.kind != "none" and display.interface == "i2c" and display.i2c_bus == HEADER_BUS
    lights = {signals.kind, signals.button_lamps} != {"none"} and signals.i2c_bus == HEADER_BUS
    used = {} if source.kind == "none" else pins.named
    return Wanted(shows or lights, frozenset(gpio for key, gpio in used.items() if key not in I2C_KEYS))

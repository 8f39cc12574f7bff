"""The OLED: `OledDisplay` through luma.oled, and a model of the chips for tests and for the simulated panel."""

from __future__ import annotations

from companion.adapters.oled.chip import ChipModel, I2cWire, SpiWire, simulated
from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring, SpiWiring
from companion.core.shown.displays import CHIPS

__all__ = ["CHIPS", "ChipModel", "I2cWire", "I2cWiring", "OledDisplay", "SpiWire", "SpiWiring", "simulated"]

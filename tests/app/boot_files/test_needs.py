"""What settings ask of the boot files: the display's bus is used by a display, by motors, or by lamps in buttons."""

from __future__ import annotations

import pytest

from companion.app.boot_files.needs import wanted
from companion.config.pins import built_in
from companion.config.settings import DisplaySettings, Signals, Source

NONE = DisplaySettings(kind="none")


@pytest.mark.parametrize(
    ("display", "signals", "uses_bus"),
    [
        (DisplaySettings(), Signals(), True),
        (NONE, Signals(), False),
        (NONE, Signals(kind="mcp23017"), True),
        (NONE, Signals(button_lamps="pca9685"), True),
        (NONE, Signals(button_lamps="pca9685", i2c_bus=3), False),
    ],
    ids=["display", "nothing", "motors", "button lamps", "button lamps on another bus"],
)
def test_whoever_is_on_the_headers_bus_needs_it(display, signals, uses_bus):
    assert wanted(Source(), built_in(), display, signals).i2c is uses_bus

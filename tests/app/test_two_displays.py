"""A table with a display on each side: both show the same, and one that is pulled off takes nothing from the other."""

from __future__ import annotations

import threading
from typing import Any

from companion.adapters.oled import CHIPS, simulated
from companion.adapters.oled.display import OledDisplay
from companion.app.assembly import drawing_of
from companion.app.devices import make_displays
from companion.app.turn.display_thread import DisplayThread
from companion.config.languages import Languages
from companion.config.settings import DisplaySettings, Picture
from companion.screens.oled.large.drawing import drawing
from tests.screens.scenes import SCENES

LONG_S = 5.0


def test_the_settings_give_two_displays_on_one_bus_each_the_way_it_is_mounted() -> None:
    first, second = make_displays(DisplaySettings(i2c_bus=3, rotate=0), Picture(second_address=0x3D, second_rotate=180))
    assert isinstance(first, OledDisplay)
    assert isinstance(second, OledDisplay)
    places = [vars(display)["_wiring"].place() for display in (first, second)]
    assert places == ["address 0x3c on I2C bus 3", "address 0x3d on I2C bus 3"]
    assert [vars(display)["_rotation"] for display in (first, second)] == [0, 180]
    assert len(make_displays(DisplaySettings(), Picture())) == 1
    assert make_displays(DisplaySettings(kind="none"), Picture(second_address=0x3D)) == []


def test_both_chips_hold_the_same_picture_the_other_side_s_upside_down() -> None:
    here, here_wire = simulated("ssd1306")
    there, there_wire = simulated("ssd1306", rotation=180)
    for display in (here, there):
        thread = DisplayThread("display", display, drawing("large"), lambda _text: None)
        thread.start()
        thread.show(SCENES["standing-final"])
        seen = threading.Event()
        show = display.show

        def shown(*given: Any, show: Any = show, seen: threading.Event = seen) -> None:
            show(*given)
            seen.set()

        display.show = shown  # type: ignore[assignment, method-assign]
        thread.show(SCENES["choosing"])
        assert seen.wait(LONG_S)
        vars(thread)["_display"].close = lambda: None  # so that its last picture can be looked at
        thread.stop()
    assert CHIPS["ssd1306"].size == here_wire.chip.picture().size
    assert here_wire.chip.picture().rotate(180).tobytes() == there_wire.chip.picture().tobytes()
    assert here_wire.chip.picture().getbbox() is not None


def test_pictures_turn_toward_the_far_side_only_where_it_has_no_display_of_its_own() -> None:
    upright = drawing("usual")(SCENES["choosing"], (128, 64), 0).image.tobytes()
    for second, is_turned in ((0, True), (0x3D, False)):
        draw = drawing_of(Picture(far=("red",), second_address=second), Languages())
        assert (draw(SCENES["choosing"], (128, 64), 0).image.tobytes() != upright) == is_turned

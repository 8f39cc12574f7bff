"""How long a press keeps the I2C bus busy, from the bytes themselves: 400 kHz, nine clocks a byte, start and stop."""

import dataclasses
from collections.abc import Iterator

import pytest

from companion.adapters.oled import I2cWire, simulated
from companion.adapters.oled.chip import Sh1106Model, Ssd1306Model
from companion.core.shown.scene import Standing
from companion.screens.oled.picture import draw
from tests.screens.scenes import SCENES

CLOCK_MS = 1 / 400
I2C = ["ssd1306", "sh1106", "ssd1309"]


def race(rows):
    """The race of five as it was when so many had pressed."""
    scene = SCENES["standing-five"]
    assert isinstance(scene.body, Standing)
    return dataclasses.replace(scene, body=dataclasses.replace(scene.body, rows=scene.body.rows[:rows]))


class Sent:
    """A display whose bus is timed: `ms`."""

    def __init__(self, chip: str) -> None:
        self.display, wire = simulated(chip)
        assert isinstance(wire, I2cWire)
        assert isinstance(wire.chip, Ssd1306Model | Sh1106Model)
        self.chip = wire.chip
        self.ms = 0.0
        write = wire.write_i2c_block_data

        def timed(address, register, data):
            write(address, register, data)
            self.ms += (2 + 9 * (2 + len(data))) * CLOCK_MS

        wire.write_i2c_block_data = timed  # type: ignore[method-assign]

    def press(self, scene) -> tuple[float, float]:
        """Show a scene; give ms until the order's rows had arrived, and until everything had."""
        canvas = draw(scene, self.display.size)
        pages = slice(canvas.first[0] // 8, canvas.first[1] // 8)
        began, history = self.ms, []

        def look() -> bool:
            history.append((self.ms - began, [bytes(page) for page in self.chip.ram[pages]]))
            return False

        self.display.show(canvas.image, canvas.first, look)
        return next(ms for ms, held in history if held == history[-1][1]), history[-1][0]


def presses(chip: str) -> Iterator[tuple[int, float, float]]:
    sent = Sent(chip)
    sent.display.show(draw(SCENES["idle"], sent.display.size).image)
    for rows in range(1, 6):
        yield rows, *sent.press(race(rows))


@pytest.mark.parametrize("chip", I2C)
def test_the_row_of_a_press_has_arrived_after_some_six_milliseconds_of_bus(chip):
    for rows, order_ms, _ in presses(chip):
        limit = 12.5 if rows == 4 else 6.5  # from the fourth on the letters are small: all rows are new
        assert order_ms <= limit, f"press {rows}: {order_ms:.2f} ms"


@pytest.mark.parametrize("chip", I2C)
def test_no_picture_of_a_race_takes_as_long_as_a_whole_one(chip):
    assert all(whole_ms < 19 for _, _, whole_ms in presses(chip))
    assert [rows for rows, _, whole_ms in presses(chip) if whole_ms > 7] == [1, 4]

"""The lamps in the box's own buttons: from the scene and the signs to the outputs of the chips, as pods' lamps."""

from __future__ import annotations

import pytest

from companion.adapters.signals.button_lamps import ButtonLamps
from companion.adapters.signals.chips import Pca9685
from companion.app import devices
from companion.app.signals.lit_buttons import LitButtons
from companion.config.pins import built_in_button_lamps
from companion.config.settings import Signals
from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.shown.scene import Choosing, Menu, MenuItem, Question, Scene
from companion.core.signals.signs import Sign
from companion.core.signals.single_lamps import BLINK_NS
from companion.core.timing.events import SECOND
from tests.app.signals.led_thread import LedThread
from tests.fakes.expanders import FakeBus, FakePca9685

DARK = Scene(Question("", (), Menu("", ())))


def choosing():
    items = (MenuItem("warrior", button="red second"), MenuItem("maiden", button="red third"))
    return Scene(Choosing(None, Colour.RED, Menu("", items)))


class Bench(LedThread):
    def __init__(self):
        self.bus = FakeBus({0x40: FakePca9685(), 0x41: FakePca9685()})
        chips = ButtonLamps(lambda: Pca9685(lambda _s: None), built_in_button_lamps(), addresses=(0x40, 0x41),
                            open_bus=self.bus.open)  # fmt: skip
        self.buttons = LitButtons(chips)
        super().__init__([self.buttons])
        self.buttons.on_change = self.thread.wake
        self.start()

    def show(self, scene):
        self.do(self.buttons.show, scene)

    def give(self, sign, seats):
        self.do(self.thread.give, sign, seats)

    def at(self, now_ns):
        self.now_ns = now_ns
        self.do(self.thread.wake)

    def on(self):
        lamps = {number: label for label, number in built_in_button_lamps().items()}
        return {
            lamps[16 * chip + output]
            for chip, address in enumerate((0x40, 0x41))
            for output in range(16)
            if address in self.bus.chips and self.bus.chips[address].share(output)
        }


@pytest.fixture
def bench():
    made = Bench()
    yield made
    made.thread.stop()


def test_buttons_that_pick_something_blink(bench):
    bench.show(choosing())
    assert bench.on() == {"red second", "red third"}
    assert bench.due_ns == BLINK_NS
    bench.at(BLINK_NS)
    assert bench.on() == set()
    bench.at(2 * BLINK_NS)
    assert bench.on() == {"red second", "red third"}
    bench.at(3 * BLINK_NS)
    bench.show(DARK)
    bench.at(4 * BLINK_NS)
    assert bench.on() == set()


def test_a_sign_is_said_by_all_four_lamps_of_a_seat(bench):
    bench.give(Sign.ACCEPTED, [Colour.PURPLE])
    assert bench.on() == {f"purple {place}" for place in ("first", "second", "third", "fourth")}


def test_a_chip_that_went_is_lit_again_as_it_should_be(bench):
    bench.show(choosing())
    chip = bench.bus.chips.pop(0x40)
    bench.at(2 * SECOND)
    assert [told is None for _, told in bench.told] == [True, False]
    chip.power_on()
    bench.bus.chips[0x40] = chip
    bench.at(4 * SECOND + BLINK_NS * 2 - (4 * SECOND) % (BLINK_NS * 2))
    assert bench.told[-1][1] is None
    assert bench.on() == {"red second", "red third"}


def test_at_the_end_all_are_dark(bench):
    bench.give(Sign.ACCEPTED, [Colour.RED])
    bench.thread.stop()
    assert bench.on() == set()


def test_two_chips_at_one_address_are_refused():
    with pytest.raises(Malformed, match="two chips are at address 0x40"):
        devices.make_button_lamps(Signals(kind="pca9685", button_lamps="pca9685"))
    assert devices.make_button_lamps(Signals(kind="pca9685", i2c_address=0x42, button_lamps="pca9685")) is not None
    assert devices.make_button_lamps(Signals(kind="pca9685")) is None


def test_the_box_has_a_part_that_sees_the_scenes():
    (part,) = devices._with_signals(Signals(button_lamps="pca9685"), [])
    assert [type(one) for one in part.watchers] == [LitButtons]
    part.watchers[0].show(DARK)  # not attached yet: there is nobody to wake

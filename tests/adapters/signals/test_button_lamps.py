"""The lamps in the buttons on two chips: which output is which button's, and what becomes of a chip that goes."""

from __future__ import annotations

import pytest

from companion.adapters.signals.button_lamps import ButtonLamps
from companion.adapters.signals.chips import Pca9685
from companion.config.pins import built_in_button_lamps
from companion.core.errors import Malformed, Unavailable
from companion.core.panel import BUTTONS
from tests.fakes.expanders import FakeBus, FakePca9685

FIRST, SECOND = 0x40, 0x41


@pytest.fixture
def bus():
    return FakeBus({FIRST: FakePca9685(), SECOND: FakePca9685()})


def made(bus, addresses=(FIRST, SECOND), outputs=None, share=1.0):
    return ButtonLamps(lambda: Pca9685(lambda _s: None), built_in_button_lamps() if outputs is None else outputs,
                       addresses=addresses, share=share, open_bus=bus.open)  # fmt: skip


def on(bus):
    return {
        (address, output): chip.share(output)
        for address, chip in bus.chips.items()
        for output in range(16)
        if chip.share(output)
    }


def test_every_button_has_a_lamp_of_its_own(bus):
    lamps = made(bus, share=0.5)
    lamps.open()
    seen = {}
    for button in BUTTONS:
        lamps.light({button.label})
        assert list(on(bus).values()) == [0.5]
        seen[button.label] = next(iter(on(bus)))
    assert len(set(seen.values())) == 20
    assert seen["red first"] == (FIRST, 0)
    assert seen["purple fourth"] == (FIRST, 11)
    assert seen["blue second"] == (SECOND, 5)
    assert lamps.wiring()[13] == "output 1 at 0x41: lamp of green second, 50%"
    lamps.close()
    assert on(bus) == {}


def test_only_what_has_changed_is_written(bus):
    lamps = made(bus)
    lamps.open()
    lamps.light({"red first", "red fourth"})
    bus.written.clear()
    lamps.light({"red first", "red fourth"})
    assert bus.written == []
    lamps.light({"red first"})
    assert bus.written == [(0x06 + 4 * 3, (0, 0, 0, 0x10))]


def test_a_chip_that_is_missing_leaves_none_open(bus):
    del bus.chips[SECOND]
    lamps = made(bus)
    with pytest.raises(Unavailable, match="at address 0x41 of I2C bus 1: it does not answer"):
        lamps.open()
    assert bus.closed == bus.opened
    with pytest.raises(Unavailable, match="not open"):
        lamps.light(())


def test_a_chip_that_goes_is_told_and_comes_back(bus):
    lamps = made(bus)
    lamps.open()
    lamps.light({"green first"})
    bus.chips[SECOND].power_on()
    with pytest.raises(Unavailable, match="it has forgotten its settings"):
        lamps.check()
    lamps.open()
    lamps.light({"green first"})
    assert on(bus) == {(SECOND, 0): 1.0}


def test_a_chip_that_no_lamp_is_on_need_not_be_there(bus):
    del bus.chips[SECOND]
    lamps = made(bus, outputs={"red first": 3})
    lamps.open()
    lamps.light({"red first"})
    assert on(bus) == {(FIRST, 3): 1.0}


def test_a_lamp_beyond_the_last_chip_is_named(bus):
    with pytest.raises(Malformed, match="button_addresses: green first is at output 16, and these chips end at 15"):
        made(bus, addresses=(FIRST,))


def test_an_address_that_no_such_chip_has_is_named(bus):
    with pytest.raises(Malformed, match=r"signals\.button_addresses: no PCA9685 is at 0x20"):
        made(bus, addresses=(FIRST, 0x20))

"""Lamps and motors on an expander: the bytes on the bus, what the outputs then do, and what becomes of a chip gone."""

from __future__ import annotations

import errno

import pytest

from companion.adapters.signals.chips import Mcp23017, Pca9685
from companion.adapters.signals.expander import CHIPS, ExpanderSignals, Wired
from companion.core.errors import Malformed, Unavailable
from companion.core.panel import Colour
from companion.core.signals.board import Lit
from companion.core.signals.signs import Outlet
from tests.fakes.expanders import FakeBus, FakeMcp23017, FakePca9685

LAMPS = {Lit(colour, Outlet.LAMP): Wired(number) for number, colour in enumerate(Colour)}
MOTORS = {Lit(colour, Outlet.MOTOR): Wired(number + 8) for number, colour in enumerate(Colour)}
RED_LAMP, BLUE_MOTOR = Lit(Colour.RED, Outlet.LAMP), Lit(Colour.BLUE, Outlet.MOTOR)
FAKES: dict[str, type[FakePca9685 | FakeMcp23017]] = {"pca9685": FakePca9685, "mcp23017": FakeMcp23017}


def no_wait(_seconds):
    pass


def made(kind, wired=None, chip=None):
    fake = chip or FAKES[kind]()
    real = Pca9685(no_wait) if kind == "pca9685" else Mcp23017()
    bus = FakeBus({real.usual_address: fake})
    return ExpanderSignals(real, LAMPS | MOTORS if wired is None else wired, open_bus=bus.open), fake, bus


def shares(fake):
    return {output: fake.share(output) for output in range(16) if fake.share(output)}


@pytest.fixture(params=list(CHIPS))
def kind(request):
    return request.param


def test_outputs_are_on_as_told_and_only_what_changes_is_written(kind):
    signals, fake, bus = made(kind)
    signals.open()
    assert shares(fake) == {}
    signals.switch(frozenset({RED_LAMP, BLUE_MOTOR}), {})
    assert shares(fake) == {0: 1.0, 11: 1.0}
    bus.written.clear()
    signals.switch(frozenset({RED_LAMP, BLUE_MOTOR}), {})
    assert bus.written == []
    signals.switch(frozenset({RED_LAMP}), {})
    assert len(bus.written) == 1
    assert shares(fake) == {0: 1.0}
    signals.close()
    assert shares(fake) == {}
    assert bus.closed == bus.opened
    signals.close()


def test_each_lamp_and_motor_is_where_the_map_says(kind):
    signals, fake, _ = made(kind)
    signals.open()
    for lit, wired in (LAMPS | MOTORS).items():
        signals.switch(frozenset({lit}), {})
        assert shares(fake) == {wired.output: 1.0}


def test_the_bytes_for_a_pca9685():
    signals, _, bus = made("pca9685")
    signals.open()
    assert bus.written == [(0xFD, (0x10,)), (0x00, (0x30,)), (0xFE, (5,)), (0x01, (0x04,)), (0x00, (0x20,))]
    bus.written.clear()
    signals.switch(frozenset({RED_LAMP, BLUE_MOTOR}), {})
    signals.switch(frozenset(), {})
    assert bus.written == [
        (0x06, (0, 0x10, 0, 0)), (0x32, (0, 0x10, 0, 0)), (0x06, (0, 0, 0, 0x10)), (0x32, (0, 0, 0, 0x10)),
    ]  # fmt: skip
    bus.written.clear()
    signals.close()
    assert bus.written == [(0xFD, (0x10,))]


def test_the_bytes_for_an_mcp23017():
    signals, _, bus = made("mcp23017")
    signals.open()
    assert bus.written == [(0x05, (0,)), (0x0A, (0,)), (0x14, (0, 0)), (0x00, (0xE0, 0xE0))]
    bus.written.clear()
    signals.switch(frozenset({RED_LAMP, BLUE_MOTOR}), {})
    assert bus.written == [(0x14, (0x01, 0x08))]


def test_no_transaction_is_longer_than_the_display_s_own(kind):
    signals, _, bus = made(kind)
    signals.open()
    signals.switch(frozenset(LAMPS | MOTORS), {})
    assert max(len(data) for _, data in bus.written) <= 4


def test_brightness_and_strength_are_shares_of_the_time():
    wired = {RED_LAMP: Wired(0, 0.25), BLUE_MOTOR: Wired(11, 0.6)}
    signals, fake, _ = made("pca9685", wired)
    signals.open()
    signals.switch(frozenset(wired), {})
    assert shares(fake) == {0: 0.25, 11: pytest.approx(0.6, abs=1 / 4096)}


@pytest.mark.parametrize(("share", "registers"), [(0, (0, 0, 0, 0x10)), (1, (0, 0x10, 0, 0)), (0.5, (0, 0, 0, 8)),
                                                  (0.0001, (0, 0, 0, 0x10)), (0.9999, (0, 0x10, 0, 0))])  # fmt: skip
def test_the_ends_of_the_scale_are_always_off_and_always_on(share, registers):
    assert Pca9685().registers(share) == registers


def test_what_a_killed_program_left_on_is_switched_off_at_the_start(kind):
    first, fake, bus = made(kind)
    first.open()
    first.switch(frozenset(LAMPS | MOTORS), {})
    assert len(shares(fake)) == 10  # and nobody closes it
    again = ExpanderSignals(Pca9685(no_wait) if kind == "pca9685" else Mcp23017(), LAMPS, open_bus=bus.open)
    again.open()
    assert shares(fake) == {}


def test_an_mcp23017_that_was_left_in_the_other_bank_is_put_right():
    signals, fake, _ = made("mcp23017")
    fake.registers[0x0A] = 0x80
    signals.open()
    signals.switch(frozenset({RED_LAMP}), {})
    assert shares(fake) == {0: 1.0}


def test_outputs_that_nobody_uses_stay_inputs():
    signals, fake, _ = made("mcp23017", {RED_LAMP: Wired(0)})
    signals.open()
    assert fake.registers[:2] == [0xFE, 0xFF]


def test_who_has_no_lamp_or_motor_is_left_out(kind):
    signals, fake, _ = made(kind, {RED_LAMP: Wired(0)})
    signals.open()
    signals.switch(frozenset({RED_LAMP, BLUE_MOTOR}), {})
    assert shares(fake) == {0: 1.0}
    assert signals.name.startswith("lamps on the ")


def test_one_that_goes_is_told_in_words_and_works_again_once_it_is_back(kind):
    signals, fake, bus = made(kind)
    signals.open()
    signals.switch(frozenset({RED_LAMP}), {})
    address = next(iter(bus.chips))
    del bus.chips[address]
    with pytest.raises(Unavailable, match=r"no lamps and motors on the .* does not answer: check its wires, power"):
        signals.switch(frozenset(), {})
    with pytest.raises(Unavailable):
        signals.open()
    assert bus.closed == bus.opened
    fake.power_on()
    bus.chips[address] = fake
    signals.open()
    signals.switch(frozenset({BLUE_MOTOR}), {})
    assert shares(fake) == {11: 1.0}


def test_one_whose_power_was_away_is_noticed_though_it_answers(kind):
    signals, fake, _ = made(kind)
    signals.open()
    signals.check()
    fake.power_on()
    with pytest.raises(Unavailable, match="its power was away"):
        signals.check()
    signals.open()
    signals.check()


def test_another_chip_at_its_address_is_not_taken_for_it(kind):
    class ReadOnlyMemory(FakeMcp23017):
        def read(self, register, length):
            return [0xFF] * length

    signals, _, _ = made(kind, chip=ReadOnlyMemory())
    with pytest.raises(Unavailable, match=r"no PCA9685|no MCP23017"):
        signals.open()


@pytest.mark.parametrize(("chip", "address"), [(Pca9685(), 0x20), (Mcp23017(), 0x40), (Mcp23017(), 0x3C)])
def test_an_address_that_the_chip_cannot_have_is_refused(chip, address):
    with pytest.raises(Malformed, match=rf"no {chip.name} is at 0x{address:02x}; it can be at"):
        ExpanderSignals(chip, LAMPS, address=address)


@pytest.mark.parametrize(("number", "says"), [(errno.ENOENT, "raspi-config"), (errno.EACCES, "usermod -aG i2c"),
                                              (errno.EOPNOTSUPP, "not supported")])  # fmt: skip
def test_a_bus_that_cannot_be_opened_says_how_to_mend_it(number, says):
    def open_bus(_number):
        raise OSError(number, "Operation not supported")

    signals = ExpanderSignals(Pca9685(no_wait), LAMPS, open_bus=open_bus)
    with pytest.raises(Unavailable, match=says):
        signals.open()
    with pytest.raises(Unavailable, match="not open"):
        signals.switch(frozenset(), {})
    signals.close()

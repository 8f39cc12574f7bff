"""The models of the chips: they obey the datasheets where luma is right and complain where it would be wrong."""

import pytest

from companion.adapters.oled.chip import I2cWire, Sh1106Model, Ssd1306Model, Ssd1322Model, simulated
from companion.core.errors import Malformed

UPRIGHT = (0xA1, 0xC8, 0xAF)


def obey(chip, *commands):
    for byte in commands:
        chip.command(byte)


def lit(chip):
    picture = chip.picture()
    return {(x, y) for x in range(picture.width) for y in range(picture.height) if picture.getpixel((x, y))}


def ssd1306():
    chip = Ssd1306Model()
    obey(chip, 0x20, 0x00, 0x8D, 0x14, *UPRIGHT)
    return chip


def test_ssd1306_wraps_within_its_window_of_columns_and_pages():
    chip = ssd1306()
    obey(chip, 0x21, 10, 11, 0x22, 2, 3)
    for byte in (0x01, 0x80, 0x02, 0x40, 0xFF):
        chip.data(byte)
    assert {(10, 16 + n) for n in range(8)} | {(11, 23), (10, 25), (11, 30)} == lit(chip)


def test_ssd1306_is_dark_without_its_charge_pump_and_when_off():
    chip = ssd1306()
    obey(chip, 0x21, 0, 127, 0x22, 0, 7)
    chip.data(0xFF)
    assert len(lit(chip)) == 8
    obey(chip, 0x8D, 0x10)
    assert not lit(chip)
    obey(chip, 0x8D, 0x14, 0xAE)
    assert not lit(chip)


def test_ssd1306_inverse_all_on_and_mirror_writing():
    chip = ssd1306()
    chip.data(0x01)
    assert lit(chip) == {(0, 0)}
    obey(chip, 0xA7)
    assert len(lit(chip)) == 128 * 64 - 1
    obey(chip, 0xA6, 0xA5)
    assert len(lit(chip)) == 128 * 64
    obey(chip, 0xA4, 0xA0)
    assert lit(chip) == {(127, 0)}
    obey(chip, 0xA1, 0xC0)
    assert lit(chip) == {(0, 63)}
    obey(chip, 0xC8, 0x48)
    assert lit(chip) == {(0, 56)}


def test_sh1106_shows_its_third_column_first_and_stays_in_its_page():
    chip = Sh1106Model()
    obey(chip, *UPRIGHT, 0xB1, 0x01, 0x10)
    for _ in range(140):
        chip.data(0x01)
    assert lit(chip) == {(x, 8) for x in range(128)}


def test_ssd1322_takes_arguments_as_data_and_the_left_pixel_in_the_high_nibble():
    chip = Ssd1322Model()
    for command, arguments in ((0xA0, (0x14, 0x11)), (0xAF, ()), (0x15, (0x1C, 0x1C)), (0x75, (3, 4)), (0x5C, ())):
        chip.command(command)
        for byte in arguments:
            chip.data(byte)
    for byte in (0xF0, 0x00, 0x0F, 0x07):
        chip.data(byte)
    assert lit(chip) == {(0, 3), (1, 4)}


@pytest.mark.parametrize(
    ("chip", "commands", "says"),
    [
        (Ssd1306Model(), (0x2F,), "no command 0x2f"),
        (Ssd1306Model(), (0x21, 5, 128), "columns 5 to 128: allowed 0 to 127"),
        (Ssd1306Model(), (0x22, 5, 4), "pages 5 to 4"),
        (Ssd1322Model(), (0x15, 0x15), "command 0x15 lacks arguments"),
    ],
)
def test_a_command_that_the_chip_does_not_know_is_an_error(chip, commands, says):
    with pytest.raises(Malformed, match=says):
        obey(chip, *commands)


def test_data_in_a_state_that_is_not_modelled_is_an_error():
    with pytest.raises(Malformed, match="horizontal"):
        Ssd1306Model().data(0)
    with pytest.raises(Malformed, match="without the command to write"):
        Ssd1322Model().data(0)
    chip = Ssd1322Model()
    chip.command(0xAF)
    with pytest.raises(Malformed, match="remap"):
        chip.picture()


def test_the_bus_takes_blocks_of_32_bytes_for_its_own_address():
    wire = I2cWire(Ssd1306Model())
    with pytest.raises(ValueError, match="32 bytes"):
        wire.write_i2c_block_data(0x3C, 0x00, [0xE3] * 33)
    with pytest.raises(OSError, match="Remote I/O"):
        wire.write_i2c_block_data(0x3D, 0x00, [0xE3])
    with pytest.raises(Malformed, match="no display chip"):
        simulated("ssd1351")

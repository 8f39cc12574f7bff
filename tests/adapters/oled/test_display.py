"""The OLED adapter against the models of the chips: what luma sends comes back as the picture, byte by byte."""

import errno
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.adapters.oled import CHIPS, I2cWire, I2cWiring, OledDisplay, SpiWiring, simulated
from companion.adapters.oled.chip import Sh1106Model, Ssd1306Model, Ssd1322Model
from companion.core.errors import Malformed, Unavailable
from companion.core.timing.events import SECOND

BUS_BYTES_PER_MS_AT_400_KHZ = 400 / 9


def noise(size, seed):
    width, height = size
    return Image.frombytes("1", size, bytes((seed * 31 + n * n * 7) % 251 for n in range(width // 8 * height)))


class Clock:
    now_ns = 0

    def __call__(self):
        return self.now_ns


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("chip", CHIPS)
def test_each_chip_shows_exactly_the_picture_that_was_sent(chip, rotation):
    display, wire = simulated(chip, rotation=rotation)
    for seed in (1, 2, 3):
        picture = noise(display.size, seed)
        display.show(picture)
        assert wire.chip.picture().rotate(rotation).tobytes() == picture.tobytes()


@given(
    st.sampled_from(sorted(CHIPS)),
    st.lists(
        st.tuples(st.integers(0, 255), st.integers(0, 63), st.integers(1, 60), st.integers(1, 20), st.booleans()),
        max_size=6,
    ),
)
def test_any_sequence_of_changes_leaves_the_chip_with_the_newest_picture(chip, boxes):
    display, wire = simulated(chip)
    picture = Image.new("1", display.size)
    for left, top, width, height, lit in boxes:
        picture.paste(int(lit), (left % display.size[0], top, left % display.size[0] + width, top + height))
        display.show(picture)
    if boxes:
        assert wire.chip.picture().tobytes() == picture.tobytes()


def test_a_frame_on_i2c_is_within_its_bus_time_and_a_changed_line_far_below():
    display, wire = simulated("ssd1306")
    display.show(noise(display.size, 1))
    sent = wire.sent
    display.show(noise(display.size, 2))
    assert (wire.sent - sent) / BUS_BYTES_PER_MS_AT_400_KHZ < 27
    picture = noise(display.size, 2)
    picture.paste(1, (0, 8, 128, 16))
    sent = wire.sent
    display.show(picture)
    assert (wire.sent - sent) / BUS_BYTES_PER_MS_AT_400_KHZ < 4


@pytest.mark.parametrize("chip", CHIPS)
def test_the_same_picture_again_sends_one_command(chip):
    display, wire = simulated(chip)
    picture = noise(display.size, 1)
    display.show(picture)
    sent = wire.sent
    display.show(picture.copy())
    assert wire.sent - sent <= 3


def test_the_constructor_does_no_input_or_output():
    OledDisplay("ssd1306", I2cWiring(open_bus=lambda bus: pytest.fail("the bus was opened")))


@pytest.mark.parametrize("chip", ["ssd1306", "sh1106", "ssd1309"])
def test_unplugged_and_plugged_in_again(chip):
    display, wire = simulated(chip)
    assert isinstance(wire, I2cWire)
    picture = noise(display.size, 1)
    display.show(picture)
    wire.plugged = False
    wire.chip.power_cut()
    with pytest.raises(Unavailable, match=f"{chip} display at address 0x3c on I2C bus 1 does not answer"):
        display.show(picture)
    with pytest.raises(Unavailable, match="i2cdetect"):
        display.open()
    with pytest.raises(Unavailable):
        display.show(picture)
    wire.plugged = True
    display.show(picture)
    assert wire.chip.picture().tobytes() == picture.tobytes()


def test_a_fault_in_the_middle_of_a_frame_leaves_no_half_picture_behind():
    display, wire = simulated("ssd1306")
    assert isinstance(wire, I2cWire)
    display.show(noise(display.size, 1))
    write, left = wire.write_i2c_block_data, [5]

    def failing(*block):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(errno.EIO, "Input/output error")
        write(*block)

    wire.write_i2c_block_data = failing  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        display.show(noise(display.size, 2))
    display.show(noise(display.size, 2))
    assert wire.chip.picture().tobytes() == noise(display.size, 2).tobytes()


@pytest.mark.parametrize("chip", CHIPS)
def test_a_chip_that_lost_its_power_unnoticed_is_set_up_again_with_its_contrast(chip):
    clock = Clock()
    display, wire = simulated(chip, clock=clock, contrast=17)
    assert isinstance(wire.chip, Ssd1306Model | Sh1106Model | Ssd1322Model)
    picture = noise(display.size, 1)
    display.show(picture)
    assert wire.chip.contrast == 17
    wire.chip.power_cut()
    clock.now_ns += 60 * SECOND
    display.show(picture)
    assert wire.chip.picture().tobytes() == picture.tobytes()
    assert wire.chip.contrast == 17


@pytest.mark.parametrize("blocks", [0, 1, 5])
@pytest.mark.parametrize("chip", CHIPS)
def test_a_refresh_that_is_broken_off_takes_nothing_for_granted_about_the_rest(chip, blocks):
    clock = Clock()
    display, wire = simulated(chip, clock=clock)
    picture = noise(display.size, 1)
    display.show(picture)
    wire.chip.power_cut()
    clock.now_ns += 60 * SECOND
    patience = iter(range(blocks))
    display.show(picture, (8, 24), lambda: next(patience, None) is None)
    display.show(picture)
    assert wire.chip.picture().tobytes() == picture.tobytes()


@pytest.mark.parametrize("chip", CHIPS)
def test_closing_switches_the_panel_off_and_it_can_be_opened_again(chip):
    display, wire = simulated(chip)
    display.show(noise(display.size, 1))
    display.close()
    assert wire.chip.picture().getbbox() is None
    display.close()
    display.open()
    assert wire.chip.picture().getbbox() is None, "dark after opening, not the picture of yesterday"
    display.show(noise(display.size, 1))
    assert wire.chip.picture().tobytes() == noise(display.size, 1).tobytes()


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOENT, "/dev/i2c-3 is not there: switch I2C on"),
        (errno.EACCES, "usermod -aG i2c"),
        (errno.ENXIO, "i2cdetect -y 3"),
        (errno.ETIMEDOUT, "check SDA"),
    ],
)
def test_every_fault_of_the_bus_says_how_to_mend_it(number, remedy):
    def refuse(bus):
        raise OSError(number, "no")

    with pytest.raises(Unavailable, match=remedy):
        OledDisplay("sh1106", I2cWiring(bus=3, open_bus=refuse)).open()


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (ModuleNotFoundError("no", name="spidev"), "spidev is not installed.*pip install"),
        (OSError(errno.ENOENT, "no"), "spidev0.0 is not there: switch SPI on"),
        (OSError(errno.EACCES, "no"), "usermod -aG spi,gpio"),
        (OSError(errno.EIO, "no"), "data/command GPIO 24, reset GPIO 25"),
    ],
)
def test_every_fault_of_spi_says_how_to_mend_it(error, remedy):
    def refuse():
        raise error

    with pytest.raises(Unavailable, match=remedy):
        OledDisplay("ssd1322", SpiWiring(open_bus=refuse)).open()


def test_a_lost_display_keeps_nothing_alive_but_an_empty_shell():
    display, _wire = simulated("ssd1306")
    display.open()
    panel = display._panel
    display.close()
    assert vars(panel) == {}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"chip": "ssd1305"}, "no display chip 'ssd1305'; allowed: ssd1306, sh1106, ssd1309, ssd1322"),
        ({"rotation": 90}, "allowed: 0, 180"),
        ({"contrast": 256}, "allowed: 0 to 255"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(settings, says):
    with pytest.raises(Malformed, match=says):
        OledDisplay(**{"chip": "ssd1306", "wiring": I2cWiring(), **settings})


def test_a_picture_of_another_size_or_mode_is_refused_and_nothing_sent():
    display, wire = simulated("ssd1306")
    for picture in (Image.new("1", (256, 64)), Image.new("L", (128, 64))):
        with pytest.raises(Malformed, match=r"mode 1 and .128, 64. is needed"):
            display.show(picture)
    assert wire.sent == 0


def pictures(size):
    """Pictures that differ by boxes: as texts do, and nothing like noise."""
    box = st.tuples(st.integers(0, size[0] - 1), st.integers(0, 63), st.integers(1, 90), st.integers(1, 24))
    return st.lists(st.lists(st.tuples(box, st.booleans()), min_size=1, max_size=4), min_size=1, max_size=6)


@given(st.sampled_from(sorted(CHIPS)), st.sampled_from([0, 180]), st.data())
def test_pictures_broken_off_anywhere_for_newer_ones_leave_nothing_behind(chip, rotation, data):
    display, wire = simulated(chip, rotation=rotation)
    picture = Image.new("1", display.size)
    for boxes in data.draw(pictures(display.size)):
        for (left, top, width, height), lit in boxes:
            picture.paste(int(lit), (left, top, left + width, top + height))
        patience = iter(range(data.draw(st.integers(0, 12))))
        first = (data.draw(st.integers(0, 32)), data.draw(st.integers(32, 64)))
        display.show(picture.copy(), first, partial(lambda left: next(left, None) is None, patience))
    display.show(picture)
    assert wire.chip.picture().rotate(rotation).tobytes() == picture.tobytes()


@pytest.mark.parametrize("rotation", [0, 180])
@pytest.mark.parametrize("chip", CHIPS)
def test_the_most_wanted_rows_arrive_before_the_others(chip, rotation):
    display, wire = simulated(chip, rotation=rotation)
    old, new = noise(display.size, 1), noise(display.size, 2)
    display.show(old)
    band, rest = (0, 16, display.size[0], 40), (0, 40, display.size[0], 64)

    def shown(box):
        return wire.chip.picture().rotate(rotation).crop(box).tobytes()

    display.show(new, (16, 40), lambda: shown(band) == new.crop(band).tobytes())
    assert shown(band) == new.crop(band).tobytes()
    assert shown(rest) == old.crop(rest).tobytes(), "nothing else was sent before it"


def test_a_picture_is_broken_off_within_a_block_of_the_bus():
    display, wire = simulated("ssd1306")
    display.show(noise(display.size, 1))
    sent = wire.sent
    display.show(noise(display.size, 2), (0, 0), lambda: True)
    assert wire.sent - sent <= 8 + 2 + 32


def test_a_word_in_tall_letters_costs_one_window():
    display, wire = simulated("ssd1306")
    display.show(Image.new("1", display.size))
    picture = Image.new("1", display.size)
    picture.paste(1, (10, 8, 30, 24))
    sent = wire.sent
    display.show(picture)
    assert wire.sent - sent == 8 + 40 + 2 * 2, "one command, forty bytes in two blocks"

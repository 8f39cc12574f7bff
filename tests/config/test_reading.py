"""Settings: three layers, exact times, and errors that say where and what is allowed."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config.pins import built_in
from companion.config.reading import Flag, load, state_directory, usual_file
from companion.config.run_options import parse_seats
from companion.config.settings import SeatSettings, Settings
from companion.config.toml_file import WrongOption
from companion.config.writing import render
from companion.core.errors import CompanionError, Malformed, Unavailable
from companion.core.panel import BUTTONS, Colour
from companion.core.timing.contacts import ContactLimits, LineTiming

FEW_PINS = '[pins]\n"red first" = 5\n"blue first" = 6\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "box.toml"


def fault(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Malformed) as caught:
        load(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_event_is_named_whole(file: Path) -> None:
    assert "event.box" in fault(file, '[event]\nbroker = "mqtt://desk.local"\nevent = "open"\n')
    assert "event.event" in fault(file, '[event]\nbroker = "mqtt://desk.local"\nbox = "box-7"\n')
    assert "event.key" in fault(file, '[event]\ncertificate = "/c.pem"\n')
    assert "must be mqtts://" in fault(
        file, '[event]\nbroker = "mqtt://desk"\nevent = "open"\nbox = "b"\nca_file = "/ca.pem"\n'
    )


@pytest.mark.parametrize("broker", ["desk.local", "http://desk", "mqtt://ada:secret@desk", "mqtt://desk/x"])
def test_the_address_of_an_events_broker_has_its_scheme_and_no_password(file: Path, broker: str) -> None:
    assert "event.broker" in fault(file, f'[event]\nbroker = "{broker}"\n')


# Layers ---------------------------------------------------------------------------------------------------------------


def test_without_a_file_the_built_in_settings_hold() -> None:
    settings = load()
    assert settings == Settings()
    assert settings.timing_of(None) == LineTiming(20_000_000, 2_000_000, 0)
    assert (settings.timing.window_ns, settings.source.error_ns) == (3_000_000_000, 20_000)
    assert settings.source.delay_ns is None
    assert settings.pins == built_in()


def test_the_file_goes_before_what_is_built_in_and_the_command_line_before_the_file(file: Path) -> None:
    file.write_text("[timing]\nwindow_s = 5\nstuck_s = 4.5\n")
    settings = load(file, [Flag("--window", ("timing", "window_s"), 7.5)])
    assert settings.timing.window_ns == 7_500_000_000
    assert settings.timing.limits == ContactLimits(2_000_000, 200, 4_500_000_000)
    assert settings.timing.accept_ms == 2.0


def test_a_seat_may_have_times_of_its_own(file: Path) -> None:
    file.write_text(
        '[seats.red]\nname = "Zoë"\naccept_ms = 150\nbounce_ms = 0\nrepeat_ms = 40.5\n'
        "extension_s = 2.5\nallowance_ms = 30\n"
        "[timing]\naccept_ms = 3\n"
    )
    settings = load(file)
    assert settings.timing_of(Colour.RED) == LineTiming(0, 150_000_000, 40_500_000, "red")
    assert settings.timing_of(Colour.BLUE) == LineTiming(20_000_000, 3_000_000, 0, "blue")
    assert settings.timing_of(None) == LineTiming(20_000_000, 3_000_000, 0, None)
    assert settings.seats.of(Colour.RED).name == "Zoë"
    assert settings.window_ns([Colour.BLUE, Colour.RED]) == 5_500_000_000
    assert settings.window_ns([Colour.BLUE]) == 3_000_000_000


@given(st.integers(min_value=0, max_value=500_000))
def test_a_time_is_the_decimal_number_that_was_written_to_the_nanosecond(microseconds: int) -> None:
    written = tomllib.loads(f"value = {microseconds // 1000}.{microseconds % 1000:03}")["value"]
    assert SeatSettings(extension_s=written / 10).extension_ns >= 0
    settings = load(None, [Flag("--accept", ("timing", "accept_ms"), written)])
    assert settings.timing_of(None).accept_ns == microseconds * 1000


def test_settings_are_frozen() -> None:
    with pytest.raises(AttributeError):
        load().timing.window_s = 4  # type: ignore[misc]


# Wrong settings -----------------------------------------------------------------------------------------------------


def test_an_unknown_key_is_named_with_its_line_and_the_likely_one(file: Path) -> None:
    text = fault(file, "# a comment\n\n[timing]\naccept_ms = 2\nwindw_s = 3\n")
    assert text.startswith(f"{file}, line 5: timing.windw_s: there is no such key; did you mean window_s? allowed: ")


def test_a_key_that_is_gone_says_why(file: Path) -> None:
    text = fault(file, "[timing]\ncard_fresh_s = 2\n")
    assert text.startswith(f"{file}, line 2: timing.card_fresh_s: there is no such key any more: the box judges with")


@pytest.mark.parametrize("table", ["timing", "seats.red"])
def test_a_key_that_was_names_its_successor(file: Path, table: str) -> None:
    text = fault(file, f"[{table}]\nconfirm_ms = 2\n")
    assert text == f"{file}, line 2: {table}.confirm_ms: there is no such key any more: what it said is now accept_ms"


def test_an_unknown_table_is_named_with_its_line(file: Path) -> None:
    assert fault(file, "[timming]\nwindow_s = 3\n").startswith(
        f"{file}, line 1: timming: there is no such table; did you mean timing? allowed: box, source, "
    )


def test_an_unknown_colour_is_named(file: Path) -> None:
    assert "seats.pink: there is no such key; allowed: red, yellow," in fault(file, '[seats.pink]\nname = "Bo"')


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[timing]\nwindow_s = 500", 2, "timing.window_s = 500: must be a number from 0.5 to 120"),
        ("[timing]\nwindow_s = 0.4", 2, "timing.window_s = 0.4: must be a number from 0.5 to 120"),
        ("[timing]\nwindow_s = nan", 2, "timing.window_s = nan: must be a number from 0.5 to 120"),
        ("[timing]\nwindow_s = inf", 2, "timing.window_s = inf: must be a number from 0.5 to 120"),
        ('[timing]\nwindow_s = "3"', 2, 'timing.window_s = "3": must be a number from 0.5 to 120'),
        ("[timing]\naccept_ms = -1", 2, "timing.accept_ms = -1: must be a number from 0 to 500"),
        ("[timing]\nchatter_hz = 1.5", 2, "timing.chatter_hz = 1.5: must be a whole number from 10 to 100000"),
        ("[timing]\nchatter_hz = true", 2, "timing.chatter_hz = true: must be a whole number from 10 to 100000"),
        ("timing.bounce_ms = 51", 1, "timing.bounce_ms = 51: must be a number from 0 to 50"),
        ("timing = { bounce_ms = 51 }", 1, "timing.bounce_ms = 51: must be a number from 0 to 50"),
        ("timing = 3", 1, "timing = 3: must be a table: [timing]"),
        ("[timing]\n\n[seats]\nred = 3", 4, "seats.red = 3: must be a table: [seats.red]"),
        ("[seats.red]\nrepeat_ms = 5000.5", 2, "seats.red.repeat_ms = 5000.5: must be a number from 0 to 5000"),
        ("[seats.red]\nextension_s = 121", 2, "seats.red.extension_s = 121: must be a number from 0 to 120"),
        ('[seats.red]\nname = "Bartholomew II"', 2, "must be text of at most 12 characters"),
        ('[seats.red]\nname = "A\\tB"', 2, "has characters that cannot be shown"),
        ('[match]\ncards = "no"', 2, 'match.cards = "no": must be true or false'),
        ('[match]\nvariants = "wedding"', 2, "must be a list in brackets, each item text in quotes"),
        ('[match]\nvariants = ["weding"]', 2, 'no variant "weding" in apache; did you mean wedding? allowed: '),
        ('[match]\nvariants = ["wedding", "wedding"]', 2, '"wedding" stands there twice'),
        ('[match]\ngame = "order"\nvariants = ["wedding"]', 3, "the game order has no variants"),
        ('[match]\nfiles = ["rules=a.toml"]', 2, "the game apache asks for no file"),
        ('[match]\ngame = "claim"\nfiles = ["game"]', 3, '"game" names no file: right would be "game=FILE"'),
        ('[match]\ngame = "claim"\nfiles = ["gme=x"]', 3, 'claim asks for no file "gme"; did you mean game?'),
        ('[match]\ngame = "claim"\nfiles = ["game=x", "game=y"]', 3, '"game" stands there twice'),
        ('[match]\ngame = "apche"', 2, "no game of this name is installed; did you mean apache? allowed: apache,"),
        ('[match]\ndead_heat = "coin"', 2, 'must be one of "clockwise", "lots", "timestamp"'),
        ("[match]\ngame = 2025-01-01", 2, "match.game = 2025-01-01: must be text in quotes"),
        ('[source]\nkind = "gpio"', 2, 'must be one of "auto", "gpiod", "gpiozero", "none"'),
        ("[source]\nerror_us = 1000000000000000000000000", 2, "must be a whole number from 0 to 100000"),
        ("[display]\nrotate = 90", 2, "display.rotate = 90: must be one of 0, 180"),
        ("[display]\ni2c_address = 0x80", 2, "display.i2c_address = 128: must be a whole number from 8 to 119"),
        ("[picture]\nsecond_address = 0x3c", 2, "second_address = 60: the second display needs an address of its own"),
        ("[picture]\nsecond_address = 3", 2, "second_address = 3: the second display needs an address of its own"),
        ('[display]\ninterface = "spi"\n[picture]\nsecond_address = 0x3d', 4, "is on the I2C bus of the first"),
        ('[picture]\nfar = ["gren"]', 2, 'each item one of "blue", "green", "purple", "red", "yellow"'),
        ('[display]\nkind = "ssd1322"', 2, 'an ssd1322 speaks only SPI: interface = "spi"'),
        ('[pins]\n"red cheif" = 5', 2, 'pins."red cheif": there is nothing of this name to connect; did you mean red'),
        ("[pins]\nbuzzer = 28", 2, "pins.buzzer = 28: not on the header: GPIO numbers go from 2 to 27"),
        ("[pins]\nbuzzer = 1", 2, "pins.buzzer = 1: GPIO 0 and 1 are kept for the identification of add-on boards"),
        ('[pins]\nbuzzer = "18"', 2, 'pins.buzzer = "18": must be a GPIO number from 2 to 27, without quotes'),
        ("[pins]\nbuzzer = true", 2, "pins.buzzer = true: must be a GPIO number from 2 to 27"),
        ("[pins]\ni2c_sda = 4", 2, "pins.i2c_sda = 4: the chip has this wire of I2C bus 1 on GPIO 2"),
        ("[pins]\nknob_a = 4", 2, "pins.knob_a: a knob needs knob_b too; give both or neither"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_its_line_and_what_is_allowed(
    file: Path, text: str, line: int, message: str
) -> None:
    found = fault(file, text)
    if 'kind = "ssd1322"' in text:  # the interface, which is wrong, is not in the file at all
        assert found.startswith(f"{file}, line 1: display.interface")
    else:
        assert found.startswith(f"{file}, line {line}: ")
    assert message in found


def test_a_pin_used_twice_names_both_uses_and_both_lines(file: Path) -> None:
    assert fault(file, '[pins]\n"red first" = 5\nbuzzer = 18\n"blue fourth" = 5\n') == (
        f'{file}, line 4: pins."blue fourth" = 5: GPIO 5 is already used by "red first" ({file}, line 2); one use a pin'
    )


def test_a_pin_of_the_displays_i2c_bus_cannot_be_a_button(file: Path) -> None:
    assert fault(file, '[pins]\n"red first" = 2\n') == (
        f'{file}, line 2: pins."red first" = 2: GPIO 2 is SDA of the display\'s I2C bus;'
        ' give "red first" another pin, or change [display]'
    )


def test_without_a_display_on_them_the_i2c_pins_are_free(file: Path) -> None:
    file.write_text('[display]\nkind = "none"\n[pins]\n"red first" = 2\n"red second" = 3\n')
    assert load(file).pins.buttons == {"red first": 2, "red second": 3}


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ('[pins]\n"red first" = 10', "GPIO 10 is MOSI of the display's SPI port 0"),
        ('[pins]\n"red first" = 8', "GPIO 8 is chip select 0 of the display's SPI port 0"),
        ('[pins]\n"red first" = 24', "GPIO 24 is the display's D/C wire (spi_dc_gpio)"),
        ('[pins]\n"red first" = 25', "GPIO 25 is the display's reset (spi_reset_gpio)"),
        ("spi_dc_gpio = 11\n" + FEW_PINS, "GPIO 11 is already SCLK of the display's SPI port 0"),
        ("spi_reset_gpio = 24\n" + FEW_PINS, "GPIO 24 is already the display's D/C wire"),
        ("spi_device = 2\n" + FEW_PINS, "SPI port 0 has the chip selects 0 and 1"),
        ('spi_port = 1\n[pins]\n"red first" = 20', "GPIO 20 is MOSI of the display's SPI port 1"),
        ("", 'GPIO 24 is the display\'s D/C wire (spi_dc_gpio), and "yellow fourth" in the built-in pins'),
    ],
)
def test_a_pin_of_the_displays_spi_port_cannot_be_used_twice(file: Path, extra: str, message: str) -> None:
    assert message in fault(file, f'[display]\nkind = "ssd1322"\ninterface = "spi"\n{extra}\n')


def test_an_spi_display_goes_with_pins_that_leave_it_room(file: Path) -> None:
    file.write_text(f'[display]\nkind = "ssd1322"\ninterface = "spi"\n{FEW_PINS}')
    assert load(file).pins.buttons == {"red first": 5, "blue first": 6}


def test_fewer_buttons_and_no_knob_are_said_by_leaving_them_out(file: Path) -> None:
    file.write_text(FEW_PINS)
    pins = load(file).pins
    assert (pins.knob, pins.knob_push, pins.buzzer) == (None, None, None)
    assert pins.lines == {"red first": 5, "blue first": 6}


def test_what_is_no_toml_is_named_with_its_line(file: Path) -> None:
    text = fault(file, "[timing]\nwindow_s = = 3\n")
    assert text.startswith(f"{file}: not TOML: ")
    assert "line 2" in text


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000], ids=["a number", "nesting"])
def test_values_without_end_are_errors_too(file: Path, value: str) -> None:
    assert f"{file}: not TOML" in fault(file, f"[timing]\nwindow_s = {value}\n")


def test_a_key_given_twice_is_an_error(file: Path) -> None:
    assert "line 3" in fault(file, "[timing]\nwindow_s = 3\nwindow_s = 4\n")


def test_what_is_no_text_is_an_error(file: Path) -> None:
    file.write_bytes(b'[seats.red]\nname = "Zo\xeb"\n')
    with pytest.raises(Malformed, match="not UTF-8 text"):
        load(file)


def test_a_missing_file_and_a_directory_are_unavailable(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.toml", tmp_path):
        with pytest.raises(Unavailable, match=f"cannot read {path}"):
            load(path)


def test_a_key_within_a_text_of_several_lines_is_not_taken_for_the_key(file: Path) -> None:
    text = fault(file, '[box]\nstate_dir = """\n[timing]\nwindow_s = 1\n"""\n[timing]\nwindow_s = 500\n')
    assert "state_dir" in text  # it has line ends
    text = fault(file, "[box]\nlog_level = '''info'''\n[timing]\n'window_s' = 500\n")
    assert text.startswith(f"{file}, line 4: ")


def test_an_option_of_the_command_line_is_named_as_it_was_typed(file: Path) -> None:
    file.write_text("[timing]\nwindow_s = 5\n")
    with pytest.raises(WrongOption) as caught:
        load(file, [Flag("--window", ("timing", "window_s"), 500.0)])
    assert str(caught.value) == "--window 500.0: must be a number from 0.5 to 120"


_TOML = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_KEYS = [
    (table.name, field.name)
    for table in msgspec.structs.fields(Settings)
    if isinstance(table.type, type) and issubclass(table.type, msgspec.Struct)
    for field in msgspec.structs.fields(table.type)
] + [("pins", BUTTONS[0].label), ("pins",), ("box",), ("seats", "red", "name"), ("nonsense",)]


@given(st.sampled_from(_KEYS), _TOML)
def test_any_value_anywhere_is_a_setting_or_an_error_for_a_person(key: tuple[str, ...], value: object) -> None:
    with suppress(CompanionError):
        assert isinstance(load(None, [Flag("--it", key, value)]), Settings)


# The whole configuration as text ------------------------------------------------------------------------------------


def test_the_printed_configuration_reads_back_to_the_same_settings(file: Path) -> None:
    file.write_text(render(load()))
    assert load(file) == load()


def test_a_changed_configuration_reads_back_too(file: Path) -> None:
    file.write_text(
        '[box]\nstate_dir = "/srv/\\"odd\\" dir"\n[seats.blue]\nname = "Zoë \\\\"\naccept_ms = 0.125\n'
        '[match]\nvariants = ["warpath", "wedding"]\n[display]\ni2c_address = 0x3d\n'
        '[timing]\nwindow_s = 1.1\n[pins]\n"red first" = 5\nknob_a = 6\nknob_b = 7\n'
    )
    settings = load(file)
    text = render(settings)
    file.write_text(text)
    assert load(file) == settings
    assert "i2c_address = 0x3d" in text


def test_the_printed_configuration_has_every_key_with_a_comment_above_it() -> None:
    lines = render(load()).splitlines()
    keys = 0
    for above, line in pairwise(lines):
        assert len(line) <= 120
        name = line.removeprefix("# ").split(" = ")[0]
        if " = " in line and name.isidentifier() and not line.startswith(("i2c_s", "knob_", "buzzer", "certify")):
            assert above.startswith("# "), line
            keys += 1
    tables = msgspec.structs.fields(Settings)
    plain = [table.type for table in tables if table.name not in ("seats", "pins")]
    assert keys == sum(len(msgspec.structs.fields(kind)) for kind in plain) + 5 * len(
        msgspec.structs.fields(SeatSettings)
    )


def test_every_setting_has_its_unit_in_its_name_where_it_is_a_time() -> None:
    text = render(load())
    for word in ("accept", "repeat", "settle", "bounce", "window", "stuck", "extension", "allowance", "error", "delay"):
        assert f"{word}_" in text
        assert f"\n{word} =" not in text


# Places ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_dir", "environ", "expected"),
    [
        ("/a", {"STATE_DIRECTORY": "/b"}, "/a"),
        ("", {"STATE_DIRECTORY": "/b", "XDG_STATE_HOME": "/c"}, "/b"),
        ("", {"STATE_DIRECTORY": "/b:/d"}, "/b"),
        ("", {"XDG_STATE_HOME": "/c", "HOME": "/h"}, "/c/table-companion"),
        ("", {"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/table-companion"),
    ],
)
def test_where_matches_are_kept(given_dir: str, environ: dict[str, str], expected: str) -> None:
    settings = load(None, [Flag("--state-dir", ("box", "state_dir"), given_dir)])
    assert state_directory(settings.box, environ) == Path(expected)


def test_the_users_file_is_found_without_being_named(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "table-companion" / "config.toml"
    assert usual_file({"HOME": str(tmp_path)}) in (None, Path("/etc/table-companion/config.toml"))
    file.parent.mkdir(parents=True)
    file.write_text("")
    assert usual_file({"HOME": str(tmp_path)}) == file
    assert usual_file({"HOME": "/nowhere", "XDG_CONFIG_HOME": str(tmp_path / ".config")}) == file


# Seats on the command line ------------------------------------------------------------------------------------------


def test_seats_are_read_clockwise() -> None:
    assert parse_seats("red, Yellow,blue", "yellow") == ((Colour.RED, Colour.YELLOW, Colour.BLUE), Colour.YELLOW)
    assert parse_seats("red,blue", None) == ((Colour.RED, Colour.BLUE), None)
    assert parse_seats(None, None) == ((), None)


@pytest.mark.parametrize(
    ("seats", "first", "message"),
    [
        ("red,blu", None, "--seats: 'blu' is no colour; did you mean blue?"),
        ("red,,blue", None, "--seats: '' is no colour; allowed: red, yellow"),
        ("red,red", None, "red has two seats"),
        ("red", None, "at least two must play"),
        ("red,blue", "green", "--first green: has no seat; --seats gives red, blue"),
        ("red,blue", "gren", "--first: 'gren' is no colour; did you mean green?"),
        (None, "red", "--first: say with --seats who plays"),
    ],
)
def test_wrong_seats_are_named(seats: str | None, first: str | None, message: str) -> None:
    with pytest.raises(WrongOption) as caught:
        parse_seats(seats, first)
    assert message in str(caught.value)

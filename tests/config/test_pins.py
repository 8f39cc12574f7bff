"""The pin map against the facts of the 40-pin header."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.config import pins
from companion.config.toml_file import Origins
from companion.core.errors import Malformed
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour

FILE = Path(__file__).parents[2] / "hardware" / "pinmap.toml"

# The header as printed on the board's pin-out, row by row: odd pins, then even pins. G: ground, 3 and 5: supply,
# E: identification of add-on boards.
ODD = "3 2 3 4 G 17 27 22 3 10 9 11 G E 5 6 13 19 26 G"
EVEN = "5 5 G 14 15 18 G 23 24 G 25 8 7 E G 12 G 16 20 21"


def test_the_table_of_the_header_agrees_with_its_pin_out() -> None:
    supply = {1, 2, 4, 17}
    found = {}
    for first, row in ((1, ODD), (2, EVEN)):
        for pin, what in zip(range(first, 41, 2), row.split(), strict=True):
            if what == "G":
                assert pin in pins.GROUND_PINS
            elif pin not in supply and what != "E":
                found[int(what)] = pin
    assert found == pins.HEADER_PIN
    assert sorted(found) == list(range(2, 28))


def test_all_26_free_gpios_are_used_once() -> None:
    uses = pins.built_in().uses
    assert sorted(uses.values()) == list(range(2, 28))
    assert set(uses) == set(pins.KEYS)


def test_every_button_and_the_knobs_push_is_a_line() -> None:
    lines = pins.built_in().lines
    assert list(lines) == [*(button.label for button in BUTTONS), KNOB_PUSH]


def test_the_headers_pin_beside_each_assignment_is_right() -> None:
    found = re.findall(r'^"?([a-z0-9_ ]+?)"? = (\d+) +# header pin (\d+)$', FILE.read_text(), re.MULTILINE)
    assert {name: int(gpio) for name, gpio, _ in found} == pins.built_in().named
    for name, gpio, pin in found:
        assert pins.HEADER_PIN[int(gpio)] == int(pin), name


def test_the_ground_pins_named_are_ground_and_beside_their_group() -> None:
    for paragraph in FILE.read_text().split("\n\n"):
        for sentence in re.findall(r"round on header pin ([\d or]+)", paragraph):
            used = [int(pin) for pin in re.findall(r"# header pin (\d+)$", paragraph, re.MULTILINE)]
            for ground in map(int, sentence.split(" or ")):
                assert ground in pins.GROUND_PINS
                assert min(abs(ground - pin) for pin in used) <= 2


@pytest.mark.parametrize("colour", Colour)
def test_a_colours_buttons_lie_together_on_the_header(colour: Colour) -> None:
    used = [pins.HEADER_PIN[gpio] for label, gpio in pins.built_in().buttons.items() if label.startswith(f"{colour} ")]
    assert max(used) - min(used) <= 7


def test_the_buzzer_is_on_a_pin_with_hardware_pwm() -> None:
    assert pins.built_in().buzzer in pins.HARDWARE_PWM


def test_the_displays_bus_is_where_the_chip_has_it() -> None:
    assert (pins.built_in().uses["i2c_sda"], pins.built_in().uses["i2c_scl"]) == (2, 3)


def map_of(**uses: int) -> pins.PinMap:
    return pins.parse_pins(uses, Origins(None))


def test_the_loop_is_driven_by_the_buzzers_pin_where_no_other_is_named() -> None:
    assert pins.built_in().loop_output == pins.built_in().buzzer == 18
    assert map_of(buzzer=12).loop_output == 12
    assert map_of(buzzer=12, certify=13).loop_output == 13
    assert map_of(knob_push=21).loop_output is None


def test_the_loops_output_is_connected_to_nothing_for_good() -> None:
    assert "certify" not in pins.built_in().uses


@pytest.mark.parametrize("order", [("buzzer", "certify"), ("certify", "buzzer")])
def test_the_loops_output_may_share_a_pin_with_the_buzzer_and_with_nothing_else(order: tuple[str, str]) -> None:
    assert map_of(**dict.fromkeys(order, 18)).loop_output == 18
    with pytest.raises(Malformed, match="already used"):
        map_of(**{"red first": 18, "certify": 18})

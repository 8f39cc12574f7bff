"""Strips as pictures: nothing overlaps the edge, words stay words, nothing is told by colour alone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from companion.config.languages import language
from companion.core.timing.events import MS, SECOND
from companion.core.words.language import ENGLISH, Language
from companion.screens.strip.lanes import SEATS
from companion.screens.strip.layout import NARROWEST, WIDEST, drawing, lanes_alone, says
from companion.screens.strip.looks import MOST, looks
from companion.screens.strip.scale import Axis, signed
from companion.screens.strip.shapes import PAPER, Named, Words, text_width, wrapped
from companion.screens.strip.svg import svg
from tests.screens.strip.races import RACES, Race, allowance, bouncing, dead_heat, lost, rejected
from tests.words.pseudo import PSEUDO, ours

GOLDEN = Path(__file__).parents[2] / "golden" / "strip"
SHA256 = re.compile(r"^[0-9a-f]+(?=·*⟧?$)|[0-9a-f]{10,64}")
NS = "{http://www.w3.org/2000/svg}"


def words(shapes: object) -> list[Words]:
    out: list[Words] = []
    for shape in shapes:  # type: ignore[attr-defined]
        out += [shape] if isinstance(shape, Words) else words(shape.parts) if isinstance(shape, Named) else []
    return out


def texts(race: Race, width: int = 960, language: Language = ENGLISH) -> list[str]:
    return [found.text for found in words(drawing(race.strip(), width, language).shapes)]


@pytest.mark.parametrize("name", ["dead-heat", "rejected"])
def test_the_drawing_is_the_golden_one(name: str) -> None:
    drawn = svg(drawing(RACES[name]().strip()))
    golden = GOLDEN / f"{name}.svg"
    if os.environ.get("COMPANION_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(drawn, encoding="utf-8")
    assert drawn == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [100, 320, 380, 640, 960, 5000])
@pytest.mark.parametrize("name", RACES)
def test_everything_lies_on_the_paper_at_every_width(name: str, width: int) -> None:
    drawn = drawing(RACES[name]().strip(), width)
    assert NARROWEST <= drawn.width <= WIDEST
    root = ET.fromstring(svg(drawn))
    for element in root.iter():
        for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", element.get("points", "")):
            assert -1 <= float(x) <= drawn.width + 1
            assert 0 <= float(y) <= drawn.height
    for found in words(drawn.shapes):
        assert 0 <= found.y <= drawn.height
        assert found.x + text_width(found.text, found.size, bold=found.bold) <= drawn.width + 1, found.text


@pytest.mark.parametrize("name", RACES)
def test_a_strip_is_told_to_those_who_do_not_see_it(name: str) -> None:
    strip = RACES[name]().strip()
    root = ET.fromstring(svg(drawing(strip), key="strip-7"))
    ids = {element.get("id"): "".join(element.itertext()) for element in root.iter() if element.get("id")}
    assert root.get("aria-labelledby") == "strip-7-title"
    assert ids["strip-7-title"] == "Apache, Pow-Wow 1"
    assert ids["strip-7-says"] == says(strip)
    assert all(place.row.colour.short in ids["strip-7-says"] for place in strip.places)


@pytest.mark.parametrize("name", RACES)
def test_nothing_is_loaded_and_no_style_sheet_is_needed(name: str) -> None:
    text = svg(drawing(RACES[name]().strip()))
    assert not re.search(r"<style|<script|<image|href|url\(|class=", text)


def test_every_contact_is_told_in_words_and_not_by_its_colour() -> None:
    told = texts(rejected())
    assert told.count("rejected") == 5  # three of yellow, one of red, and that one closer
    assert "place 1" in told
    assert any("RED maiden" in text and "it never closed firmly" in text for text in told)
    assert any("touched 3 times" in text for text in told)


def test_dead_heats_are_said_and_bracketed() -> None:
    told = " ".join(texts(dead_heat()))
    assert "dead heat with RED, BLU" in told
    assert "RED chief (Ann)" in told


def test_losses_are_said_where_they_are_and_below() -> None:
    told = texts(lost())
    assert told.count("edges lost") == 3
    assert any("+700.000 ms to +1,250.000 ms: 6 edges were lost (gpiod)" in text for text in told)


def test_an_allowance_is_drawn_from_the_raw_time_to_the_compared_one() -> None:
    told = " ".join(texts(allowance()))
    assert "−800 ms allowance" in told
    assert "at +700.000 ms ±20 µs · less 800 ms allowance: −100.000 ms" in told


def test_presses_within_a_few_ms_and_bounces_have_closer_looks_of_their_own() -> None:
    chosen, left_out = looks(bouncing().strip())
    assert [look.says for look in chosen] == ["Edges of RED chief, YEL maiden", "Edges of BLU hunter"]
    assert left_out == 0
    (look,), _ = looks(dead_heat().strip())
    assert len(look.lanes) == 3
    assert look.to_ns - look.from_ns < MS


def test_closer_looks_are_bounded_and_those_left_out_are_counted() -> None:
    race = Race()
    for at_ms in range(-1900, 0, 100):
        race.press("red third", at_ms, 0.4)
    race.press("red first", 0)
    race.press("yellow first", 40)
    chosen, left_out = looks(race.strip())
    assert (len(chosen), left_out) == (MOST, 19 - MOST)
    assert f"{left_out} closer looks are left out" in texts(race)


def test_names_are_escaped() -> None:
    race = Race(names={"red": "<b>&\"'"})
    race.press("red first", 0)
    root = ET.fromstring(svg(drawing(race.strip())))
    assert any("<b>&\"'" in "".join(element.itertext()) for element in root.iter(f"{NS}text"))


@pytest.mark.parametrize("colour", [strong for strong, _ in SEATS.values()])
def test_letters_in_a_seats_colour_can_be_read_on_paper(colour: str) -> None:
    assert contrast(colour, PAPER) >= 4.5


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours (WCAG 2.2, relative luminance)."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("length_ns", "told"),
    [
        (4 * SECOND, ["−1 s", "0 s", "+1 s", "+2 s"]),
        (400 * MS, ["−100 ms", "0 ms", "+100 ms", "+200 ms"]),
        (400_000, ["−100 µs", "0 µs", "+100 µs", "+200 µs"]),
    ],
)
def test_ticks_are_round_and_told_from_zero(length_ns: int, told: list[str]) -> None:
    axis = Axis(-length_ns // 4, length_ns // 2 + length_ns // 5, 0, 100, 0)
    assert [says for _, says in axis.ticks(4)] == told


def test_ticks_far_from_zero_are_as_fine_as_they_are_apart() -> None:
    axis = Axis(-300_100_000, -299_500_000, 0, 100, 0)
    assert [says for _, says in axis.ticks(6)][:3] == ["−300.1 ms", "−300.0 ms", "−299.9 ms"]


def test_exact_times_are_told_to_the_microsecond() -> None:
    assert (signed(0), signed(35_000), signed(-1_234_567_890)) == ("0.000 ms", "+0.035 ms", "−1,234.568 ms")


@pytest.mark.parametrize("width", [320, 960])
@pytest.mark.parametrize("name", RACES)
def test_everything_is_said_in_the_language_that_is_asked_for_and_lies_on_the_paper(name: str, width: int) -> None:
    strip = RACES[name]().strip()
    drawn = drawing(strip, width, PSEUDO)
    lost = {word for gap in strip.gaps for word in gap.says.split()}  # as the evidence has it
    root = ET.fromstring(svg(drawn))
    assert root.get("lang") == PSEUDO.code
    written = [one.text or "" for one in root.iter() if one.text and one.text.strip()]
    known = frozenset(("ann", "zoë", "zo", "gpiod", "apache", *lost))
    assert [one for one in written if ours(SHA256.sub("", one), known=known)] == []
    for found in words(drawn.shapes):
        assert found.x + text_width(found.text, found.size, bold=found.bold) <= drawn.width + 1, found.text


def test_a_strip_in_italian_has_italian_numbers_and_words() -> None:
    told = " ".join(texts(allowance(), language=language("it")))
    assert "VIO Capo" in told
    assert "+700,000 ms" in told
    assert "Contatti" in told


def test_a_word_that_is_too_wide_is_broken() -> None:
    assert all(text_width(line, 12) <= 100 for line in wrapped("a " + "f" * 64, 12, 100))
    assert "".join(wrapped("f" * 64, 12, 100)) == "f" * 64


@pytest.mark.parametrize("name", RACES)
def test_lanes_alone_keep_their_names_beside_them_on_the_paper_and_leave_the_rest_out(name: str) -> None:
    strip = RACES[name]().strip()
    drawn = lanes_alone(strip, 560)
    assert drawn.height < drawing(strip, 560).height
    found = words(drawn.shapes)
    assert "Contacts" not in [one.text for one in found]
    for one in found:
        assert 0 <= one.y <= drawn.height
        assert one.x + text_width(one.text, one.size, bold=one.bold) <= drawn.width + 1, one.text

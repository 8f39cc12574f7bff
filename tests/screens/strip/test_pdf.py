"""Strips on paper: the same words as on the page, on A4 where it can be read there."""

from __future__ import annotations

import sys

import pypdfium2
import pytest

from companion.core.errors import Unavailable
from companion.screens.strip import pdf as writing
from companion.screens.strip.layout import drawing
from companion.screens.strip.pdf import A4, pdf
from tests.screens.strip.races import RACES, Race


def page_of(content: bytes) -> pypdfium2.PdfPage:
    document = pypdfium2.PdfDocument(content)
    assert len(document) == 1
    return document[0]


@pytest.mark.parametrize("name", RACES)
def test_the_page_has_the_words_of_the_drawing(name: str) -> None:
    content = pdf(drawing(RACES[name]().strip()))
    page = page_of(content)
    text = page.get_textpage().get_text_bounded()
    assert "Apache, Pow-Wow 1" in text
    assert "place 1" in text
    assert "SHA-256" in text
    assert "±20 µs" in text
    assert page.get_width() == pytest.approx(A4[0], abs=1)


def test_a_page_is_a4_and_longer_only_where_it_could_not_be_read() -> None:
    assert page_of(pdf(drawing(RACES["clean"]().strip()))).get_height() == pytest.approx(A4[1], abs=1)
    long = Race()
    for at_ms in range(-1900, 0, 50):
        long.press("red third", at_ms, 0.4)
    long.press("red first", 0)
    assert page_of(pdf(drawing(long.strip()))).get_height() > A4[1]


def test_something_is_drawn_in_the_seats_colour() -> None:
    picture = page_of(pdf(drawing(RACES["clean"]().strip()))).render(scale=1).to_pil().convert("RGB")
    pixels = picture.getcolors(picture.width * picture.height)
    assert pixels is not None
    assert sum(count for count, (red, green, blue) in pixels if red > 150 and green < 80 and blue < 80) > 50


def test_letters_that_the_page_does_not_have_are_put_into_the_nearest() -> None:
    race = Race(names={"red": "Łukasz Žižka 力"})
    race.press("red first", 0)
    text = page_of(pdf(drawing(race.strip()))).get_textpage().get_text_bounded()
    assert "(Lukasz Zizka ?)" in text


def test_without_the_library_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(Unavailable, match=r"table-companion\[cards\]"):
        writing.pdf(drawing(RACES["clean"]().strip()))

"""Writes a drawing as a page of PDF, on A4 where it can still be read there, else on a longer page. Pure but for fpdf2.

The page has Helvetica, as every reader does, and so the letters of Latin-1; others are put into the nearest of them.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.screens.strip.shapes import Box, Named, Shape, Stroke, Words

if TYPE_CHECKING:
    import fpdf

    from companion.screens.strip.shapes import Drawing, Drawn

A4 = (595.28, 841.89)
"""Points."""
MARGIN = 24.0
LEAST_SCALE = 0.45
"""Points for a pixel: smaller, and words of 11 px would have less than 5 points."""
_PLAIN = {
    "−": "-",
    "≈": "~",
    "→": "->",
    "–": "-",
    "—": "-",
    "…": "...",
    "“": '"',
    "”": '"',
    "’": "'",
    "Ł": "L",
    "ł": "l",
    "Đ": "D",
    "đ": "d",
    "ı": "i",
    "œ": "oe",
    "Œ": "OE",
}


def pdf(drawing: Drawing) -> bytes:
    """Write a drawing. Raises Unavailable where fpdf2 is not installed."""
    try:
        from fpdf import FPDF  # noqa: PLC0415 - boxes have no need of it, and their package leaves it out
    except ImportError as error:
        raise Unavailable("fpdf2 is missing: pip install 'table-companion[cards]'; or write an .svg instead") from error
    scale = _scale(drawing)
    height = max(A4[1], drawing.height * scale + 2 * MARGIN)
    page = FPDF(unit="pt", format=(A4[0], height))
    page.set_auto_page_break(auto=False)
    page.set_margin(0)
    page.set_title(latin(drawing.title))
    page.set_subject(latin(drawing.says))
    page.set_lang(drawing.language)
    page.add_page()
    for shape in drawing.shapes:
        _draw(page, shape, scale)
    return bytes(page.output())


def _scale(drawing: Drawing) -> float:
    across = (A4[0] - 2 * MARGIN) / drawing.width
    return max(min(across, (A4[1] - 2 * MARGIN) / drawing.height), min(across, LEAST_SCALE))


def _draw(page: fpdf.FPDF, shape: Drawn, scale: float) -> None:
    match shape:
        case Box():
            _box(page, shape, scale)
        case Stroke():
            _pen(page, shape.colour, shape.width * scale, dash=shape.dash)
            page.polyline(_points(shape.points, scale))
        case Shape():
            page.set_fill_color(shape.fill)
            page.polygon(_points(shape.points, scale), style="F")
        case Words():
            _words(page, shape, scale)
        case Named():
            for part in shape.parts:
                _draw(page, part, scale)


def _box(page: fpdf.FPDF, box: Box, scale: float) -> None:
    style = ("D" if box.stroke else "") + ("F" if box.fill else "")
    if box.stroke:
        _pen(page, box.stroke, scale, dash=box.dash)
    if box.fill:
        page.set_fill_color(box.fill)
    if style:
        (x, y), *_ = _points(((box.x, box.y),), scale)
        page.rect(x, y, box.width * scale, box.height * scale, style=style)


def _pen(page: fpdf.FPDF, colour: str, width: float, *, dash: bool) -> None:
    page.set_draw_color(colour)
    page.set_line_width(width)
    page.set_dash_pattern(dash=3 if dash else 0, gap=2 if dash else 0)


def _words(page: fpdf.FPDF, words: Words, scale: float) -> None:
    page.set_font("Helvetica", "B" if words.bold else "", words.size * scale)
    page.set_text_color(words.colour)
    text = latin(words.text)
    (x, y), *_ = _points(((words.x, words.y),), scale)
    page.text(x, y, text)


def _points(points: tuple[tuple[float, float], ...], scale: float) -> list[tuple[float, float]]:
    return [(MARGIN + x * scale, MARGIN + y * scale) for x, y in points]


def latin(text: str) -> str:
    """Put a text into Latin-1: signs by their plain ones, letters without their marks where they must, else "?"."""
    plain = "".join(_PLAIN.get(character, character) for character in text)
    return "".join(_letter(character) for character in plain)


def _letter(character: str) -> str:
    for tried in (character, unicodedata.normalize("NFKD", character)[:1]):
        if tried.encode("latin-1", "ignore"):
            return tried
    return "?"

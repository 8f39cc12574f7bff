"""Writes a drawing as SVG text: words stay words, nothing is loaded, no style sheet is needed. Pure."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from companion.screens.strip.shapes import PAPER, Box, Named, Shape, Stroke, Words

if TYPE_CHECKING:
    from companion.screens.strip.shapes import Drawing, Drawn

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def svg(drawing: Drawing, key: str = "strip") -> str:
    """Write a drawing. key: begins the ids, so that several can stand on one page."""
    width, height = _n(drawing.width), _n(drawing.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' lang="{drawing.language}" role="group" aria-labelledby="{key}-title" aria-describedby="{key}-says"'
        f' font-family="{FONT}">'
    )
    told = f'<title id="{key}-title">{escape(drawing.title)}</title><desc id="{key}-says">{escape(drawing.says)}</desc>'
    paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return "\n".join([head, told, paper, *map(_element, drawing.shapes), "</svg>", ""])


def _element(shape: Drawn) -> str:
    match shape:
        case Box():
            return f"<rect {_box(shape)}/>"
        case Stroke():
            dash = ' stroke-dasharray="4 3"' if shape.dash else ""
            width = _n(shape.width)
            points = _points(shape.points)
            return f'<polyline points="{points}" fill="none" stroke="{shape.colour}" stroke-width="{width}"{dash}/>'
        case Shape():
            return f'<polygon points="{_points(shape.points)}" fill="{shape.fill}"/>'
        case Words():
            return _words(shape)
        case Named():
            return f"<g><title>{escape(shape.name)}</title>{''.join(map(_element, shape.parts))}</g>"


def _box(box: Box) -> str:
    stroke = f' stroke="{box.stroke}"' if box.stroke else ""
    dash = ' stroke-dasharray="4 3"' if box.dash else ""
    place = f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}"'
    return f'{place} fill="{box.fill or "none"}"{stroke}{dash}'


def _words(words: Words) -> str:
    weight = ' font-weight="bold"' if words.bold else ""
    place = f'x="{_n(words.x)}" y="{_n(words.y)}" font-size="{_n(words.size)}"'
    return f'<text {place}{weight} fill="{words.colour}">{escape(words.text)}</text>'


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """Write a length: two decimals are finer than any printer."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")

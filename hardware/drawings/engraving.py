"""What stands on a panel to be read or felt: symbols, words, braille, and where. Knows no way of making them."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import Colour
from hardware.drawings import braille, outlines
from hardware.drawings.faces import face_of
from hardware.drawings.geometry import CAPITAL, SYMBOL, turned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.panel import Button
    from hardware.drawings.geometry import Mark, Panel
    from hardware.drawings.outlines import Loops, Point


class Shape(NamedTuple):
    """Closed outlines on a panel, the seat that they are for, and what they say."""

    seat: Colour
    says: str
    loops: Loops


def short_braille(button: Button) -> str:
    """Two cells fit below a button where the words do not: the first letters of colour and card ("rc", "yw", …)."""
    return button.colour[0] + face_of(button)[0]


def shapes(panel: Panel) -> Iterator[Shape]:
    """Give each symbol, card's name and colour's name where it lies on a panel."""
    for mark in panel.marks:
        face = face_of(mark.button)
        yield Shape(
            mark.button.colour, f"{face} symbol", _placed(outlines.symbol(face, SYMBOL), mark.symbol, mark.turn)
        )
        yield Shape(mark.button.colour, face, _placed(outlines.word(face, CAPITAL), mark.text, mark.turn))
    for word in panel.words:
        yield Shape(
            Colour(word.words.lower()),
            word.words,
            _placed(outlines.word(word.words, word.capital), (word.x, word.y), word.turn),
        )


def dots(panel: Panel) -> Iterator[tuple[Mark, list[Point]]]:
    """Give for each button where the middles of its braille dots lie."""
    for mark in panel.marks:
        places = braille.centred(short_braille(mark.button), 0.0, 0.0)
        yield mark, list(_placed((tuple(places),), mark.braille, mark.turn)[0])


def _placed(loops: Loops, at: Point, turn: float) -> Loops:
    angle = turn * pi / 180
    return tuple(
        tuple((round(at[0] + x, 3), round(at[1] + y, 3)) for x, y in (turned(*p, angle) for p in loop))
        for loop in loops
    )

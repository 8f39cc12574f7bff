"""The few shapes that a strip is made of, in its own units (a CSS pixel), y downwards; and how wide a text is.

Colours are `#rrggbb`. Nothing here is told by colour alone: that is for whoever makes shapes. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.language import ENGLISH

if TYPE_CHECKING:
    from companion.core.words.language import Language

INK = "#1a1a1a"
FAINT = "#5c5c5c"
"""Dark enough on paper for small words (5.9 : 1 and more)."""
HAIR = "#c9c9c9"
PAPER = "#ffffff"
SHADE = "#eef1f4"
ALARM = "#b00020"


class Box(NamedTuple):
    """A rectangle; fill and stroke: None for none. dash: of the stroke."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    dash: bool = False


class Stroke(NamedTuple):
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    colour: str = INK
    width: float = 1.0
    dash: bool = False


class Shape(NamedTuple):
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str = INK


class Words(NamedTuple):
    """A text that begins at `x`; `y` is its base line."""

    x: float
    y: float
    text: str
    size: float = 12
    bold: bool = False
    colour: str = INK


class Named(NamedTuple):
    """Shapes that are one thing: `name` is said where somebody points at it, or has it read."""

    name: str
    parts: tuple[Box | Stroke | Shape | Words, ...]


Drawn = Box | Stroke | Shape | Words | Named


class Drawing(NamedTuple):
    """A whole picture on paper. title, says: what it is, for those who do not see it. language: its code ("it")."""

    width: float
    height: float
    title: str
    says: str
    shapes: tuple[Drawn, ...]
    language: str = "en"


class Paper(NamedTuple):
    """What a strip is drawn on: how wide, and in which language, as words are measured before they are placed."""

    width: float
    language: Language = ENGLISH


_NARROW = frozenset("iljtfrI.,:;|'!()[] ")
_WIDE = frozenset("mwMW@%…—→")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Give about how wide a text is, in the widest of the usual fonts; a little more rather than less.

    text: in the language that it is written in.
    """
    ems = sum(0.38 if c in _NARROW else 0.95 if c in _WIDE else 0.72 if c.isupper() else 0.63 for c in text)
    return ems * size * (1.1 if bold else 1.0)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Break a text, as it is written, into lines no wider than `room`: at spaces, and within a word that is wider."""
    lines: list[str] = []
    most = max(1, int(room / (0.72 * size)))
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if text_width(longer, size) <= room:
            lines[-1:] = [longer]
        else:
            lines += [word] if text_width(word, size) <= room else _cut(word, most)
    return lines


def _cut(word: str, most: int) -> list[str]:
    return [word[start : start + most] for start in range(0, len(word), most)]


def hatched(box: Box, colour: str, step: float = 5) -> list[Stroke]:
    """Give the strokes that hatch a rectangle, from bottom left to top right."""
    strokes = []
    offset = -box.height
    while offset < box.width:
        left, right = max(0.0, offset), min(box.width, offset + box.height)
        ends = (
            (box.x + left, box.y + box.height - (left - offset)),
            (box.x + right, box.y + box.height - (right - offset)),
        )
        strokes.append(Stroke(ends, colour, 0.8))
        offset += step
    return strokes

"""Words and symbols as closed outlines, so that paper, laser and printer get the same shapes and none needs a font.

The letters are DejaVu Sans Bold's, as matplotlib brings them along, locked by hash; its licence (Bitstream Vera's) lets
shapes be used freely. A curve is cut into straight pieces, a line of a symbol becomes the area that its pen covers.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from manifold3d import CrossSection, FillRule, OpType

from companion.games.apache.cards import Role
from hardware.drawings.symbols import FIELD, FILLED, LINES

if TYPE_CHECKING:
    from collections.abc import Iterable

Point = tuple[float, float]
Loop = tuple[Point, ...]
Loops = tuple[Loop, ...]
"""Closed outlines; what lies within an odd number of them is ink."""

FONT = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"
CAPITAL_UNITS = 1493
"""Height of an H in the font's units."""
PIECES = 4
"""Straight pieces to a curve: on a capital of 4 mm they are within 0.02 mm of it."""
PEN = 1.6
"""Width of a symbol's lines, in its field of 24."""
SMALLEST_MM2 = 0.001
"""Slivers of rounding are no shapes."""


class _Flat(BasePen):  # type: ignore[misc]  # fontTools has no types for it
    """Collects paths as rows of points."""

    def __init__(self, glyphs: object = None) -> None:
        super().__init__(glyphs)
        self.paths: list[list[Point]] = []

    def _moveTo(self, pt: Point) -> None:  # noqa: N802 - fontTools' names
        self.paths.append([pt])

    def _lineTo(self, pt: Point) -> None:  # noqa: N802
        self.paths[-1].append(pt)

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
        begin = self.paths[-1][-1]
        for step in range(1, PIECES + 1):
            t = step / PIECES
            share = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(s * p[axis] for s, p in zip(share, (begin, pt1, pt2, pt3), strict=True)) for axis in (0, 1))
            self.paths[-1].append((x, y))

    def _closePath(self) -> None:  # noqa: N802
        self.paths[-1].append(self.paths[-1][0])


@lru_cache(maxsize=256)
def word(words: str, capital: float) -> Loops:
    """Give a word's outlines, centred on (0, 0) by its width and its capitals' height; y downwards, mm."""
    font = TTFont(FONT)
    glyphs, names, widths = font.getGlyphSet(), font.getBestCmap(), font["hmtx"]
    scale = capital / CAPITAL_UNITS
    left, paths = 0.0, []
    for letter in words:
        if ord(letter) not in names:
            raise ValueError(f"the font has no {letter!r} for {words!r}")
        pen = _Flat(glyphs)
        glyphs[names[ord(letter)]].draw(pen)
        paths += [[(x + left, y) for x, y in path] for path in pen.paths]
        left += widths[names[ord(letter)]][0]
    placed = [[((x - left / 2) * scale, capital / 2 - y * scale) for x, y in path] for path in paths]
    return _loops(CrossSection(placed, FillRule.NonZero))


@lru_cache(maxsize=64)
def symbol(face: str, size: float) -> Loops:
    """Give a card's symbol in a square of `size` mm about (0, 0); y downwards."""
    filled, lines = _Flat(), _Flat()
    parse_path(FILLED[Role(face)], filled)
    parse_path(LINES[Role(face)], lines)
    shape = CrossSection(filled.paths, FillRule.NonZero)
    for path in lines.paths:
        shape += _stroked(path)
    scale = size / FIELD
    return _loops(shape.translate((-FIELD / 2, -FIELD / 2)).scale((scale, scale)))


def _stroked(path: Iterable[Point]) -> CrossSection:
    """Give what a round pen covers along a path."""
    points = list(path)
    ring = [(PEN / 2 * cos(k * pi / 8), PEN / 2 * sin(k * pi / 8)) for k in range(16)]
    pieces = [
        CrossSection.hull_points([(x + a, y + b) for x, y in (begin, end) for a, b in ring])
        for begin, end in pairwise(points)
    ]
    return CrossSection.batch_boolean(pieces, OpType.Add)


def _loops(shape: CrossSection) -> Loops:
    clean = shape.simplify(0.03)
    loops = [tuple((float(x), float(y)) for x, y in np.round(loop, 3)) for loop in clean.to_polygons()]
    return tuple(sorted(loop for loop in loops if abs(area(loop)) > SMALLEST_MM2))


def area(loop: Loop) -> float:
    """Give a loop's area in mm², negative where it runs the other way round."""
    pairs = zip(loop, (*loop[1:], loop[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def extent(loops: Loops) -> tuple[float, float, float, float]:
    """Give the left, top, right and bottom edge of what loops cover."""
    xs, ys = [x for loop in loops for x, _ in loop], [y for loop in loops for _, y in loop]
    return min(xs), min(ys), max(xs), max(ys)

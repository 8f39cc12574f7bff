"""The dark modules of a symbol as the outlines of the areas that they form. Pure.

Why: where each module, or each row of them, is a shape of its own, two of them share an edge, and most edges lie within
a pixel. A renderer that smooths draws both halves of that pixel separately and leaves a grey seam; one that rounds each
shape for itself leaves a white one. A scanner sees a crack through the symbol. Outlines of whole areas, filled at once,
have no edge within an area.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point = tuple[int, int]
Modules = tuple[tuple[bool, ...], ...]
"""Rows from the top, each from the left; True is dark."""


def outlines(modules: Modules) -> list[list[Point]]:
    """Give the closed outlines around all that is dark, holes too, each by its corners: x to the right, y downwards.

    To be filled together, by whichever rule: what is dark lies on the right of each outline.
    """
    onward: dict[Point, list[Point]] = {}
    for start, end in _edges(modules):
        onward.setdefault(start, []).append(end)
    found = []
    while onward:
        first = here = next(iter(onward))
        loop: list[Point] = []
        while not loop or here != first:
            loop.append(here)
            ends = onward[here]
            here, before = ends.pop(), here
            if not ends:
                del onward[before]
        found.append(_corners(loop))
    return found


def _edges(modules: Modules) -> Iterator[tuple[Point, Point]]:
    """Give each edge between dark and light, with the dark on its right."""

    def dark(x: int, y: int) -> bool:
        return 0 <= y < len(modules) and 0 <= x < len(modules[y]) and modules[y][x]

    for y, row in enumerate(modules):
        for x, is_dark in enumerate(row):
            if not is_dark:
                continue
            if not dark(x, y - 1):
                yield (x, y), (x + 1, y)
            if not dark(x + 1, y):
                yield (x + 1, y), (x + 1, y + 1)
            if not dark(x, y + 1):
                yield (x + 1, y + 1), (x, y + 1)
            if not dark(x - 1, y):
                yield (x, y + 1), (x, y)


def _corners(loop: Sequence[Point]) -> list[Point]:
    """Leave out the points at which an outline goes straight on."""
    kept = []
    for index, (x, y) in enumerate(loop):
        before, after = loop[index - 1], loop[(index + 1) % len(loop)]
        if not (before[0] == x == after[0] or before[1] == y == after[1]):
            kept.append((x, y))
    return kept

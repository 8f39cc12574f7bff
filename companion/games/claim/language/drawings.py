"""Drawings: those that come with the program, and those of a file, made of pixels. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.core.ruling.looks import BITMAP_HEIGHT, BITMAP_WIDTH, SYMBOL_SIZE, Stroke, Symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.claim.language.tables import Table

_ROWS = {
    "hand": ("..#.#...", "..#.#.#.", "..#.#.#.", "#.#####.", "##.####.", ".######.", "..####.."),
    "bell": ("...##...", "..####..", ".######.", ".######.", ".######.", "########", "...##..."),
    "totem": (".####.", ".#.##.", ".####.", "..##..", ".####.", "..##..", "######"),
    "spoon": (".###.", "#####", "#####", ".###.", "..#..", "..#..", "..#.."),
    "star": ("...#...", "...#...", "#######", ".#####.", "..###..", ".##.##.", ".#...#."),
    "heart": (".##.##.", "#######", "#######", "#######", ".#####.", "..###..", "...#..."),
    "diamond": ("...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."),
    "club": ("..###..", "..###..", "#######", "#######", "##.#.##", "...#...", "..###.."),
    "spade": ("...#...", "..###..", ".#####.", "#######", "##.#.##", "...#...", "..###.."),
    "circle": ("..###..", ".#...#.", "#.....#", "#.....#", "#.....#", ".#...#.", "..###.."),
    "square": ("#######", "#.....#", "#.....#", "#.....#", "#.....#", "#.....#", "#######"),
    "triangle": ("...#...", "...#...", "..#.#..", "..#.#..", ".#...#.", ".#...#.", "#######"),
    "cross": ("#.....#", ".#...#.", "..#.#..", "...#...", "..#.#..", ".#...#.", "#.....#"),
    "strawberry": ("..#.#..", "...#...", ".#####.", "#.###.#", "###.###", ".#####.", "..###.."),
    "banana": (".....##.", ".....##.", "....##..", "...###..", "..####..", "#####...", "###....."),
    "lime": ("..###..", ".#####.", "##.#.##", "###.###", "##.#.##", ".#####.", "..###.."),
    "plum": ("....#..", "...#...", ".##.##.", "#######", "#######", ".#####.", "..###.."),
}


def drawn(rows: tuple[str, ...]) -> Symbol:
    """Give a drawing of pixels; pages get a square for each run of lit ones."""
    pixel = SYMBOL_SIZE / max(BITMAP_HEIGHT, len(rows[0]))
    left = (SYMBOL_SIZE - pixel * len(rows[0])) / 2
    parts = []
    for y, row in enumerate(rows):
        for first, last in _runs(row):
            x0, x1 = left + pixel * first, left + pixel * last
            y0, y1 = pixel * y, pixel * (y + 1)
            parts.append(f"M{x0:.2f} {y0:.2f}H{x1:.2f}V{y1:.2f}H{x0:.2f}Z")
    return Symbol(rows, (Stroke("".join(parts)),))


def _runs(row: str) -> list[tuple[int, int]]:
    """Give where lit pixels begin and end."""
    found, first = [], None
    for x, pixel in enumerate((*row, ".")):
        if pixel == "#" and first is None:
            first = x
        elif pixel != "#" and first is not None:
            found.append((first, x))
            first = None
    return found


COMING_ALONG: Mapping[str, Symbol] = MappingProxyType({name: drawn(rows) for name, rows in _ROWS.items()})
"""By name; what a file draws under the same name goes before."""


def read_symbols(table: Table) -> dict[str, Symbol]:
    """Give the drawings of `[symbols]`."""
    found: dict[str, Symbol] = {}
    for name in table.values:
        rows = table.raw(name)
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            table.fault(name, f"a drawing is a list of {BITMAP_HEIGHT} texts")
        elif why := _why_no_drawing(rows):
            table.fault(name, why)
        else:
            found[name] = drawn(tuple(rows))
    return found


def _why_no_drawing(rows: list[str]) -> str:
    widths = {len(row) for row in rows}
    if len(rows) != BITMAP_HEIGHT or len(widths) != 1 or not 1 <= max(widths) <= BITMAP_WIDTH:
        return f"a drawing has {BITMAP_HEIGHT} rows of one length, 1 to {BITMAP_WIDTH}"
    if not set("".join(rows)) <= {"#", "."} or "#" not in "".join(rows):
        return "a row is made of # for a lit pixel and . for a dark one, and some pixel is lit"
    return ""

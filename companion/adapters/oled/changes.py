"""What differs between the picture a chip holds and a new one, as few rectangles as pay off. Pure; knows no chip.

A picture is packed in bands of eight rows of pixels, a band as columns of so many bytes each. A rectangle costs its
window (addresses and commands before the data) and its columns: two are one where the union costs no more than both.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BAND = 8
"""Rows of pixels in a band."""


class Piece(NamedTuple):
    """A rectangle: bands `top` to `bottom`, columns `left` to `right`, the latter two exclusive."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def columns(self) -> int:
        """How many columns of a band it takes, over all its bands."""
        return (self.bottom - self.top) * (self.right - self.left)

    def united(self, other: Piece) -> Piece:
        """Give the smallest rectangle around both."""
        return Piece(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.left, other.left),
            max(self.right, other.right),
        )


class Writing(NamedTuple):
    """How a chip is written. unit: bytes of a packed column. window: what a rectangle costs before its data, in columns
    of a band. is_tall: a rectangle may reach over several bands."""

    unit: int
    window: int
    is_tall: bool


@cache
def _run(gap: int) -> re.Pattern[bytes]:
    return re.compile(rb"[^\0](?:\0{0,%d}[^\0])*" % (gap - 1), re.DOTALL)


def changed_runs(old: bytes, new: bytes, gap: int) -> Iterator[tuple[int, int]]:
    """Give the half-open ranges in which two strings of equal length differ; those nearer than `gap` are one."""
    if len(old) != len(new):
        raise ValueError(f"{len(old)} and {len(new)} bytes cannot be compared")
    differing = int.from_bytes(old, "big") ^ int.from_bytes(new, "big")
    for found in _run(gap).finditer(differing.to_bytes(len(new), "big")):
        yield found.span()


def pieces(
    held: Sequence[bytes | bytearray | None], new: Sequence[bytes], bands: Iterable[int], writing: Writing
) -> list[Piece]:
    """Give the rectangles that make `held` the same as `new` in `bands` (ascending); a held band of None is unknown."""
    found: list[Piece] = []
    for band in bands:
        for left, right in _columns(held[band], new[band], writing):
            _put(found, Piece(band, band + 1, left, right), writing)
    return found


def _columns(old: bytes | bytearray | None, new: bytes, writing: Writing) -> list[tuple[int, int]]:
    """Give the ranges of columns in which a band differs."""
    if old is None:
        return [(0, len(new) // writing.unit)]
    if old == new:
        return []
    runs = changed_runs(bytes(old), new, writing.window * writing.unit)
    return [(start // writing.unit, -(-end // writing.unit)) for start, end in runs]


def _put(found: list[Piece], piece: Piece, writing: Writing) -> None:
    """Add a rectangle, as part of one above it where that costs no more."""
    above = [other for other in found if other.bottom >= piece.top] if writing.is_tall else []
    for other in above:
        union = other.united(piece)
        if union.columns <= writing.window + other.columns + piece.columns:
            found[:] = [kept for kept in found if kept.united(union) != union]
            found.append(union)
            return
    found.append(piece)

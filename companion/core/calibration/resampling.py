"""Medians of series that are drawn again in blocks of 5: how far a median may lie from the one that was measured. Pure.

Theory. Somebody's times are not independent: a slow trial is often followed by another. So not single times are drawn
again but blocks of `BLOCK` neighbours, from any place of the series, which is closed to a ring so that its ends are
drawn as often as its middle (the circular block bootstrap of Politis and Romano, 1992, after Künsch, 1989). Each drawn
series has one block less than the measured one: blocks vary about their own mean, which takes one block's worth of
variance away, and a series shorter by one block has just that much more.

What is drawn comes from no chance but from SHA-256, by the number of the stream and the length of the series alone: the
same trials give the same interval on any machine, and slower trials never a smaller one by luck. Whole numbers only.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Starts = tuple[tuple[int, ...], ...]
    """Of each drawn series, where in the measured one its blocks begin, from 0."""

BLOCK = 5
RESAMPLES = 400
"""So many series are drawn. Of the standard deviation that is found with them, 3.5 % is chance."""


def twice_median(times: Sequence[int]) -> int:
    """Give two times the median, which is whole for whole numbers. Raises ValueError where there are none."""
    if not times:
        raise ValueError("no times, no median")
    ordered = sorted(times)
    return ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]


@lru_cache(maxsize=64)
def starts_of(stream: int, length: int) -> Starts:
    """Give where blocks are drawn from a series of `length`. stream: other numbers give other draws.

    Raises ValueError for a series of fewer than two blocks.
    """
    count = length // BLOCK - 1
    if count < 1:
        raise ValueError(f"a series of {length} has no two blocks of {BLOCK}")
    numbers = _numbers(stream, length, RESAMPLES * count)
    return tuple(tuple(numbers[first : first + count]) for first in range(0, len(numbers), count))


def _numbers(stream: int, below: int, count: int) -> list[int]:
    """Give `count` numbers from 0 to below `below`, each from 2 bytes: of 120, none is likelier by more than 0.2 %."""
    hashes = (sha256(f"{stream}:{below}:{n}".encode()).digest() for n in range(-(-count // 16)))
    drawn = b"".join(hashes)
    return [int.from_bytes(drawn[at : at + 2], "big") * below >> 16 for at in range(0, 2 * count, 2)]


def resampled(times: Sequence[int], starts: Starts) -> list[int]:
    """Give two times the median of each drawn series."""
    ring = (*times, *times[: BLOCK - 1])
    blocks = [ring[at : at + BLOCK] for at in range(len(times))]
    return [twice_median([*chain.from_iterable(blocks[at] for at in row)]) for row in starts]

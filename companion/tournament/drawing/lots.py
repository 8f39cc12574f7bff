"""Lots that everybody draws alike: numbers out of SHAKE-256 of the event's seed and the round. Integers alone, pure.

Neither Python's `random` nor a float has a part in it, so that whoever has the seed draws the same, on any machine
and in any language, for as long as SHAKE-256 is known. The stream is cut into blocks: block k is the extendable output
of "SEED drawing ROUND k", read as 64-bit numbers, the lowest byte first.
"""

from __future__ import annotations

from hashlib import shake_256
from struct import unpack
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
BLOCK = 2_048
"""Numbers of a block."""


class Lots:
    """A stream of lots. Two of the same seed and round give the same, in the same order."""

    def __init__(self, seed: str, number: int) -> None:
        self._name = f"{seed} drawing {number}"
        self._blocks = 0
        self._left: Iterator[int] = iter(())

    def block(self) -> tuple[int, ...]:
        """Draw 2,048 numbers of 64 bits at once, for whoever needs many."""
        self._blocks += 1
        return unpack(f"<{BLOCK}Q", shake_256(f"{self._name} {self._blocks}".encode()).digest(BLOCK * 8))

    def below(self, limit: int) -> int:
        """Draw a number from 0 to limit - 1. limit: from 1 to a million: the fault against fairness is below 2⁻⁴⁴."""
        return (self._next() * limit) >> 64

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Give the items in an order that is drawn (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _next(self) -> int:
        number = next(self._left, None)
        if number is None:
            self._left = iter(self.block())
            number = next(self._left)
        return number

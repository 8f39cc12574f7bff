"""What a measurement gives: rows for people, values for the JSON file, and whether what was promised holds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

RESAMPLINGS = 2000


@dataclass
class Measured:
    """`rows`: (what, value); `values`: the same as numbers; `misses`: promises that do not hold, each a sentence."""

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)

    def row(self, what: str, value: str) -> None:
        self.rows.append((what, value))

    def promise(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.misses.append(sentence)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; share from 0 to 1."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


class Ratio(NamedTuple):
    """A ratio of two medians, and between what it lies in 95 of 100 resamplings of the pairs that it is made of."""

    low: float
    middle: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} (95 %: {self.low:.2f} to {self.high:.2f})"


def ratio_of(pairs: Sequence[tuple[float, float]]) -> Ratio:
    """Give how many times the second of each pair the first is; pairs: measured close to each other, 1 or more."""
    chance = Random(1)
    found = sorted(_of_medians(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLINGS))
    return Ratio(percentile(found, 0.025), _of_medians(pairs), percentile(found, 0.975))


def _of_medians(pairs: Sequence[tuple[float, float]]) -> float:
    one, other = zip(*pairs, strict=True)
    return statistics.median(one) / statistics.median(other)


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Median with the least and the greatest."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"

"""The result of a measurement: rows for people, values for the JSON file, figures to compare, promises that fail."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

RESAMPLINGS = 2000
SLICES = 4
"""Cut a run that is made once into so many parts, one after the other: they give its figures a spread."""
Z_95 = 1.959964
"""Standard deviations of a normal distribution on either side that hold 95 % of it."""


class Figure(NamedTuple):
    """A figure that `docs/accuracy.md` can publish. low, high: its spread; both are the figure where it is exact.

    text: how a count out of many is written, such as "68 of 400"; its numbers are in percent.
    """

    middle: float
    low: float
    high: float
    text: str = ""


@dataclass
class Measured:
    """The result of one part of the benchmark.

    rows: (what, value) for people. values: the same as numbers. misses: promises that do not hold, each a sentence.
    figures: by name, and by name@size where a part measures several sizes.
    """

    title: str
    rows: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    figures: dict[str, Figure] = field(default_factory=dict)

    def row(self, what: str, value: str) -> None:
        self.rows.append((what, value))

    def promise(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.misses.append(sentence)

    def percentiles(self, name: str, rounds: Sequence[Sequence[float]]) -> None:
        """Add the figures NAME_p50 and NAME_p99 of values that were measured in rounds."""
        for share, suffix in ((0.5, "p50"), (0.99, "p99")):
            self.figures[f"{name}_{suffix}"] = of_rounds(rounds, share)


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; share from 0 to 1."""
    return sorted(values)[max(0, math.ceil(len(values) * share) - 1)]


# -- figures with their spread -----------------------------------------------------------------------------------------


def exact(value: float) -> Figure:
    """Give a figure without a spread, as a count of faults is."""
    return Figure(value, value, value)


def of_values(values: Sequence[float]) -> Figure:
    """Give the median, with the least and the greatest."""
    return Figure(statistics.median(values), min(values), max(values))


def of_rounds(rounds: Sequence[Sequence[float]], share: float) -> Figure:
    """Give the percentile of all rounds together, with the least and the greatest of any single round."""
    each = [percentile(one, share) for one in rounds if one]
    return Figure(percentile([value for one in rounds for value in one], share), min(each), max(each))


def sliced(values: Sequence[float]) -> list[Sequence[float]]:
    """Cut the values of one run into `SLICES` parts, one after the other; into fewer where there are fewer values."""
    count = max(1, min(SLICES, len(values)))
    return [values[len(values) * at // count : len(values) * (at + 1) // count] for at in range(count)]


def share_of(count: int, of: int) -> Figure:
    """Give a count out of many in percent, with the 95 % interval that Wilson's formula gives."""
    text = f"{count:,} of {of:,}"
    if not of:
        return Figure(0.0, 0.0, 100.0, text)
    share, squared = count / of, Z_95**2 / of
    centre = (share + squared / 2) / (1 + squared)
    half = math.sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return Figure(100 * share, 100 * max(0.0, centre - half), 100 * min(1.0, centre + half), text)


class Ratio(NamedTuple):
    """A ratio of two medians, and between what it lies in 95 of 100 resamplings of the pairs that it is made of."""

    low: float
    middle: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.2f} (95 %: {self.low:.2f} to {self.high:.2f})"

    @property
    def figure(self) -> Figure:
        return Figure(self.middle, self.low, self.high)


def ratio_of(pairs: Sequence[tuple[float, float]]) -> Ratio:
    """Give how many times the second of each pair the first is; pairs: measured close to each other, 1 or more."""
    chance = Random(1)
    found = sorted(_of_medians(chance.choices(pairs, k=len(pairs))) for _ in range(RESAMPLINGS))
    return Ratio(percentile(found, 0.025), _of_medians(pairs), percentile(found, 0.975))


def _of_medians(pairs: Sequence[tuple[float, float]]) -> float:
    one, other = zip(*pairs, strict=True)
    return float(statistics.median(one) / statistics.median(other))


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Median with the least and the greatest."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"

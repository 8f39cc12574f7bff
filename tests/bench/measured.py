"""What a measurement gives: rows for people, values for the JSON file, and whether what was promised holds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


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


def spread(values: Sequence[float], digits: int = 0) -> str:
    """Median with the least and the greatest."""
    return f"{statistics.median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"

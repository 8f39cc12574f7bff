"""How times are spread: how each line bounces, how late its edges are read, how long a picture takes. Pure.

Counts in steps of 1, 2 and 5, so that a whole evening is some twenty numbers, and a figure read from it is a bound: so
many took no longer than this. It decides nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from companion.core.timing.events import Edge
from companion.core.timing.line_health import QUIET_NS

if TYPE_CHECKING:
    from companion.core.timing.events import SourceEvent

US = 1_000
FIRSTS = 6
"""So many edges of a closing are its first: the shortest of a switch, which interrupts are merged for."""
BOUNDS_US: tuple[int, ...] = (*(digit * 10**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000)
"""Microseconds: the upper bound of each step, itself included."""
_BOUNDS_NS = tuple(bound * US for bound in BOUNDS_US)


class Histogram(msgspec.Struct, frozen=True):
    """counts: how many lay within each step of `BOUNDS_US`, and last how many above them all; () for none yet."""

    counts: tuple[int, ...] = ()

    def with_(self, ns: int) -> Histogram:
        """Give it with one time more; below 0 counts as 0."""
        counts = list(self.counts)
        _count(counts, ns)
        return Histogram(tuple(counts))

    @property
    def total(self) -> int:
        """How many times there are."""
        return sum(self.counts)

    def within_us(self, permille: int) -> int | None:
        """Give the bound that so many of a thousand kept; None where there are none, or they lie above all bounds."""
        wanted, seen = -(-self.total * permille // 1000), 0
        for bound, count in zip(BOUNDS_US, self.counts, strict=False):
            seen += count
            if seen >= max(wanted, 1):
                return bound
        return None


class LineTimes(msgspec.Struct, frozen=True):
    """Of one line: how long its closings bounced (from the first to the last edge), how late its edges were read.

    arrival: from the edge's stamp to the loop's look at the clock before it read it; with nothing where nobody looked.
    error_ns: the widest ± of an edge. gaps: between the first `FIRSTS` edges of each closing. edges, merged: how many
    edges of closings there were, and how many of them interrupts were merged for.
    """

    line: str
    bounce: Histogram = Histogram()
    arrival: Histogram = Histogram()
    error_ns: int = 0
    gaps: Histogram = Histogram()
    edges: int = 0
    merged: int = 0


@dataclass(slots=True)
class _Line:
    """What `LineTimes` gives, as it grows. closing: one that may still bounce, by its first edge and its newest."""

    bounce: list[int] = field(default_factory=list)
    arrival: list[int] = field(default_factory=list)
    error_ns: int = 0
    gaps: list[int] = field(default_factory=list)
    edges: int = 0
    merged: int = 0
    closing: tuple[int, int] | None = None
    closing_edges: int = 0

    def see(self, edge: Edge) -> None:
        """Take the next edge."""
        self.error_ns = max(self.error_ns, edge.error_ns)
        if self.closing is not None and edge.t_ns - self.closing[1] < QUIET_NS:
            if self.closing_edges < FIRSTS:
                _count(self.gaps, edge.t_ns - self.closing[1])
            self.closing = self.closing[0], edge.t_ns
        elif edge.active:
            self.end()
            self.closing, self.closing_edges = (edge.t_ns, edge.t_ns), 0
        else:
            return
        self.closing_edges += 1
        self.edges += 1
        self.merged += edge.merged_ns > 0

    def end(self) -> None:
        """No edge comes that belongs to the closing."""
        if self.closing is not None:
            _count(self.bounce, self.closing[1] - self.closing[0])
            self.closing = None


class LinesTimes:
    """Of all lines, in the order in which they were first heard of."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}

    def values(self) -> tuple[LineTimes, ...]:
        """Give them, with each newest closing as if it had ended: values that another thread may keep."""
        return tuple(_times(name, line) for name, line in self._lines.items())

    def end(self) -> None:
        """Nothing that comes later belongs to a closing that is there now: another record begins, or another clock."""
        for line in self._lines.values():
            line.end()

    def see(self, event: SourceEvent, now_ns: int | None = None) -> None:
        """Take what a source gave; of one line in the order of time. now_ns: None where nobody looked at the clock."""
        if not isinstance(event, Edge):
            return
        line = self._lines.get(event.line)
        if line is None:
            line = self._lines[event.line] = _Line()
        if now_ns is not None:
            _count(line.arrival, now_ns - event.t_ns)
        line.see(event)


def _count(counts: list[int], ns: int) -> None:
    """Add a time to the counts of its steps, of which there are none before the first."""
    if not counts:
        counts.extend([0] * (len(BOUNDS_US) + 1))
    counts[bisect_left(_BOUNDS_NS, ns)] += 1


def _times(name: str, line: _Line) -> LineTimes:
    bounce = Histogram(tuple(line.bounce))
    if line.closing is not None:
        bounce = bounce.with_(line.closing[1] - line.closing[0])
    arrival, gaps = (Histogram(tuple(counts)) for counts in (line.arrival, line.gaps))
    return LineTimes(name, bounce, arrival, line.error_ns, gaps, line.edges, line.merged)

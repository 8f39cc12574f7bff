"""How times are spread: how each line bounces, how late its edges are read, how long a picture takes. Pure.

Counts in steps of 1, 2 and 5, so that a whole evening is some twenty numbers, and a figure read from it is a bound: so
many took no longer than this. It decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.core.timing.events import Edge
from companion.core.timing.line_health import QUIET_NS

if TYPE_CHECKING:
    from companion.core.timing.events import SourceEvent

US = 1_000
BOUNDS_US: tuple[int, ...] = (*(digit * 10**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000)
"""Microseconds: the upper bound of each step, itself included."""


class Histogram(msgspec.Struct, frozen=True):
    """counts: how many lay within each step of `BOUNDS_US`, and last how many above them all; () for none yet."""

    counts: tuple[int, ...] = ()

    def with_(self, ns: int) -> Histogram:
        """Give it with one time more; below 0 counts as 0."""
        step = next((at for at, bound in enumerate(BOUNDS_US) if ns <= bound * US), len(BOUNDS_US))
        counts = self.counts or (0,) * (len(BOUNDS_US) + 1)
        return Histogram((*counts[:step], counts[step] + 1, *counts[step + 1 :]))

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
    error_ns: the widest ± of an edge.
    """

    line: str
    bounce: Histogram = Histogram()
    arrival: Histogram = Histogram()
    error_ns: int = 0


class LinesTimes:
    """Of all lines, in the order in which they were first heard of."""

    def __init__(self) -> None:
        self._lines: dict[str, LineTimes] = {}
        self._closings: dict[str, tuple[int, int]] = {}  # that may still bounce: the first edge, and the newest

    def values(self) -> tuple[LineTimes, ...]:
        """Give them, with each newest closing as if it had ended: values that another thread may keep."""
        return tuple(self._ended(line) for line in self._lines)

    def end(self) -> None:
        """Nothing that comes later belongs to a closing that is there now: another record begins, or another clock."""
        self._lines = {line: self._ended(line) for line in self._lines}
        self._closings.clear()

    def see(self, event: SourceEvent, now_ns: int | None = None) -> None:
        """Take what a source gave; of one line in the order of time. now_ns: None where nobody looked at the clock."""
        if not isinstance(event, Edge):
            return
        line, (first_ns, newest_ns) = event.line, self._closings.get(event.line, (0, -QUIET_NS))
        times = self._lines.get(line) or LineTimes(line)
        arrival = times.arrival if now_ns is None else times.arrival.with_(now_ns - event.t_ns)
        self._lines[line] = LineTimes(line, times.bounce, arrival, max(times.error_ns, event.error_ns))
        if event.t_ns - newest_ns < QUIET_NS:
            self._closings[line] = first_ns, event.t_ns
        elif event.active:
            self._lines[line] = self._ended(line)
            self._closings[line] = event.t_ns, event.t_ns

    def _ended(self, line: str) -> LineTimes:
        times, closing = self._lines[line], self._closings.get(line)
        if closing is None:
            return times
        return LineTimes(line, times.bounce.with_(closing[1] - closing[0]), times.arrival, times.error_ns)

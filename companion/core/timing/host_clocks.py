"""CLOCK_MONOTONIC beside CLOCK_MONOTONIC_RAW: from one to the other with a bound that holds while the one is slewed.

Instants are CLOCK_MONOTONIC. The network's time corrects it by its rate: 500 ppm for seconds to minutes by adjtime(3),
thousands for some seconds by the kernel's loop (timesyncd), up to a tenth by the length of a tick (chrony). Another
machine's clock knows nothing of that. So it is mapped to CLOCK_MONOTONIC_RAW, which nothing corrects, and from there to
CLOCK_MONOTONIC by readings of both at once.

Theory of operation. At a reading both are known: MONOTONIC exactly, RAW between two readings around it. From there, in
so much of RAW as has passed since or will pass before, MONOTONIC advances by no less than 1 - MOST_SLEW and by no more
than 1 + MOST_SLEW of it. Each of the two readings next to an instant says so, from its side: what both allow holds
whenever a correction begins or ends, also between two readings, and also after the newest one. It is narrow near a
reading (a tenth of the time to it), so readings are taken where instants will be asked for: with every round trip, and
when an edge comes. Where two readings say that the rate was beyond that, what is left is that neither runs backwards.

Both clocks stand still while the machine sleeps; CLOCK_BOOTTIME does not, and tells it. Pure: the readings come in.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

PPB = 1_000_000_000
MOST_SLEW_PPB = 110_000_000
"""The kernel corrects its clock by no more than 11 % of its rate (`clocksource_max_adjustment`, kernel/time/
clocksource.c): adjtimex(2) takes a tick that is 10 % longer or shorter, and a frequency of 500 ppm besides."""
SLEPT_NS = 10 * MS
"""CLOCK_BOOTTIME has gained more on CLOCK_MONOTONIC only where the machine has slept."""
KEPT = 2048
"""Readings that are kept at least: a minute of them, several where nothing happens."""
THIN_NS = 20 * MS
"""Readings that are older than a second are kept so far from each other."""


class ClockReading(NamedTuple):
    """The host's clocks at once, ns. t_ns: CLOCK_MONOTONIC, read while RAW went from `raw_low_ns` to `raw_high_ns`.

    slept_ns: what CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, how long the machine has slept; the same number at each
    reading where nobody knows.
    """

    t_ns: int
    raw_low_ns: int
    raw_high_ns: int
    slept_ns: int = 0


class HostClocks:
    """What the readings say. Without any, CLOCK_MONOTONIC is taken to be RAW itself: nobody corrects it."""

    def __init__(self) -> None:
        self._readings: list[ClockReading] = []
        self.woke_raw_ns: int | None = None
        """RAW at the reading that told last that the machine had slept; None where none has."""

    def note(self, reading: ClockReading) -> bool:
        """Take a reading; tell whether the machine has slept since the one before.

        Raises Malformed for one that is older than the one before, or whose RAW ran backwards.
        """
        newest = self._readings[-1] if self._readings else reading
        if reading.raw_high_ns < reading.raw_low_ns or reading[:3] < newest[:3]:
            raise Malformed(f"the host's clocks cannot read {reading[:3]} after {newest[:3]}: they never run backwards")
        self._readings.append(reading)
        if len(self._readings) > 2 * KEPT:
            self._readings = _thinned(self._readings)
        has_slept = reading.slept_ns - newest.slept_ns > SLEPT_NS + reading.raw_high_ns - reading.raw_low_ns
        if has_slept:
            self.woke_raw_ns = reading.raw_high_ns
        return has_slept

    def raw(self, t_ns: int) -> tuple[int, int]:
        """Give the earliest and the latest RAW at which MONOTONIC shows `t_ns`."""
        near = self._beside(t_ns, lambda reading: reading.t_ns)
        if not near:
            return t_ns, t_ns
        bounds = [_raw_by(reading, t_ns) for reading in near]
        return _common(bounds, near[0].raw_low_ns, near[-1].raw_high_ns)

    def monotonic(self, raw_ns: int) -> tuple[int, int]:
        """Give the earliest and the latest MONOTONIC at `raw_ns` of RAW."""
        near = self._beside(raw_ns, lambda reading: reading.raw_low_ns)
        if not near:
            return raw_ns, raw_ns
        bounds = [_monotonic_by(reading, raw_ns) for reading in near]
        return _common(bounds, near[0].t_ns - _most(near[0].raw_high_ns - near[0].raw_low_ns), near[-1].t_ns)

    def _beside(self, at_ns: int, clock: Callable[[ClockReading], int]) -> list[ClockReading]:
        """Give the last reading by then and the first after it, by one of the clocks; fewer where one is missing."""
        after = bisect_right(self._readings, at_ns, key=clock)
        return self._readings[max(after - 1, 0) : after + 1]


def _most(raw_ns: int) -> int:
    """Give the most that MONOTONIC advances in so much of RAW, rounded up."""
    return -(-raw_ns * (PPB + MOST_SLEW_PPB) // PPB)


def _least(raw_ns: int) -> int:
    return raw_ns * (PPB - MOST_SLEW_PPB) // PPB


def _monotonic_by(reading: ClockReading, raw_ns: int) -> tuple[int, int]:
    """Give what one reading says of MONOTONIC at `raw_ns`."""
    from_low_ns, from_high_ns = raw_ns - reading.raw_low_ns, raw_ns - reading.raw_high_ns
    low_ns = _least(from_high_ns) if from_high_ns > 0 else -_most(-from_high_ns)
    high_ns = _most(from_low_ns) if from_low_ns > 0 else -_least(-from_low_ns)
    return reading.t_ns + low_ns, reading.t_ns + high_ns


def _raw_by(reading: ClockReading, t_ns: int) -> tuple[int, int]:
    """Give what one reading says of RAW where MONOTONIC shows `t_ns`."""
    passed_ns = abs(t_ns - reading.t_ns)
    least_ns = passed_ns * PPB // (PPB + MOST_SLEW_PPB)
    most_ns = -(-passed_ns * PPB // (PPB - MOST_SLEW_PPB))
    if t_ns >= reading.t_ns:
        return reading.raw_low_ns + least_ns, reading.raw_high_ns + most_ns
    return reading.raw_low_ns - most_ns, reading.raw_high_ns - least_ns


def _common(bounds: list[tuple[int, int]], first_ns: int, last_ns: int) -> tuple[int, int]:
    """Give what all bounds allow; where there is nothing, what lies between the two readings."""
    low_ns, high_ns = max(low for low, _ in bounds), min(high for _, high in bounds)
    return (low_ns, high_ns) if low_ns <= high_ns else (first_ns, last_ns)


def _thinned(readings: list[ClockReading]) -> list[ClockReading]:
    """Give those that are kept: all of the last second, before it one in THIN_NS, and no more than KEPT."""
    kept: list[ClockReading] = []
    new_ns = readings[-1].t_ns - SECOND
    for reading in readings:
        if not kept or reading.t_ns >= new_ns or reading.t_ns - kept[-1].t_ns >= THIN_NS:
            kept.append(reading)
    return kept[-KEPT:]

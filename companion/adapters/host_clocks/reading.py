"""Reads CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW and CLOCK_BOOTTIME as nearly at once as a program can. Knows no use of it.

RAW is read before and after the others, so that a reading has its own bound: a thread that was held up between them
makes it wide, and is given another try.
"""

from __future__ import annotations

import time

from companion.core.timing.host_clocks import ClockReading

NARROW_NS = 20_000
"""A reading takes a few microseconds on a Raspberry Pi Zero, and less elsewhere."""
TRIES = 3


def read_clocks() -> ClockReading:
    """Give the narrowest of a few readings, the first that is narrow enough; `t_ns` is an instant of this call."""
    best = _read()
    for _ in range(TRIES - 1):
        if _width_ns(best) <= NARROW_NS:
            break
        best = min(best, _read(), key=_width_ns)
    return best


def _read() -> ClockReading:
    raw_low_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    t_ns = time.monotonic_ns()
    boot_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return ClockReading(t_ns, raw_low_ns, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), boot_ns - t_ns)


def _width_ns(reading: ClockReading) -> int:
    return reading.raw_high_ns - reading.raw_low_ns

"""The machine's real clocks: a reading lies between two others, is narrow, and tells no sleep where there was none."""

from __future__ import annotations

import time

from companion.adapters.host_clocks.reading import read_clocks
from companion.core.timing.host_clocks import HostClocks


def test_a_reading_is_of_now_and_no_reading_is_older_than_the_one_before():
    clocks, readings = HostClocks(), []
    before_ns, raw_ns = time.monotonic_ns(), time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    for _ in range(100):
        readings.append(read_clocks())
        assert not clocks.note(readings[-1])
    assert before_ns <= readings[0].t_ns <= readings[-1].t_ns <= time.monotonic_ns()
    assert raw_ns <= readings[0].raw_low_ns
    low_ns, high_ns = clocks.raw(readings[50].t_ns)
    assert readings[50].raw_low_ns <= low_ns <= high_ns <= readings[50].raw_high_ns

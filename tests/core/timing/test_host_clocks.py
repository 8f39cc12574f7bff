"""CLOCK_MONOTONIC beside CLOCK_MONOTONIC_RAW: the bound holds at any rate the kernel allows, whenever that changes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.timing.events import MS, SECOND
from companion.core.timing.host_clocks import KEPT, ClockReading, HostClocks
from tests.core.pods.host_world import HostWorld, Rate, Sleep

RATES = st.lists(st.builds(Rate, st.integers(0, 2 * SECOND), st.integers(-110_000_000, 110_000_000)), max_size=12)
INSTANTS = st.lists(st.integers(0, 2 * SECOND), min_size=1, max_size=12)


def noted(world: HostWorld, instants: list[int], seed: int = 1) -> HostClocks:
    clocks, chance = HostClocks(), random.Random(seed)
    for at_ns in sorted({instant // 5000 * 5000 for instant in instants}):
        clocks.note(world.reading(at_ns, chance))
    return clocks


@given(rates=RATES, read=INSTANTS, asked=INSTANTS, seed=st.integers(0, 2**16))
def test_the_truth_lies_within_the_bound_both_ways_before_between_and_after_the_readings(rates, read, asked, seed):
    world = HostWorld(rates)
    clocks = noted(world, read, seed)
    for at_ns in asked:
        low_ns, high_ns = clocks.monotonic(world.raw_ns(at_ns))
        assert low_ns <= world.mono_ns(at_ns) <= high_ns
        low_ns, high_ns = clocks.raw(world.mono_ns(at_ns))
        assert low_ns - 2 <= world.raw_ns(at_ns) <= high_ns + 2, "MONOTONIC shows whole nanoseconds"


def test_the_bound_is_a_tenth_of_the_time_to_the_nearest_reading():
    clocks = HostClocks()
    clocks.note(ClockReading(0, 0, 0))
    clocks.note(ClockReading(10 * MS, 10 * MS, 10 * MS))
    assert clocks.monotonic(MS) == (MS - 110_000, MS + 110_000)
    assert clocks.monotonic(9 * MS) == (9 * MS - 110_000, 9 * MS + 110_000)
    assert clocks.monotonic(11 * MS) == (11 * MS - 110_000, 11 * MS + 110_000)
    assert clocks.monotonic(10 * MS) == (10 * MS, 10 * MS)


def test_a_rate_beyond_what_the_kernel_allows_leaves_what_lies_between_the_readings():
    clocks = HostClocks()
    clocks.note(ClockReading(0, 0, 0))
    clocks.note(ClockReading(20 * MS, 10 * MS, 10 * MS))
    assert clocks.monotonic(MS) == (0, 20 * MS)
    assert clocks.raw(19 * MS) == (0, 10 * MS)


def test_without_readings_nobody_corrects_the_clock():
    assert HostClocks().monotonic(5) == HostClocks().raw(5) == (5, 5)


def test_a_sleep_is_told_once_and_not_taken_for_a_reading_that_was_held_up():
    world, chance = HostWorld(sleeps=(Sleep(5 * MS, SECOND),)), random.Random(1)
    clocks = HostClocks()
    slept = [clocks.note(world.reading(at_ns, chance)) for at_ns in (0, 4 * MS, SECOND, SECOND + MS)]
    assert slept == [False, False, True, False]
    woke_ns = clocks.woke_raw_ns
    assert woke_ns is not None
    assert world.raw_ns(SECOND) <= woke_ns <= world.raw_ns(SECOND) + 1000
    held_up = world.reading(SECOND + 2 * MS, chance)
    later = ClockReading(held_up.t_ns, held_up.raw_low_ns, held_up.raw_high_ns + 50 * MS, held_up.slept_ns + 50 * MS)
    assert not clocks.note(later)


def test_readings_of_a_long_evening_are_thinned_and_those_of_the_last_second_kept():
    clocks = HostClocks()
    for number in range(10 * KEPT):
        clocks.note(ClockReading(number * MS, number * MS, number * MS))
    newest_ns = (10 * KEPT - 1) * MS
    assert len(clocks._readings) <= 2 * KEPT
    assert clocks.monotonic(newest_ns - SECOND // 2) == (newest_ns - SECOND // 2,) * 2
    low_ns, high_ns = clocks.monotonic(newest_ns - 15 * SECOND)
    assert high_ns - low_ns <= 2 * 20 * MS // 9


@pytest.mark.parametrize("wrong", [ClockReading(4, 9, 9), ClockReading(5, 9, 9), ClockReading(6, 12, 11)])
def test_clocks_that_run_backwards_are_refused(wrong):
    clocks = HostClocks()
    clocks.note(ClockReading(5, 10, 11))
    with pytest.raises(Malformed, match="never run backwards"):
        clocks.note(wrong)

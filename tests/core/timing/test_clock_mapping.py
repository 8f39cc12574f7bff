"""The clock mapping: the truth lies within the stated bound, always; and the bound is small."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.timing.clock_mapping import CONES, ClockMapping, Mapped, SteadyTimes, TickCounter
from companion.core.timing.events import MS, SECOND
from tests.amounts import many
from tests.bench.clock_mapping import CASES, simulate
from tests.core.timing.two_clocks import TwoClocks

DRIFTS = st.integers(-100_000, 100_000)
DELAYS = st.tuples(st.integers(0, MS), st.integers(MS, 30 * MS))


@given(
    seed=st.integers(0, 2**32),
    drift=DRIFTS,
    out=DELAYS,
    back=DELAYS,
    wander=st.sampled_from((0, 5_000, 60_000)),
    seconds=st.lists(st.integers(1, 20), min_size=1, max_size=12),
    presses=st.lists(st.integers(-20 * SECOND, 30 * SECOND), min_size=1, max_size=8),
)
@settings(deadline=None, max_examples=many(150))
def test_the_truth_is_within_the_bound_for_any_delays_and_any_drift_within_the_limit(
    seed, drift, out, back, wander, seconds, presses
):
    clocks = TwoClocks(seed, drift, out, back, wander)
    mapping = ClockMapping()
    for trips in seconds:
        began_ns = clocks.now_ns
        clocks.burst(mapping, trips)
        clocks.now_ns = max(clocks.now_ns, began_ns + SECOND)
    for press in presses:
        at_ns = clocks.now_ns + (press if not wander else abs(press))  # its past drift is not the present one
        mapped = mapping.to_host(clocks.remote_ticks(at_ns))
        assert abs(mapped.t_ns - at_ns) <= mapped.error_ns
    assert mapping.contradictions == 0


@given(seed=st.integers(0, 2**32), drift=DRIFTS, gaps=st.lists(st.integers(0, 400 * MS), min_size=2, max_size=60))
@settings(deadline=None, max_examples=many(60))
def test_presses_of_one_pod_never_change_places_while_the_mapping_improves(seed, drift, gaps):
    clocks = TwoClocks(seed, drift)
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    clocks.burst(mapping, 1)
    last: tuple[int, Mapped] | None = None
    for gap in gaps:
        at_ns = clocks.now_ns
        ticks = clocks.remote_ticks(at_ns)
        mapped = steady.place(ticks)
        assert abs(mapped.t_ns - at_ns) <= mapped.error_ns
        if last is not None:
            step_ns = (ticks - last[0]) * 1000
            assert abs(mapped.t_ns - last[1].t_ns - step_ns) <= step_ns // 50
        last = (ticks, mapped)
        clocks.now_ns += gap
        clocks.burst(mapping, 2)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_bound_is_small_and_certain_and_no_worse_after_half_an_hour(case):
    early, late = simulate(case, presses=600, seconds=30), simulate(case, presses=600, seconds=30, after_s=1800)
    for found in (early, late):
        assert found.outside == 0
        assert found.median_bound_ns <= 600_000
    assert late.median_bound_ns <= early.median_bound_ns + 50_000


def test_the_best_request_and_the_best_answer_may_be_of_different_round_trips():
    mapping = ClockMapping(max_drift_ppb=0, resolution_ticks=0)
    mapping.feed(0, 5_000, 1_000_000)  # read at 0.1 ms, if it took 0.1 ms to get there
    mapping.feed(2_000_000, 7_800, 3_000_000)
    assert mapping.interval(5_000) == (0 - 1, 200_000 + 1)
    assert mapping.best_round_trip_ns == 1_000_000


def test_a_bound_grows_by_the_drift_limit_as_the_newest_round_trip_ages():
    mapping = ClockMapping(max_drift_ppb=100_000, resolution_ticks=0)
    mapping.feed(0, 0, 1000)
    fresh, stale = mapping.to_host(0).error_ns, mapping.to_host(10_000_000).error_ns
    assert stale - fresh == 1 * MS


def test_ageing_is_rounded_up_to_whole_nanoseconds():
    mapping = ClockMapping(max_drift_ppb=1, resolution_ticks=0)
    mapping.feed(0, 0, 0)
    assert mapping.to_host(1) == Mapped(1000, 2)
    assert all(isinstance(bound, int) for bound in mapping.interval(1))


def test_an_event_from_before_the_newest_round_trip_is_bounded_by_those_of_its_time():
    mapping = ClockMapping()
    mapping.feed(0, 0, 1000)
    then = mapping.interval(0)
    for second in range(1, 11):
        mapping.feed(second * SECOND, second * 1_000_000, second * SECOND + 1000)
    assert mapping.interval(0) == then


def test_round_trips_sent_within_900_ms_of_the_first_are_one_burst_and_tell_no_drift():
    for sent_ns, is_one in ((900 * MS, True), (900 * MS + 1, False)):
        mapping = ClockMapping()
        mapping.feed(0, 0, MS)
        mapping.feed(sent_ns, 900_000, sent_ns + MS)
        assert (mapping.drift_ppb is None) is is_one


def test_one_slow_round_trip_changes_nothing():
    clocks = TwoClocks(7, 20_000)
    mapping = ClockMapping()
    for _ in range(5):
        clocks.burst(mapping)
        clocks.rest_of_second(clocks.now_ns)
    ticks = clocks.remote_ticks(clocks.now_ns)
    before = mapping.interval(ticks)
    mapping.feed(clocks.now_ns, clocks.remote_ticks(clocks.now_ns + 300 * MS), clocks.now_ns + 400 * MS)
    assert mapping.interval(ticks) == before


def test_a_clock_that_is_stepped_is_noticed_and_mapped_anew():
    mapping = ClockMapping()
    mapping.feed(0, 1_000_000, MS)
    mapping.feed(SECOND, 2_000_000, SECOND + MS)
    mapping.feed(2 * SECOND, 9_000_000, 2 * SECOND + MS)
    assert mapping.contradictions == 1
    t_ns, error_ns = mapping.to_host(9_000_000)
    assert abs(t_ns - 2 * SECOND - MS // 2) <= 1
    assert error_ns < MS


def test_after_a_step_a_race_keeps_its_distances_and_later_presses_are_right_again():
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    mapping.feed(0, 1_000_000, MS)
    first = steady.place(1_000_000)
    mapping.feed(SECOND, 32_000_000, SECOND + MS)  # the other clock was set forward by half a minute
    assert mapping.contradictions == 1
    second = steady.place(1_040_000)
    assert second.t_ns - first.t_ns == pytest.approx(40 * MS, rel=0.02)
    assert second.error_ns >= SECOND + MS - second.t_ns, (
        "it was between the two round trips, whatever became of a clock"
    )
    mapping.feed(9 * SECOND, 40_000_000, 9 * SECOND + MS)
    third = steady.place(40_000_000)
    assert abs(third.t_ns - 9 * SECOND) <= MS
    assert third.error_ns <= 2 * MS


def test_one_round_trip_places_its_reading_in_its_very_middle():
    mapping = ClockMapping()
    mapping.feed(0, 1_000_000, 1000)
    assert mapping.to_host(1_000_000) == Mapped(500, 500 + 1001)


def test_instants_and_drift_are_whole_numbers_however_far_the_other_clock_has_counted():
    mapping, base = ClockMapping(), 2**60 + 1
    for number in range(3):
        mapping.feed(number * SECOND, base + number * 1_000_001, number * SECOND + MS)
    assert isinstance(mapping.to_host(base + 2_500_000).t_ns, int)
    assert isinstance(mapping.drift_ppb, int)
    assert abs(mapping.to_host(base + 2_000_002).t_ns - (2 * SECOND + MS // 2)) <= 1000


def test_every_step_of_a_clock_is_counted():
    mapping = ClockMapping()
    for number in range(4):
        mapping.feed(number * SECOND, number * 50_000_000, number * SECOND + MS)
    assert mapping.contradictions == 3


def improved(gap_ns: int) -> tuple[ClockMapping, SteadyTimes, int]:
    """A press was placed 200 ms too late by a slow round trip; a fast one, `gap_ns` later, knows better."""
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    mapping.feed(0, 0, 400 * MS)
    placed_ns = steady.place(0).t_ns
    mapping.feed(gap_ns, gap_ns // 1000, gap_ns + MS)
    return mapping, steady, placed_ns


def test_a_better_mapping_alone_never_jumps_however_long_the_pause():
    gap_ns = 6 * SECOND
    _, steady, placed_ns = improved(gap_ns)
    t_ns = steady.place(gap_ns // 1000).t_ns
    assert isinstance(t_ns, int)
    assert t_ns == placed_ns + gap_ns - gap_ns // 50


def test_after_a_step_exactly_the_longest_pause_of_a_race_still_keeps_its_distance():
    for pause_ns, is_steady in ((5 * SECOND, True), (5 * SECOND + 1000, False)):
        mapping = ClockMapping()
        steady = SteadyTimes(mapping)
        mapping.feed(0, 0, MS)
        placed_ns = steady.place(0).t_ns
        mapping.feed(SECOND, 60_000_000, SECOND + MS)  # a minute ahead
        kept = abs(steady.place(pause_ns // 1000).t_ns - placed_ns - pause_ns) <= pause_ns // 50
        assert kept is is_steady


def test_a_step_lets_one_press_jump_and_no_later_one():
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    mapping.feed(0, 0, MS)
    steady.place(0)
    mapping.feed(SECOND, 60_000_000, SECOND + 800 * MS)  # a minute ahead, and a slow round trip
    late_ns = steady.place(60_000_000).t_ns
    mapping.feed(8 * SECOND, 67_000_000, 8 * SECOND + MS)  # a fast one puts it 400 ms earlier
    assert steady.place(67_000_000).t_ns == late_ns + 7 * SECOND - 7 * SECOND // 50


def test_a_press_after_a_step_is_never_placed_before_the_last_one():
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    mapping.feed(0, 0, 20 * SECOND)
    last_ns = steady.place(0).t_ns
    mapping.feed(1, 6_000_000, 1001)
    assert mapping.contradictions == 1
    assert steady.place(6_000_000).t_ns == last_ns + 1


def test_a_clock_that_runs_backwards_has_begun_anew():
    mapping = ClockMapping()
    mapping.feed(0, 1_000_000, 100 * MS)
    mapping.feed(100 * MS, 999_990, 300 * MS)
    assert mapping.contradictions == 1


def test_a_clock_that_goes_back_by_less_than_its_resolution_has_begun_anew_too():
    mapping = ClockMapping(resolution_ticks=1000)
    mapping.feed(0, 1_000_000, MS)
    mapping.feed(MS, 999_999, 2 * MS)
    assert mapping.contradictions == 1


def test_a_clock_that_stood_still_for_a_while_is_noticed_and_mapped_anew():
    mapping = ClockMapping()
    mapping.feed(0, 0, MS)
    mapping.feed(SECOND, 1_000_000, SECOND + MS)
    mapping.feed(60 * SECOND, 1_500_000, 60 * SECOND + MS)  # a phone that slept
    assert mapping.contradictions == 1
    assert abs(mapping.to_host(1_500_000).t_ns - 60 * SECOND - MS // 2) <= 1


@pytest.mark.parametrize(
    ("trip", "is_possible"),
    [
        ((120_001, 1000, 200_000), True),  # the same reading again, its tick as late as it can be
        ((120_002, 1000, 200_000), False),
        ((20_000, 1150, 49_999), True),  # 150 ticks on within less than 50: the first reading was nearly one more
        ((20_000, 1150, 49_998), False),
    ],
)
def test_readings_of_a_coarse_clock_may_disagree_by_its_resolution_and_no_more(trip, is_possible):
    mapping = ClockMapping(max_drift_ppb=0, resolution_ticks=100)
    mapping.feed(0, 1000, 20_000)
    mapping.feed(*trip)
    assert (mapping.contradictions == 0) is is_possible


def test_drift_is_found_and_has_its_sign():
    for drift in (-90_000, 0, 55_000):
        clocks = TwoClocks(3, drift)
        mapping = ClockMapping()
        assert mapping.drift_ppb is None
        for _ in range(30):
            began_ns = clocks.now_ns
            clocks.burst(mapping)
            clocks.rest_of_second(began_ns)
        assert mapping.drift_ppb == pytest.approx(drift, abs=12_000)


def test_memory_stays_bounded():
    clocks = TwoClocks(5, 1_000, out_ns=(0, 100), back_ns=(0, 30 * MS))
    mapping = ClockMapping(max_drift_ppb=1_000_000)
    for _ in range(300):
        clocks.burst(mapping, 5)
    assert max(len(mapping._lows), len(mapping._highs)) <= CONES


def test_nothing_is_mapped_before_the_first_round_trip():
    mapping = ClockMapping()
    assert not mapping.is_known
    with pytest.raises(Malformed, match=r"^no round trip has been made yet: the other clock is not known$"):
        mapping.to_host(0)


def test_a_round_trip_that_ends_before_it_begins_is_refused_and_changes_nothing():
    mapping = ClockMapping()
    with pytest.raises(Malformed, match="before it begins"):
        mapping.feed(10, 0, 9)
    assert not mapping.is_known
    assert mapping.round_trips == 0


def test_impossible_clocks_are_refused():
    for wrong in ({"tick_ns": 0}, {"max_drift_ppb": -1}, {"max_drift_ppb": 10**9}, {"resolution_ticks": -1}):
        with pytest.raises(Malformed):
            ClockMapping(**wrong)


@given(start=st.integers(0, 2**34), steps=st.lists(st.integers(-(2**20), 2**29 - 1), max_size=60))
def test_a_wrapping_counter_is_extended(start, steps):
    counter = TickCounter(30)
    shift = start - counter.extend(start % 2**30)
    newest = true = start
    for step in steps:
        true = max(newest + step, 0)
        assert counter.extend(true % 2**30) + shift == true
        newest = max(newest, true)


def test_a_counter_may_go_back_by_half_its_range_and_forward_by_less_than_that():
    counter = TickCounter(8)
    assert counter.extend(200) == 200
    assert counter.extend(200 - 128) == 200 - 128
    assert counter.extend((200 + 127) % 256) == 200 + 127


def test_a_long_counter_keeps_its_last_tick():
    counter = TickCounter(64)
    assert [counter.extend(2**60 + 1), counter.extend(2**60 + 4), counter.extend(2**60 + 3)] == [
        2**60 + 1, 2**60 + 4, 2**60 + 3,
    ]  # fmt: skip


def test_a_reading_of_too_many_bits_is_refused():
    for wrong in (-1, 2**30):
        with pytest.raises(Malformed, match=str(wrong)):
            TickCounter(30).extend(wrong)


def test_round_trips_are_counted_and_the_best_is_the_shortest():
    mapping = ClockMapping()
    for number, (sent_ns, length_ns) in enumerate(((MS, 3 * MS), (10 * MS, MS), (20 * MS, 2 * MS)), start=1):
        mapping.feed(sent_ns, sent_ns // 1000, sent_ns + length_ns)
        assert mapping.round_trips == number
    assert mapping.best_round_trip_ns == MS


def test_a_round_trip_may_take_no_time_and_cannot_end_before_it_begins():
    mapping = ClockMapping()
    mapping.feed(5 * MS, 5_000, 5 * MS)
    assert mapping.round_trips == 1
    with pytest.raises(Malformed, match=r"^a round trip cannot end 2000000 ns before it begins$"):
        mapping.feed(9 * MS, 9_000, 7 * MS)
    assert mapping.round_trips == 1


@pytest.mark.parametrize(("tick_ns", "drift", "resolution"), [(0, 0, 0), (1, -1, 0), (1, 10**9, 0), (1, 0, -1)])
def test_a_clock_that_cannot_be_is_refused_in_words(tick_ns, drift, resolution):
    told = "^a tick takes at least 1 ns, the drift is 0 to 10\\^9 ppb, the resolution is not negative$"
    with pytest.raises(Malformed, match=told):
        ClockMapping(tick_ns, drift, resolution)


def test_a_tick_may_be_a_nanosecond_and_a_clock_exact():
    mapping = ClockMapping(tick_ns=1, max_drift_ppb=0, resolution_ticks=0)
    mapping.feed(100, 1_000, 100)
    assert mapping.to_host(1_050) == Mapped(150, 1)

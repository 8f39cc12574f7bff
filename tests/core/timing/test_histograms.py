"""How times are spread: what is counted is in its step, and what is said of many is a bound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.events import MS, SECOND, Edge
from companion.core.timing.histograms import BOUNDS_US, FIRSTS, US, Histogram, LinesTimes
from companion.core.timing.line_health import QUIET_NS


def filled(*values_ns: int) -> Histogram:
    found = Histogram()
    for ns in values_ns:
        found = found.with_(ns)
    return found


@given(st.lists(st.integers(-MS, BOUNDS_US[-1] * US), min_size=1), st.integers(1, 1000))
def test_so_many_of_a_thousand_took_no_longer_than_is_said_and_the_step_below_is_too_short(
    values: list[int], permille: int
) -> None:
    found = filled(*values)
    bound = found.within_us(permille)
    assert bound is not None
    assert sum(value <= bound * US for value in values) * 1000 >= permille * len(values)
    below = max((step for step in BOUNDS_US if step < bound), default=None)
    assert below is None or sum(value <= below * US for value in values) * 1000 < permille * len(values)
    assert found.total == len(values)


def test_nothing_and_what_is_above_all_steps_have_no_bound() -> None:
    assert Histogram().within_us(500) is None
    assert filled(2 * SECOND).within_us(500) is None
    assert filled(2 * SECOND).total == 1


@pytest.mark.parametrize(("ns", "bound"), [(10 * US, 10), (10 * US + 1, 20), (0, 10), (-5, 10), (SECOND, 1_000_000)])
def test_a_bound_belongs_to_its_own_step(ns: int, bound: int) -> None:
    assert filled(ns).within_us(1000) == bound


def test_a_closing_bounces_from_its_first_edge_to_its_last_and_is_counted_once() -> None:
    times = LinesTimes()
    for at_ns, active in ((0, True), (300 * US, False), (900 * US, True), (SECOND, False), (2 * SECOND, True)):
        times.see(Edge("red first", active, SECOND + at_ns, 20 * US), SECOND + at_ns + 150 * US)
    (found,) = times.values()
    assert times.values() == (found,), "asking changes nothing"
    assert found.bounce.total == 2
    assert (found.bounce.within_us(500), found.bounce.within_us(1000)) == (10, 1000)
    assert (found.arrival.total, found.arrival.within_us(1000)) == (5, 200)
    assert found.error_ns == 20 * US


def test_the_gaps_between_a_closings_first_edges_and_how_many_were_merged_are_counted() -> None:
    times = LinesTimes()
    at_ns = SECOND
    for number in range(FIRSTS + 3):
        times.see(Edge("red first", number % 2 == 0, at_ns, 20 * US, merged_ns=5 * US if number == 1 else 0))
        at_ns += 40 * US if number < FIRSTS - 1 else 900 * US
    times.see(Edge("red first", False, 2 * SECOND, 20 * US, merged_ns=5 * US))
    (found,) = times.values()
    assert (found.gaps.total, found.gaps.within_us(1000)) == (FIRSTS - 1, 50), "and of no later ones"
    assert (found.edges, found.merged) == (FIRSTS + 3, 1), "and of no opening"


def test_what_another_clock_says_does_not_belong_to_the_closing_before() -> None:
    times = LinesTimes()
    times.see(Edge("red first", True, 9 * SECOND, 0))
    times.end()
    times.see(Edge("red first", True, SECOND, 0))
    times.see(Edge("red first", False, SECOND + 3 * MS, 0))
    (found,) = times.values()
    assert (found.bounce.total, found.bounce.within_us(1000)) == (2, 5000)


def test_an_opening_alone_is_no_closing_and_where_nobody_looked_nothing_is_late() -> None:
    times = LinesTimes()
    times.see(Edge("red first", False, SECOND, 0))
    times.see(Edge("red first", False, SECOND + 2 * QUIET_NS, 7))
    (found,) = times.values()
    assert (found.bounce.total, found.arrival.total, found.error_ns) == (0, 0, 7)

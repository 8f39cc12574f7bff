"""Figures of one person: each with its count, times with their ±, none from fewer than five."""

from __future__ import annotations

from itertools import product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.core.people.figures import LEAST, record_of, standings, times_of
from companion.core.people.judged import Reaction
from tests.core.people.records import MS, facts

ANN_BOB = {"red": "Ann", "blue": "Bob"}


def reactions(*ms: float, error_ms: float = 1) -> list[Reaction]:
    return [Reaction(round(one * MS), round(error_ms * MS), 1, race) for race, one in enumerate(ms, 1)]


@pytest.mark.parametrize("n", range(LEAST))
def test_no_figure_of_times_rests_on_fewer_than_five(n: int) -> None:
    assert times_of(reactions(*range(100, 100 + n))) is None


def test_figures_of_five_times() -> None:
    found = times_of(reactions(500, 300, 400, 700, 600))
    assert found is not None
    assert found.n == 5
    assert [one.ns // MS for one in (found.fastest, found.faster, found.median, found.slower)] == [300, 400, 500, 600]
    assert {one.error_ns for one in (found.fastest, found.faster, found.median, found.slower)} == {MS}


def test_one_doubtful_time_does_not_make_the_median_doubtful() -> None:
    found = times_of([*reactions(300, 400, 500, 600, error_ms=0), *reactions(900, error_ms=50)])
    assert found is not None
    assert found.median.error_ns == 0


@given(some.lists(some.tuples(some.integers(0, 50), some.integers(0, 8)), min_size=LEAST, max_size=6))
def test_wherever_the_true_times_are_the_true_median_and_fastest_are_within_their_uncertainty(
    times: list[tuple[int, int]],
) -> None:
    found = times_of([Reaction(10 * ns, 10 * error, 1, 1) for ns, error in times])
    assert found is not None
    for signs in product((-1, 0, 1), repeat=len(times)):
        true = [10 * (ns + sign * error) for (ns, error), sign in zip(times, signs, strict=True)]
        assert abs(median(true) - found.median.ns) <= found.median.error_ns
        assert abs(min(true) - found.fastest.ns) <= found.fastest.error_ns


def test_a_record_adds_up_matches_and_leaves_out_those_without_the_person() -> None:
    matches = [
        facts({"red": 1, "blue": 2}, {"red": 3}, names=ANN_BOB, game="order", match_id=1),
        facts({"green": 1, "blue": 2}, names={"green": "ann", "blue": "Bob"}, game="order", match_id=2),
        facts({"red": 1, "blue": 2}, names={"red": "Cleo", "blue": "Bob"}, game="order", match_id=3),
    ]
    found = record_of("Ann", matches)
    assert (found.matches, found.wins, found.shared) == (2, 2, 0)
    assert (found.presses, found.contested, found.firsts) == (3, 2, 2)


def test_a_victory_of_two_is_shared() -> None:
    match = facts({"red": 1, "blue": 2}, {"blue": 1, "red": 2}, names=ANN_BOB, game="order")
    assert [(one.wins, one.shared) for one in standings([match])] == [(0, 1), (0, 1)]


def test_whoever_plays_two_seats_has_played_one_match_and_shares_with_nobody() -> None:
    match = facts({"red": 1, "blue": 2}, {"blue": 1, "red": 2}, names={"red": "Ann", "blue": "Ann"}, game="order")
    assert [(one.name, one.matches, one.wins, one.shared) for one in standings([match])] == [("Ann", 1, 1, 0)]


def test_standings_have_the_best_first_and_nobody_without_a_name() -> None:
    names = {"red": "Ann", "blue": "Bob", "green": ""}
    matches = [
        facts({"blue": 1, "red": 2, "green": 3}, names=names, game="order", match_id=1),
        facts({"blue": 1, "red": 2, "green": 3}, names=names, game="order", match_id=2),
        facts({"red": 1, "blue": 2, "green": 3}, names=names, game="order", match_id=3),
    ]
    assert [(one.name, one.wins) for one in standings(matches)] == [("Bob", 2), ("Ann", 1)]

"""Two people side by side, and matches put into evenings."""

from __future__ import annotations

import pytest

from companion.core.people.comparing import UNDATED, evening_of, evenings, head_to_head
from tests.core.people.records import facts

ANN_BOB = {"red": "Ann", "blue": "Bob"}


def test_races_count_by_the_order_and_dead_heats_for_neither() -> None:
    match = facts({"red": 1, "blue": 2}, {"red": 3, "blue": 3.01}, {"blue": 4, "red": 5}, {"red": 6}, names=ANN_BOB)
    (found,) = head_to_head("Ann", [match])
    assert (found.other, found.sooner, found.later, found.dead_heats) == ("Bob", 1, 1, 1)


def test_matches_count_by_the_scores() -> None:
    matches = [
        facts({"red": 1, "blue": 2}, names=ANN_BOB, game="order", match_id=1),
        facts({"blue": 1, "red": 2}, names=ANN_BOB, game="order", match_id=2),
        facts({"red": 1, "blue": 2}, {"blue": 1, "red": 2}, names=ANN_BOB, game="order", match_id=3),
        facts({"red": 1, "blue": 2}, names=ANN_BOB, game="order", match_id=4),
    ]
    (ann,), (bob,) = head_to_head("Ann", matches), head_to_head("Bob", matches)
    assert (ann.ahead, ann.behind, ann.level, ann.matches) == (2, 1, 1, 4)
    assert (bob.ahead, bob.behind, bob.level, bob.sooner, bob.later) == (1, 2, 1, ann.later, ann.sooner)


def test_whoever_one_has_never_played_is_left_out() -> None:
    matches = [facts({"red": 1}, names=ANN_BOB), facts({"red": 1}, names={"red": "Cleo", "blue": "Dan"}, match_id=2)]
    assert [one.other for one in head_to_head("Ann", matches)] == ["Bob"]


@pytest.mark.parametrize(
    ("started", "evening"),
    [
        ("2025-03-01T19:30:00+01:00", "2025-03-01"),
        ("2025-03-02T00:10:00+01:00", "2025-03-01"),
        ("2025-03-02T05:59:59+01:00", "2025-03-01"),
        ("2025-03-02T06:00:00+01:00", "2025-03-02"),
        ("2025-01-01T01:00:00+13:00", "2024-12-31"),
        ("", UNDATED),
        ("yesterday", UNDATED),
    ],
)
def test_an_evening_ends_at_six_by_the_clock_of_the_place(started: str, evening: str) -> None:
    assert evening_of(started) == evening


def test_evenings_come_newest_first_and_their_matches_as_they_were_played() -> None:
    matches = [
        facts({"red": 1}, names=ANN_BOB, match_id=number, started=started)
        for number, started in (
            (4, "2025-03-02T20:00:00Z"),
            (2, "2025-03-01T20:00:00Z"),
            (3, "2025-03-02T01:00:00Z"),
            (1, ""),
        )
    ]
    found = {evening: [one.id for one in of] for evening, of in evenings(matches).items()}
    assert list(found.items()) == [("2025-03-02", [4]), ("2025-03-01", [2, 3]), (UNDATED, [1])]

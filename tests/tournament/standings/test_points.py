"""Points of a table: whole numbers for every size, 12 on average, by who was beaten and who was tied with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.tournament.results import Place, TableResult
from companion.tournament.standings.points import Score, points_of, scores_of


def table(*ranks: int) -> TableResult:
    """Give the result of a table whose players 1, 2, … came in at these ranks."""
    return TableResult(1, 1, tuple(Place(player, rank) for player, rank in enumerate(ranks, 1)))


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2), (24, 0)),
        ((1, 1), (12, 12)),
        ((1, 2, 3), (24, 12, 0)),
        ((3, 1, 1), (0, 18, 18)),
        ((1, 2, 2, 4), (24, 12, 12, 0)),
        ((1, 2, 3, 4), (24, 16, 8, 0)),
        ((1, 1, 1, 4), (16, 16, 16, 0)),
        ((5, 4, 3, 2, 1), (0, 6, 12, 18, 24)),
        ((1, 2, 2, 2, 2), (24, 9, 9, 9, 9)),
    ],
)
def test_points_are_of_the_share_of_the_others_who_were_beaten(ranks: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert tuple(points_of(table(*ranks)).values()) == points


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5))
def test_points_are_whole_and_12_on_average_at_every_table(ranks: list[int]) -> None:
    points = points_of(table(*ranks))
    assert sum(points.values()) == 12 * len(ranks)
    for player, (beaten, tied, seats) in scores_of(table(*ranks)).items():
        assert points[player] * (seats - 1) == 24 * beaten + 12 * tied


def test_every_score_that_there_can_be_is_a_whole_number() -> None:
    for seats in range(2, 6):
        for beaten in range(seats):
            for tied in range(seats - beaten):
                assert Score(beaten, tied, seats).points * 2 * (seats - 1) == 24 * (2 * beaten + tied)


@pytest.mark.parametrize("ranks", [(), (1,), (1, 2, 3, 4, 5, 5)])
def test_a_table_of_another_size_is_refused(ranks: tuple[int, ...]) -> None:
    with pytest.raises(Illegal, match=f"round 1, table 1: {len(ranks)} players; a table has 2 to 5"):
        points_of(table(*ranks))


def test_nobody_is_at_a_table_twice() -> None:
    with pytest.raises(Illegal, match="round 2, table 7: somebody is at it twice"):
        points_of(TableResult(2, 7, (Place(4, 1), Place(4, 2))))

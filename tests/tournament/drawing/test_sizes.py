"""Tables of 2 to 5: as few as possible not of four, of two only where nothing else is left; byes where seats lack."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from companion.core.errors import Illegal
from companion.tournament.drawing.sizes import layouts, sizes


@pytest.mark.parametrize(
    ("players", "boxes", "tables", "byes"),
    [
        (2, None, (2,), 0),
        (3, None, (3,), 0),
        (4, None, (4,), 0),
        (5, None, (5,), 0),
        (6, None, (3, 3), 0),
        (7, None, (4, 3), 0),
        (8, None, (4, 4), 0),
        (9, None, (5, 4), 0),
        (10, None, (4, 3, 3), 0),
        (11, None, (4, 4, 3), 0),
        (10, 2, (5, 5), 0),
        (11, 2, (5, 5), 1),
        (6, 1, (5,), 1),
        (7, 1, (5,), 2),
        (23, 5, (5, 5, 5, 4, 4), 0),
        (4_000, None, (4,) * 1_000, 0),
        (4_001, 900, (5,) * 401 + (4,) * 499, 0),
    ],
)
def test_sizes_are_as_the_rule_says(players, boxes, tables, byes):
    assert sizes(players, boxes) == (tables, byes)


@pytest.mark.parametrize("players", range(12, 60))
def test_with_enough_boxes_the_rest_by_four_says_it_all(players):
    tables, byes = sizes(players, None)
    others = [size for size in tables if size != 4]
    assert (others, byes) == ({0: [], 1: [5], 2: [3, 3], 3: [3]}[players % 4], 0)


@pytest.mark.parametrize("boxes", [None, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("players", range(2, 21))
def test_no_other_sizes_have_fewer_tables_of_two_or_not_of_four(players, boxes):
    tables, byes = sizes(players, boxes)
    assert sum(tables) + byes == players
    assert byes == (0 if boxes is None else max(0, players - 5 * boxes))
    allowed = [
        others
        for count in range(1, min(boxes or players, players) + 1)
        for others in combinations_with_replacement((2, 3, 4, 5), count)
        if sum(others) == players - byes
    ]
    assert tuple(sorted(tables)) in allowed
    assert merit(tables) == min(map(merit, allowed))


def merit(tables):
    return tables.count(2), len(tables) - tables.count(4), -len(tables)


@pytest.mark.parametrize(
    ("players", "fixed", "tables"),
    [
        (8, [5], (5, 3)),
        (6, [4], (4, 2)),
        (7, [5], (5, 2)),
        (8, [1, 1, 1], (3, 3, 2)),
        (9, [5, 3], (5, 4)),
        (12, [5], (5, 4, 3)),
    ],
)
def test_tables_where_players_always_sit_are_there_and_large_enough(players, fixed, tables):
    assert layouts(players, None, fixed)[0].sizes == tables


def test_where_no_tables_will_do_there_is_no_layout():
    assert layouts(6, None, [5]) == []


@pytest.mark.parametrize(("players", "boxes"), [(0, None), (1, None), (1, 3), (8, 0), (8, -1)])
def test_nothing_to_draw_is_refused(players, boxes):
    with pytest.raises(Illegal, match=r"too few players|at least one box"):
        sizes(players, boxes)

"""What no drawing may do is refused by name, whoever made it."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.tournament.drawing.checking import check
from companion.tournament.drawing.wanted import Entrant, Wanted
from companion.tournament.log.lines import TableDrawn

WANTED = Wanted(
    2,
    "00",
    tuple(Entrant(player, fixed=2 if player == 5 else None) for player in range(1, 10)),
    {},
    frozenset({(1, 6)}),
    boxes=2,
)


def tables(*players):
    return [TableDrawn(table=number, players=seated) for number, seated in enumerate(players, 1)]


def test_a_drawing_by_hand_may_have_other_sizes_and_byes_than_the_rule():
    check(WANTED, tables((1, 2), (5, 6, 7, 8, 9)), [3, 4])
    check(WANTED, [TableDrawn(table=7, players=(1, 2, 3, 4)), TableDrawn(table=9, players=(6, 7, 8, 9))], [5])


@pytest.mark.parametrize(
    ("drawn", "byes", "message"),
    [
        (tables((1, 2, 3, 4), (5, 6, 7, 8, 4)), [9], "player with more than one place: 4"),
        (tables((1, 2, 3, 4), (5, 6, 7, 8, 9)), [2, 3], "players with more than one place: 2, 3"),
        (tables((1, 2, 3, 4), (5, 6, 7, 8, 9)), [10], "player with a place and not in this round: 10"),
        (tables((1, 2, 3, 4), (5, 6, 7)), [9], "player without a place: 8"),
        (tables((2, 3, 4, 6, 7, 9), (5, 8)), [1], "table 1 has 6 players: a table takes 2 to 5"),
        (tables((1, 2, 3, 4), (5,)), [6, 7, 8, 9], "table 2 has 1 players"),
        (tables((1, 2, 3), (5, 6, 7), (4, 8, 9)), [], "3 tables for 2 boxes"),
        (
            [TableDrawn(table=2, players=(1, 2, 3, 4)), TableDrawn(table=2, players=(5, 6, 7, 8, 9))],
            [],
            "table 2 is there 2 times",
        ),
        (
            [TableDrawn(table=0, players=(1, 2, 3, 4)), TableDrawn(table=2, players=(5, 6, 7, 8, 9))],
            [],
            "table 0: tables are numbered from 1",
        ),
        (tables((5, 2, 3, 4), (1, 8, 7, 9)), [6], "player 5 always sits at table 2, not at table 1"),
        (tables((6, 2, 3, 1), (5, 4, 7, 8, 9)), [], "players 1 and 6 must not meet, and both are at table 1"),
    ],
)
def test_each_breach_is_refused_by_name(drawn, byes, message):
    with pytest.raises(Illegal) as refused:
        check(WANTED, drawn, byes)
    assert str(refused.value).startswith(message)

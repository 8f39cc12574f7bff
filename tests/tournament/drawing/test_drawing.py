"""Every drawing keeps the rules, whatever it is made from, and depends on nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.tournament.drawing.checking import check
from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import draw
from companion.tournament.drawing.sizes import sizes
from companion.tournament.drawing.wanted import Cost, Entrant, Wanted
from tests.amounts import many
from tests.tournament.drawing.histories import Event, event_of
from tests.tournament.drawing.wishes import wishes


def drawn(wanted):
    """Draw, and pass over wishes that cannot be fulfilled."""
    try:
        return draw(wanted)
    except Illegal:
        assume(False)


def entered(count, **others):
    return tuple(Entrant(player, **others) for player in range(1, count + 1))


@settings(max_examples=many(60))
@given(wishes())
def test_a_drawing_seats_everybody_once_and_keeps_what_is_forbidden_and_fixed(wanted):
    drawing = drawn(wanted)
    check(wanted, drawing.tables, drawing.byes)
    placed = [*(player for table in drawing.tables for player in table.players), *drawing.byes]
    assert sorted(placed) == sorted(entrant.player for entrant in wanted.entrants)
    fixed = {entrant.player: entrant.fixed for entrant in wanted.entrants}
    for table in drawing.tables:
        assert {fixed[player] for player in table.players} <= {None, table.table}
        assert not [pair for pair in permutations(table.players, 2) if pair in wanted.apart]
        assert 2 <= len(table.players) <= 5
    assert wanted.boxes is None or len(drawing.tables) <= wanted.boxes


@settings(max_examples=many(30))
@given(wishes())
def test_tables_are_numbered_from_the_lowest_that_is_free(wanted):
    drawing = drawn(wanted)
    byes = set(drawing.byes)
    fixed = {entrant.fixed for entrant in wanted.entrants if entrant.player not in byes} - {None}
    others = [number for number in range(1, 100) if number not in fixed][: len(drawing.tables) - len(fixed)]
    assert [table.table for table in drawing.tables] == sorted([*fixed, *others])


@settings(max_examples=many(30))
@given(wishes())
def test_sizes_and_byes_are_as_the_rule_says_where_nobody_is_fixed_or_apart(wanted):
    entrants = tuple(entrant._replace(fixed=None) for entrant in wanted.entrants)
    drawing = draw(wanted._replace(entrants=entrants, apart=frozenset()))
    tables, byes = sizes(len(entrants), wanted.boxes)
    assert sorted(len(table.players) for table in drawing.tables) == sorted(tables)
    assert len(drawing.byes) == byes
    have = sorted((entrant.byes, entrant.score) for entrant in entrants if entrant.player in drawing.byes)
    assert have == sorted((entrant.byes, entrant.score) for entrant in entrants)[:byes]


@settings(max_examples=many(30))
@given(wishes())
def test_nobody_has_another_bye_while_somebody_else_has_fewer(wanted):
    drawing = drawn(wanted)
    before = {entrant.player: entrant.byes for entrant in wanted.entrants}
    seated = [before[player] for table in drawing.tables for player in table.players]
    assert max((before[player] for player in drawing.byes), default=0) <= min(seated)


@settings(max_examples=many(25))
@given(wishes(), st.randoms(use_true_random=False))
def test_the_order_of_entrants_and_of_dicts_changes_nothing(wanted, random):
    others = list(wanted.entrants)
    meetings = list(wanted.meetings.items())
    random.shuffle(others)
    random.shuffle(meetings)
    assert draw_or_refuse(wanted) == draw_or_refuse(wanted._replace(entrants=tuple(others), meetings=dict(meetings)))


def draw_or_refuse(wanted):
    try:
        return draw(wanted)
    except Illegal as refused:
        return str(refused)


@settings(max_examples=many(40))
@given(wishes())
def test_its_cost_is_what_counting_by_hand_gives(wanted):
    drawing = drawn(wanted)
    by_player = {entrant.player: entrant for entrant in wanted.entrants}
    meetings = spread = seats = 0
    for table in drawing.tables:
        scores = sorted(by_player[player].score for player in table.players)
        spread += scores[-1] - scores[0]
        for seat, player in enumerate(table.players):
            had = (*by_player[player].seats, 0, 0, 0, 0, 0)
            seats += had[seat]
            for other in table.players[seat + 1 :]:
                times = wanted.meetings.get((player, other)) or wanted.meetings.get((other, player)) or 0
                meetings += times * times
    assert cost_of(wanted, drawing.tables) == Cost(meetings, spread, seats)


@settings(max_examples=many(25))
@given(wishes())
def test_no_other_order_at_a_table_repeats_fewer_seats(wanted):
    drawing = drawn(wanted)
    for table in drawing.tables:
        orders = (type(table)(table=table.table, players=order) for order in permutations(table.players))
        assert cost_of(wanted, [table]).seats == min(cost_of(wanted, [other]).seats for other in orders)


def test_the_first_round_is_drawn_by_the_seed_alone():
    wanted = Wanted(1, "5eed", entered(30), {}, frozenset())
    scored = tuple(entrant._replace(score=entrant.player) for entrant in wanted.entrants)
    met = {(1, other): 3 for other in range(2, 31)}
    tables = {frozenset(table.players) for table in draw(wanted).tables}
    assert {frozenset(table.players) for table in draw(wanted._replace(entrants=scored, meetings=met)).tables} == tables
    assert {frozenset(table.players) for table in draw(wanted._replace(seed="5eee")).tables} != tables


def test_by_the_seed_anybody_sits_anywhere_as_often():
    seats = Counter[tuple[int, int, int]]()
    for number in range(400):
        drawing = draw(Wanted(1, f"{number:02x}", entered(8), {}, frozenset()))
        seats.update(
            (player, table.table, seat) for table in drawing.tables for seat, player in enumerate(table.players)
        )
    assert len(seats) == 64
    assert min(seats.values()) >= 25
    assert max(seats.values()) <= 80  # 50 are expected; five standard deviations are 33


def test_rounds_of_one_seed_are_drawn_by_lots_of_their_own():
    wanted = Wanted(2, "5eed", entered(30), {}, frozenset())
    assert draw(wanted) != draw(wanted._replace(round=3))


def test_byes_go_round_until_everybody_had_one():
    event = Event(3, list(range(1, 14)), boxes=2)
    for _ in range(5):
        event.play(draw(event.wanted()))
    assert sorted(event.byes[player] for player in event.players) == [1] * 11 + [2] * 2


def test_a_family_that_must_not_meet_sits_at_as_many_tables():
    family = frozenset((one, other) for one in range(1, 8) for other in range(one + 1, 8))
    drawing = draw(Wanted(1, "5eed", entered(21), {}, family))
    assert len(drawing.tables) == 7  # five of four and one more would be one too few
    assert all(sum(player <= 7 for player in table.players) == 1 for table in drawing.tables)


def test_where_everybody_always_sits_at_a_table_they_sit_there_in_every_round():
    entrants = tuple(Entrant(player, score=player, fixed=(player + 1) // 2) for player in range(1, 7))
    drawing = draw(Wanted(2, "5eed", entrants, {(1, 2): 1, (3, 4): 1}, frozenset()))
    assert [(table.table, {*table.players}) for table in drawing.tables] == [(1, {1, 2}), (2, {3, 4}), (3, {5, 6})]


def test_of_equal_byes_one_with_a_higher_score_sits_out_where_others_could_not_be_seated():
    entrants = tuple(Entrant(player, score=player) for player in range(1, 7))
    drawing = draw(Wanted(2, "5eed", entrants, {}, frozenset({(5, 6)}), boxes=1))
    assert drawing.byes == (5,)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            Wanted(1, "00", (*entered(4), Entrant(9, fixed=3), Entrant(8, fixed=3)), {}, frozenset({(8, 9)})),
            "players 8 and 9 must not meet, and both always sit at table 3",
        ),
        (
            Wanted(1, "00", entered(6, fixed=2), {}, frozenset()),
            "players 1, 2, 3, 4, 5, 6 always sit at table 2, which takes 5",
        ),
        (
            Wanted(1, "00", entered(4), {}, frozenset({(1, 2), (1, 3), (2, 3)}), boxes=1),
            "no table was found for player ",
        ),
        (
            Wanted(1, "00", (*entered(5, fixed=1), Entrant(6)), {}, frozenset()),
            "6 players make no tables of 2 to 5 with players 1, 2, 3, 4, 5 where they always sit",
        ),
        (
            Wanted(1, "00", tuple(Entrant(player, fixed=player) for player in range(1, 5)), {}, frozenset(), boxes=1),
            "4 players on 1 boxes make no tables of 2 to 5 with players 1, 2, 3, 4 where they always sit",
        ),
        (Wanted(1, "00", (*entered(4), Entrant(3)), {}, frozenset()), "player 3 is among the entrants twice"),
        (Wanted(1, "00", entered(1), {}, frozenset()), "too few players to draw, 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_who_is_in_the_way(wanted, message):
    with pytest.raises(Illegal) as refused:
        draw(wanted)
    assert str(refused.value).startswith(message)


@pytest.mark.slow  # hundreds of players
def test_a_large_field_is_drawn_without_meeting_again_and_within_its_wishes():
    event = event_of(84, 420)  # pairs apart, two who always sit at a table, and as many boxes as are just enough
    for _ in range(3):
        wanted = event.wanted()
        drawing = draw(wanted)
        check(wanted, drawing.tables, drawing.byes)
        assert cost_of(wanted, drawing.tables).meetings == 0
        event.play(drawing)

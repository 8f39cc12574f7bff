"""What rounds have come to, and what the next drawing is made from."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.tournament.drawing.drawing import draw
from companion.tournament.event.results import points_so_far, results_of, wanted_of
from companion.tournament.log import lines
from companion.tournament.results import Place
from tests.tournament.logs import Log, started


def ranks(*players: int) -> tuple[lines.PlaceByHand, ...]:
    return tuple(lines.PlaceByHand(player, rank) for rank, player in enumerate(players, start=1))


def by_record(_record: lines.RecordLine) -> tuple[Place, ...]:
    return (Place(1, 1), Place(2, 2), Place(3, 3), Place(4, 4))


def of_nothing(_record: lines.RecordLine) -> None:
    return None


def test_a_round_has_results_waiting_tables_byes_and_those_who_missed_it() -> None:
    log = Log()
    log.players(9)
    log.add(lines.DroppedLine, player=9)
    log.draw((1, 2, 3, 4), (5, 6, 7), byes=(8,))
    log.add(lines.ByHandLine, round=1, table=1, places=ranks(1, 2, 3, 4), reason="r", by="R")
    log.add(lines.PointsLine, round=1, player=8, points=6, reason="late", by="O")
    (only,) = results_of(log.event, of_nothing)
    assert [result.table for result in only.results] == [1]
    assert (only.waiting, only.byes, only.missed, only.given) == ((2,), (8,), (9,), {8: 6})
    assert points_so_far([only]) == {1: 24, 2: 16, 3: 8, 4: 0, 8: 6}


def test_whoever_came_later_has_missed_the_rounds_before() -> None:
    log = started()
    log.add(lines.PlayerLine, player=9, name="Late")
    assert results_of(log.event, by_record)[0].missed == ()
    log.add(lines.CheckedInLine, player=9)
    assert results_of(log.event, by_record)[0].missed == (9,)


def test_a_record_counts_only_while_nothing_of_it_is_disputed() -> None:
    log = started()
    log.record(1)
    assert len(results_of(log.event, by_record)[0].results) == 1
    assert results_of(log.event, of_nothing)[0].waiting == (1, 2)
    log.add(lines.ProtestLine, round=1, table=1, match="0" * 32, line=5)
    assert results_of(log.event, by_record)[0].results == ()


def test_the_next_round_is_drawn_from_all_that_was_before() -> None:
    log = started()
    log.add(lines.ApartLine, players=(8, 1))
    log.add(lines.EditedLine, player=5, name="Player 5", fixed=2)
    log.add(lines.DroppedLine, player=4)
    wanted = wanted_of(log.event, {1: 24})
    assert (wanted.round, wanted.apart, wanted.boxes) == (2, frozenset({(1, 8)}), 2)
    assert wanted.meetings[1, 2] == 1
    assert wanted.meetings[4, 5] == 0
    entrants = {entrant.player: entrant for entrant in wanted.entrants}
    assert set(entrants) == {1, 2, 3, 5, 6, 7, 8}
    assert (entrants[1].score, entrants[1].seats) == (24, (1, 0, 0, 0, 0))
    assert entrants[5].fixed == 2
    assert draw(wanted) == draw(wanted._replace(entrants=wanted.entrants[::-1]))


def test_a_round_that_was_drawn_already_is_compared_with_those_before_it() -> None:
    log = started()
    assert wanted_of(log.event, {}, 1).meetings == {}
    assert wanted_of(log.event, {}, 1).round == 1


def test_nothing_is_drawn_before_the_seed_is_known() -> None:
    with pytest.raises(Illegal, match="when check-in is closed"):
        wanted_of(Log().event, {})

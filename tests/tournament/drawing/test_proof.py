"""The solver proves some drawings of small fields to be the best; `make drawing` has many more, and larger ones."""

from __future__ import annotations

import pytest

from companion.tournament.drawing.cost import cost_of
from companion.tournament.drawing.drawing import draw
from companion.tournament.drawing.wanted import Drawing
from companion.tournament.log.lines import TableDrawn
from tests.tournament.drawing.histories import event_of
from tests.tournament.drawing.proof import Verdict, players_of, prove, round_of, told
from tests.tournament.drawing.solver import least_meetings, least_spread

pytestmark = pytest.mark.slow  # imports what takes seconds

EFFORT = 60


@pytest.mark.parametrize(("seed", "players", "number"), [(3, 12, 3), (8, 13, 4), (14, 12, 5), (1, 16, 2)])
def test_a_drawing_of_a_small_field_is_the_best(seed, players, number):
    case = prove(event_of(seed, players).play_until(number), EFFORT)
    assert case.verdict is Verdict.OPTIMAL
    assert "optimal in both" in told(seed, case, 0)


def test_the_solver_finds_what_is_better_than_a_bad_drawing():
    event = event_of(1, 12)
    first = draw(event.wanted())
    event.play(first)
    wanted = event.wanted()
    proof = least_meetings(wanted, first, EFFORT)  # the first round once more: all meet again
    assert proof.bound == proof.found == cost_of(wanted, draw(wanted).tables).meetings
    assert proof.found < cost_of(wanted, first.tables).meetings


def test_the_solver_finds_less_spread_than_players_dealt_out_by_score_have():
    event = event_of(1, 12)
    event.play(draw(event.wanted()))
    wanted = event.wanted()._replace(meetings={})
    order = sorted(wanted.entrants, key=lambda entrant: entrant.score)
    dealt = Drawing(
        tuple(TableDrawn(table=at + 1, players=tuple(one.player for one in order[at::3])) for at in range(3)), ()
    )
    proof = least_spread(wanted, dealt, EFFORT)
    assert proof.bound == proof.found == cost_of(wanted, draw(wanted).tables).spread
    assert proof.found < cost_of(wanted, dealt.tables).spread


def test_sixty_histories_are_of_all_sizes_and_rounds():
    assert {players_of(history) for history in range(1, 61)} == set(range(12, 41))
    assert {round_of(history) for history in range(1, 61)} == set(range(2, 8))

"""The question after a power cut: what it shows, and that the knob goes round its two answers."""

from __future__ import annotations

from companion.core.match.match_maker import Unfinished
from companion.core.match.resuming import NEW_MATCH, RESUME, ResumeQuestion
from companion.core.panel import Colour
from companion.core.record.lines import Seat, Setup
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.games.registry import find

SEATS = (Seat(Colour.RED), Seat(Colour.YELLOW))
CUT_OFF = Unfinished(
    12, (Setup(record=2, match="0" * 32, game="order", edition=1, seats=SEATS, first=Colour.RED),), same_clock=True
)


def test_it_says_which_match_it_was_and_who_sat_there() -> None:
    menu = Menu("", (MenuItem("resume"), MenuItem("new match")), RESUME)
    assert ResumeQuestion(CUT_OFF).scene(find) == Question("Resume the match?", ("Order, match 12", "RED YEL"), menu)


def test_the_knob_goes_round_the_two_answers_and_to_resume_is_the_first() -> None:
    question = ResumeQuestion(CUT_OFF)
    answers = [question.answer]
    for steps in (1, 1, -1, 4, 3):
        question.turn(steps)
        answers.append(question.answer)
        assert question.scene(find).menu.cursor == question.answer
    assert answers == [RESUME, NEW_MATCH, RESUME, NEW_MATCH, NEW_MATCH, RESUME]

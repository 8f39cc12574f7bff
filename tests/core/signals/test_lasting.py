"""Which sign holds for each seat while a scene is shown."""

from __future__ import annotations

import pytest

from companion.core.panel import Colour
from companion.core.ruling.view import View
from companion.core.shown.scene import (
    Choosing,
    Final,
    Idle,
    Lobby,
    Menu,
    Question,
    Results,
    Row,
    Scene,
    Standing,
    Status,
)
from companion.core.signals.lasting import signs_of
from companion.core.signals.signs import Sign

RED, YELLOW, BLUE = Colour.RED, Colour.YELLOW, Colour.BLUE
SEATS = (RED, YELLOW, BLUE)
NOTHING = View((), "")


def row(place: int, colour: Colour, verdict: str | None = None) -> Row:
    return Row(place, colour, "chief", 0, 0, verdict=verdict)


def test_all_who_must_choose_are_told_so():
    body = Choosing(1, RED, Menu("", ()), others=(BLUE,))
    assert signs_of(Scene(body), SEATS) == {RED: Sign.YOURS, BLUE: Sign.YOURS}


def test_the_referee_s_choice_calls_no_seat():
    assert signs_of(Scene(Choosing(1, None, Menu("", ()))), SEATS) == {}


def test_a_question_calls_those_who_have_not_answered():
    assert signs_of(Scene(Question("", (), Menu("", ()), missing=(YELLOW,))), SEATS) == {YELLOW: Sign.YOURS}


def test_a_race_is_open_to_whoever_has_not_pressed():
    body = Standing(1, (row(1, RED),), Status.PROVISIONAL)
    assert signs_of(Scene(body), SEATS) == {RED: Sign.ACCEPTED, YELLOW: Sign.OPEN, BLUE: Sign.OPEN}


def test_of_a_hidden_order_no_more_is_said_than_who_has_pressed():
    body = Standing(1, (), Status.PROVISIONAL, made=(BLUE,), hidden_for=(RED,))
    assert signs_of(Scene(body), SEATS) == {RED: Sign.OPEN, YELLOW: Sign.OPEN, BLUE: Sign.ACCEPTED}


def test_a_closed_race_is_open_to_nobody():
    body = Standing(1, (row(1, RED),), Status.CLOSED)
    assert signs_of(Scene(body), SEATS) == {RED: Sign.ACCEPTED}


def test_of_a_judged_race_the_first_and_the_punished_are_told():
    rows = (row(1, RED), row(2, YELLOW, "punish"), row(3, BLUE))
    body = Results(1, rows, (), Status.FINAL, NOTHING)
    assert signs_of(Scene(body), SEATS) == {RED: Sign.FIRST, YELLOW: Sign.PUNISHED}


def test_whoever_was_first_and_is_punished_is_not_called_first():
    body = Results(1, (row(1, RED, "punish"), row(2, BLUE)), (), Status.FINAL, NOTHING)
    assert signs_of(Scene(body), SEATS) == {RED: Sign.PUNISHED}


def test_the_winners_are_the_first():
    assert signs_of(Scene(Final("", NOTHING, (RED, BLUE))), SEATS) == {RED: Sign.FIRST, BLUE: Sign.FIRST}


@pytest.mark.parametrize(("is_open", "signs"), [(True, dict.fromkeys(SEATS, Sign.OPEN)), (False, {})])
def test_between_races_it_is_told_whether_one_may_begin(is_open, signs):
    assert signs_of(Scene(Idle("", NOTHING)), SEATS, is_open=is_open) == signs


def test_where_no_races_are_run_the_turn_calls():
    body = Idle("", View((), "", turn=BLUE))
    assert signs_of(Scene(body), SEATS, has_races=False) == {BLUE: Sign.YOURS}
    assert signs_of(Scene(body), SEATS) == {}


def test_before_a_match_no_seat_is_called():
    assert signs_of(Scene(Lobby(SEATS, Menu("", ()))), SEATS) == {}

"""What a seat scans in public, laid over what is shown; what it scans alone is nowhere to be seen."""

from __future__ import annotations

from dataclasses import replace

from companion.core.hands.over import with_cued
from companion.core.panel import Colour
from companion.core.ruling.view import View
from companion.core.shown.cued import Cued
from companion.core.shown.scene import Apart, Choosing, Idle, Lobby, Menu, MenuItem, Question, Standing, Status

RED, YELLOW, *_ = Colour
ITEMS = tuple(MenuItem(label) for label in ("start", "game", "window"))
SEATING = Lobby((RED,), Menu("", ITEMS))


def cued(number: int, *, is_private: bool = False) -> Cued:
    return Cued(RED, "RED may", number, 3, "protest", is_private)


def choosing(seat: Colour, *, is_private: bool = False) -> Choosing:
    return Choosing(1, seat, Menu("", ITEMS), is_private=is_private)


def test_where_nothing_public_is_offered_all_is_as_it_was() -> None:
    for nothing in ((), (cued(2, is_private=True),), (cued(0),)):
        assert with_cued(SEATING, nothing) is SEATING


def test_the_cursor_stands_on_what_is_offered_and_never_beyond_the_menu() -> None:
    assert [with_cued(SEATING, (cued(n),)).menu.cursor for n in (1, 3, 7)] == [0, 2, 2]
    assert with_cued(choosing(RED), (cued(2),)).menu.cursor == 1
    below = replace(choosing(RED), more=True)
    assert not with_cued(below, (cued(2),)).more, "the knob's mark does not stand beside it"


def test_another_s_choice_and_one_in_secret_are_left_alone() -> None:
    for body in (choosing(YELLOW), choosing(RED, is_private=True)):
        assert with_cued(body, (cued(2),)) is body


def test_between_races_it_has_a_menu_of_its_own_and_over_a_question_it_is_not_shown() -> None:
    idle = Idle("", View((), ""))
    menu = with_cued(idle, (cued(2),)).menu
    assert menu is not None
    assert (str(menu.title), [item.label for item in menu.items]) == ("RED: RED may", ["protest"])
    question = Question("Undo?", (), Menu("", ITEMS))
    assert with_cued(question, (cued(2),)) is question


def test_of_two_seats_that_must_choose_the_display_s_has_the_cursor() -> None:
    both = (Cued(YELLOW, "YEL may", 3, 3, "window", is_private=False), cued(2))
    menu = with_cued(choosing(RED), both).menu
    assert (menu.cursor, menu.seat) == (1, RED)


def test_a_question_of_a_race_and_the_names_before_a_match_have_the_cursor_too() -> None:
    race = Standing(1, (), Status.CLOSED, menu=Menu("Which card?", ITEMS))
    menu = with_cued(race, (cued(3),)).menu
    assert menu is not None
    assert (menu.cursor, menu.seat) == (2, RED)
    assert with_cued(Standing(1, (), Status.CLOSED), (cued(3),)).menu is None
    names = Apart(Question("Who is RED?", (), Menu("", ITEMS)), SEATING)
    assert with_cued(names, (cued(2),)).question.menu.cursor == 1


def test_where_less_is_offered_than_stands_in_the_menu_the_cursor_is_on_what_is_said() -> None:
    offered = Cued(RED, "New match", 2, 2, "window", is_private=False)
    assert with_cued(SEATING, (offered,)).menu.cursor == 2

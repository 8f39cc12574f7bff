"""The lamps in the buttons: lit when the press was accepted, blinking when the button is the player's choice."""

from __future__ import annotations

from companion.core.panel import POSITIONS, Colour
from companion.core.ruling.view import View
from companion.core.shown.scene import Choosing, Idle, Menu, MenuItem, Results, Row, Scene, Standing, Status
from companion.core.signals.board import Lit
from companion.core.signals.lasting import signs_of
from companion.core.signals.signs import Outlet, Sign
from companion.games.apache.cards import Role
from companion.screens.lamps import Lamps, lamps_of, with_signs


def test_accepted_presses_are_lit():
    rows = (Row(1, Colour.RED, Role.HUNTER, 0, 0), Row(2, Colour.BLUE, Role.CHIEF, 5, 0))
    scene = Scene(Standing(1, rows, Status.PROVISIONAL), roles=tuple(Role))
    assert lamps_of(scene) == Lamps(lit=frozenset({"red fourth", "blue first"}))


def test_the_choosing_player_s_own_buttons_and_the_prisoners_blink():
    items = (MenuItem("totem", role=Role.CHIEF), MenuItem("green warrior", button="green warrior"), MenuItem("back"))
    scene = Scene(Choosing(1, Colour.RED, Menu("", items)), roles=tuple(Role))
    assert lamps_of(scene) == Lamps(blinking=frozenset({"red first", "green second"}))


def test_between_races_all_is_dark():
    assert lamps_of(Scene(Idle("Apache", View((), "")))) == Lamps()


def test_buttons_that_a_game_has_no_word_for_blink_by_their_place():
    items = (MenuItem("heap", role="first"), MenuItem("other", role="second"), MenuItem("more", role="fourth"))
    scene = Scene(Choosing(None, Colour.BLUE, Menu("", items)), roles=("slap",))
    assert lamps_of(scene) == Lamps(blinking=frozenset({"blue second", "blue fourth"}))


PRESSED = (Row(1, Colour.RED, Role.HUNTER, 0, 0), Row(2, Colour.BLUE, Role.CHIEF, 5, 0))
ON = {Lit(Colour.RED, Outlet.LAMP)}
REDS = {f"red {position}" for position in POSITIONS}
IDLE = Scene(Idle("Apache", View((), "")))


def race(body=None):
    return Scene(body or Standing(1, PRESSED, Status.PROVISIONAL), roles=tuple(Role))


def choice(others=()):
    items = (MenuItem("totem", role=Role.CHIEF), MenuItem("back"))
    return Scene(Choosing(1, Colour.RED, Menu("", items), others=others), roles=tuple(Role))


def test_while_a_seat_is_given_a_sign_its_lamps_say_that_together_and_nothing_else():
    assert with_signs(race(), ON, {Colour.RED}) == Lamps(lit=frozenset({*REDS, "blue first"}))
    assert with_signs(race(), (), {Colour.RED}) == Lamps(lit=frozenset({"blue first"}))
    assert with_signs(choice(), ON, {Colour.RED}) == Lamps(lit=frozenset(REDS))
    assert with_signs(choice(), (), {Colour.RED}) == Lamps()


def test_a_sign_that_lasts_is_told_by_all_lamps_of_the_seat_together():
    """Whose turn it is, and that a race is open."""
    assert with_signs(IDLE, ON, ()) == Lamps(lit=frozenset(REDS))
    assert with_signs(IDLE, (), ()) == Lamps()
    assert with_signs(choice(others=(Colour.BLUE,)), {Lit(Colour.BLUE, Outlet.LAMP)}, ()) == Lamps(
        lit=frozenset(f"blue {position}" for position in POSITIONS), blinking=frozenset({"red first"})
    )


def test_a_lamp_that_says_more_than_a_sign_that_lasts_does_so_alone():
    """Which button was pressed, and which picks what."""
    assert with_signs(race(), ON, ()) == lamps_of(race())
    assert with_signs(choice(), ON, ()) == lamps_of(choice())


def test_whose_press_is_hidden_is_told_by_all_of_its_lamps():
    hidden = race(Standing(1, (), Status.PROVISIONAL, made=(Colour.RED,)))
    assert with_signs(hidden, ON, ()) == Lamps(lit=frozenset(REDS))


def test_once_a_race_is_settled_its_lamps_say_who_was_first_and_who_is_punished():
    """As those at the box do: lit, and dark."""
    rows = (*PRESSED, Row(3, Colour.GREEN, Role.CHIEF, 9, 0, verdict="punish"))
    settled = race(Results(1, rows, (), Status.FINAL, View((), "")))
    signs = signs_of(settled, tuple(Colour))
    assert signs == {Colour.RED: Sign.FIRST, Colour.GREEN: Sign.PUNISHED}
    assert with_signs(settled, ON, ()) == Lamps(lit=frozenset({*REDS, "blue first"}))


def test_a_motor_lights_no_lamp():
    assert with_signs(IDLE, {Lit(Colour.RED, Outlet.MOTOR)}, {Colour.RED}) == Lamps()
    assert with_signs(IDLE, {Lit(Colour.RED, Outlet.MOTOR)}, ()) == Lamps()

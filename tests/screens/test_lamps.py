"""The lamps in the buttons: lit when the press was accepted, blinking when the button is the player's choice."""

from __future__ import annotations

from companion.core.panel import Colour
from companion.core.ruling.view import View
from companion.core.shown.scene import Choosing, Idle, Menu, MenuItem, Row, Scene, Standing, Status
from companion.games.apache.cards import Role
from companion.screens.lamps import Lamps, lamps_of


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

"""What the seating asks before a match: only what the game has a use for, by its own name for the first seat."""

from __future__ import annotations

from typing import Any

from companion.core.hands.knob import Play
from companion.core.panel import BUTTONS
from companion.core.play.seating import Lobby, Table
from companion.core.ruling.parameters import Seats
from companion.core.shown.scene import Apart
from companion.core.timing.events import Press
from tests.contract.everything import EVERYTHING, Everything
from tests.contract.nim import NIM


def asked(game: Any) -> list[str]:
    seating = Lobby(Table(game=game.name), (game.name,), lambda _name: game)
    for label in ("red first", "blue first"):
        assert label in {button.label for button in BUTTONS}
        seating.feed(Play(Press(label, 1, 1)))
    shown = seating.scene()
    assert not isinstance(shown, Apart)
    return [item.label for item in shown.menu.items]


def test_a_game_without_races_is_asked_for_no_window_and_no_dead_heat():
    assert EVERYTHING.race_name
    assert not NIM.race_name
    assert {"window", "dead heat"} <= set(asked(EVERYTHING))
    assert not {"window", "dead heat"} & set(asked(NIM))


def test_the_first_seat_is_called_what_it_is_where_it_does_not_begin():
    class Dealt(Everything):
        seats = Seats(2, 5, first="first dealer")

    assert "first" in asked(EVERYTHING)
    assert "first dealer" in asked(Dealt())
    assert "first" not in asked(Dealt())

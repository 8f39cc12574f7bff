"""Choosing a game's file before a match, with the knob: what comes along, what the box keeps, and what has a fault."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.hands.knob import Click, Play, Rotation
from companion.core.panel import BUTTONS
from companion.core.play.seating import Lobby, Table
from companion.core.record.lines import SetupFile
from companion.core.ruling.parameters import Parameter
from companion.core.shown.scene import Apart, Menu
from companion.core.timing.events import Press
from tests.contract.everything import EVERYTHING, Everything

NARROW, WIDE = SetupFile("narrow.txt", "ten columns\n"), SetupFile("wide.txt", "thirty columns\n")
BROKEN = SetupFile("mine.txt", "ten columns\nb\n")


def lobby(*files: SetupFile, game: Any = EVERYTHING) -> Lobby:
    seating = Lobby(Table(game="everything"), ("everything",), lambda _name: game, lambda _game, _key: files)
    for label in ("red first", "blue first"):
        assert label in {button.label for button in BUTTONS}
        seating.feed(Play(Press(label, 1, 1)))
    return seating


def menu(seating: Lobby) -> Menu:
    shown = seating.scene()
    assert not isinstance(shown, Apart)
    return shown.menu


def value(seating: Lobby, label: str) -> str:
    return next(item.value for item in menu(seating).items if item.label == label)


def push(seating: Lobby, label: str) -> None:
    """Turn to a line of the menu and push."""
    labels = [item.label for item in menu(seating).items]
    seating.feed(Rotation(labels.index(label) - menu(seating).cursor, 1))
    seating.feed(Click(1))


def test_each_push_takes_the_next_file_and_after_the_last_the_usual_one():
    seating = lobby(NARROW, WIDE)
    seen = [value(seating, "Board")]
    for _ in range(3):
        push(seating, "Board")
        seen.append(value(seating, "Board"))
    assert seen == ["board", "narrow.txt", "wide.txt", "board"]
    assert dict(seating.table.files) == {}


def test_the_chosen_file_stands_whole_in_the_setup():
    seating = lobby(NARROW, WIDE)
    push(seating, "Board")
    push(seating, "start")
    assert seating.started is not None
    assert seating.started.files == {"board": NARROW}


def test_what_stands_where_nothing_is_said_has_the_name_that_it_comes_along_with():
    seating = lobby(SetupFile("usual.txt", "twenty columns"), WIDE)
    assert value(seating, "Board") == "usual.txt"
    push(seating, "Board")
    assert value(seating, "Board") == "wide.txt"
    push(seating, "Board")
    assert value(seating, "Board") == "usual.txt"


def test_a_long_name_is_shown_without_its_ending():
    seating = lobby(SetupFile("a-long-name.txt", "ten columns"))
    push(seating, "Board")
    assert value(seating, "Board") == "a-long-name"


def test_a_file_with_a_fault_is_named_and_never_started_with():
    seating = lobby(BROKEN)
    push(seating, "Board")
    assert seating.notice == "mine.txt has a fault"
    push(seating, "start")
    assert seating.started is None
    assert seating.notice == "mine.txt, line 2: 'b' says no columns; right would be: ten columns"
    push(seating, "Board")
    push(seating, "start")
    assert seating.started is not None


def test_where_there_is_one_file_a_push_says_so():
    seating = lobby()
    push(seating, "Board")
    assert seating.notice == "there is no other file"
    assert value(seating, "Board") == "board"


def test_a_game_may_be_played_without_the_file():
    class Bare(Everything):
        parameters = (*EVERYTHING.parameters[:-1], Parameter("board", "Board", "file", ""))

    seating = lobby(WIDE, game=Bare())
    assert value(seating, "Board") == "-"
    push(seating, "Board")
    assert value(seating, "Board") == "wide.txt"
    push(seating, "Board")
    assert value(seating, "Board") == "-"


def test_a_file_that_is_kept_no_more_gives_way_to_the_usual_one():
    seating = lobby(WIDE)
    push(seating, "Board")
    gone = Lobby(seating.table, ("everything",), lambda _name: EVERYTHING, lambda _game, _key: (NARROW,))
    push(gone, "Board")
    assert value(gone, "Board") == "board"


@pytest.mark.parametrize("name", ["everything"])
def test_another_game_asks_for_its_own_file(name):
    seating = lobby(WIDE)
    push(seating, "Board")
    push(seating, "game")
    assert seating.table.game == name
    assert dict(seating.table.files) == {}

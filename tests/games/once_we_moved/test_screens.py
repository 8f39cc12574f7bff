"""What the small display shows of a match, and the readable account of a whole one, as golden pictures and text.

After a wanted change: pytest tests/games/once_we_moved --update-golden, and look at every picture that differs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.core.play.commands import EndMatch
from companion.core.record.lines import SetupFile
from companion.core.shown.scene import Choosing, Final, Idle
from companion.screens.oled.picture import render
from companion.screens.text.account import replay_account
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from tests.games.once_we_moved.matches import GAME, PRACTICE, random_match
from tests.games.once_we_moved.table import find

GOLDEN = Path(__file__).parent / "golden"
ACCOUNTS = {"account": 8, "account-board": 2}


class Box(VirtualBox):
    """A box at which red plays the Apache and blue the Army."""

    def __init__(self, board: str = "") -> None:
        files = {"terrain": SetupFile("map.txt", board)} if board else {}
        super().__init__(("red", "blue"), GAME.name, find=find, games=(GAME.name,), seeds=OneSeed(), files=files)

    def presses(self, *labels: str) -> None:
        for label in labels:
            self.press(label, self.now_ms + 100)
            self.run(self.now_ms + 1500)

    def drawn(self) -> None:
        """Roll, and have the box draw all forces."""
        self.presses("red first", "red first", "red first", "red fourth")
        while isinstance(self.body, Choosing):
            self.presses("blue first")


def choosing() -> Box:
    box = Box()
    box.presses("red first")
    assert isinstance(box.body, Choosing)
    return box


def counting() -> Box:
    """How many leaders are out: a number that is counted up."""
    box = choosing()
    box.presses("red first", "red first", "red second")
    assert isinstance(box.body, Choosing)
    return box


def idle() -> Box:
    box = Box()
    box.drawn()
    box.presses("red first", "blue first")
    assert isinstance(box.body, Idle)
    assert box.types()[-2:] == ["segment", "segment"]
    return box


def on_a_board() -> Box:
    """The Apache have set up two blocks, by the second button and the menu that it opens."""
    box = Box(PRACTICE)
    box.drawn()
    box.presses("red second", "red first", "red second")
    assert box.types()[-1] == "deploy"
    box.run(box.now_ms + 40_000)
    assert isinstance(box.body, Idle)
    return box


def where() -> Box:
    """In the menu: in which area."""
    box = Box(PRACTICE)
    box.drawn()
    box.presses("red second")
    assert isinstance(box.body, Choosing)
    return box


def final() -> Box:
    box = idle()
    box.command(EndMatch())
    box.run(box.now_ms + 10_000)
    assert isinstance(box.body, Final)
    return box


SCENES = {scene.__name__: scene for scene in (choosing, counting, idle, on_a_board, where, final)}


@pytest.mark.parametrize("name", SCENES)
def test_the_display_shows_the_golden_picture(name: str, request: pytest.FixtureRequest) -> None:
    picture = render(SCENES[name]().scene, (128, 64))
    path = GOLDEN / f"{name}.png"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.convert("RGB").tobytes() == picture.convert("RGB").tobytes(), f"{path.name} looks different"


@pytest.mark.parametrize("name", ACCOUNTS)
def test_the_account_of_a_whole_match_is_the_golden_text(name: str, request: pytest.FixtureRequest) -> None:
    text = "\n".join(replay_account(random_match(ACCOUNTS[name]), find)) + "\n"
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_one_press_says_done_and_another_opens_what_else_there_is() -> None:
    box = idle()
    box.presses("red second")
    assert box.record()[-1] == b'{"type":"segment","colour":"red","crossed":true}'
    board = on_a_board()
    board.presses("red first")
    assert board.types()[-1] == "segment"


def test_what_is_held_is_told_to_its_owner_and_no_view_tells_it() -> None:
    box = Box()
    box.drawn()
    match = box.session.match
    assert match is not None
    seen = [
        str(GAME.view(match.judge.state, viewer)) for viewer in (None, *(seat.colour for seat in match.setup.seats))
    ]
    assert len(set(seen)) == 1
    assert "band 1" not in seen[0]
    assert {str(held.seat) for held in GAME.held(match.judge.state)} == {"red", "blue"}


def test_each_side_s_phone_shows_the_blocks_that_the_box_drew_for_it() -> None:
    box = Box()
    box.drawn()
    hands = box.session.snapshot(0).in_hand
    assert [(str(hand.seat), hand.label) for hand in hands] == [
        ("red", "war bands"), ("red", "rumours"), ("blue", "US junior leaders"), ("blue", "US units"),
    ]  # fmt: skip
    assert [len(hand.items or ()) for hand in hands] == [2, 3, 1, 2]

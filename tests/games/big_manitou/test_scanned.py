"""Cards and tiles by their codes in a whole box: also where they are in a group, and again in later hunts."""

from __future__ import annotations

from typing import Any

from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.play.commands import Choose
from companion.core.play.scanning import Scan
from companion.games.big_manitou.lines import BootyLine, HuntingLine, HuntLine
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.games.big_manitou.matches import setup
from tests.games.big_manitou.table import GAME


class Scanned:
    """A box of two with a scanner; each card's code is its own name in capitals."""

    def __init__(self) -> None:
        self.box = VirtualBox(
            ["red", "yellow"], "big-manitou", find=only(GAME), games=("big-manitou",), start=False
        )  # fmt: skip
        self.box.session.start(setup("red", "yellow"))
        self.box.run(self.box.now_ms + 50)
        self.desk = CardDesk(Deck("big-manitou", {card.name.upper(): card.name for card in GAME.deck}))

    def scan(self, card: str) -> str:
        answers = self.box.request(lambda session, t_ns: self.desk.enter(session, Scan(card.upper()), t_ns))
        self.box.run(self.box.now_ms + 3000)
        return str(answers[0]) if isinstance(answers[0], CompanionError) else answers[0].says

    def press(self, button: str) -> None:
        self.box.press(button, self.box.now_ms + 10)
        self.box.run(self.box.now_ms + 300)

    def choose(self, kind: str, seat: Any, *steps: str) -> None:
        self.box.command(Choose(kind=kind, seat=seat, steps=steps))
        self.box.run(self.box.now_ms + 300)

    @property
    def newest(self) -> Any:
        return self.box.lines[-1]


def at_turns() -> Scanned:
    table = Scanned()
    table.choose("grounds", "red", "1", "1", "1")
    for tile in ("horse", "tipi 5", "tomahawk"):
        table.scan(tile)
    table.press("red third")
    table.press("yellow first")
    return table


def test_a_tile_is_laid_by_its_code_wherever_its_group_is() -> None:
    table = Scanned()
    table.choose("grounds", "red", "2", "1", "1")
    for tile in ("tipi 1", "tipi 6", "totem", "tipi 1"):
        assert table.scan(tile).startswith("chosen: ")
    assert [line.tile for line in table.box.lines if isinstance(line, BootyLine)] == [
        "tipi 1",
        "tipi 6",
        "totem",
        "tipi 1",
    ]


def test_each_seat_says_ready_by_one_press_of_any_own_button_whatever_is_shown() -> None:
    table = at_turns()
    assert [line for line in table.box.lines if isinstance(line, HuntingLine)] == [
        HuntingLine(colour=Colour.RED), HuntingLine(colour=Colour.YELLOW),
    ]  # fmt: skip


def test_a_card_is_scanned_and_its_ground_is_a_button() -> None:
    table = at_turns()
    assert table.scan("yellow rain maker") == "chosen: yellow rain maker"
    assert table.box.menu().title == "YEL at which ground"
    table.press("yellow second")
    assert table.newest == HuntLine(colour=Colour.YELLOW, card="yellow rain maker", ground="middle")
    table.scan("red hunter 10")
    table.press("red first")
    assert table.newest == HuntLine(colour=Colour.RED, card="red hunter 10", ground="left")


def test_a_card_that_nobody_asks_for_is_refused_and_changes_nothing() -> None:
    table = at_turns()
    before = list(table.box.lines)
    assert table.scan("red hunter 10") == "red hunter 10 is not asked for now"
    assert table.box.lines == before
    assert table.scan("yellow hunter 10") == "chosen: yellow hunter 10"
    assert table.scan("yellow hunter 9") == "yellow hunter 9 is not asked for now"


def test_the_same_code_is_taken_again_in_the_hunt_after_the_next() -> None:
    table = at_turns()
    for number in range(1, 8):
        for colour in ("yellow", "red"):
            table.scan(f"{colour} hunter {number}")
            table.press(f"{colour} third")
    for _ in range(3):
        table.scan("tipi 2")
    table.press("red first")
    table.press("yellow first")
    match: Any = table.box.session.match
    state = match.judge.state
    assert (state.hunt, state.phase.value) == (2, "turns")
    assert table.scan("red hunter 1") == "red hunter 1 is not asked for now"
    table.scan("red hunter 9")
    table.press("red first")
    assert table.newest == HuntLine(colour=Colour.RED, card="red hunter 9", ground="left")


def test_a_whole_card_is_chosen_by_own_buttons_alone() -> None:
    table = at_turns()
    for button in ("yellow fourth", "yellow fourth", "yellow second", "yellow third"):
        table.press(button)
    assert table.newest == HuntLine(colour=Colour.YELLOW, card="yellow medicine man", ground="right")

"""What the small display shows of a match, and the readable account of whole ones, as golden pictures and texts.

After a wanted change: pytest tests/games/claim --update-golden, and look at every picture that differs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from companion.core.panel import Colour
from companion.core.play.commands import EndMatch, EnterCard
from companion.core.record.lines import Reveal, SetupFile
from companion.core.shown.scene import Choosing, Final, Idle, Results
from companion.screens.oled.picture import render
from companion.screens.text.account import replay_account
from companion.testing.virtual_box import VirtualBox
from tests.games.claim.games import FILES
from tests.games.claim.matches import random_match
from tests.games.claim.table import find

GOLDEN = Path(__file__).parent / "golden"
ACCOUNTS = ("fruits", "spoons", "harbour")


class Box(VirtualBox):
    """A box at which a file's game is played by red, blue and green."""

    def __init__(self, name: str) -> None:
        files = {"game": SetupFile(f"{name}.toml", FILES[name])}
        super().__init__(("red", "blue", "green"), "claim", find=find, games=("claim",), files=files)

    def presses(self, *labels: str, after_ms: float = 1500) -> None:
        for label in labels:
            self.press(label, self.now_ms + 100)
            self.run(self.now_ms + 150)
        self.run(self.now_ms + after_ms)

    def reveal(self, *cards: str) -> None:
        for card in cards:
            self.command(EnterCard(card=card))
            self.run(self.now_ms + 300)


def idle() -> Box:
    """Three cards lie there."""
    box = Box("fruits")
    box.reveal("3 banana", "1 lime", "4 plum")
    assert isinstance(box.body, Idle)
    return box


def results() -> Box:
    """Blue has hit the bell first, and was right; green was right too, and gets nothing."""
    box = Box("fruits")
    box.reveal("3 banana", "2 banana", "4 plum")
    box.presses("blue first", "green first", after_ms=5500)
    assert isinstance(box.body, Results)
    return box


def choosing() -> Box:
    """Red is like both others, and says who gets the pile."""
    box = Box("totem")
    box.reveal("black moon", "white moon", "brown moon")
    box.presses("red first", after_ms=6000)
    assert isinstance(box.body, Choosing)
    return box


def without_cards() -> Box:
    """A letter for green, who had no spoon."""
    box = Box("spoons")
    box.presses("red first", "blue first", after_ms=9_000)
    assert isinstance(box.body, Results)
    return box


def final() -> Box:
    box = results()
    box.run(box.now_ms + 20_000)
    box.command(EndMatch())
    box.run(box.now_ms + 10_000)
    assert isinstance(box.body, Final)
    return box


SCENES = {scene.__name__: scene for scene in (idle, results, choosing, without_cards, final)}


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
    text = "\n".join(replay_account(random_match(7, name), find)) + "\n"
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_a_choice_is_made_with_the_own_buttons_which_the_file_need_not_name() -> None:
    box = choosing()
    box.presses("red second")
    assert b'{"type":"claim","colour":"red","take":"by shape","rival":"green"}' in box.record()


def test_a_match_has_the_names_cards_and_drawings_of_its_file() -> None:
    box = Box("totem")
    match = box.session.match
    assert match is not None
    game = match.game
    assert (game.title, game.race_name, game.roles) == ("Totem grab", "Grab", ("grab",))
    assert {"totem", "cross"} == set(game.symbols)
    assert any(card.name == "all in" for card in game.deck)
    box.reveal("all in")
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["all in"]
    box.presses("blue first")
    assert [told.line.role for told in match.history if getattr(told.line, "colour", None) is Colour.BLUE] == ["grab"]  # type: ignore[attr-defined]

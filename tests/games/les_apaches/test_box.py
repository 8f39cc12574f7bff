"""Whole matches at a box: by buttons and knob alone, by phones alone, by all of them; and what its display shows.

After a wanted change: pytest tests/games/les_apaches --update-golden, and look at every picture that differs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.app.guide.demonstrations import Demonstrations
from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.match.effects import Sound
from companion.core.panel import Colour
from companion.core.play.commands import EndMatch
from companion.core.play.scanning import Scan
from companion.core.ruling.judge import judge_record
from companion.core.shown.scene import Choosing, Final
from companion.core.words.encoding import encode
from companion.games.les_apaches.rules.lines import Hideout, Unlaid
from companion.screens.oled.picture import render
from companion.screens.web.state import state_document
from companion.testing.virtual_box import live_rulings
from tests.games.les_apaches.boxes import Box, Players, find
from tests.games.les_apaches.matches import GAME

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

GOLDEN = Path(__file__).parent / "golden"
WAYS = {"buttons and knob": 0.0, "phones": 1.0, "all of them": 0.5}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("seats", "board", "burghers"), [("red blue", None, "pieces"), ("green red yellow", "", "box")]
)
def test_a_whole_match_is_played(way: Any, seats: Any, board: Any, burghers: Any) -> None:
    box = Box(seats, burghers=burghers, **({} if board is None else {"board": board}))
    Players(box, 5, WAYS[way]).play()
    assert box.types()[-1] == "end"
    assert box.match.judge.outcome().complete
    again = [encode(ruling) for ruling in judge_record(box.record(), find)]
    assert again == [encode(ruling) for ruling in live_rulings(box)]


def test_a_press_of_somebody_else_s_button_is_a_tone_and_nothing_else() -> None:
    box = Box("red blue")
    box.press("blue first", box.now_ms + 100)
    box.run(box.now_ms + 500)
    assert box.types() == ["setup"]
    assert any(isinstance(effect, Sound) for effect in box.effects)


def test_a_burgher_that_the_box_drew_is_shown_to_its_own_gang_alone() -> None:
    box = Box("red blue", burghers="box")
    players = Players(box, 5, 1.0)
    while not GAME.held(box.match.judge.state):
        players._by_phone()
    (held, *_) = GAME.held(box.match.judge.state)
    public = encode(state_document(box.session.snapshot(round(box.now_ms * 10**6)), 1)).decode()
    assert held.seat in {"red", "blue"}
    assert "policeman" not in public


def test_a_scanned_hideout_is_laid_once_its_district_is_chosen() -> None:
    box = Box("red blue", "")
    while box.match.judge.state.phase.value == "draft":
        Players(box, 1, 1.0)._by_phone()
    district = next(n for n, have in enumerate(box.match.judge.state.course.hands[0], start=1) if have)
    box.by_button("lay a hideout")
    box.by_button(f"district {district}")
    desk = CardDesk(Deck(GAME.name, {"A": f"{district} money 300"}))
    box.request(lambda session, t_ns: desk.enter(session, Scan("A"), t_ns))
    box.run(box.now_ms + 300)
    assert box.lines[-1] == Hideout(colour=Colour.RED, district=str(district), loot="money 300")


def test_a_scanned_hideout_says_what_was_taken_away() -> None:
    box = Box("red blue", "")
    players = Players(box, 1, 1.0)
    while box.match.judge.state.phase.value != "unlaid":
        players._by_phone()
    district = box.match.judge.state.asking
    box.run(box.now_ms + 1000)
    desk = CardDesk(Deck(GAME.name, {"A": f"{district} killed"}))
    answers = box.request(lambda session, t_ns: desk.enter(session, Scan("A"), t_ns))
    box.run(box.now_ms + 300)
    assert box.lines[-1] == Unlaid(district=str(district), loot="killed"), answers


# -- pictures


def choosing() -> Box:
    """From which district a hideout is taken."""
    box = Box("red blue")
    box.run(box.now_ms + 400)
    assert isinstance(box.body, Choosing)
    return box


def drafted(seats: str = "red blue", **more: str) -> Box:
    box = Box(seats, **more)
    while box.match.judge.state.phase.value == "draft":
        box.by_phone(option=box.offer.options[0].key)
    box.run(box.now_ms + 400)
    return box


def turn() -> Box:
    """What a gang does: three buttons."""
    return drafted()


def leaders() -> Box:
    """How many leaders are placed: more numbers than buttons."""
    box = drafted()
    box.by_button("place figures")
    box.by_button("district 2")
    assert isinstance(box.body, Choosing)
    return box


def hideout() -> Box:
    """What a hideout says, where nobody knows what there is."""
    box = drafted(board="")
    box.by_button("lay a hideout")
    return box


def moving() -> Box:
    """Who moves, some turns on."""
    box = drafted("red blue green")
    players = Players(box, 3, 1.0)
    while box.offer.kind != "turn" or len(GAME.buttons(box.match.judge.state, None)) < 3:
        players._by_phone()
    box.by_button("move figures")
    box.run(box.now_ms + 400)
    return box


def final() -> Box:
    box = moving()
    box.command(EndMatch())
    box.run(box.now_ms + 20_000)
    assert isinstance(box.body, Final)
    return box


SCENES = {scene.__name__: scene for scene in (choosing, turn, leaders, hideout, moving, final)}


@pytest.mark.parametrize("name", SCENES)
def test_the_display_shows_the_golden_picture(name: Any, request: Any) -> None:
    box = SCENES[name]()
    assert isinstance(box.body, (Choosing, Final))
    picture = render(box.scene, (128, 64))
    path = GOLDEN / f"{name}.png"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.convert("RGB").tobytes() == picture.convert("RGB").tobytes(), f"{path.name} looks different"


def test_the_demonstration_shows_what_its_captions_say() -> Any:
    scenes = Demonstrations(find, (GAME.name,)).scenes(GAME.name)["scenes"]
    told = {scene["caption"]: scene["state"] for scene in scenes}

    def of(words: Any) -> Any:
        return next(state for caption, state in told.items() if words in caption)

    def cells(state: Any, name: Any) -> Any:
        areas = {area["name"]: area for area in state["areas"]}
        return [(cell["text"], cell["owner"]) for cell in areas[name]["cells"]]

    assert all(20 <= len(caption) <= 120 and caption.endswith(".") for caption in told)
    assert of("its stack is empty")["offers"][0]["kind"] == "draft"
    assert of("All are taken")["phase"] == "choosing"
    assert cells(of("One. The box"), "district 3") == [("4 (1 novice)", "red")]
    assert of("Red laid")["course"][0]["says"][0] == "red lays in 1: 300 F"
    assert cells(of("the majority"), "district 3") == [("4 (1 novice)", "red"), ("2", "blue")]

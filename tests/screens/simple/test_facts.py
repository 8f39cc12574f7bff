"""Simple screens: short sentences, one fact at a time, the most urgent first, and each of them fits its picture."""

from __future__ import annotations

import pytest

from companion.core.panel import Colour
from companion.core.play.commands import EnterCard, NewMatch, Player
from companion.core.shown.scene import Invitation, Results, Scene
from companion.core.shown.times import Times
from companion.games import registry
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.large.drawing import drawing
from companion.screens.oled.large.simple import draw, layouts
from companion.screens.simple.facts import facts
from companion.screens.web.state import state_document
from companion.testing.virtual_box import VirtualBox
from tests.core.match.untimed.test_laying import begun, played
from tests.core.play.test_commands import Desk
from tests.core.shown.test_times import choosing, raced
from tests.screens.scenes import SCENES as EVERY

RED, YELLOW, GREEN, BLUE, _ = Colour
SIZES = ((128, 64), (256, 64))
LONGEST = 90
"""Characters of a sentence that is taken in at once."""


def says(scene: Scene) -> list[str]:
    return [str(fact.says) for fact in facts(scene)]


def scenes() -> dict[str, Scene]:
    seating = Desk(("red", "blue"), start=False)
    laying = begun()
    laying.press("red hunter", 3000)
    laying.run(8000)
    asked = choosing(Times())
    asked.run(9000)
    settled = raced(Times())
    settled.run(9000)
    idle = begun()
    idle.run(9000)
    return {
        "seating": seating.scene, "untimed": laying.scene, "choosing": asked.scene, "results": settled.scene,
        "idle": idle.scene,
    }  # fmt: skip


SCENES = scenes()


@pytest.mark.parametrize("name", [name for name in EVERY if name.startswith("scanned-")])
def test_whoever_scans_is_told_to_press_and_not_to_push_the_knob(name: str) -> None:
    menu = EVERY[name].body.menu  # type: ignore[union-attr]
    assert menu is not None
    told = says(EVERY[name])
    assert told[0] == f"Press to pick: {menu.items[menu.cursor].says}"
    assert not [one for one in told if one.startswith("Push the knob")]


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_short_sentences(name: str) -> None:
    told = says(SCENES[name])
    assert told
    assert all(0 < len(text) <= LONGEST for text in told), told
    assert not [text for text in told if "±" in text or " ms" in text], told


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCENES)
def test_each_picture_has_one_fact_whole_and_in_large_letters(name: str, size: tuple[int, int]) -> None:
    count = len(layouts(SCENES[name], size))
    for page in range(count):
        canvas = draw(SCENES[name], size, page)
        assert canvas.faults() == []
        assert canvas.pages == count
        assert all(placed.bottom - placed.top >= 16 for placed in canvas.placed)
    shown = [" ".join(placed.text for placed in draw(SCENES[name], size, page).placed) for page in range(count)]
    for fact in facts(SCENES[name]):
        assert any(str(word) in "".join(shown) for word in str(fact.says).split())


def test_in_untimed_play_whoever_has_to_lay_a_card_comes_first_and_no_card_is_named() -> None:
    told = says(SCENES["untimed"])
    assert told[:3] == ["Yellow: lay a card.", "Blue: lay a card.", "Red has laid a card."]
    assert not [text for text in told for role in registry.find("apache").roles if role in text]


def test_a_choice_says_who_and_which_button_takes_what() -> None:
    told = says(SCENES["choosing"])
    assert told[0] == "Red chooses."
    assert len(told) > 2


def test_results_say_places_and_what_everybody_has() -> None:
    told = says(SCENES["results"])
    assert told[0].startswith("First: ")
    assert any(" has " in text for text in told)


def test_a_practice_match_says_why_in_sentences_on_every_display() -> None:
    box = VirtualBox((), "apache", find=registry.find, games=registry.names(), start=False)
    box.command(NewMatch(seats=(Player(RED), Player(BLUE)), practice=True))
    box.run(box.now_ms + 100)
    box.command(EnterCard(card="buffalo"))
    now = box.now_ms + 500
    box.press("red chief", now)
    box.press("blue chief", now + 83)
    box.run(now + 3000)
    body = box.body
    assert isinstance(body, Results)
    assert body.pages == len(body.turns) + len(body.rows)
    assert any("Nobody pressed earlier" in text for text in says(box.scene))
    spoken = [one["says"] for one in state_document(box.session.snapshot(round(box.now_ms * 1e6)), 1)["spoken"]]
    assert any(one.startswith("Red: Nobody pressed earlier") for one in spoken)
    seen = set()
    for _ in range(body.pages + 1):
        canvas = drawing("usual")(box.scene, SIZES[0], 0)
        assert isinstance(canvas, Canvas)
        seen.add(" ".join(placed.text for placed in canvas.placed))
        box.run(box.now_ms + 3000)
    assert any("why" in text for text in seen)


def test_it_is_begun_at_the_knob() -> None:
    box = Desk(("red", "blue"), start=False)
    box.pick("practice", 2000)
    assert {item.label: item.value for item in box.menu().items}["practice"] == "on"
    box.pick("start", 3000)
    assert any("practice" in getattr(line, "text", "") for line in box.lines)


def test_what_a_picture_says_better_has_no_simple_words_and_is_drawn_large() -> None:
    scene = Scene(Invitation("http://192.168.0.7:8017/", "123456"))
    assert facts(scene) == ()
    assert layouts(scene, SIZES[0]) == []
    assert draw(scene, SIZES[0]).image.tobytes() == drawing("large")(scene, SIZES[0], 0).image.tobytes()


def test_what_is_new_and_what_is_wrong_is_said_too() -> None:
    box = begun()
    box.session.alarm("disk", "the disk is full")
    played(box, [], 3000)
    told = says(box.scene)
    assert told[0] == "Revealed: buffalo."
    assert told[-1] == "the disk is full"

"""Demonstrations: what each step shows, that captions tell the truth of it, and that nothing of them is kept."""

from __future__ import annotations

import pytest

from companion.app.guide.demonstrations import Demonstrations
from companion.core.errors import Unavailable, UnknownGame
from companion.games import registry
from tests.contract.nim import NIM, Nim

NAMES = tuple(name for name in registry.names() if registry.find(name).demo)
RACES = tuple(name for name in NAMES if registry.find(name).race_name)
LONGEST_CAPTION = 120
"""Characters: what a phone shows in five lines, so that the steps' buttons keep their place."""


@pytest.fixture(scope="module")
def demonstrations():
    return Demonstrations(registry.find, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_has_a_short_caption_and_a_state(demonstrations, name):
    scenes = demonstrations.scenes(name)["scenes"]
    assert len(scenes) >= 5
    for scene in scenes:
        assert 20 <= len(scene["caption"]) <= LONGEST_CAPTION, scene["caption"]
        assert scene["caption"].endswith(".")
    assert scenes[0]["state"]["phase"] == "lobby"
    assert scenes[-1]["state"]["phase"] != "lobby"


@pytest.mark.parametrize("name", RACES)
def test_it_goes_from_the_seating_through_a_race_to_a_dead_heat(demonstrations, name):
    states = [scene["state"] for scene in demonstrations.scenes(name)["scenes"]]
    phases = [state["phase"] for state in states]
    assert phases[:3] == ["lobby", "lobby", "idle"]
    assert {"race", "results"} <= set(phases)
    assert states[1]["lobby"]["seats"] == ["red", "yellow", "blue"]
    assert states[-1]["race"]["status"] == "final"
    assert [row["dead_heat"] for row in states[-1]["race"]["rows"]] == [True, True]


def test_what_the_captions_say_of_the_first_game_is_so(demonstrations):
    scenes = demonstrations.scenes(registry.first())["scenes"]
    told = {scene["caption"]: scene["state"] for scene in scenes}

    def of(words):
        return next(state for caption, state in told.items() if words in caption)

    chosen = of("Red may choose")
    assert [(row["colour"], row["verdict"]) for row in chosen["race"]["rows"]] == [
        ("yellow", "punish"), ("red", "claim"), ("blue", "punish"),
    ]  # fmt: skip
    assert [offer["seat"] for offer in chosen["offers"] if offer["required"]] == ["red"]
    assert of("blue is next")["turn"] == "blue"
    heat = of("15 millionths")["race"]["rows"]
    assert [(row["colour"], row["gap_ns"]) for row in heat] == [("blue", 0), ("red", 15_000)]
    assert of("The order is provisional")["race"]["status"] == "provisional"


def test_what_the_captions_say_of_the_game_without_cards_is_so(demonstrations):
    scenes = demonstrations.scenes(registry.without_cards())["scenes"]
    gaps = next(scene["state"] for scene in scenes if "198.4" in scene["caption"])["race"]["rows"]
    assert [(row["colour"], row["gap_ns"]) for row in gaps] == [
        ("blue", 0), ("yellow", 83_400_000), ("red", 198_400_000),
    ]  # fmt: skip


def test_it_is_the_same_each_time():
    first, second = Demonstrations(registry.find, NAMES), Demonstrations(registry.find, NAMES)
    assert first.scenes("order") == second.scenes("order")


def test_the_games_that_have_one_are_listed_in_the_order_given():
    found = Demonstrations(registry.find, ("order", "apache"))
    assert [game["name"] for game in found.games()] == ["order", "apache"]


def test_a_game_without_one_is_refused_by_name():
    found = Demonstrations(lambda _: NIM, ("nim",))
    assert found.games() == []
    for name in ("nim", "chess"):
        with pytest.raises(UnknownGame, match=name):
            found.scenes(name)


def test_a_script_that_is_not_there_is_told():
    class Astray(Nim):
        demo = "companion.games.nowhere:demo.script"

    with pytest.raises(Unavailable, match="cannot be read"):
        Demonstrations(lambda _: Astray(), ("nim",)).scenes("nim")

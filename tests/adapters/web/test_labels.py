"""A card is named as people call it wherever the box speaks to them; a page sends the name that the record has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.screens.text.account import replay_account
from companion.testing.walks import only
from tests.adapters.web.served import Served, served
from tests.games.harbour import HARBOUR

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("lantern", "red oar", "rope")


@pytest.fixture
def box() -> Iterator[Served]:
    with served(game=HARBOUR) as it:
        body = {"game": "harbour", "seats": [{"colour": "red"}, {"colour": "yellow"}]}
        assert it.referee.post("/api/match", json=body).status_code == 200
        it.until_state(lambda state: state["cards"] != [])
        yield it


def enter(box: Served, card: str) -> str:
    answer = box.referee.post("/api/reveal", json={"card": card})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["says"])


def told(text: object) -> list[str]:
    """Give the names that stand in what is for people."""
    return [name for name in NAMES if name in str(text)]


def test_how_a_card_is_called_is_part_of_how_it_looks(box: Served) -> None:
    cards = box.client.get("/api/games/harbour/look").json()["cards"]
    assert [(card["name"], card["label"], card["plural"]) for card in cards] == [
        ("lantern", "Laterne", "Laternen"),
        ("red oar", "rotes Ruder", "rote Ruder"),
        ("rope", "Tau", "Taue"),
    ]
    for card in box.client.get("/api/games/apache/look").json()["cards"]:
        assert card["label"] == card["name"]


def test_two_letters_are_those_of_what_people_call_a_card_and_small(box: Served) -> None:
    keys = {card["card"]: card["keys"] for card in box.state()["cards"]}
    assert keys == {"lantern": "la", "red oar": "rr", "rope": "ta"}


def test_every_sentence_about_a_match_names_cards_as_people_do(box: Served) -> None:
    assert [enter(box, card) for card in NAMES] == [
        "revealed: Laterne", "revealed: rotes Ruder", "revealed: Tau",
    ]  # fmt: skip
    assert box.referee.post("/api/reveal", json={"card": "Laterne"}).status_code == 409
    box.box.press("yellow first")
    box.until_state(lambda state: bool(state["race"]) and state["race"]["rows"] != [])
    assert box.referee.post("/api/close", json={}).status_code == 200
    state = box.until_state(lambda state: bool(state["race"]) and state["race"]["turns"] != [])
    says = [says for entry in state["course"] for says in entry["says"]]
    assert "revealed: rotes Ruder" in says
    assert "yellow (first) takes Laterne, rotes Ruder, 1 Tau" in says
    assert told([says, state["lines"], state["can"]["undo"], state["notice"]]) == []
    assert [card["says"] for card in state["race"]["turns"][0]["counted"]] == ["Laterne", "rotes Ruder", "1 Tau"]
    assert told([line["says"] for line in box.client.get("/api/record").json()["lines"]]) == []


def test_the_button_that_says_which_card_it_was_names_it_as_people_do(box: Served) -> None:
    enter(box, "lantern")
    box.box.press("yellow first")
    box.until_state(lambda state: bool(state["race"]) and state["race"]["rows"] != [])
    box.referee.post("/api/close", json={})
    state = box.until_state(lambda state: bool(state["race"]) and state["race"]["turns"] != [])
    while not state["can"]["no_card"]:
        undo = {"reason": "another card", "by": "Ann", "line": state["can"]["undo"]["line"]}
        assert box.referee.post("/api/undo", json=undo).status_code == 200
        state = box.until_state(partial(lambda lines, now: now["match"]["lines"] > lines, state["match"]["lines"]))
    assert state["can"]["no_card"] == "it was Laterne"
    assert "it was Laterne" in [item["label"] for item in state["menu"]["items"]]
    assert told([state["lines"], state["menu"]]) == []


def test_the_account_names_cards_as_people_do_and_the_record_as_it_always_does(box: Served) -> None:
    for card in NAMES:
        enter(box, card)
    record = box.client.get("/api/matches/1/record").content.splitlines()
    assert b'"card":"red oar"' in record[2]
    sentences = list(replay_account(record, only(HARBOUR)))
    assert "red reveals: rotes Ruder." in sentences
    assert told(sentences) == []
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(record, only(HARBOUR)))

"""What the first pages need: where a phone asks for a seat, one consent for all phones, and a match to try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.home import TILES
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        yield it


@pytest.fixture
def real() -> Iterator[Served]:
    with served(simulated=False) as it:
        yield it


@pytest.fixture
def phone(real: Served) -> Iterator[Callable[[str], tuple[Talk, str]]]:
    talks: list[Talk] = []

    def ask(seat: str) -> tuple[Talk, str]:
        talk = Talk(real.server.port)
        talks.append(talk)
        talk.say({"type": "panel", "asks": seat})
        return talk, talk.get("panel")["code"]

    yield ask
    for talk in talks:
        talk.close()


def test_each_seat_has_a_code_of_its_own_and_no_other_has(box: Served) -> None:
    drawn = {colour: box.client.get(f"/api/seats/{colour}.svg") for colour in ("red", "yellow", "purple")}
    assert {one.headers["content-type"] for one in drawn.values()} == {"image/svg+xml"}
    assert len({one.content for one in drawn.values()}) == 3
    refused = box.client.get("/api/seats/pink.svg")
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")
    assert "red, yellow, green, blue, purple" in refused.json()["error"]["message"]


def test_the_short_address_of_a_seat_leads_to_where_a_phone_asks_for_it(box: Served) -> None:
    answer = box.client.get("/P/RED")
    assert (answer.status_code, answer.headers["location"]) == (303, "/play#seat=red")
    assert box.client.get("/P/PINK").status_code == 404


def test_one_consent_lets_all_phones_play_that_the_referee_saw_asking(real: Served, phone: Callable[..., Any]) -> None:
    (_, red), (_, blue), (_, unseen) = phone("red"), phone("blue"), phone("green")
    real.until_state(lambda state: len(state["phones"]) == 3)
    answer = real.referee.post("/api/phones", json={"codes": [red, blue]})
    assert answer.json()["says"] == f"{red} plays for red, {blue} plays for blue"
    state = real.until_state(lambda state: sum(one["seat"] is not None for one in state["phones"]) == 2)
    assert {one["code"]: one["seat"] for one in state["phones"]} == {red: "red", blue: "blue", unseen: None}


def test_consent_for_all_needs_the_pin_and_somebody_who_asks(real: Served, phone: Callable[..., Any]) -> None:
    _, red = phone("red")
    assert real.client.post("/api/phones", json={"codes": [red]}).status_code == 401
    refused = real.referee.post("/api/phones", json={"codes": ["ZZZZ"]})
    assert refused.status_code == 409
    assert "none of these phones asks" in refused.json()["error"]["message"]
    assert real.referee.post("/api/phones", json={"codes": []}).status_code == 400


def test_anybody_tries_a_simulated_box_out(box: Served) -> None:
    assert box.client.post("/api/try", json={}).status_code == 200
    state = box.until_state(lambda state: state["match"] is not None)
    assert [seat["colour"] for seat in state["seats"]] == ["red", "yellow"]
    assert box.client.post("/api/try/card", json={"card": "red hunter"}).json()["says"] == "revealed: red hunter"
    refused = box.client.post("/api/try", json={})
    assert refused.status_code == 409
    assert box.client.post("/api/try/card", json={"card": "no such card"}).status_code == 400


def test_a_real_box_is_not_tried_out_by_anybody(real: Served) -> None:
    for address, body in (("/api/try", {}), ("/api/try/card", {"card": "buffalo"})):
        refused = real.client.post(address, json=body)
        assert refused.status_code == 409
        assert "only a simulated box" in refused.json()["error"]["message"]
    assert real.state()["match"] is None


def test_every_tile_of_the_first_page_leads_to_a_page(box: Served) -> None:
    text = box.client.get("/").text
    shown = [tile for tile in TILES if f'class="tile" href="{tile.address}"' in text]
    assert {tile.address for tile in shown} >= {"/table", "/referee", "/matches"}
    assert {tile.address: box.client.get(tile.address).status_code for tile in shown} == {
        tile.address: 200 for tile in shown
    }

"""Decisions of every sort over HTTP and the WebSocket; and what is private reaches its own seat's panel alone."""

from __future__ import annotations

import json
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.endpoints import READING
from tests.adapters.web.salon import SALON, SECRET_BIDS
from tests.adapters.web.served import Served, served, until
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Connect = Callable[..., Talk]

WORDS = [bid for bids in SECRET_BIDS for bid in bids]


@pytest.fixture
def box() -> Iterator[Served]:
    with served(game=SALON, simulated=False) as it:
        begin(it)
        yield it


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """Connections, closed at the end."""
    with ExitStack() as stack:
        yield lambda box, query="": stack.enter_context(Talk(box.server.port, query))


def begin(box: Served, **more: Any) -> None:
    body = {"game": "salon", "seats": [{"colour": "red", "name": "Ann"}, {"colour": "yellow"}], **more}
    answer = box.referee.post("/api/match", json=body)
    assert answer.status_code == 200, answer.text
    box.until_state(lambda state: len(state["offers"]) == 2)


def bid(box: Served) -> None:
    """Both seats bid, by their first and second button."""
    for button, left in (("red first", 1), ("yellow second", 4)):
        box.clock.ahead_ns += 2 * 10**9
        box.box.press(button)
        box.until_state(partial(lambda left, state: len(state["offers"]) == left, left))


def everything_public(box: Served) -> str:
    """Give all that anybody can read over HTTP, answers that refuse included."""
    paths = [endpoint.path.format(id=box.box.match_id, name="salon", race=1, colour="red") for endpoint in READING]
    return "\n".join(box.client.get(path).text for path in paths if not path.endswith((".png", ".svg")))


def told(text: str) -> list[str]:
    return [word for word in WORDS if word in text]


# -- in secret ---------------------------------------------------------------------------------------------------------


def give(box: Served, phone: Talk, seat: str) -> str:
    """Let the referee give a phone a seat; give the phone's secret name."""
    phone.say({"type": "panel", "asks": seat})
    panel = phone.get("panel")
    assert box.referee.post(f"/api/phones/{panel['code']}", json={"seat": seat}).status_code == 200
    return str(panel["client"])


def test_a_private_choice_reaches_its_own_seat_s_phone_and_nobody_else(box: Served, talk: Connect) -> None:
    stranger, asking, red, yellow = talk(box, "?oled=1"), talk(box), talk(box), talk(box)
    asking.say({"type": "panel", "asks": "red"})
    give(box, red, "red")
    give(box, yellow, "yellow")
    secret = red.get("secret")
    assert [(item["button"], item["label"]) for item in secret["choices"][0]["items"]] == [
        ("red first", "cobalt moth"),
        ("red second", "saffron heron"),
        ("red third", "umber stoat"),
    ]
    assert told(json.dumps(yellow.get("secret"))) == list(SECRET_BIDS[1])
    assert told(everything_public(box)) == []
    state = box.state()
    assert [(offer["seat"], offer["private"], offer["options"]) for offer in state["offers"]] == [
        ("red", True, []),
        ("yellow", True, []),
    ]
    bid(box)
    assert red.get("secret")["choices"] == []
    assert told(everything_public(box)) == []
    for other in (stranger, asking):
        other.get("event", lambda message: message["content"] == {"type": "bid", "colour": "yellow", "hidden": True})
        assert told(json.dumps(other.passed)) == []
    passed = [message for message in red.passed if message["type"] != "me"]  # for its own eyes, too
    assert told(json.dumps(passed)) == []
    assert told(json.dumps(yellow.passed)) == []


def test_a_phone_that_loses_its_seat_loses_its_secrets(box: Served, talk: Connect) -> None:
    red, other = talk(box), talk(box)
    give(box, red, "red")
    assert red.get("secret")["seat"] == "red"
    give(box, other, "red")
    assert red.get("secret") == {"type": "secret", "seat": None, "choices": []}
    assert other.get("secret")["seat"] == "red"


def test_a_panel_that_is_taken_over_is_told_no_more(box: Served, talk: Connect) -> None:
    red, newer = talk(box), talk(box)
    client = give(box, red, "red")
    red.get("secret")
    newer.say({"type": "panel", "client": client})
    assert newer.get("secret")["seat"] == "red"
    assert red.get("secret")["choices"] == []


def test_on_a_simulated_box_the_seat_that_is_asked_for_will_do(talk: Connect) -> None:
    with served(game=SALON) as box:
        begin(box)
        panel, idle = talk(box), talk(box)
        panel.say({"type": "panel", "asks": "yellow"})
        idle.say({"type": "panel"})
        assert told(json.dumps(panel.get("secret"))) == list(SECRET_BIDS[1])
        idle.get("panel")
        bid(box)
        idle.get("state", lambda message: len(message["state"]["offers"]) == 4)
        assert [message for message in idle.passed if message["type"] == "secret"] == []


def test_a_record_with_what_is_hidden_is_given_out_when_the_match_is_over(box: Served) -> None:
    assert box.client.get("/api/matches/1/record").status_code == 200
    bid(box)
    refused = box.client.get("/api/matches/1/record")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "illegal")
    lines = {line["content"]["type"]: line for line in box.client.get("/api/record").json()["lines"]}
    assert lines["bid"]["content"] == {"type": "bid", "colour": "yellow", "hidden": True}
    assert lines["bid"]["fields"] == []
    assert box.referee.post("/api/end", json={}).status_code == 200
    box.until_state(lambda state: state["phase"] == "final")
    assert "cobalt moth" in box.client.get("/api/matches/1/record").text


def test_what_was_chosen_secretly_is_not_said_by_the_box(box: Served) -> None:
    assert choose(box, kind="bid", seat="red", option="bid red cobalt moth") == "chosen"
    box.until_state(lambda state: len(state["offers"]) == 1)
    assert told(everything_public(box)) == []


# -- in the open -------------------------------------------------------------------------------------------------------


def choose(box: Served, **body: Any) -> str:
    answer = box.referee.post("/api/choose", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["says"])


def test_numbers_rolls_draws_and_moves_are_chosen_by_what_their_offers_ask(box: Served) -> None:
    bid(box)
    offers = {offer["kind"]: offer for offer in box.state()["offers"]}
    assert offers["pay"]["number"] == {"low": 0, "high": 30}
    assert offers["die"]["chance"] == {"outcomes": ["1", "2", "3", "4", "5", "6"], "count": 1}
    assert (offers["draw"]["chance"]["count"], offers["draw"]["required"]) == (2, False)
    assert offers["move"]["stepped"]
    assert choose(box, kind="pay", seat="red", number=7) == "chosen: 7"
    assert choose(box, kind="die", seat=None, result=["4"]) == "rolled"
    assert choose(box, kind="draw", seat=None, result=["elm", "ash"]) == "rolled"
    assert choose(box, kind="move", seat="yellow", steps=["b", "12"]) == "chosen: yellow moves to b12"
    state = box.until_state(lambda state: state["round"] == 2)
    assert [area["name"] for area in state["areas"]] == ["Floor", "Bowl"]
    assert state["areas"][0]["cells"] == [{"text": "empty", "owner": None}, {"text": "b12", "owner": "yellow"}]
    assert [cell["text"] for cell in state["areas"][1]["cells"]] == ["4", "elm", "ash"]
    assert (state["game_phase"], state["clocks"][1]["left_text"]) == ("paying", "4:05")
    assert [seat["title"] for seat in state["seats"]] == ["Host", "Guest"]


def test_a_choice_of_many_fields_is_asked_field_by_field_and_changes_nothing(box: Served) -> None:
    bid(box)
    lines = box.state()["match"]["lines"]

    def step(*chosen: str, **more: Any) -> Any:
        body = {"kind": "move", "seat": "yellow", "chosen": list(chosen), **more}
        return box.referee.post("/api/steps", json=body)

    first = step().json()
    assert (first["done"], first["prompt"]) == (False, "which file")
    assert first["values"][1] == {"key": "b", "label": "file b"}
    assert len(step("b").json()["values"]) == 14
    assert step("b", "12").json() == {"done": True, "prompt": "", "values": [], "says": "yellow moves to b12"}
    assert "'z' is not on offer" in step("z").json()["error"]["message"]
    assert step(kind="bid", seat="red").status_code == 409
    assert step(seat="red").status_code == 409
    assert box.state()["match"]["lines"] == lines


def test_what_is_adjustable_is_set_by_hand_with_who_and_why_within_its_range(box: Served) -> None:
    (purse,) = box.until_state(lambda state: state["adjustable"] != [])["adjustable"]
    assert purse == {"key": "purse", "label": "the purse", "low": 0, "high": 99, "value": 12, "group": ""}
    body = {"set": "purse", "value": 40, "reason": "counted anew", "by": "Ann"}
    assert box.referee.post("/api/by-hand", json=body).status_code == 200
    box.until_state(lambda state: state["adjustable"][0]["value"] == 40)
    assert box.referee.post("/api/by-hand", json={**body, "value": 100}).status_code == 409
    assert '"reason":"counted anew"' in box.client.get("/api/matches/1/record").text


def test_a_setup_s_answers_are_in_the_record_whole(box: Served) -> None:
    more = {
        "abandon": True,
        "variants": ["late"],
        "parameters": {"reserve": False, "house": "harsh", "rounds": 5},
        "files": {"catalogue": {"name": "list.txt", "text": "one lamp\n"}},
    }
    begin(box, **more)
    setup = json.loads(box.client.get(f"/api/matches/{box.box.match_id}/record").text.splitlines()[0])
    assert {key: setup[key] for key in ("variants", "parameters", "files")} == {
        key: more[key] for key in ("variants", "parameters", "files")
    }
    (salon,) = [game for game in box.client.get("/api/games").json() if game["name"] == "salon"]
    assert [asked["kind"] for asked in salon["parameters"]] == ["yes-no", "choice", "number", "file"]
    assert (salon["seat_titles"], salon["variants"][0]["key"]) == (["Host", "Guest"], "late")


# -- the look ----------------------------------------------------------------------------------------------------------


def test_a_look_is_all_that_a_page_needs_to_draw_a_game_and_may_be_kept(box: Served) -> None:
    answer = box.client.get("/api/games/salon/look")
    look = answer.json()
    assert look["symbols"]["lamp"][1] == {"path": "M2 12H22", "width": 1.5, "turned": 45}
    assert look["cards"][0] == {
        "name": "lamp", "label": "lamp", "plural": "lamps", "colour": None, "symbol": "lamp", "is_counted": True,
        "keys": "la",
    }  # fmt: skip
    assert look["buttons"][:2] == [{"label": "north", "symbol": "lamp"}, {"label": "east", "symbol": None}]
    assert answer.headers["cache-control"] == "no-cache"
    again = box.client.get("/api/games/salon/look", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    missing = box.client.get("/api/games/whist/look")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    until(lambda: box.state()["buttons"][0] == {"label": "north", "symbol": "lamp"})

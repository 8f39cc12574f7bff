"""Protests, answers and signatures over the API and by a phone: who may, what is shown, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_socket import ready

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served(simulated=False) as it:
        it.begin("red hunter", "buffalo")
        it.box.press("red hunter")
        it.box.press("yellow hunter")
        it.until_state(lambda state: bool(state["race"]) and state["race"]["status"] == "final")
        yield it


def says(answer: Any) -> str:
    assert answer.status_code == 200, answer.text
    return str(answer.json()["says"])


def why(answer: Any) -> str:
    assert answer.status_code == 409, answer.text
    return str(answer.json()["error"]["message"])


def test_a_protest_marks_its_race_until_it_is_answered(box: Served) -> None:
    post = box.referee.post
    assert box.state()["can"]["protest"] == ["red", "yellow"]
    assert says(post("/api/protest", json={"colour": "yellow", "text": "I was first"})) == (
        "yellow protests against Pow-Wow 1"
    )
    state = box.until_state(lambda state: state["protests"] != [])
    assert (state["race"]["disputed"], state["can"]["protest"]) == (["yellow"], ["red"])
    (told,) = state["protests"]
    assert (told["colour"], told["race"], told["answer"]) == ("yellow", 1, None)
    assert "I was first" in told["says"]
    past = box.client.get("/api/matches/1").json()
    assert past["races"][0]["disputed"] == ["yellow"]
    assert "already" not in why(post("/api/protest", json={"colour": "yellow"}))
    body = {"protest": told["line"], "text": "seen on the strip", "stands": True, "by": "Ann"}
    assert says(post("/api/answer", json=body)) == "yellow's protest: the ruling stands, says Ann"
    state = box.until_state(lambda state: state["race"]["disputed"] == [])
    assert state["protests"][0]["answer"] == {
        "says": f"the protest of line {told['line']} is answered by Ann, the ruling stands: seen on the strip",
        "text": "seen on the strip", "stands": True, "by": "Ann",
    }  # fmt: skip
    past = box.client.get("/api/matches/1").json()
    assert (past["races"][0]["disputed"], past["protests"]) == ([], state["protests"])


def test_seats_sign_the_result_and_not_while_a_protest_waits(box: Served) -> None:
    post = box.referee.post
    assert why(post("/api/sign", json={"colour": "red"})) == "a result is signed after the `end`"
    post("/api/protest", json={"colour": "red"})
    post("/api/end", json={})
    state = box.until_state(lambda state: state["phase"] == "final")
    assert (state["can"]["sign"], state["signed"], state["can"]["leave"]) == ([], [], True)
    line = state["protests"][0]["line"]
    assert why(post("/api/sign", json={"colour": "yellow"})) == f"the protest of line {line} has no answer yet"
    post("/api/answer", json={"protest": line, "text": "it was counted anew", "stands": False, "by": "Ann"})
    assert box.until_state(lambda state: state["can"]["sign"] != [])["can"]["sign"] == ["red", "yellow"]
    assert says(post("/api/sign", json={"colour": "red"})) == "red accepts the result"
    state = box.until_state(lambda state: state["signed"] != [])
    assert (state["signed"], state["can"]["sign"]) == (["red"], ["yellow"])
    assert box.client.get("/api/matches/1").json()["signed"] == ["red"]


@pytest.mark.parametrize("address", ["/api/protest", "/api/answer", "/api/sign"])
def test_nobody_protests_answers_or_signs_by_the_api_without_the_pin(box: Served, address: str) -> None:
    assert box.client.post(address, json={}).status_code == 401


def test_a_phone_protests_and_signs_for_the_seat_it_was_given_and_needs_no_pin(box: Served) -> None:
    with Talk(box.server.port) as phone:
        panel = ready(phone, asks="yellow")
        phone.say({"type": "protest"})
        assert phone.get("error")["message"] == "this panel plays no seat: the referee gives it one"
        box.referee.post(f"/api/phones/{panel['code']}", json={"seat": "yellow"})
        phone.get("panel", lambda message: message["seat"] == "yellow")
        phone.say({"type": "protest", "text": "the card was covered"})
        assert phone.get("noted")["says"] == "yellow protests against Pow-Wow 1"
        (told,) = box.until_state(lambda state: state["protests"] != [])["protests"]
        assert told["colour"] == "yellow"
        phone.say({"type": "protest"})
        assert "has no answer yet" in phone.get("error")["message"]
        phone.say({"type": "protest", "colour": "red"})
        assert phone.get("error")["code"] == "malformed"
        box.referee.post("/api/answer", json={"protest": told["line"], "text": "no", "stands": True, "by": "Ann"})
        box.referee.post("/api/end", json={})
        box.until_state(lambda state: state["can"]["sign"] != [])
        phone.say({"type": "sign"})
        assert phone.get("noted")["says"] == "yellow accepts the result"
        assert box.until_state(lambda state: state["signed"] != [])["signed"] == ["yellow"]


def test_a_page_that_is_no_panel_protests_for_nobody(box: Served) -> None:
    with Talk(box.server.port) as page:
        page.say({"type": "protest"})
        assert page.get("error")["code"] == "illegal"
        page.say({"type": "sign"})
        assert page.get("error")["code"] == "illegal"
        assert box.state()["protests"] == []

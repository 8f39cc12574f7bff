"""A code that a page's camera has read: by the desk's address and a phone's message, and what lets a page have one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.access.gate import READER
from companion.config.deck_file import printed_deck
from companion.core.panel import Colour
from companion.core.play.scanning import LONGEST_CODE
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_socket import ready

if TYPE_CHECKING:
    from collections.abc import Iterator

CODES = {card: code for code, card in printed_deck("apache").codes.items()}
BUFFALO = CODES["buffalo"]


@pytest.fixture
def box() -> Iterator[Served]:
    with served(simulated=False) as it:
        it.clock.stop()
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        assert it.referee.post("/api/match", json={"seats": seats}).status_code == 200
        yield it


def phone(box: Served, colour: str) -> Talk:
    """Give a phone that plays a seat."""
    talk = Talk(box.server.port)
    code = ready(talk, box.clock, asks=colour)["code"]
    assert box.referee.post(f"/api/phones/{code}", json={"seat": colour}).status_code == 200
    talk.get("panel", lambda panel: panel["seat"] == colour)
    return talk


def test_a_code_at_the_desk_reveals_its_card_and_says_so(box: Served) -> None:
    answer = box.referee.post("/api/scan", json={"code": BUFFALO, "age_ms": 120})
    assert (answer.status_code, answer.json()["says"]) == (200, "revealed: buffalo")
    assert box.state()["match"]["lines"] == 3


def test_without_the_pin_no_code_is_taken(box: Served) -> None:
    assert box.client.post("/api/scan", json={"code": BUFFALO, "age_ms": 0}).status_code == 401
    assert box.state()["match"]["lines"] == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"code": "", "age_ms": 0}, "code"),
        ({"code": "A" * (LONGEST_CODE + 1), "age_ms": 0}, "code"),
        ({"code": "APACHE\n001", "age_ms": 0}, "code"),
        ({"code": "köder", "age_ms": 0}, "code"),
        ({"code": BUFFALO, "age_ms": -1}, "age_ms"),
        ({"code": BUFFALO}, "age_ms"),
        ({"code": BUFFALO, "age_ms": 0, "seat": "red"}, "seat"),
    ],
)
def test_what_is_no_code_is_malformed_and_names_the_field(box: Served, body: dict[str, Any], field: str) -> None:
    answer = box.referee.post("/api/scan", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")
    assert field in answer.json()["error"]["message"]
    assert box.state()["match"]["lines"] == 1


def test_a_code_of_no_card_is_refused_with_a_sentence(box: Served) -> None:
    answer = box.referee.post("/api/scan", json={"code": "HTTPS://EXAMPLE", "age_ms": 0})
    assert answer.status_code == 409
    assert answer.json()["error"]["message"] == "no card has the code HTTPS://EXAMPLE"


def test_a_phone_enters_the_card_that_its_seat_turned(box: Served) -> None:
    session = box.box.session
    assert session.match is not None
    turn = session.match.view().turn or Colour.RED
    with phone(box, turn) as talk:
        talk.say({"type": "scan", "code": BUFFALO, "age_ms": 90})
        assert talk.get("noted")["says"] == "revealed: buffalo"


def test_a_phone_whose_seat_does_not_turn_is_told_who_does(box: Served) -> None:
    session = box.box.session
    assert session.match is not None
    turn = session.match.view().turn or Colour.RED
    with phone(box, "yellow" if turn is Colour.RED else "red") as talk:
        talk.say({"type": "scan", "code": BUFFALO, "age_ms": 90})
        assert "turns the cards now" in talk.get("error")["message"]
    assert box.state()["match"]["lines"] == 1


def test_a_phone_without_a_seat_scans_nothing(box: Served) -> None:
    with Talk(box.server.port) as talk:
        ready(talk, box.clock, asks="red")
        talk.say({"type": "scan", "code": BUFFALO, "age_ms": 90})
        assert "plays no seat" in talk.get("error")["message"]
    assert box.state()["match"]["lines"] == 1


def test_only_pages_with_a_scanner_may_ask_for_the_camera(box: Served) -> None:
    may = {
        path: box.client.get(path).headers["permissions-policy"].startswith("camera=(self)")
        for path in (
            "/",
            "/referee",
            "/referee.html",
            "/play",
            "/play.html",
            "/table",
            "/hall",
            "/api/state",
            "/nothing",
        )
    }
    assert {path for path, allowed in may.items() if allowed} == {"/referee", "/referee.html", "/play", "/play.html"}


def test_webassembly_may_be_compiled_by_the_reader_alone_and_by_no_page(box: Served) -> None:
    policy = box.client.get(READER)
    assert policy.status_code == 200
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy.headers["content-security-policy"]
    assert "default-src 'none'" in policy.headers["content-security-policy"]
    for path in ("/", "/referee", "/play", "/js/scanning/reader.js", "/js/referee.js", f"{READER}/..", "/api/state"):
        assert "unsafe" not in box.client.get(path).headers["content-security-policy"], path

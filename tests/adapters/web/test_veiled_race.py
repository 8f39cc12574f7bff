"""What is really served while a seat with an allowance may still press: no byte of it says how others did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator

READABLE = ("/api/state", "/api/course", "/api/record", "/api/matches/1", "/api/matches/1/record", "/api/oled.png")


EMPTY: dict[str, Any] = {"made": ()}


def untimed(content: bytes) -> bytes:
    """Without the time of the card, which is another in each run."""
    return re.sub(rb'"t_ns":\d+', b"", content)


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        it.clock.stop()
        yield it


def begin(box: Served) -> None:
    """A match of red, blue, green and yellow, who has an allowance; a card is turned."""
    seats = [{"colour": "red"}, {"colour": "blue"}, {"colour": "green"}, {"colour": "yellow", "allowance_ms": 900}]
    assert box.referee.post("/api/match", json={"seats": seats}).status_code == 200
    assert box.state()["question"]["missing"] == ["red", "blue", "green", "yellow"]
    for seat in box.state()["question"]["missing"]:
        assert box.referee.post("/api/consent", json={"seat": seat, "by": "Ann"}).status_code == 200
    assert box.referee.post("/api/reveal", json={"card": "buffalo"}).status_code == 200


def seen(*presses: str) -> dict[str, Any]:
    """All that is served, and all that a page was told at last, after these presses 40 ms apart."""
    with served() as box, Talk(box.server.port) as page:
        box.clock.stop()
        begin(box)
        for label in presses:
            box.box.press(label)
            box.clock.ahead_ns += 40_000_000
        last = page.get("state", lambda message: len((message["state"]["race"] or EMPTY)["made"]) == len(presses))
        found: dict[str, Any] = {path: untimed(box.client.get(path).content) for path in READABLE}
        events = [
            message for message in page.passed if message["type"] == "event" and message["content"]["type"] == "press"
        ]
        preview = box.referee.post("/api/replace/preview", json={"changes": [{"line": 3, "with": []}]})
        state = {**box.state(), "box": ""}
    return {**found, "/api/state": state, "page": {**last["state"], "box": ""}, "events": events, "try": preview.text}


def test_no_byte_that_is_served_tells_who_pressed_what_or_when_while_somebody_may_look_first() -> None:
    one, other = seen("blue warrior", "red hunter"), seen("red chief", "blue maiden")
    assert one["page"]["race"]["made"] == ["red", "blue"]
    for what in one:
        assert one[what] == other[what], what
    assert one["events"][-1]["content"] == {"type": "press", "hidden": True}
    assert (one["events"][-1]["rulings"], one["events"][-1]["says"]) == ([], ["a press was made"])


def test_all_is_told_once_it_may_be_seen(box: Served) -> None:
    begin(box)
    box.box.press("blue warrior")
    box.clock.ahead_ns += 50_000_000
    box.box.press("yellow chief")
    state = box.until_state(lambda state: bool(state["race"] and state["race"]["rows"]))
    assert [row["role"] for row in state["race"]["rows"]] == ["chief", "warrior"]
    for path in READABLE[:-1]:
        assert "plays warrior" in box.client.get(path).text or '"warrior"' in box.client.get(path).text, path


def test_an_allowance_of_more_than_a_minute_is_refused_by_name(box: Served) -> None:
    answer = box.referee.post("/api/match", json={"seats": [{"colour": "red", "allowance_ms": 60_001}]})
    assert answer.status_code == 400
    message = answer.json()["error"]["message"]
    assert "60000" in message
    assert "allowance_ms" in message
    assert box.state()["phase"] == "lobby"

"""What is really served while cards lie face down in an untimed match: no byte says which, nor who was first."""

from __future__ import annotations

from typing import Any

from tests.adapters.web.served import served
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_veiled_race import EMPTY, READABLE, untimed

SEATS = [{"colour": "red"}, {"colour": "blue"}, {"colour": "yellow"}]


def seen(*presses: str) -> dict[str, Any]:
    """All that is served, and all that a page was told, after these presses."""
    made = len({label.split()[0] for label in presses})
    with served() as box, Talk(box.server.port) as page:
        box.clock.stop()
        assert box.referee.post("/api/match", json={"seats": SEATS, "timing": "untimed"}).status_code == 200
        assert box.referee.post("/api/reveal", json={"card": "buffalo"}).status_code == 200
        for label in presses:
            box.box.press(label)
            box.clock.ahead_ns += 40_000_000
        last = page.get("state", lambda message: len((message["state"]["race"] or EMPTY)["made"]) == made)
        found: dict[str, Any] = {path: untimed(box.client.get(path).content) for path in READABLE}
        events = [message for message in page.passed if message["type"] == "event"]
        state = {**box.state(), "box": ""}
        health = box.referee.get("/api/health").json()
    told = [event["content"]["type"] for event in events]
    return {**found, "/api/state": state, "page": {**last["state"], "box": ""}, "events": told, "health": health}


def test_no_byte_that_is_served_tells_which_card_lies_there_nor_who_was_first() -> None:
    one, other = seen("blue warrior", "red hunter"), seen("red chief", "blue maiden")
    assert one["page"]["race"]["made"] == ["red", "blue"]
    assert one["page"]["race"]["without"] == []
    for what in one:
        assert one[what] == other[what], what
    assert "press" not in one["events"]


def test_the_desk_is_told_no_button_of_the_inputs() -> None:
    assert seen("blue warrior")["health"]["inputs"] == []


def test_all_is_told_once_all_are_shown() -> None:
    with served() as box:
        box.clock.stop()
        assert box.referee.post("/api/match", json={"seats": SEATS, "timing": "untimed"}).status_code == 200
        assert box.referee.post("/api/reveal", json={"card": "buffalo"}).status_code == 200
        for label in ("yellow chief", "blue warrior"):
            box.box.press(label)
            box.clock.ahead_ns += 60_000_000
        assert box.referee.post("/api/none", json={"seat": "red"}).json()["says"] == "RED plays no card this time"
        state = box.until_state(lambda state: bool(state["race"] and state["race"]["rows"]))
        assert [(row["colour"], row["role"]) for row in state["race"]["rows"]] == [
            ("blue", "warrior"), ("yellow", "chief"),
        ]  # fmt: skip

"""Cards and presses put where they belong, over the API: the preview first, then what it foretold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.core.timing.events import SECOND
from tests.adapters.web.served import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        it.clock.stop()
        yield it


def wait(box: Served, seconds: int) -> None:
    box.clock.ahead_ns += seconds * SECOND
    box.box.turn()


def judged(box: Served) -> dict[str, Any]:
    return box.until_state(lambda state: bool(state["race"]) and state["race"]["status"] == "final")


def why(answer: Any) -> str:
    assert answer.status_code == 409, answer.text
    return str(answer.json()["error"]["message"])


def test_two_cards_turned_one_entered_a_slap(box: Served) -> None:
    box.begin("buffalo")
    box.box.press("red hunter")
    wait(box, 4)
    assert judged(box)["race"]["rows"][0]["verdict"] == "punish"
    assert box.referee.post("/api/reveal", json={"card": "teepee"}).status_code == 200
    record = box.client.get("/api/record").json()
    assert {"value": "red hunter", "label": "red hunter"} in record["cards"]
    judging = next(line["line"] for line in record["lines"] if line["content"]["type"] == "judge")
    changes = [{"line": judging, "with": [{"type": "reveal", "card": "red hunter"}], "before": True}]
    preview = box.referee.post("/api/replace/preview", json={"changes": changes, "seen": record["seen"]}).json()
    assert [line["state"] for line in preview["lines"]] == ["new", "changed"]
    assert "red 2" in preview["outcome"]["after"][0]
    body = {"changes": changes, "reason": "it lay there too", "by": "Ann", "seen": record["seen"]}
    assert box.referee.post("/api/replace", json=body).json()["preview"] == preview
    assert box.until_state(lambda state: state["seats"][0]["score"] == 2)["race"]["rows"][0]["verdict"] == "claim"


def test_a_card_is_put_into_a_closed_race_that_is_not_judged(box: Served) -> None:
    box.begin("buffalo")
    box.box.press("red hunter")
    wait(box, 4)
    undo = judged(box)["can"]["undo"]
    box.referee.post("/api/undo", json={"reason": "a card is missing", "by": "Ann", "line": undo["line"]})
    seen = box.client.get("/api/record").json()["seen"]
    changes = [{"line": seen + 1, "with": [{"type": "reveal", "card": "red hunter"}], "before": True}]
    body = {"changes": changes, "reason": "it lay there too", "by": "Ann", "seen": seen}
    assert box.referee.post("/api/replace", json=body).status_code == 200
    assert box.referee.post("/api/no-card", json={}).status_code == 200
    assert judged(box)["race"]["rows"][0]["verdict"] == "claim"


def test_after_an_automatic_close_a_slap_whose_card_is_entered_later_is_lost_as_closed(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    box.box.press("red hunter")
    wait(box, 3)
    box.clock.ahead_ns += SECOND // 2
    box.box.press("yellow hunter")
    for card in ("buffalo", "yellow hunter"):
        assert box.referee.post("/api/reveal", json={"card": card}).status_code == 200
    record = box.client.get("/api/record").json()
    slap = next(press for press in record["presses"] if press["content"]["colour"] == "yellow")
    assert (slap["state"], slap["says"]) == ("ignored", "yellow plays hunter")
    body = {"line": slap["line"], "seen": record["seen"]}
    state = box.until_state(lambda state: state["can"]["for_new_card"] != [])
    assert state["can"]["for_new_card"] == [{"line": slap["line"], "says": "yellow plays hunter"}]
    preview = box.referee.post("/api/for-new-card/preview", json=body).json()
    assert [line["state"] for line in preview["lines"]][-1] == "new"
    done = box.referee.post("/api/for-new-card", json={**body, "by": "Ann"}).json()
    assert done["preview"] == preview
    assert done["says"] == f"line {slap['line']} counts for the new card, by Ann"
    wait(box, 4)
    state = box.until_state(lambda state: state["seats"][1]["score"] == 2)
    assert state["race"]["number"] == 2
    assert state["can"]["for_new_card"] == []


def test_a_press_that_is_for_no_new_card_is_refused_by_a_sentence(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    box.box.press("red hunter")
    wait(box, 3)
    box.box.press("yellow hunter")
    judged(box)
    counts, late = (press["line"] for press in box.client.get("/api/record").json()["presses"])
    for address in ("/api/for-new-card/preview", "/api/for-new-card"):
        body = {"line": late} if address.endswith("preview") else {"line": late, "by": "Ann"}
        assert why(box.referee.post(address, json=body)).startswith("no card has been entered since the press of line")
    assert why(box.referee.post("/api/for-new-card", json={"line": counts, "by": "Ann"})) == (
        f"the press of line {counts} counts already"
    )

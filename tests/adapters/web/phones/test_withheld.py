"""While phones race no page learns that anybody has pressed before the race is closed: over the real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.limits.bounds import Bounds
from companion.core.timing.events import MS, SECOND, Edge
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator

ADDRESSES = (
    "/api/state", "/api/course", "/api/record", "/api/oled.png", "/api/matches", "/api/matches/1",
    "/api/matches/1/record", "/api/matches/1/strips/1.svg",
)  # fmt: skip


@pytest.fixture
def box() -> Iterator[Served]:
    with served(simulated=False, bounds=Bounds(apart_s=0)) as it:  # each state is sent as soon as it can be
        it.clock.stop()
        yield it


def phone(box: Served, seat: str) -> Talk:
    """A phone that plays for a seat, its clock known."""
    page = Talk(box.server.port, "?oled=1")
    page.say({"type": "panel", "asks": seat})
    code, given = "", False
    while not given:
        message = page.next()
        if message["type"] == "sync":
            page.say({"type": "sync", "id": message["id"], "t_us": box.clock() // 1000})
        elif message["type"] == "panel" and message["seat"] == seat and message["ready"]:
            given = True
        elif message["type"] == "panel" and not code:
            code = message["code"]
            assert box.referee.post(f"/api/phones/{code}", json={"seat": seat}).status_code == 200
    return page


def heard(page: Talk) -> list[str]:
    """The types of all that has come to a page by now, but for its round trips."""
    seen: list[dict[str, Any]] = []
    for _ in range(2):  # what waited when the first answer was sent comes before the second
        page.say({"type": "ping"})
        while (message := page.next())["type"] != "pong":
            seen.append(message)
    return [message["type"] for message in seen if message["type"] not in ("sync", "panel")]


def all_of(box: Served) -> dict[str, bytes]:
    return {address: box.client.get(address).content for address in ADDRESSES}


def pass_(box: Served, seconds: float) -> None:
    box.clock.ahead_ns += round(seconds * SECOND)
    box.box.turn()


def test_nothing_that_any_page_can_get_changes_before_the_race_is_closed(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    with phone(box, "yellow") as player, Talk(box.server.port, "?oled=1") as looker:
        for page in (player, looker):
            heard(page)
        before = all_of(box)
        box.box.press("red hunter")
        pass_(box, 0.1)
        assert heard(player) == []
        assert heard(looker) == []
        assert all_of(box) == before
        with Talk(box.server.port, "?oled=1") as newcomer:
            kinds = heard(newcomer)
        assert sorted(kinds) == ["hello", "oled", "state"]
        pass_(box, 4)
        race = player.get("state", lambda message: message["state"]["race"] is not None)["state"]["race"]
        assert race["rows"][0]["colour"] == "red"
        after = all_of(box)
        assert [address for address in ADDRESSES if after[address] == before[address]] == []


def test_the_box_s_own_display_shows_it_meanwhile(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    with phone(box, "yellow"):
        idle = box.box.session.scene()
        box.box.press("red hunter")
        assert box.box.session.scene() != idle


def test_a_bot_that_waits_for_its_rival_s_press_comes_after_the_close(box: Served) -> None:
    match = {"seats": [{"colour": "red"}, {"colour": "yellow"}], "window_ms": 500}
    assert box.referee.post("/api/match", json=match).status_code == 200
    assert box.referee.post("/api/reveal", json={"card": "red hunter"}).status_code == 200
    box.source.read()
    with phone(box, "yellow") as bot:
        heard(bot)
        box.box.press("red hunter")
        assert heard(bot) == []
        pass_(box, 0.55)
        bot.get("state", lambda message: message["state"]["race"] is not None)
        stamp_us = box.clock() // 1000 - 500_000
        bot.say({"type": "press", "n": 1, "button": "yellow first", "t_us": stamp_us})
        assert bot.get("pressed")["taken"] is True
        (edge,) = [event for event in box.source.read() if isinstance(event, Edge)]
    closed_ns = next(told.line.t_ns for told in box.box.session.match.history if hasattr(told.line, "t_ns")  # type: ignore[union-attr]
                     and type(told.line).__name__ == "Close")  # fmt: skip
    assert closed_ns is not None
    assert edge.t_ns > closed_ns
    assert edge.t_ns >= box.clock() - 10 * MS


def test_the_presser_s_own_page_is_told_that_its_press_is_taken(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    with phone(box, "yellow") as player:
        player.say({"type": "press", "n": 1, "button": "yellow first", "t_us": box.clock() // 1000})
        assert player.get("pressed")["taken"] is True


def test_a_phone_that_has_gone_still_races_and_one_whose_seat_does_not_play_does_not(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    with phone(box, "yellow"):
        pass
    with Talk(box.server.port) as looker:
        heard(looker)
        box.box.press("red hunter")
        assert "state" not in heard(looker) or box.state()["race"] is None
        (listed,) = box.state()["phones"]
        assert box.referee.post(f"/api/phones/{listed['code']}", json={"seat": "blue"}).status_code == 200
        pass_(box, 0.1)
        assert box.state()["race"]["rows"][0]["colour"] == "red"


def test_a_race_that_is_opened_again_is_shown_and_its_new_presses_are_not(box: Served) -> None:
    box.begin("red hunter", "buffalo")
    with phone(box, "yellow"):
        box.box.press("red hunter")
        pass_(box, 4)
        box.until_state(lambda state: state["race"] is not None)
        for _ in range(2):  # the judging, then the close
            undo = box.state()["can"]["undo"]["line"]
            body = {"reason": "too soon", "by": "Ann", "line": undo}
            assert box.referee.post("/api/undo", json=body).status_code == 200
        opened = box.until_state(lambda state: state["can"]["close"])
        box.box.press("yellow hunter")
        pass_(box, 0.1)
        assert box.state() == opened
        assert box.referee.post("/api/close", json={}).status_code == 200
        box.until_state(lambda state: len(state["race"]["rows"]) == 2)

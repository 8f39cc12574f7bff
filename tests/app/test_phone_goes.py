"""A seat's only switch is its phone, and the phone's connection drops in mid-scan: a real web server, real sockets."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from companion.config.reading import Flag
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_socket import ready
from tests.app.test_pages import run_box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.app.pages import Web

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

SCANS = [
    Flag("", ("seats", "red", "input"), "scan"),
    Flag("", ("seats", "red", "scan_dwell_s"), 0.3),
    Flag("", ("seats", "red", "scan_loops"), 2),
]
HELD = [SCANS[0], Flag("", ("seats", "red", "scan_way"), "inverse"), Flag("", ("seats", "red", "scan_dwell_s"), 0.6)]
ALL_ARE_OFFERED = 4
APART_S = 0.2
"""What comes sooner after the last letting-go is a contact that bounces; after a cue it may be about the one before."""
PATIENCE_S = 60.0


class Phone(Talk):
    """A phone that has a seat, and whose clock stays known."""

    is_seated = False

    def next(self, patience_s: float | None = None) -> dict[str, Any]:
        message = super().next(patience_s)
        if self.is_seated and message["type"] == "sync":
            self.say({"type": "sync", "id": message["id"], "t_us": time.monotonic_ns() // 1000})
        return message


def press(page: Talk, number: int) -> None:
    """One tap on the big switch."""
    move(page, "press", number)
    move(page, "release", number + 1)


def move(page: Talk, kind: str, number: int, **more: object) -> None:
    """Press the big switch, or let it go."""
    t_us = time.monotonic_ns() // 1000
    page.say({"type": kind, "n": number, "button": "red first", "t_us": t_us, "by": "touch", **more})


def until(client: httpx.Client, holds: Callable[[dict[str, Any], str], object]) -> dict[str, Any]:
    """Wait for a state of the pages. holds: of the state, and of all that it says."""
    until = time.monotonic() + PATIENCE_S
    while True:
        state = dict(client.get("/api/state").json())
        if holds(state, json.dumps(state)):
            return state
        assert time.monotonic() < until, state
        time.sleep(0.02)


@contextmanager
def begun(web: Web) -> Iterator[tuple[httpx.Client, int]]:
    """Give a referee's client, and the port: a match of red and yellow has begun."""
    port = web.server.port
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as referee:
        referee.post("/api/session", json={"pin": web.server.pin}).raise_for_status()
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        referee.post("/api/match", json={"game": "order", "seats": seats}).raise_for_status()
        yield referee, port


def seated(referee: httpx.Client, page: Phone) -> dict[str, Any]:
    """Give red to a page, and what it is told of that."""
    panel = ready(page, asks="red")
    referee.post(f"/api/phones/{panel['code']}", json={"seat": "red"}).raise_for_status()
    page.get("panel", lambda panel: panel["seat"] == "red")
    page.is_seated = True
    return panel


def evening(web: Web) -> None:
    with begun(web) as (referee, port):
        with Phone(port) as page:
            panel = seated(referee, page)
            press(page, panel["next"])
            offered = page.get("switch", lambda switch: switch["number"])
            assert (offered["of"], offered["picked"]) == (ALL_ARE_OFFERED, False)
        until(referee, lambda _, said: "has gone: open its page again" in said)
        state = until(referee, lambda _, said: "did not pick" in said)
        assert [row["role"] for row in state["race"]["rows"]] == ["fourth"], "what was offered last"

        until(referee, lambda state, _: state["race"]["status"] == "final")
        with Phone(port) as page:
            panel = ready(page, client=panel["client"])
            assert panel["seat"] == "red"
            press(page, panel["next"])
            assert page.get("pressed", lambda answer: answer["n"] == panel["next"])["taken"]
            page.get("switch", lambda switch: switch["number"])


def test_a_phone_that_drops_out_in_mid_scan_has_played_what_was_offered_last_and_scans_again(tmp_path: Path) -> None:
    async def play(web: Web, _client: httpx.AsyncClient) -> None:
        await asyncio.to_thread(evening, web)

    run_box(tmp_path, play, *SCANS, simulated=False)


def held_unseen(web: Web) -> None:
    with begun(web) as (referee, port), Phone(port) as page:
        first = seated(referee, page)["next"]
        press(page, first)
        page.get("switch", lambda switch: switch["number"] == 1)
        time.sleep(APART_S)
        move(page, "press", first + 2)
        page.get("switch", lambda switch: switch["number"] == 2)
        move(page, "release", first + 3, seen=False)
        assert page.get("pressed", lambda answer: answer["n"] == first + 3)["taken"]
        for number in (3, 4, 1, 2):
            page.get("switch", lambda switch, number=number: switch["number"] == number)
        move(page, "press", first + 4)
        page.get("switch", lambda switch: switch["number"] == 3)
        assert not until(referee, lambda state, _: state["race"])["race"]["rows"]
        time.sleep(APART_S)
        move(page, "release", first + 5)
        page.get("switch", lambda switch: not switch["number"])
        state = until(referee, lambda state, _: state["race"] and state["race"]["rows"])
        assert [row["role"] for row in state["race"]["rows"]] == ["third"], state["race"]


def test_a_switch_that_a_phone_lost_under_the_finger_picks_nothing_until_a_hand_lets_it_go(tmp_path: Path) -> None:
    async def play(web: Web, _client: httpx.AsyncClient) -> None:
        await asyncio.to_thread(held_unseen, web)

    run_box(tmp_path, play, *HELD, Flag("", ("seats", "red", "scan_loops"), 20), simulated=False)


def held_and_gone(web: Web) -> None:
    with begun(web) as (referee, port):
        with Phone(port) as page:
            first = seated(referee, page)["next"]
            press(page, first)
            page.get("switch", lambda switch: switch["number"] == 1)
            time.sleep(APART_S)
            move(page, "press", first + 2)
            page.get("pressed", lambda answer: answer["n"] == first + 2 and answer["taken"])
            page.get("switch", lambda switch: switch["number"] == 2)
        state = until(referee, lambda _, said: "did not pick" in said)
        assert [row["role"] for row in state["race"]["rows"]] == ["fourth"], "what was offered last"


def test_a_phone_that_drops_out_while_its_switch_is_held_has_picked_nothing(tmp_path: Path) -> None:
    async def play(web: Web, _client: httpx.AsyncClient) -> None:
        await asyncio.to_thread(held_and_gone, web)

    run_box(tmp_path, play, *HELD, Flag("", ("seats", "red", "scan_loops"), 2), simulated=False)

"""A seat's only switch is its phone, and the phone's connection drops in mid-scan: a real web server, real sockets."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import httpx

from companion.config.reading import Flag
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_socket import ready
from tests.app.test_pages import run_box

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.pages import Web

SCANS = [
    Flag("", ("seats", "red", "input"), "scan"),
    Flag("", ("seats", "red", "scan_dwell_s"), 0.3),
    Flag("", ("seats", "red", "scan_loops"), 2),
]
ALL_ARE_OFFERED = 4
PATIENCE_S = 60.0


def press(page: Talk, number: int) -> None:
    """One tap on the big switch."""
    for kind, n in (("press", number), ("release", number + 1)):
        page.say({"type": kind, "n": n, "button": "red first", "t_us": time.monotonic_ns() // 1000, "by": "touch"})


def until(client: httpx.Client, holds: Callable[[dict[str, Any], str], object]) -> dict[str, Any]:
    """Wait for a state of the pages. holds: of the state, and of all that it says."""
    until = time.monotonic() + PATIENCE_S
    while True:
        state = dict(client.get("/api/state").json())
        if holds(state, json.dumps(state)):
            return state
        assert time.monotonic() < until, state
        time.sleep(0.02)


def evening(web: Web) -> None:
    port = web.server.port
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as referee:
        referee.post("/api/session", json={"pin": web.server.pin}).raise_for_status()
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        referee.post("/api/match", json={"game": "order", "seats": seats}).raise_for_status()

        with Talk(port) as page:
            panel = ready(page, asks="red")
            referee.post(f"/api/phones/{panel['code']}", json={"seat": "red"}).raise_for_status()
            page.get("panel", lambda panel: panel["seat"] == "red")
            press(page, panel["next"])
            offered = page.get("switch", lambda switch: switch["number"])
            assert (offered["of"], offered["picked"]) == (ALL_ARE_OFFERED, False)
        until(referee, lambda _, said: "has gone: open its page again" in said)
        state = until(referee, lambda _, said: "did not pick" in said)
        assert [row["role"] for row in state["race"]["rows"]] == ["fourth"], "what was offered last"

        until(referee, lambda state, _: state["race"]["status"] == "final")
        with Talk(port) as page:
            panel = ready(page, client=panel["client"])
            assert panel["seat"] == "red"
            press(page, panel["next"])
            assert page.get("pressed", lambda answer: answer["n"] == panel["next"])["taken"]
            page.get("switch", lambda switch: switch["number"])


def test_a_phone_that_drops_out_in_mid_scan_has_played_what_was_offered_last_and_scans_again(tmp_path: Path) -> None:
    async def play(web: Web, _client: httpx.AsyncClient) -> None:
        await asyncio.to_thread(evening, web)

    run_box(tmp_path, play, *SCANS, simulated=False)

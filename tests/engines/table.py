"""The others at the table: a referee by HTTP, and players by WebSockets of their own (`tests.attack.phones`)."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Protocol

from tests.attack.phones import Phone
from tests.engines.engine import PATIENCE_S

if TYPE_CHECKING:
    from tests.browser.box import Box

REAL = '[source]\nkind = "none"\n[display]\nkind = "none"\n[buzzer]\nkind = "none"\n[web]\nmax_error_ms = 1000\n'
"""A box that phones alone play on, and that believes them with any ±: the machine may be busy."""


class Reached(Protocol):
    """As much of a box as a referee needs."""

    @property
    def url(self) -> str: ...

    @property
    def pin(self) -> str: ...

    def get(self, address: str) -> Any: ...


class Referee:
    """Whoever has the PIN."""

    def __init__(self, box: Reached) -> None:
        self._box = box
        self._cookie = ""
        self.post("/api/session", {"pin": box.pin})

    def post(self, address: str, body: dict[str, Any]) -> dict[str, Any]:
        asked = urllib.request.Request(
            self._box.url + address, data=json.dumps(body).encode(), method="POST",
            headers={"content-type": "application/json", "cookie": self._cookie},
        )  # fmt: skip
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                cookie = answer.headers["set-cookie"]
                if cookie:
                    self._cookie = cookie.partition(";")[0]
                told: dict[str, Any] = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{address}: {error.read().decode()}") from None
        return told

    def grant(self, colour: str) -> None:
        """Wait until a phone asks for a seat, and let it play."""

        def asking(state: dict[str, Any]) -> bool:
            return any(phone["asks"] == colour and phone["seat"] is None for phone in state["phones"])

        state = until(self._box, asking)
        code = next(one["code"] for one in state["phones"] if one["asks"] == colour and one["seat"] is None)
        self.post(f"/api/phones/{code}", {"seat": colour})


def until(box: Reached, holds: Any) -> dict[str, Any]:
    """Wait until the box's state is so, and give it."""
    ends = time.monotonic() + PATIENCE_S
    while not holds(state := box.get("/api/state")):
        assert time.monotonic() < ends, f"never: {state['lines']} {state['phase']}"
        time.sleep(0.05)
    found: dict[str, Any] = state
    return found


def play_a_race(box: Box) -> None:
    """Have a match run whose newest race is judged."""
    referee, panel = Referee(box), Phone(box.port, "red")
    seats = [{"colour": "red", "name": "Ann"}, {"colour": "yellow"}]
    referee.post("/api/match", {"game": "apache", "seats": seats, "window_ms": 20_000})
    referee.post("/api/reveal", {"card": "buffalo"})
    panel.ready()
    for button in ("red first", "yellow fourth"):
        assert panel.press(button)["taken"]
    until(box, is_final(1))
    panel.close()


def is_final(number: int) -> Any:
    """Give what tells that a race is final."""
    return lambda state: bool(state["race"]) and (state["race"]["number"], state["race"]["status"]) == (number, "final")


def presses_of(box: Box, colour: str) -> list[dict[str, Any]]:
    """Give the presses of a seat that the record of the first match has."""
    return [line for line in _lines(box) if line["type"] == "press" and line["colour"] == colour]


def remarks_of(box: Box, text: str) -> int:
    """Count the remarks in the record of the first match that say so."""
    return sum(line["type"] == "remark" and text in line["text"] for line in _lines(box))


def _lines(box: Box) -> list[dict[str, Any]]:
    return [json.loads(line) for line in box.record(1).splitlines()]

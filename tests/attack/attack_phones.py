"""A modified phone at a whole box, a process of its own: it gains nothing by dating its presses, and is told of.

The rival plays by the book. Whoever cheats is told that the rival's press was taken before it presses itself, so that
who was first is known without a clock; and lets the widest ± that the box believes pass, so that a dead heat would be
the cheater's making, however slow this machine is.
"""

from __future__ import annotations

import json
import time
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.phones.stamps import MAX_ERROR_NS
from tests.attack.phones import PATIENCE_S, Phone
from tests.browser.box import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MS = 1_000_000
SECOND = 1000 * MS
PHONES = "[timing]\nwindow_s = 2.0\n"


class Race:
    """One race at a box: red plays by the book and presses first, yellow is the cheater."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.phones: list[Phone] = []
        self._cookie = ""
        self._post("/api/session", {"pin": box.pin})

    def phone(self, seat: str, **more: Any) -> Phone:
        self.phones.append(Phone(self.box.port, seat, **more))
        return self.phones[-1]

    def begin(self) -> None:
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        self._post("/api/match", {"game": "order", "seats": seats})

    def rows(self) -> list[dict[str, Any]]:
        """Give the rows of the final order."""
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            race = self.box.get("/api/state")["race"]
            if race is not None and race["status"] == "final":
                rows: list[dict[str, Any]] = race["rows"]
                return rows
        raise AssertionError("the race did not end")

    def record(self) -> list[dict[str, Any]]:
        number = self.box.get("/api/state")["match"]["id"]
        return [json.loads(line) for line in self.box.record(number).splitlines()]

    def alarms(self) -> list[str]:
        alarms: list[str] = self.box.get("/api/state")["alarms"]
        return alarms

    def _post(self, address: str, body: dict[str, Any]) -> None:
        headers = {"content-type": "application/json", "cookie": self._cookie}
        request = urllib.request.Request(self.box.url + address, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            cookie = answer.headers.get("set-cookie")
            self._cookie = cookie.split(";")[0] if cookie else self._cookie


@pytest.fixture
def race(tmp_path: Path) -> Iterator[Race]:
    box = Box(tmp_path, "--simulate", config=PHONES)
    made = Race(box)
    yield made
    for phone in made.phones:
        phone.close()
    box.stop()


def played(race: Race, red: Phone, yellow: Phone, cheat: Callable[[Phone], object]) -> list[str]:
    """Play one race, in which yellow cheats once red's press is taken; give the seats in the final order."""
    race.begin()
    red.ready()
    yellow.until("panel")
    taken = red.press("red fourth")
    assert taken["taken"], taken["why"]
    time.sleep(MAX_ERROR_NS / SECOND)  # the attack itself: it waits for red's ± to be over
    cheat(yellow)
    rows = race.rows()
    assert not any(row["dead_heat"] for row in rows), "the cheater has made a dead heat of it"
    return [row["colour"] for row in rows]


@pytest.mark.parametrize("back_ns", [40 * MS, 500 * MS, 1900 * MS])
def test_a_press_that_is_dated_before_the_rivals_is_placed_where_it_came(race: Race, back_ns: int) -> None:
    red, yellow = race.phone("red"), race.phone("yellow")
    yellow.ready()
    before_ns = MAX_ERROR_NS + back_ns
    order = played(race, red, yellow, lambda phone: phone.press("yellow fourth", back_ns=before_ns))
    assert order == ["red", "yellow"]
    presses = [line for line in race.record() if line["type"] == "press"]
    assert [line.get("error_ns", 0) for line in presses if line["colour"] == "yellow"] == [0]
    assert [line for line in race.record() if line["type"] == "remark" and "yellow" in json.dumps(line)]


def test_a_clock_that_jumps_wins_nothing(race: Race) -> None:
    ahead_ns = [0]
    red = race.phone("red")
    yellow = race.phone("yellow", clock_ns=lambda: time.monotonic_ns() + ahead_ns[0])

    yellow.ready()

    def jump(phone: Phone) -> None:
        ahead_ns[0] = -300 * MS
        phone.press("yellow fourth")

    assert played(race, red, yellow, jump) == ["red", "yellow"]


def test_late_answers_about_the_clock_make_no_dead_heat(race: Race) -> None:
    red = race.phone("red")
    pause = time.sleep  # the attack itself: each answer is held back
    yellow = race.phone("yellow", before_answer=lambda _: pause(0.29))
    assert played(race, red, yellow, lambda phone: phone.press("yellow fourth"))[0] == "red"

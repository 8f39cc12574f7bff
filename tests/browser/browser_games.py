"""One match of every installed game on real pages: players' phones, and a hall's screen, from the seating to the end.

Players tap whatever their own page offers; what is nobody's is decided at the desk's addresses. A long game is brought
to its end there, too. A picture of each game, as a phone and as the hall have it, is left in `build/games`.
"""

from __future__ import annotations

import urllib.error
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import TimeoutError as NotTapped

from companion.games import registry
from tests.browser.box import ROOT, Box, boxes
from tests.browser.desk import open_page
from tests.browser.players import PHONE, REAL, Host, code_of, open_phone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from playwright.sync_api import Page

TAPS = 24
"""So often phones are tapped; what is left then is done at the desk, where it can be."""
MOST = 400
PICTURES = ROOT / "build" / "games"
COLOURS = ("red", "yellow", "green", "blue", "purple")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """One box for all games, without hardware: its buttons are phones."""
    with boxes(tmp_path_factory.mktemp("games")) as start:
        yield start(config=REAL)


class Table:
    """A match on pages. phones: by their seats."""

    def __init__(self, box: Box, host: Host, phones: Mapping[str, Page], name: str) -> None:
        self.box, self.host, self.phones = box, host, phones
        self.random = Random(name)
        self.taps = 0

    def post(self, address: str, body: dict[str, Any]) -> None:
        """Do something at the desk; the match may have gone on by itself since it was looked at."""
        with suppress(urllib.error.HTTPError):
            self.host.post(address, body)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.box.get("/api/state")
        return state

    def step(self) -> None:
        """Do one thing: on a phone that asks its player, at the desk, or on any phone."""
        state = self.state()
        if state["race"] and state["race"]["asks_card"]:
            self.post("/api/no-card", {})
            return
        asked = [seat for seat, phone in self.phones.items() if phone.get_attribute("#line", "data-mood") == "choose"]
        nobodys = [one for one in state["offers"] if one["required"] and one["seat"] is None]
        open_to_all = [one for one in state["offers"] if one["required"] and not one["private"]]
        if nobodys:
            self.decide(self.random.choice(nobodys))
        elif self.taps >= TAPS and open_to_all:
            self.decide(open_to_all[0])
        elif asked:
            self.tap(self.random.choice(asked))
        elif state["cards"] and (not state["race"] or not state["race"]["is_running"]) and self.random.random() < 0.7:
            self.post("/api/reveal", {"card": self.random.choice(state["cards"])["card"]})
        else:
            self.tap(self.random.choice(list(self.phones)))

    def tap(self, seat: str) -> None:
        """Tap something that a seat's page offers, if anything is there."""
        phone = self.phones[seat]
        phone.wait_for_selector("body.is-ready")
        keys = phone.eval_on_selector_all(
            ".pads .option, .pads .pad:not(.is-idle)",
            "all => all.filter((one) => !/^back/.test(one.innerText)).map((one) => one.dataset.key)",
        )
        self.taps += 1
        if keys:
            button = phone.locator(f'.pads [data-key="{self.random.choice(keys)}"]')
            try:
                button.tap(timeout=5000)
            except NotTapped:
                assert button.count() == 0, "it cannot be tapped"  # else the match has gone on by itself meanwhile
        phone.wait_for_timeout(150)

    def decide(self, offer: dict[str, Any]) -> None:
        """Decide at the desk's addresses."""
        body: dict[str, Any] = {"kind": offer["kind"], "seat": offer["seat"]}
        if offer["number"]:
            body["number"] = offer["number"]["low"]
        elif offer["chance"]:
            body["roll"] = True
        elif offer["stepped"]:
            body["steps"] = self.steps(body)
        else:
            body["option"] = self.random.choice(offer["options"])["key"]
        self.post("/api/choose", body)

    def steps(self, body: dict[str, Any]) -> list[str]:
        chosen: list[str] = []
        while not (step := self.host.post("/api/steps", {**body, "chosen": chosen}))["done"]:
            chosen.append(self.random.choice(step["values"])["key"])
        return chosen


@pytest.mark.parametrize("name", registry.names())
def test_a_match_of_each_game_on_phones_and_a_hall_s_screen(table, new_context, name):
    game, host = registry.find(name), Host(table)
    seats = COLOURS[: max(game.seats.fewest, min(2, game.seats.most))]
    host.begin(*seats, game=name, window_ms=1000)
    phones = {seat: open_phone(new_context(**PHONE), table.url, seat) for seat in seats}
    for seat, phone in phones.items():
        host.post(f"/api/phones/{code_of(phone)}", {"seat": seat})
        phone.wait_for_selector(f"body.is-ready .pads.{seat} button >> nth=0")
    hall = open_page(new_context(viewport={"width": 1920, "height": 1080}), f"{table.url}/hall")
    missing: list[str] = []
    hall.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    play = Table(table, host, phones, name)
    is_pictured = False
    for _ in range(MOST):
        state = play.state()
        if state["phase"] == "final":
            break
        if not is_pictured and play.taps >= TAPS // 2:
            is_pictured = True
            take_pictures(name, phones[seats[0]], hall)
        if play.taps >= TAPS and state["can"]["end"]:
            play.post("/api/end", {})
        else:
            play.step()
    assert play.state()["phase"] == "final", play.state()["offers"]
    assert play.taps >= min(TAPS, play.state()["match"]["lines"] // 4)
    for phone in phones.values():
        phone.wait_for_selector('#line:has-text("win"), #line:has-text("over"), #line:has-text("share")')
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert hall.evaluate("document.documentElement.scrollWidth") <= 1920
    take_pictures(f"{name}-end", phones[seats[0]], hall)
    assert missing == []
    record = host_record(table)
    assert [ruling for ruling in table.replay(record) if ruling["type"] == "error"] == []


def host_record(box: Box) -> int:
    """Give the newest match."""
    number: int = box.get("/api/matches")[0]["id"]
    return number


def take_pictures(name: str, phone: Page, hall: Page) -> None:
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    phone.screenshot(path=PICTURES / f"{name}-phone.png", full_page=True)
    hall.screenshot(path=PICTURES / f"{name}-hall.png")

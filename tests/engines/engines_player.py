"""A player's page in Chromium, Firefox and WebKit: the same evening in each.

Take a seat, press in a race, see what came of it, load the page anew, lose the connection and be told, and press on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.attack.phones import Phone
from tests.browser.proxy import Proxy
from tests.engines.table import REAL, Referee, is_final, presses_of, remarks_of, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.box import Box
    from tests.engines.engine import Engine

# What the player's page is, for these tests.
ADDRESS = "/play"
TAKE_SEAT = '[data-key="ask red"]'
READY = "body.is-ready .pad"
BUTTON = '[data-button="red fourth"]'
OWN_LINE = "#line .headline"
TAKEN, OUTCOME = "Taken", "1st"
LOST = "body.is-lost #line"

PHONE = (360, 640)
OTHER = "yellow fourth"


def play(engine: Engine, box: Box, other: Phone, number: int) -> None:
    """Have both press in a race, the player first, and see on the player's page what comes of it."""
    engine.wait_for(READY)
    engine.tap(BUTTON)
    engine.wait(f"document.querySelector({OWN_LINE!r})?.innerText.startsWith({TAKEN!r})")
    assert other.press(OTHER)["taken"]
    until(box, is_final(number))
    engine.wait(f"document.querySelector({OWN_LINE!r})?.innerText.startsWith({OUTCOME!r})")


def test_a_player_takes_a_seat_plays_reloads_and_comes_back(engine: Engine, new_box: Callable[..., Box]) -> None:
    box = new_box("--game", "order", "--seats", "red,yellow", "--window", "20", config=REAL)
    referee, proxy = Referee(box), Proxy(box.port)
    other = Phone(box.port, "yellow")
    referee.grant("yellow")
    other.ready()
    engine.size(*PHONE)
    engine.open(proxy.url + ADDRESS)
    engine.tap(TAKE_SEAT)
    referee.grant("red")
    play(engine, box, other, 1)
    engine.reload()
    play(engine, box, other, 2)
    proxy.cut()
    engine.wait_for(LOST)
    assert "lost" in engine.text(OWN_LINE)
    proxy.mend()
    play(engine, box, other, 3)
    other.close()
    proxy.close()
    presses = presses_of(box, "red")
    assert len(presses) == 3, "a press was lost, or counted twice"
    unsure = sum("error_ns" not in press for press in presses)
    assert unsure <= remarks_of(box, "its own stamp was"), "a press has no ±, and nobody was told why"
    assert engine.ask("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"

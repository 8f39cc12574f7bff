"""How the box stands, said to somebody who has just come."""

from __future__ import annotations

import pytest

from companion.core.play.commands import CloseRace, EndMatch, EnterCard
from companion.core.timing.events import MS
from companion.screens.web import state as web
from tests.core.play.test_commands import Desk, two
from tests.core.play.virtual_box import unfinished


def now(box: Desk) -> tuple[str, str]:
    said = web.state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["now"]
    return said["title"], said["says"]


def test_nobody_sits_here_yet() -> None:
    title, says = now(Desk(seats=(), start=False))
    assert title == "Nobody sits here yet"
    assert "Take a seat" in says


@pytest.mark.parametrize(("seats", "title", "says"), [
    (("red",), "Red has a seat", "One more, and a match can begin."),
    (("red", "yellow", "blue"), "Red, yellow and blue have seats", "The match has not begun yet."),
])  # fmt: skip
def test_who_sits_is_said_before_the_match(seats: tuple[str, ...], title: str, says: str) -> None:
    assert now(Desk(seats=seats, start=False)) == (title, says)


def test_who_plays_and_who_has_won() -> None:
    box = two()
    assert now(box) == ("A match of Apache", "Red and yellow play.")
    for card in ("buffalo", "red hunter"):
        box.ask(EnterCard(card=card), box.now_ms + 500)
    box.press("red hunter", box.now_ms + 500)
    box.ask(CloseRace(), box.now_ms + 500)
    box.run(box.now_ms + 5000)
    box.ask(EndMatch(), box.now_ms + 100)
    assert now(box) == ("Apache is over", "Red wins.")


def test_a_shared_victory_is_said() -> None:
    box = two()
    box.ask(EndMatch(), 2000)
    assert now(box) == ("Apache is over", "Red and yellow share the victory.")


def test_a_match_that_was_cut_off_is_offered() -> None:
    box = Desk(seats=(), start=False, unfinished=unfinished(two().lines))
    assert now(box) == ("A match was cut off", "The referee says whether it goes on.")

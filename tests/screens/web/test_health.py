"""What is said of inputs, and that nothing is said of them that would tell who presses."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.play.commands import Consent, EndMatch, NewMatch, Player
from companion.core.play.snapshot import Running
from companion.core.timing.events import MS, SECOND
from companion.core.timing.line_health import LONG_BOUNCE_NS, LineHealth
from companion.screens.web.health import (
    HIDDEN,
    PHONES_RACE,
    health_document,
    input_document,
    why_withheld,
)
from tests.core.play.test_commands import Desk, two

NOW = 100 * SECOND


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (LineHealth("red first"), "not read yet; not pressed yet"),
        (LineHealth("red first", is_down=False), "not pressed yet"),
        (
            LineHealth("red first", is_down=True, presses=1, pressed_ns=NOW - SECOND, bounce_ns=0),
            "pressed now; pressed once, last 1 s ago; did not bounce",
        ),
        (
            LineHealth("red first", is_down=False, presses=3, pressed_ns=NOW - 4 * SECOND, bounce_ns=MS, bounces=2),
            "pressed 3 times, last 4 s ago; bounced 1.0 ms in 3 edges",
        ),
        (
            LineHealth("red first", is_down=False, glitches=2, glitch="it was too short", fault="stuck"),
            "stuck; not pressed yet; 2 times no press: it was too short",
        ),
        (
            LineHealth("red first", is_down=False, presses=1, pressed_ns=NOW - 99 * SECOND, glitches=1, glitch="short"),
            "pressed once, last 99 s ago; once no press: short",
        ),
    ],
)
def test_an_input_is_told_in_words(line: LineHealth, says: str) -> None:
    assert input_document(line, NOW)["says"] == says


def test_long_ago_is_told_in_minutes() -> None:
    line = LineHealth("red first", is_down=False, presses=1, pressed_ns=0)
    assert input_document(line, 240 * SECOND)["says"] == "pressed once, last 4 min ago"


@pytest.mark.parametrize(
    ("line", "is_doubtful"),
    [
        (LineHealth("red first", bounce_ns=LONG_BOUNCE_NS), False),
        (LineHealth("red first", bounce_ns=LONG_BOUNCE_NS + 1), True),
        (LineHealth("red first", glitches=1), True),
        (LineHealth("red first", fault="stuck"), True),
    ],
)
def test_what_somebody_should_look_at(line: LineHealth, is_doubtful: bool) -> None:
    assert input_document(line, NOW)["is_doubtful"] is is_doubtful


def test_a_line_that_stands_in_for_a_button_names_both() -> None:
    found = input_document(LineHealth("red fourth (browser)"), NOW)
    assert (found["line"], found["button"]) == ("red fourth (browser)", "red fourth")


def running(box: Desk) -> Running | None:
    return box.session.snapshot(round(box.now_ms * MS)).match


def test_nothing_is_told_while_phones_race() -> None:
    box = two()
    assert why_withheld(running(box), set()) is None
    assert why_withheld(running(box), {Colour.RED}) == PHONES_RACE
    assert why_withheld(running(box), {Colour.PURPLE}) is None, "it plays no seat of the match"
    box.ask(EndMatch(), 2000)
    assert why_withheld(running(box), {Colour.RED}) is None
    assert why_withheld(None, {Colour.RED}) is None


def test_nothing_is_told_while_an_allowance_may_hide_presses() -> None:
    box = Desk(seats=("red", "yellow"), allowances_ms={"red": 0, "yellow": 800}, start=False)
    box.ask(NewMatch(seats=(Player(Colour.RED), Player(Colour.YELLOW, allowance_ms=800))), 1000)
    for at_ms, colour in ((1500, Colour.RED), (2000, Colour.YELLOW)):
        box.ask(Consent(seat=colour, by="Ann"), at_ms)
    assert why_withheld(running(box), set()) == HIDDEN


def test_what_is_withheld_names_no_input() -> None:
    document: dict[str, Any] = health_document([LineHealth("red first", is_down=True)], NOW, PHONES_RACE)
    assert document == {"withheld": PHONES_RACE, "inputs": []}

"""An allowance that moves a place is said in its row, wherever the row is: display, pages, lines, account, course."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, EnterCard
from companion.core.shown.scene import Results, Standing
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.oled.picture import draw
from companion.screens.text.account import replay_account
from companion.screens.text.history import entries
from companion.screens.text.scene_lines import lines
from companion.screens.text.wording import whole_ms
from companion.screens.web import state as web
from companion.screens.web.matches import match_document
from tests.core.play.test_commands import Desk

RED, YELLOW, *_ = Colour
MOVED = "5,200 − 800 ms allowance (raw +700 ms)"
SIZES = ((128, 64), (256, 64))


def raced(*, allowance_ms: int = 800, yellow_ms: int = 7200) -> Desk:
    """Red presses 4.5 s after the card, yellow, who has an allowance, at `yellow_ms`; nobody has judged yet."""
    box = Desk(seats=("red", "yellow", "blue"), allowances_ms={YELLOW: allowance_ms})
    for colour in box.session.asks_consent_of:
        box.session.consent(colour, "Ann")
    box.ask(EnterCard(card="yellow hunter"), 1200)
    box.ask(EnterCard(card="buffalo"), 1500)
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 6500)
    box.press("yellow hunter", yellow_ms)
    box.run(yellow_ms + 200)
    return box


def document(box: Desk) -> dict[str, Any]:
    return web.state_document(box.session.snapshot(round(box.now_ms * MS)), 1)


def texts(box: Desk, size: tuple[int, int]) -> str:
    return " ".join(placed.text for placed in draw(box.scene, size).placed)


def test_the_provisional_row_says_it_everywhere() -> None:
    box = raced()
    assert isinstance(box.body, Standing)
    assert [row.colour for row in box.body.rows] == [YELLOW, RED]
    assert f"1 YEL hunter first: {MOVED}" in lines(box.scene)
    first, second = document(box)["race"]["rows"]
    assert first["allowance_text"] == MOVED
    assert first["allowance_text"] in first["says"]
    assert second["allowance_text"] is None


@pytest.mark.parametrize("size", SIZES)
def test_the_small_display_says_it_while_it_races_when_it_is_final_and_beside_what_was_taken(
    size: tuple[int, int],
) -> None:
    box = raced()
    assert "−800 allow" in texts(box, size) or "− 800 allow" in texts(box, size)
    box.ask(CloseRace(), 8000)
    assert "−800 allow" in texts(box, size) or "− 800 allow" in texts(box, size)
    for at_ms in range(8500, 14_000, 500):
        box.run(at_ms)
        if isinstance(box.body, Results) and box.body.focus < 0:
            assert "−800 allow" in texts(box, size) or "− 800 allow" in texts(box, size)
            return
    raise AssertionError("no results were shown")


def test_the_account_the_course_and_a_past_match_say_it() -> None:
    box = raced()
    box.ask(CloseRace(), 8000)
    assert any(told.startswith(f"  1. yellow hunter, {MOVED}") for told in replay_account(box.record(), registry.find))
    match = box.session.match
    assert match is not None
    said = [sentence for entry in entries(match.history, match.game) for sentence in entry["says"]]
    assert any(sentence.startswith(f"yellow hunter is first: {MOVED}") for sentence in said)
    (race,) = match_document(box.record(), registry.find)["races"]
    assert [press["allowance_text"] for press in race["presses"]] == [MOVED, None]


@pytest.mark.parametrize(("allowance_ms", "yellow_ms"), [(800, 7400), (800, 6400), (0, 7200)])
def test_a_place_that_no_allowance_has_moved_says_nothing_of_one(allowance_ms: int, yellow_ms: int) -> None:
    rows = document(raced(allowance_ms=allowance_ms, yellow_ms=yellow_ms))["race"]["rows"]
    assert [row["allowance_text"] for row in rows] == [None, None]


@pytest.mark.parametrize(
    ("time_ns", "says"),
    [(0, "0"), (400_000, "0.4"), (2 * MS, "2"), (9_940_000, "9.9"), (800 * MS, "800"), (5_200 * MS, "5,200")],
)
def test_whole_milliseconds_are_written_with_thousands_apart(time_ns: int, says: str) -> None:
    assert whole_ms(time_ns) == says

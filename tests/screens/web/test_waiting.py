"""What the box waits for: one sentence at every stage, and where no window closes a race, that nothing counts down."""

from __future__ import annotations

from typing import Any

from companion.core.panel import Colour
from companion.core.play.commands import (
    Choose,
    CloseRace,
    EndMatch,
    EnterCard,
    LeaveMatch,
    MakeProtest,
    NewMatch,
    NoCard,
    Player,
    SignResult,
    TakeBack,
)
from companion.screens.web.waiting import NO_COUNTDOWN
from tests.core.play.test_commands import Desk, two
from tests.core.play.virtual_box import unfinished
from tests.screens.web.test_state import state


def waits(box: Desk) -> str:
    said: str = state(box)["waits"]["says"]
    return said


def test_before_a_match_it_says_who_sits() -> None:
    box = Desk(seats=(), start=False)
    assert waits(box) == "Nobody sits yet: seat the players, then begin the match."
    box.press("red hunter", 1000)
    box.run(1500)
    assert waits(box) == "Red sits: begin the match, or seat more players."
    box.press("blue hunter", 2000)
    box.run(2500)
    assert waits(box) == "Red and blue sit: begin the match, or seat more players."


def test_allowances_are_waited_for_by_their_seats() -> None:
    box = Desk(seats=(), start=False)
    seats = (Player(Colour.RED, allowance_ms=200), Player(Colour.BLUE))
    box.ask(NewMatch(seats=seats), 1000)
    assert waits(box).startswith("Red and blue have to agree, by a button")


def test_a_match_that_was_cut_off_is_offered() -> None:
    box = two()
    box.ask(EnterCard(card="buffalo"), 2000)
    cut = Desk(unfinished=unfinished(box.lines), start=False)
    assert waits(cut) == "A match was cut off: take it up, or leave it."


def test_a_whole_race_and_the_end() -> None:
    box = two()
    assert waits(box) == "Red turns the next card: enter it."
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2300)
    box.ask(EnterCard(card="teepee"), 2600)
    box.press("red hunter", 4000)
    box.run(4200)
    assert state(box)["waits"] == {"says": "Presses are being collected.", "countdown": ""}
    box.run(9000)
    assert waits(box) == "Red chooses."
    option = state(box)["offers"][0]["options"][0]["key"]
    box.ask(Choose(option=option), 9500)
    assert waits(box) == "Red turns the next card: enter it."
    box.ask(EndMatch(), 10_000)
    assert waits(box) == "The match is over: who accepts the result?"
    box.ask(MakeProtest(colour=Colour.RED), 10_300)
    assert waits(box) == "The match is over, and a protest waits for its answer."


def test_when_all_have_signed_the_way_leads_back() -> None:
    box = two()
    box.ask(EndMatch(), 2000)
    for at_ms, colour in ((2500, Colour.RED), (3000, Colour.YELLOW)):
        box.ask(SignResult(colour=colour), at_ms)
    assert waits(box) == "The match is over, and all have accepted the result."
    box.ask(LeaveMatch(), 4000)
    assert "begin the match" in waits(box)


def test_presses_without_a_card_ask_for_it() -> None:
    box = two()
    box.press("red hunter", 2000)
    box.run(9000)
    assert waits(box) == "Which card was turned? Enter it, or say that there was none."
    box.ask(NoCard(), 9500)
    assert waits(box) == "Red turns the next card: enter it."


def test_after_a_judging_was_taken_back_the_race_says_what_it_waits_for_and_that_nothing_counts_down() -> None:
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.press("red hunter", 9000)
    box.run(9200)
    box.ask(CloseRace(), 9500)
    taken = 0
    said: list[dict[str, Any]] = []
    while taken < 2:
        undo = state(box)["can"]["undo"]
        box.ask(TakeBack(line=undo["line"]), 10_000 + 500 * taken)
        said.append(state(box)["waits"])
        taken += 1
    assert said[0]["says"] == "Was another card turned? Enter it, or say that there was none."
    assert said[0]["countdown"] == ""
    assert said[1]["says"] == "The race is open again, until you close it."
    assert said[1]["countdown"] == NO_COUNTDOWN
    box.ask(CloseRace(), 12_000)
    assert state(box)["waits"]["countdown"] == ""

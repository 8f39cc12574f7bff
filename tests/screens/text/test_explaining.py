"""What a practice match says beside each ruling: the reason of each place, of each verdict, and no more than is so."""

from __future__ import annotations

from typing import Any

from companion.core.panel import Colour
from companion.core.record.lines import Remark, Setup
from companion.core.record.practice import LOOKED_AT, PRACTICE, is_practice
from companion.core.shown.scene import Allowance, Row, Turn
from companion.core.timing.events import MS
from companion.screens.text.explaining import explained

US = 1_000
HEAT = "to the earlier time"


def row(place, colour, gap_ns=0, **more):
    defaults: dict[str, Any] = {"error_ns": 40 * US, "dead_heat": False, "tied_with": (), "verdict": None, "why": None,
                "why_says": "", "why_brief": "", "allowance": None, "anticipated": False}  # fmt: skip
    return Row(place=place, colour=Colour(colour), role="first", gap_ns=gap_ns, **(defaults | more))


def turn(colour, result, *cards):
    return Turn(colour=Colour(colour), role="first", result=result, why_says="", cards=cards, note="")


def said(rows, *turns, clauses=None):
    found = explained(tuple(rows), turns, HEAT, clauses or {})
    return {str(one.colour): " ".join(one.sentences) for one in found}


def test_an_order_is_explained_by_the_gaps_and_their_uncertainty():
    told = said([row(1, "red", error_ns=20 * US), row(2, "blue", 83 * MS)])
    assert told["red"] == "Nobody pressed earlier: blue came 83.0 ms later."
    assert told["blue"] == "Pressed 83.0 ms after red, ±40 µs, so the order is certain."


def test_one_press_alone_is_first():
    assert said([row(1, "red")]) == {"red": "Nobody else pressed."}


def test_a_dead_heat_is_explained_by_what_was_agreed_for_it():
    rows = [
        row(1, "blue", dead_heat=True, tied_with=(Colour.RED,)),
        row(2, "red", 15 * US, dead_heat=True, tied_with=(Colour.BLUE,)),
    ]
    assert said(rows)["red"] == (
        "Too close to call: the times of red and blue differ by less than their ± together."
        " A dead heat goes to the earlier time in this match; that gives red place 2."
    )


def test_three_in_one_dead_heat_are_all_named():
    tied = row(1, "red", dead_heat=True, tied_with=(Colour.BLUE, Colour.GREEN))
    assert "the times of red, blue and green differ" in said([tied])["red"]


def test_an_order_that_an_allowance_made_says_what_it_would_be_without():
    rows = [row(1, "red", allowance=Allowance(800 * MS, 700 * MS, None)), row(2, "blue", -700 * MS)]
    told = said(rows)
    assert told["red"] == (
        "First by an allowance: blue pressed 700 ms earlier."
        " An allowance takes 800 ms off; without it it would be 700 ms behind the earliest."
    )
    assert told["blue"] == "Pressed 700 ms before red, who is placed first by an allowance."


def test_a_gap_within_its_uncertainty_is_not_called_certain():
    told = said([row(1, "red"), row(2, "blue", 30 * US)])
    assert told["blue"] == "Pressed 30 µs after red, ±40 µs."


def test_a_punishment_says_why_what_it_costs_and_by_which_rule():
    punished = row(1, "red", verdict="punish", why="no card", why_says="no red first is face up")
    (one,) = explained((punished,), (turn("red", "punished", "a", "b"),), HEAT, {"no card": "Punishment"})
    assert one.sentences[1:] == ("Punished: no red first is face up.", "It gives up 2 cards.")
    assert one.clause == "Punishment"
    assert "It has no card to give up." in said([punished], turn("red", "punished"))["red"]


def test_a_good_play_says_so_and_what_came_of_it():
    good = row(1, "red", verdict="claim")
    assert said([good], turn("red", "claimed", "a"))["red"].endswith("It takes 1 card.")
    assert said([good], turn("red", "nothing"))["red"].endswith(
        "When its turn came, those before had taken all of it. That is not punished."
    )
    (one,) = explained((good,), (), HEAT, {"claim": "What may be taken"})
    assert one.clause == "What may be taken"


def test_a_press_that_was_a_guess_is_told():
    assert "nobody can have seen it" in said([row(1, "red", anticipated=True)])["red"]


def test_a_record_is_of_a_practice_match_by_its_remark_alone():
    setup = Setup(record=1, match="x", game="order", edition=1, seats=(), first=Colour.RED, dead_heat="timestamp")
    other, practice = Remark(text="a card was torn"), Remark(text=PRACTICE, source="box")
    assert is_practice([setup, other, practice])
    assert not is_practice([setup, other])
    assert not is_practice([setup, *[other] * LOOKED_AT, practice])

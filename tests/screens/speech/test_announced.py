"""Decisions in sentences: who must choose between what, and which button picks each."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.play.commands import EnterCard
from companion.core.record.lines import End
from companion.core.ruling.offers import Chance, NumberEntry, Offer, Option
from companion.core.shown.scene import Choosing, Idle, Menu, MenuItem
from companion.core.timing.events import MS
from companion.screens.speech.announced import by_buttons, must_choose
from companion.screens.web import state as web
from tests.core.play.test_commands import Desk
from tests.screens.scenes import VIEW

RED, YELLOW, *_ = Colour


def option(label: str, group: str = "", group_label: str = "") -> Option:
    return Option(label, End(), group or label, group_label)


def offer(*options: Option, **more: Any) -> Offer:
    return Offer("bid", RED, more.pop("prompt", "RED takes"), options, **more)


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        (offer(option("1 stone"), option("2 stones")), "Red must choose: 1 stone, or 2 stones."),
        (offer(option("1 stone")), "Red must choose: 1 stone."),
        (offer(option("a, b"), option("c"), option("d")), "Red must choose: a, b; c; or d."),
        (offer(option("a", "x", "an a"), option("b", "x", "an a"), option("c")), "Red must choose: an a, or c."),
        (offer(option("a", "x", "an a"), option("b", "x", "an a")), "Red must choose: a, or b."),
        (offer(option("pass"), prompt="bid"), "Red must choose (bid): pass."),
        (offer(prompt="bid", number=NumberEntry(1, 9, lambda _: End())),
         "Red must choose (bid) a number from 1 to 9."),
        (offer(prompt="roll", chance=Chance("die")), "Red must choose (roll)."),
        (offer(prompt="a move", is_stepped=True), "Red must choose (a move)."),
        (offer(option("1 stone"), is_private=True), "Red must choose secretly."),
        (offer(option("1 stone"), required=False), ""),
    ],
)  # fmt: skip
def test_a_decision_is_said_with_what_there_is_to_choose(decision: Offer, says: str) -> None:
    assert must_choose(decision, "Red") == says


def choosing(*items: MenuItem, seat: Colour | None = RED, is_private: bool = False) -> Choosing:
    return Choosing(1, seat, Menu("RED takes", items), is_private=is_private)


ITEMS = (MenuItem("1 stone", role="ace"), MenuItem("count", "3", button="green ten"), MenuItem("by hand"))


def test_each_choice_is_said_with_the_name_of_its_button() -> None:
    assert by_buttons(offer(option("1 stone")), choosing(*ITEMS)) == "Red ace: 1 stone. Green ten: count 3."


@pytest.mark.parametrize(
    "body", [choosing(*ITEMS, seat=YELLOW), choosing(*ITEMS, is_private=True), Idle("Race", VIEW, "")]
)
def test_no_button_is_named_that_picks_nothing_or_is_secret(body: Any) -> None:
    assert by_buttons(offer(option("1 stone")), body) == ""


def test_a_private_choice_says_nothing_of_its_options() -> None:
    said = must_choose(offer(option("1 stone"), is_private=True), "Red")
    assert "stone" not in said


def test_the_state_has_the_sentences_with_the_player_s_name() -> None:
    box = Desk(seats=("red", "yellow"), names={RED: "Ann"}, variants=("wedding",))
    for index, card in enumerate(("buffalo", "teepee", "green maiden", "red hunter")):
        box.ask(EnterCard(card=card), 1200 + 300 * index)
    box.press("red hunter", 6500)
    box.run(10_000)
    (found,) = web.state_document(box.session.snapshot(10_000 * MS), 1)["offers"]
    assert found["says"] == "Ann (red) must choose: 1 buffalo; 1 teepee; or 1 teepee, spouse green maiden."
    assert found["by_buttons"] == ""
    box.run(20_000)
    (found,) = web.state_document(box.session.snapshot(20_000 * MS), 1)["offers"]
    assert found["by_buttons"].startswith("Red chief: 1 buffalo. Red warrior: 1 teepee. Red maiden: ")

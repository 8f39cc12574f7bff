"""What has been picked of a choice so far, and whether it can still be picked once the choice has changed."""

from __future__ import annotations

import pytest

from companion.core.hands.choosing import Progress, counted_on, is_possible, seen_picks
from companion.core.panel import Colour
from companion.core.record.lines import End
from companion.core.ruling.offers import Chance, NumberEntry, Offer, Option, Step
from companion.games.registry import find
from tests.games.les_apaches.table import Table

RED = Colour.RED
GAME = find("les-apaches")


def chosen(**of: object) -> Progress:
    return Progress("bid", RED, **of)  # type: ignore[arg-type]


def offer(*options: Option, **more: object) -> Offer:
    return Offer("bid", RED, "RED takes", options, **more)  # type: ignore[arg-type]


NUMBER = offer(number=NumberEntry(1, 9, lambda _: End()))
DRAW = offer(chance=Chance("draw", ("stone", "stone", "leaf"), 2))
GROUPS = offer(Option("1 stone", End(), "stones", "stones"), Option("2 stones", End(), "stones", "stones"))


@pytest.mark.parametrize(
    ("what", "progress", "can_be"),
    [
        (NUMBER, chosen(), True),
        (NUMBER, chosen(number=9), True),
        (NUMBER, chosen(number=10), False),
        (NUMBER, chosen(number=0), False),
        (DRAW, chosen(chosen=("stone", "stone")), True),
        (DRAW, chosen(chosen=("leaf", "leaf")), False),
        (DRAW, chosen(chosen=("moss",)), False),
        (GROUPS, chosen(), True),
        (GROUPS, chosen(group="stones"), True),
        (GROUPS, chosen(group="leaves"), False),
    ],
)
def test_what_is_on_offer_no_more_is_not_held_on_to(what: Offer, progress: Progress, can_be: bool) -> None:
    assert is_possible(GAME, None, what, progress) is can_be


def test_fields_that_were_filled_in_stand_while_each_of_them_can_be() -> None:
    state = Table("red blue").put(red="1:2l").turn(hands="red=1 blue=1").state
    action = next(one for one in GAME.offers(state) if one.is_stepped)
    first = GAME.step(state, action, ())
    assert isinstance(first, Step)
    keys = tuple(value.key for value in first.values)
    assert all(is_possible(GAME, state, action, chosen(chosen=(key,))) for key in keys)
    assert not is_possible(GAME, state, action, chosen(chosen=("sleep",)))
    assert not is_possible(GAME, state, action, chosen(chosen=(keys[0], "99")))


def test_a_number_is_counted_within_its_range() -> None:
    entry = NUMBER.number
    assert entry is not None
    assert counted_on(entry, chosen(number=8), 10).number == 9
    assert counted_on(entry, chosen(number=2), -10).number == 1


def test_what_was_drawn_by_hand_is_not_there_to_be_drawn_again_and_the_box_draws_no_more() -> None:
    labels = [
        [pick.item.label for pick in seen_picks(GAME, None, DRAW, chosen(chosen=drawn), can_roll=True)]
        for drawn in ((), ("leaf",), ("stone",))
    ]
    assert labels[0] == ["let the box do it", "stone", "leaf"]
    assert labels[1][:-1] == ["stone"]
    assert labels[2][:-1] == ["stone", "leaf"]

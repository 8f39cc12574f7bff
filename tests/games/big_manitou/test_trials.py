"""Trials of strength, protection, sacrifice: every pair of heroes, and whatever may lie there (`big-manitou.md`)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.core.errors import Illegal
from tests.games.big_manitou.table import GAME, Table

HEROES = ("chieftain", "squaw", "rain_maker", "scout", "medicine_man")
BEATS = {
    ("chieftain", "medicine_man"), ("chieftain", "rain_maker"), ("chieftain", "scout"), ("squaw", "chieftain"),
    ("medicine_man", "rain_maker"), ("medicine_man", "squaw"), ("rain_maker", "scout"), ("rain_maker", "squaw"),
    ("scout", "medicine_man"), ("scout", "squaw"),
}  # fmt: skip


def table_of_two() -> Table:
    return Table("yellow red").laid("tipi 1", "tipi 1", "tipi 1")


def name(hero: str) -> str:
    return hero.replace("_", " ")


def test_of_two_different_heroes_one_beats_the_other() -> None:
    for one, other in product(HEROES, HEROES):
        if one != other:
            assert ((one, other) in BEATS) is not ((other, one) in BEATS)


@pytest.mark.parametrize(("attacker", "lying"), list(product(HEROES, HEROES)))
def test_a_trial_against_one_hero(attacker: Any, lying: Any) -> None:
    table = table_of_two()
    assert table.play("red", f"{lying} m") == []
    (trial,) = table.play("yellow", f"{attacker} m")
    mine, theirs = f"yellow {name(attacker)}", f"red {name(lying)}"
    assert (trial.hunt, trial.ground, trial.colour, trial.card) == (1, "middle", "yellow", mine)
    assert (trial.against, trial.met, trial.sacrifice) == ("red", theirs, False)
    if attacker == lying:
        assert (trial.result, trial.up, table.face_up("middle")) == ("both", None, [])
        assert table.turned_down("middle") == [theirs, mine]
    elif (attacker, lying) in BEATS:
        assert (trial.result, trial.up, table.face_up("middle")) == ("wins", "yellow", [mine])
        assert table.turned_down("middle") == [theirs]
    else:
        assert (trial.result, trial.up, table.face_up("middle")) == ("loses", "red", [theirs])
        assert table.turned_down("middle") == [mine]


@pytest.mark.parametrize(("attacker", "upper"), list(product(HEROES, HEROES)))
def test_a_sacrifice_against_two_is_compared_with_the_upper_one(attacker: Any, upper: Any) -> None:
    """What lies below does not matter, and stays face up."""
    lower = "squaw"
    table = table_of_two()
    table.play("red", f"{lower} l")
    table.play("yellow", "1 l")
    (guard,) = table.play("red", f"{upper} l")
    assert (guard.colour, guard.card, guard.under) == ("red", f"red {name(upper)}", "red squaw")
    (trial,) = table.play("yellow", f"{attacker} l")
    assert trial.sacrifice
    assert trial.up == "red"
    if attacker == upper or (attacker, upper) in BEATS:
        assert trial.result == "both"
        assert table.face_up("left") == ["red squaw"]
        assert table.turned_down("left") == [f"red {name(upper)}", f"yellow {name(attacker)}"]
    else:
        assert trial.result == "loses"
        assert table.face_up("left") == ["red squaw", f"red {name(upper)}"]
        assert table.turned_down("left") == [f"yellow {name(attacker)}"]


def test_after_a_sacrifice_the_other_can_be_attacked_normally_in_the_next_turn() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    table.play("yellow", "1 l")
    table.play("red", "squaw l")
    (trial,) = table.play("yellow", "scout l")
    assert trial.result == "both"
    table.play("red", "1 r")
    (trial,) = table.play("yellow", "chieftain l")
    assert (trial.result, trial.sacrifice, trial.up) == ("wins", False, "yellow")


def test_or_it_is_protected_again_by_another_hero() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    table.play("yellow", "1 l")
    table.play("red", "squaw l")
    table.play("yellow", "scout l")
    (guard,) = table.play("red", "rain_maker l")
    assert (guard.under, table.face_up("left")) == ("red medicine man", ["red medicine man", "red rain maker"])
    (trial,) = table.play("yellow", "medicine_man l")
    assert trial.sacrifice


def test_nobody_has_more_than_two_heroes_face_up_on_a_ground() -> None:
    table = table_of_two()
    for hero in ("medicine_man l", "squaw l"):
        table.play("red", hero)
        table.play("yellow", f"{2 + hero.count('q')} r")
    with pytest.raises(Illegal, match=r"^rule 8: two heroes of red lie face up on the left ground$"):
        table.play("red", "scout l")
    table.play("red", "scout m")


def test_another_may_come_after_one_was_turned_down() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    table.play("yellow", "1 r")
    table.play("red", "squaw l")
    table.play("yellow", "scout l")
    table.play("red", "scout l")
    assert table.face_up("left") == ["red medicine man", "red scout"]


def test_both_chieftains_of_a_tribe_may_guard_each_other_and_the_upper_falls_first() -> None:
    table = table_of_two()
    table.play("red", "chieftain l")
    table.play("yellow", "1 r")
    table.play("red", "chieftain l")
    table.play("yellow", "squaw l")
    cards = [(one.card, one.is_up) for one in table.state.grounds[0].cards if one.seat == 1]
    assert [is_up for _, is_up in cards] == [True, False]


def test_heroes_on_other_grounds_do_not_meet() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    assert table.play("yellow", "chieftain m") == []


def test_a_third_player_meets_whoever_is_face_up() -> None:
    table = Table("green yellow red").laid("tipi 1", "tipi 1", "tipi 1")
    table.play("yellow", "medicine_man l")
    table.play("red", "medicine_man l")
    assert table.face_up("left") == []
    assert table.play("green", "squaw l") == []
    (trial,) = table.play("yellow", "scout l")
    assert (trial.against, trial.result) == ("green", "wins")


def test_a_hunter_fights_nobody() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    assert table.play("yellow", "10 l") == []
    assert table.face_up("left") == ["red medicine man"]


def test_a_hero_that_is_face_down_takes_nothing_and_counts_nothing() -> None:
    table = Table("yellow red").laid("tipi 1, tipi 2", "tipi 1", "tipi 1")
    found = table.hunt(red="medicine_man l", yellow="medicine_man l, 3 m")
    on_left = [one for one in found if getattr(one, "ground", "") == "left"]
    assert [one.__struct_config__.tag for one in on_left] == ["trial", "totals", "gone"]
    assert on_left[1].totals == {}


def test_all_that_is_offered_to_a_seat_with_two_heroes_on_a_ground_are_the_other_grounds() -> None:
    table = table_of_two()
    table.play("red", "medicine_man l")
    table.play("yellow", "1 r")
    table.play("red", "squaw l")
    table.play("yellow", "2 r")
    (offer,) = GAME.offers(table.state)
    assert [value.key for value in GAME.step(table.state, offer, ("red scout",)).values] == ["middle", "right"]
    assert [value.key for value in GAME.step(table.state, offer, ("red hunter 1",)).values] == [
        "left",
        "middle",
        "right",
    ]

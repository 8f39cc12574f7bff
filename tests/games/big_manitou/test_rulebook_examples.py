"""The examples of the source, one by one (`docs/games/big-manitou.md`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.big_manitou.table import Table


def met(attacker: str, lying: str) -> Table:
    """A table of two at which a hero of red lies on the left ground, and yellow's has just met it."""
    table = Table("yellow red").laid("horse", "totem", "tipi 1")
    table.play("red", f"{lying} l")
    table.play("yellow", f"{attacker} l")
    return table


@pytest.mark.parametrize("stronger", ["chieftain", "scout"])
def test_example_1_the_medicine_man_is_defeated_by_chieftain_and_scout(stronger: Any) -> None:
    table = met(stronger, "medicine_man")
    assert table.face_up("left") == [f"yellow {stronger}"]
    assert table.turned_down("left") == ["red medicine man"]


@pytest.mark.parametrize("weaker", ["rain_maker", "squaw"])
def test_example_1_the_medicine_man_defeats_rain_maker_and_squaw(weaker: Any) -> None:
    table = met("medicine_man", weaker)
    assert table.face_up("left") == ["yellow medicine man"]
    assert table.turned_down("left") == [f"red {weaker.replace('_', ' ')}"]


@pytest.mark.parametrize("sacrificed", ["squaw", "chieftain"])
def test_example_2_a_scout_protected_by_a_chieftain_needs_a_sacrifice_of_squaw_or_chieftain(sacrificed: Any) -> None:
    """Alex has protected the scout by a chieftain; Mario sacrifices, and then attacks the scout as any other."""
    table = Table("yellow red").laid("horse", "totem", "tipi 1")
    table.play("red", "scout l")
    table.play("yellow", "1 r")
    (guard,) = table.play("red", "chieftain l")
    assert (guard.card, guard.under) == ("red chieftain", "red scout")
    (trial,) = table.play("yellow", f"{sacrificed} l")
    assert (trial.result, trial.sacrifice, trial.met, trial.up) == ("both", True, "red chieftain", "red")
    assert table.face_up("left") == ["red scout"]
    assert table.turned_down("left") == ["red chieftain", f"yellow {sacrificed}"]
    table.play("red", "1 r")
    (trial,) = table.play("yellow", "rain_maker l")
    assert (trial.result, trial.sacrifice, trial.up) == ("wins", False, "yellow")
    assert table.face_up("left") == ["yellow rain maker"]


@pytest.mark.parametrize("other", ["rain_maker", "scout", "medicine_man"])
def test_example_2_no_other_hero_brings_that_chieftain_down(other: Any) -> None:
    table = Table("yellow red").laid("horse", "totem", "tipi 1")
    table.play("red", "scout l")
    table.play("yellow", "1 r")
    table.play("red", "chieftain l")
    (trial,) = table.play("yellow", f"{other} l")
    assert (trial.result, trial.sacrifice) == ("loses", True)
    assert table.face_up("left") == ["red scout", "red chieftain"]


def test_example_3_tipis_of_3_and_1_and_buffaloes_of_3_and_2_are_4_points_and_5_with_one_more() -> None:
    """Alex is red; yellow pays the thief."""
    table = Table("yellow red").laid("tipi 3, tipi 1, buffalo 3", "buffalo 2", "totem")
    table.hunt(red="scout l, 10 l, chieftain m, squaw m, 1 r, 2 r, 3 r")
    table.loot("red", "tipi 3")
    assert sorted(table.held("red")) == ["buffalo 2", "buffalo 3", "tipi 1", "tipi 3"]
    assert table.points("red") == 4
    table.by_hand("red buffaloes", 5 + 1)
    assert table.points("red") == 5
    table.by_hand("red buffaloes", 5)
    table.by_hand("red tipis", 4 + 1)
    assert table.points("red") == 5


def test_example_4_hunters_of_5_3_and_7_count_7_5_and_9_with_two_tomahawks() -> None:
    table = Table("yellow red").laid("tomahawk, tomahawk", "tipi 1", "tipi 2")
    table.hunt(red="scout m, 10 l, 1 l, 9 l, 2 r, 4 r, 6 r", yellow="2 m")
    assert table.held("red")[:2] == ["tomahawk", "tomahawk"]
    while table.phase == "thief":
        table.forfeit(table.decides, table.offered()[0])
    table.laid("horse", "tipi 1", "tipi 2")
    found = table.hunt(red="5 m, 3 m, 7 m", yellow="10 m")
    (totals,) = [one for one in found if one.__struct_config__.tag == "totals" and one.ground == "middle"]
    assert totals.totals == {"yellow": 10, "red": 7 + 5 + 9}

"""Hideouts, bail, and the end of a round (`les-apaches.md`, 5 to 8)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.games.les_apaches.rules.lines import LastLap, RoundOver
from companion.games.les_apaches.rules.state import Phase
from tests.games.les_apaches.boards import PLACES, WITH_PLACES
from tests.games.les_apaches.table import Table, settled_in

TWO, THREE = "red blue", "red blue green"


def refused(rule: Any) -> Any:
    return pytest.raises(Illegal, match=rf"\(rule {rule.replace('.', '[.]')}\)$")


# -- hideouts


def test_5_1_only_an_own_hideout_is_laid() -> None:
    table = Table(TWO).turn(hands="red=12 blue=3")
    with refused("5.1"):
        table.lay("red", 3, "theft")
    table.lay("red", 2, "theft")


def test_5_1_no_hideout_is_laid_twice() -> None:
    table = Table(TWO).turn(hands="red=12 blue=3")
    table.lay("red", 2, "theft")
    table.lay("blue", 3, "theft")
    with refused("5.1"):
        table.lay("red", 2, "theft")


def test_5_2_with_places_in_the_board_file_each_is_laid_as_often_as_it_is_there() -> None:
    table = Table(TWO, WITH_PLACES).turn(hands="red=222 blue=2")
    with refused("5.2"):
        table.lay("red", 2, "theft")
    table.lay("red", 2, "money 200")
    table.lay("blue", 2, "money 200")
    table.turn(2, hands="red=22")
    with refused("5.2"):
        table.lay("red", 2, "money 200")
    table.lay("red", 2, "jailed")


def test_5_2_without_places_anything_is_taken() -> None:
    table = Table(TWO).turn(hands="red=222")
    table.lay("red", 2, "money 450")


# -- bail


def jailed(**fields: Any) -> Any:
    return Table(TWO).gang("red", leaders=5, jail=(2, 0), **fields).turn(hands="red=11 blue=1")


def test_6_1_bail_is_asked_after_the_hideout_where_there_is_a_prisoner_and_the_money() -> None:
    table = jailed()
    with refused("3.6"):
        table.bail("red", 1)
    table.lay("red", 1, "theft")
    assert table.state.phase is Phase.BAIL
    with refused("3.6"):
        table.lay("blue", 1, "theft")


@pytest.mark.parametrize("fields", [{"money": 149}, {"jail": (0, 2)}])
def test_6_1_it_is_not_asked_of_who_cannot_pay_or_has_nobody_to_free(fields: Any) -> None:
    table = jailed().gang("red", **fields)
    table.lay("red", 1, "theft")
    assert table.in_turn() == "blue"


def test_6_2_no_more_are_freed_than_there_are_or_can_be_paid_for() -> None:
    table = jailed()
    table.lay("red", 1, "theft")
    with refused("6.2"):
        table.bail("red", 3)
    table.by_hand("red money", 299)
    with refused("6.2"):
        table.bail("red", 2)
    table.bail("red", 1)


def test_6_3_who_is_freed_is_in_the_reserve_at_once_and_counts_for_the_last_lap() -> None:
    table = jailed().turn(5, hands="red=11 blue=1").gang("blue", leaders=6)
    table.lay("red", 1, "theft")
    (ruling,) = table.bail("red", 2)
    assert (ruling.francs, table.money()["red"], table.of("red").leaders) == (300, 200, 7)
    rulings = table.lay("blue", 1, "theft")
    assert next(one for one in rulings if isinstance(one, LastLap)).order == ("red", "blue")


def test_6_3_nothing_is_paid_where_nobody_is_freed() -> None:
    table = jailed()
    table.lay("red", 1, "theft")
    (ruling,) = table.bail("red", 0)
    assert (ruling.prisoners, ruling.francs, table.money()["red"]) == (0, 0, 500)


# -- settling


def test_7_districts_are_settled_in_ascending_order_and_then_the_burghers_and_the_fence() -> None:
    found = Table(THREE).settle()
    assert [ruling.district for ruling in found] == ["1", "4", "5", "6", "7", "8", "9"]


def test_7_1_a_district_with_nobody_in_it_gives_nothing_and_is_not_asked() -> None:
    (ruling,) = [one for one in Table(TWO).settle() if one.district == "6"]
    assert (ruling.colour, ruling.francs, ruling.loot, ruling.strength) == (None, 0, None, {})


def test_7_1_a_tie_that_a_hand_has_made_gives_nothing_to_anybody() -> None:
    table = Table(TWO).put(red="6:2l", blue="6:2l")
    ruling = settled_in(table.settle(), 6)
    assert (ruling.colour, ruling.strength) == (None, {"red": 2, "blue": 2})


def test_7_1_novices_and_reinforcements_count_like_leaders() -> None:
    table = Table(TWO).gang("blue", reinforcements=2).put(red="6:3l", blue="6:1l1n2r")
    assert settled_in(table.settle({6: "money 500"}), 6).colour == "blue"


def test_7_2_what_was_taken_away_is_worked_out_where_the_file_gives_the_places() -> None:
    table = Table(TWO, WITH_PLACES).put(red="6:1l")
    course = table.state.course
    from msgspec.structs import replace

    laid = tuple(tuple(PLACES.get(n, ()))[1:] if n != 1 else ("theft",) for n in range(1, 10))
    table.judge.state = replace(table.state, course=replace(course, laid=laid))
    rulings = end_with(table, "blue", 1, "money 300")
    found = {one.district: one.loot for one in rulings if hasattr(one, "strength")}
    assert found == {"1": "wounded", "2": "money 200", "3": "money 500", "6": "money 500", "8": None, "9": None}
    assert table.money() == {"red": 1000, "blue": 500}


def end_with(table: Any, colour: Any, district: Any, loot: Any) -> Any:
    from msgspec.structs import replace

    laid = table.state.course.laid
    table.turn(6, hands=f"{colour}={district}")
    course = table.state.course
    seat = [str(one) for one in table.state.terms.colours].index(colour)
    order = (*[n for n in course.order if n != seat], seat)
    table.judge.state = replace(table.state, course=replace(course, at=len(order) - 1, order=order, laid=laid))
    return table.lay(colour, district, loot)


def test_7_2_elsewhere_it_is_asked_of_the_district_in_turn() -> None:
    table = Table(TWO).put(red="1:1l 6:1l")
    end_with(table, "blue", 1, "theft")
    assert (table.state.phase, table.state.asking) == (Phase.UNLAID, 1)
    with refused("3.6"):
        table.unlaid(6, "theft")
    table.unlaid(1, "money 200")
    assert table.state.asking == 6


def test_7_3_money_and_burglaries_are_paid() -> None:
    table = Table(TWO).put(red="1:1l 2:1l", blue="3:1l")
    found = table.settle({1: "money 250", 2: "burglary 400", 3: "burglary 150"})
    assert [settled_in(found, n).francs for n in (1, 2, 3)] == [250, 400, 150]
    assert table.money() == {"red": 1150, "blue": 650}


def test_7_4_a_gang_pays_what_it_has() -> None:
    table = Table(THREE).put(red="4:1l").gang("blue", money=70)
    ruling = settled_in(table.settle({4: "theft"}), 4)
    assert (ruling.francs, ruling.given) == (270, {"blue": 70, "green": 200})
    assert table.money() == {"red": 770, "blue": 0, "green": 300}


def test_7_5_two_reinforcements_come_for_the_next_round() -> None:
    table = Table(TWO).put(red="1:1l")
    assert settled_in(table.settle({1: "reinforcements"}), 1).reinforcements == 2
    assert (table.of("red").reinforcements, table.of("red").won, table.state.stock) == (2, 0, 3)


def test_7_5_fewer_come_where_fewer_are_there_and_those_in_this_round_s_use_are_not() -> None:
    table = Table(TWO).gang("blue", reinforcements=2).put(red="1:1l 2:1l 3:1l", blue="6:1l1r")
    found = table.settle(dict.fromkeys((1, 2, 3, 6), "reinforcements"))
    assert [settled_in(found, n).reinforcements for n in (1, 2, 3, 6)] == [2, 1, 0, 0]
    assert (table.of("red").reinforcements, table.of("blue").reinforcements, table.state.stock) == (3, 0, 2)


@pytest.mark.parametrize(("loot", "where"), [("wounded", "hospital"), ("jailed", "jail"), ("killed", "killed")])
def test_7_6_a_loss_takes_one_leader_of_the_majority(loot: Any, where: Any) -> None:
    table = Table(TWO).put(red="1:2l", blue="1:1l")
    ruling = settled_in(table.settle({1: loot}), 1)
    assert (ruling.colour, ruling.lost, table.of("red").leaders, table.of("blue").leaders) == ("red", 1, 6, 7)
    assert getattr(table.of("red"), where) == (1 if where == "killed" else (1, 0))


def test_7_6_nobody_is_lost_where_no_leader_is() -> None:
    table = Table(TWO).put(red="1:2n", blue="1:1l")
    assert settled_in(table.settle({1: "killed"}), 1).lost == 0


def test_7_8_the_fence_pays_250_for_each_burglary_of_this_round_and_gives_a_reinforcement() -> None:
    table = Table(TWO).put(red="1:1l 2:1l 9:1l", blue="3:1l")
    found = table.settle({1: "burglary 100", 2: "burglary 100", 3: "burglary 100"})
    assert (settled_in(found, 9).francs, settled_in(found, 9).reinforcements) == (500, 1)
    assert table.money() == {"red": 1200, "blue": 600}
    assert table.of("red").burglaries == 0


def test_7_9_leaders_come_home_and_what_was_used_is_gone() -> None:
    table = Table(TWO).gang("red", reinforcements=2).put(red="1:2l2n1r 6:1l", blue="2:1l")
    table.settle()
    red = table.of("red")
    assert (red.reserve, red.spent, table.state.stock) == ((7, 1, 0), 2, 5)
    assert not any(any(figures) for row in table.state.streets for figures in row)


def test_7_9_terms_end_with_the_next_round_and_killed_ones_never_come_back() -> None:
    table = Table(TWO).put(red="1:2l 2:2l 3:2l")
    table.settle({1: "wounded", 2: "jailed", 3: "killed"})
    assert table.of("red").leaders == 4
    table.settle(number=2)
    (over,) = [one for one in table.rulings if isinstance(one, RoundOver)]
    assert (over.back, table.of("red").leaders, table.of("red").killed) == ({"red": 2, "blue": 0}, 6, 1)


def test_7_9_the_first_player_moves_clockwise() -> None:
    table = Table(THREE, first="green")
    course = table.state.course
    table.settle()
    (over,) = [one for one in table.rulings if isinstance(one, RoundOver)]
    assert (course.first, over.first, table.in_turn()) == (2, "red", "red")


# -- by hand


def test_10_figures_set_by_hand_come_from_the_reserve_and_go_back_there() -> None:
    table = Table(TWO).put(red="1:2l1n")
    table.by_hand("red leaders 1", 5)
    assert (table.state.streets[0][0], table.of("red").leaders) == ((5, 1, 0), 2)
    table.by_hand("red novices 1", 0)
    table.by_hand("red hospital", 2)
    table.by_hand("blue jail", 3)
    assert (table.of("blue").leaders, table.of("blue").jail) == (4, (3, 0))
    table.by_hand("blue killed", 4)
    table.by_hand("blue jail", 1)
    assert (table.of("blue").leaders, table.of("blue").jail, table.of("blue").killed) == (2, (1, 0), 4)
    assert (table.of("red").reserve, table.of("red").hospital) == ((0, 3, 0), (2, 0))
    with pytest.raises(Illegal, match="from 0 to 2"):
        table.by_hand("red hospital", 3)


def test_10_money_set_by_hand_has_a_row_of_its_own() -> None:
    table = Table(TWO)
    table.by_hand("blue money", 1250)
    ledger = table.game.ledgers(table.state)[0]
    (by_hand,) = (row for row in ledger.rows if row.label == "By hand")
    assert dict(zip(ledger.columns, by_hand.values, strict=True)) == {"red": "0", "blue": "750"}
    assert table.money()["blue"] == 1250


def test_once_accounts_are_made_no_district_is_shown_any_more() -> None:
    table = Table(TWO)
    assert "district 1" in [area.name for area in table.game.view(table.state).areas]
    table.settle(number=3)
    assert [area.name for area in table.game.view(table.state).areas] == ["reserve"]


def test_10_nothing_can_be_set_once_accounts_are_made() -> None:
    table = Table(TWO)
    table.settle(number=3)
    assert table.state.phase is Phase.DONE
    with pytest.raises(Illegal, match="cannot be set"):
        table.by_hand("red money", 1)

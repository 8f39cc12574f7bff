"""The worked examples of the rule book, one by one. Its colours of districts are taken for numbers."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.games.les_apaches.rules.lines import DistrictSettled
from tests.games.les_apaches.table import Table, settled_in

THREE = "green purple red"
"""The gangs of the rule book's table of three players."""


def test_setup_of_the_printed_table_for_four_players_opens_all_districts() -> None:
    assert Table("green purple red yellow").state.terms.opened == (1, 2, 3, 4, 5, 6, 7, 8, 9)


def test_setup_of_the_printed_table_for_three_players_closes_2_and_3() -> None:
    assert Table(THREE).state.terms.opened == (1, 4, 5, 6, 7, 8, 9)


def test_setup_of_the_printed_table_for_two_players_closes_4_5_and_7() -> None:
    assert Table("green purple").state.terms.opened == (1, 2, 3, 6, 8, 9)


def test_possible_moves_1_two_greens_make_a_majority_and_leave_a_district_empty() -> None:
    """Both leave the light blue district (5) for the orange one (4)."""
    table = Table(THREE).put(green="5:2l", purple="4:1l").turn(hands="green=1")
    (ruling,) = table.prowl("green", "l 5 4", "l 5 4", adjacent=True)
    assert ruling.strengths == {"4": {"green": 2, "purple": 1}, "5": {}}


def test_possible_moves_2_two_purples_make_a_majority_coming_from_two_districts() -> None:
    table = Table(THREE, first="purple").put(green="6:1l", purple="5:1l 7:1l").turn(hands="purple=1")
    (ruling,) = table.prowl("purple", "l 5 6", "l 7 6", adjacent=True)
    assert ruling.strengths["6"] == {"green": 1, "purple": 2}


def test_possible_moves_3_two_greens_go_from_one_district_to_two() -> None:
    """A majority in the red district (1), a minority in the orange one (4)."""
    table = Table(THREE).put(green="5:2l", purple="4:2l").turn(hands="green=1")
    (ruling,) = table.prowl("green", "l 5 1", "l 5 4", adjacent=True)
    assert ruling.strengths == {"1": {"green": 1}, "4": {"green": 1, "purple": 2}, "5": {}}


def test_possible_moves_4_two_purples_go_from_two_districts_to_two_others() -> None:
    """One makes a majority, one a minority."""
    table = Table(THREE, first="purple").put(purple="5:1l 7:1l", red="4:3l").turn(hands="purple=1")
    (ruling,) = table.prowl("purple", "l 5 6", "l 7 4", adjacent=True)
    assert ruling.strengths == {"4": {"purple": 1, "red": 3}, "5": {}, "6": {"purple": 1}, "7": {}}


def test_impossible_moves_1_two_greens_would_make_a_tie_in_the_district_they_enter() -> None:
    table = Table(THREE).put(green="5:2l", purple="4:2l").turn(hands="green=1")
    with pytest.raises(Illegal, match=r"tie in district 4 \(rule 4\.5\)"):
        table.prowl("green", "l 5 4", "l 5 4", adjacent=True)


def test_impossible_moves_2_a_purple_would_leave_a_tie_behind() -> None:
    table = Table(THREE, first="purple").put(purple="5:2l", red="5:1l").turn(hands="purple=1")
    with pytest.raises(Illegal, match=r"tie in district 5 \(rule 4\.5\)"):
        table.prowl("purple", "l 5 6", adjacent=True)


def test_an_apache_and_the_hideout_of_the_same_district_in_one_turn() -> None:
    """Purple places one in the red district (1), and lays a red hideout there."""
    table = Table(THREE, first="purple").turn(hands="purple=11")
    table.muster("purple", 1, leaders=1)
    (ruling,) = table.lay("purple", 1, "money 300")
    assert (ruling.district, ruling.left) == ("1", 1)


def test_three_apaches_in_one_district_and_the_hideout_of_another() -> None:
    """Yellow places three in the yellow district (7), and lays a purple hideout (5)."""
    table = Table("yellow green red").turn(hands="yellow=57")
    table.muster("yellow", 7, leaders=2, novices=1)
    (ruling,) = table.lay("yellow", 5, "burglary 100")
    assert (ruling.district, ruling.left) == ("5", 1)


def test_the_hideout_with_400_francs_is_not_covered_and_yellow_with_three_apaches_gets_them() -> None:
    table = Table("yellow green red").put(yellow="7:3l", green="7:1l")
    ruling = settled_in(table.settle({7: "money 400"}), 7)
    assert isinstance(ruling, DistrictSettled)
    assert (ruling.colour, ruling.francs, table.money()["yellow"]) == ("yellow", 400, 900)


def test_eight_fit_apaches_at_the_end_bring_400_francs() -> None:
    """Five leaders, two reinforcements of the third round, one novice that was never used."""
    table = Table(THREE).gang("green", leaders=5, killed=2, novices=1, spent=2).put(green="4:1l")
    table.settle({4: "reinforcements"}, number=3)
    account = next(one for one in table.rulings if getattr(one, "fit", None) and one.colour == "green")
    assert (account.fit, account.fit_francs) == (8, 400)


def test_leaders_whose_term_ends_with_round_3_count_and_those_hurt_in_it_do_not() -> None:
    """Four of seven in play, of whom one is wounded now; two come back; the novices were never used."""
    table = Table(THREE).gang("green", leaders=4, hospital=(1, 0), jail=(1, 0), killed=1).put(green="4:1l")
    table.settle({4: "wounded"}, number=3)
    account = next(one for one in table.rulings if getattr(one, "fit", None) and one.colour == "green")
    assert account.fit == 3 + 2 + 3
    assert table.of("green").hospital == (1, 0)


@pytest.mark.parametrize(
    ("seats", "each"), [("red blue", 300), ("red blue green", 200), ("red blue green yellow", 150)]
)
def test_a_theft_takes_300_200_or_150_from_each_other_gang(seats: Any, each: Any) -> None:
    table = Table(seats).put(red="6:2l")
    ruling = settled_in(table.settle({6: "theft"}), 6)
    others = seats.split()[1:]
    assert ruling.given == dict.fromkeys(others, each)
    assert table.money() == {"red": 500 + each * len(others), **dict.fromkeys(others, 500 - each)}

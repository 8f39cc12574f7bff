"""Burghers, the policeman, the final accounts, who wins (`les-apaches.md`, 8 and 9)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.ruling.chance import dealt
from companion.games.les_apaches.rules.districts import POOL
from companion.games.les_apaches.rules.lines import FinalAccount
from companion.games.les_apaches.rules.state import Phase
from tests.games.les_apaches.table import SEED, Table, settled_in

TWO, THREE = "red blue", "red blue green"
ORDER = dealt(SEED, "burghers", 1, POOL)
"""As the box of these tests draws them."""


def accounts(rulings: Any) -> Any:
    return {str(one.colour): one for one in rulings if isinstance(one, FinalAccount)}


def refused(rule: Any) -> Any:
    return pytest.raises(Illegal, match=rf"\(rule {rule.replace('.', '[.]')}\)$")


def with_takers(*takers: Any, box: Any = False, seats: Any = THREE, **more: Any) -> Any:
    """Play the end of three rounds; in each the gang takes a burgher, None: nobody."""
    table = Table(seats, box=box, **more)
    for number, taker in enumerate(takers, start=1):
        if taker:
            table.put(**{taker: "8:1l"})
        table.settle(number=number)
        if table.state.phase is Phase.SHUFFLE:
            table.rulings = table.shuffle()
    return table


# -- with the pieces


def test_8_1_the_majority_takes_a_burgher_and_the_box_counts() -> None:
    table = with_takers("red", None)
    assert len(table.of("red").burghers) == 1
    assert table.game.outcome(table.state).burghers == {"red": 1, "blue": 0, "green": 0}
    assert table.game.held(table.state) == ()


def test_9_1_takers_are_asked_in_seat_order_until_one_has_the_policeman() -> None:
    table = with_takers("green", "blue", "green")
    assert (table.state.phase, table.state.asking) == (Phase.UNMASK, 1)
    with refused("3.6"):
        table.unmask("green", policeman=True)
    table.unmask("blue", policeman=False)
    found = accounts(table.unmask("green", policeman=True))
    assert [found[one].policeman for one in THREE.split()] == [False, False, True]
    assert table.state.phase is Phase.DONE


def test_9_1_nobody_is_asked_any_more_once_it_is_known() -> None:
    table = with_takers("red", "blue", "green")
    assert accounts(table.unmask("red", policeman=True))


def test_9_1_the_policeman_may_be_the_one_that_nobody_took() -> None:
    table = with_takers("red", None, "red")
    found = accounts(table.unmask("red", policeman=False))
    assert (found["red"].burghers, found["red"].burgher_francs) == (2, 400)
    assert table.game.outcome(table.state).policeman is None


def test_9_2_nothing_is_asked_where_nobody_took_any() -> None:
    table = with_takers(None, None, None)
    assert (table.state.phase, table.state.complete) == (Phase.DONE, True)


# -- by the box


def test_8_2_the_order_is_drawn_in_secret_at_the_first_need_and_only_once() -> None:
    table = Table(THREE, box=True).put(red="8:1l")
    table.settle()
    assert table.state.phase is Phase.SHUFFLE
    rulings = table.shuffle()
    assert settled_in(rulings, 8).burghers == 1
    table.put(blue="8:1l").settle(number=2)
    assert table.state.phase.value == "draft"


def test_8_2_what_a_gang_drew_is_for_its_own_eyes() -> None:
    table = with_takers("red", "blue", box=True)
    held = table.game.held(table.state)
    assert [(one.seat, one.first, one.count, one.n) for one in held] == [(Colour.RED, 0, 1, 1), (Colour.BLUE, 1, 1, 1)]
    assert {one.items for one in held} == {POOL}


def test_9_2_the_accounts_are_made_when_the_seed_is_shown() -> None:
    table = with_takers("red", "blue", "green", box=True)
    assert (table.state.phase, table.game.is_exhausted(table.state), table.game.offers(table.state)) == (
        Phase.SEALED, True, (),
    )  # fmt: skip
    found = accounts(table.open())
    holders = [one.policeman for one in found.values()]
    assert holders == [name == "policeman" for name in ORDER[:3]]
    assert table.state.phase is Phase.DONE


def test_9_2_an_order_that_was_entered_by_hand_is_known_and_never_shown_before_the_end() -> None:
    table = Table(THREE, box=True, seed=None).put(red="8:1l")
    table.settle()
    before = table.state
    table.shuffle("policeman", "burgher 3", "burgher 1", "burgher 2")
    other = table.game.apply(before, _by_hand("burgher 1", "burgher 2", "burgher 3", "policeman"))[0]
    assert table.game.view(table.state) == table.game.view(other)
    assert table.game.outcome(table.state) == table.game.outcome(other)
    assert table.game.ledgers(table.state) == table.game.ledgers(other)
    assert table.game.view(table.state, Colour.BLUE) == table.game.view(other, Colour.BLUE)
    assert table.game.view(table.state, Colour.RED) != table.game.view(other, Colour.RED)
    table.settle(number=2)
    table.settle(number=3)
    assert accounts(table.rulings)["red"].policeman


def _by_hand(*result: Any) -> Any:
    from companion.core.record.lines import ChanceLine

    return ChanceLine(name="burghers", n=1, by="hand", result=result)


def test_9_2_a_seed_that_was_shown_early_is_known_when_it_is_needed() -> None:
    table = Table(THREE, box=True).put(red="8:1l")
    table.open()
    table.settle()
    table.shuffle()
    table.settle(number=2)
    table.settle(number=3)
    assert accounts(table.rulings)["red"].policeman is (ORDER[0] == "policeman")


def test_9_6_without_the_seed_the_match_ends_without_accounts() -> None:
    table = with_takers("red", None, None, box=True)
    (outcome,) = table.end()
    assert (outcome.over, outcome.complete, outcome.money["red"]) == (True, False, 500)


# -- accounts


def test_9_3_the_policeman_takes_200_and_a_leader_and_his_gang_is_paid_for_the_others() -> None:
    table = with_takers("red", "red", None)
    found = accounts(table.unmask("red", policeman=True))["red"]
    assert (found.burghers, found.burgher_francs, found.policeman_francs, found.jailed) == (1, 200, 200, 1)
    assert (found.fit, found.fit_francs, found.money) == (9, 450, 950)
    assert table.of("red").jail == (0, 1)


def test_9_3_a_gang_pays_what_it_has() -> None:
    table = with_takers("red", None, None).gang("red", money=120)
    found = accounts(table.unmask("red", policeman=True))["red"]
    assert (found.policeman_francs, found.money) == (120, 50 * found.fit)


def test_9_3_nobody_is_jailed_where_no_leader_is_left() -> None:
    table = with_takers("red", None, None).gang("red", leaders=0, killed=7)
    found = accounts(table.unmask("red", policeman=True))["red"]
    assert (found.jailed, found.fit) == (0, 3)


def test_9_4_reinforcements_won_in_round_3_are_fit_and_those_not_used_are_not() -> None:
    table = Table(TWO).gang("blue", reinforcements=2).put(red="1:1l")
    table.settle({1: "reinforcements"}, number=3)
    found = accounts(table.rulings)
    assert (found["red"].fit, found["blue"].fit) == (12, 10)


def test_9_5_most_money_wins_then_most_figures_then_it_is_shared() -> None:
    table = Table(THREE)
    assert table.game.outcome(table.state).leaders == ("red", "blue", "green")
    table.gang("red", leaders=6)
    assert table.game.outcome(table.state).leaders == ("blue", "green")
    table.gang("red", money=501)
    assert table.game.outcome(table.state).leaders == ("red",)


def test_9_6_a_match_may_be_stopped_at_any_time_and_then_has_no_final_accounts() -> None:
    table = Table(TWO)
    table.draft("red", 1)
    (outcome,) = table.end()
    assert (outcome.complete, outcome.lap, outcome.money) == (False, 0, {"red": 500, "blue": 500})
    with pytest.raises(Illegal, match="over"):
        table.draft("blue", 1)

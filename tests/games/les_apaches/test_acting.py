"""Placing and moving: what is refused, with its rule, and what is not (`les-apaches.md`, 3 and 4)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import ChanceLine, Reveal
from companion.core.ruling.offers import Step
from companion.games.les_apaches.rules.lines import Draft, Muster, Prowl
from companion.games.les_apaches.rules.play import apply
from companion.games.les_apaches.rules.state import Phase
from tests.games.les_apaches.boards import WHOLE, WITH_NEIGHBOURS
from tests.games.les_apaches.table import Table

TWO = "red blue"


def begun(board: Any = None, **put: Any) -> Any:
    return Table(TWO, board).put(**put).turn(hands="red=1 blue=1")


def refused(rule: Any) -> Any:
    return pytest.raises(Illegal, match=rf"\(rule {rule.replace('.', '[.]')}\)$")


# -- whose turn


def test_3_1_a_hideout_is_taken_clockwise_from_a_stack_that_has_one() -> None:
    table = Table(TWO)
    with refused("3.6"):
        table.draft("blue", 1)
    table.draft("red", 1)
    table.draft("blue", 1)
    with refused("3.1"):
        table.draft("red", 1)
    with refused("3.1"):
        table.draft("red", 4)
    with refused("3.1"):
        table.draft("red", 8)


def test_3_1_the_draft_ends_when_every_stack_is_empty_and_tells_who_has_what() -> None:
    table = Table(TWO)
    for district in (1, 2, 3, 6, 6):
        table.draft("red", district)
        table.draft("blue", district)
    table.draft("red", 2)
    (ruling,) = table.draft("blue", 3)
    assert ruling.hands == {"red": ("1", "2", "2", "3", "6", "6"), "blue": ("1", "2", "3", "3", "6", "6")}
    assert (table.state.phase.value, table.in_turn()) == ("turn", "red")


def test_3_2_and_3_3_the_order_changes_in_the_last_lap_by_what_is_left_in_reserve() -> None:
    table = Table("red blue green").turn(5, hands="red=1 blue=4 green=5").put(red="1:3l", blue="4:1l", green="5:1l")
    table.lay("red", 1, "theft")
    table.lay("blue", 4, "theft")
    (_, ruling) = table.lay("green", 5, "theft")
    assert ruling.order == ("blue", "green", "red")
    assert table.in_turn() == "blue"


def test_3_3_equal_reserves_go_clockwise_from_the_first_player() -> None:
    table = Table("red blue green", first="blue").turn(5, hands="red=1 blue=4 green=5")
    for colour, district in (("blue", 4), ("green", 5)):
        table.lay(colour, district, "theft")
    (_, ruling) = table.lay("red", 1, "theft")
    assert ruling.order == ("blue", "green", "red")


def test_3_4_a_hideout_ends_the_turn_and_nobody_acts_after_it() -> None:
    table = begun()
    table.lay("red", 1, "theft")
    with refused("3.6"):
        table.muster("red", 1, 1)
    table.muster("blue", 1, 1)


def test_3_6_a_line_of_another_phase_is_refused() -> None:
    table = Table(TWO)
    refusals: tuple[Any, ...] = (
        lambda: table.muster("red", 1, 1),
        lambda: table.lay("red", 1, "theft"),
        lambda: table.bail("red", 0),
        lambda: table.unlaid(1, "theft"),
        lambda: table.unmask("red", policeman=False),
    )
    for what in refusals:
        with refused("3.6"):
            what()


# -- placing


def test_4_1_one_action_a_turn() -> None:
    table = begun(red="2:2l")
    table.muster("red", 1, 1)
    with refused("4.1"):
        table.muster("red", 1, 1)
    with refused("4.1"):
        table.prowl("red", "l 2 3", adjacent=True)


def test_4_2_nobody_enters_a_closed_district() -> None:
    table = begun(red="2:2l")
    with refused("4.2"):
        table.muster("red", 4, 1)
    with refused("4.2"):
        table.prowl("red", "l 2 7", adjacent=True)


def test_4_3_no_more_are_placed_than_are_in_the_reserve_and_not_nobody() -> None:
    table = begun(red="2:6l")
    for counts in ((2, 0, 0), (0, 4, 0), (1, 0, 1), (0, 0, 0)):
        with refused("4.3"):
            table.muster("red", 1, *counts)
    table.muster("red", 1, 1, 3)


def test_4_5_no_tie_may_be_made_by_placing() -> None:
    table = begun(blue="1:2l")
    with refused("4.5"):
        table.muster("red", 1, 2)
    table.muster("red", 1, 1)


def test_4_5_gangs_that_are_not_there_make_no_tie() -> None:
    table = Table("red blue green").turn(hands="red=1")
    table.muster("red", 5, 1)


def test_4_5_other_districts_are_not_looked_at() -> None:
    table = begun(red="3:1l", blue="3:1l")
    table.muster("red", 1, 1)


def test_4_5_a_tie_of_two_others_is_one_too() -> None:
    table = Table("red blue green").put(blue="4:1l", green="4:1l").turn(hands="red=1")
    with refused("4.5"):
        table.muster("red", 4, 3)


def test_4_6_novices_and_reinforcements_need_a_leader_of_their_own() -> None:
    table = begun(blue="1:1l")
    with refused("4.6"):
        table.muster("red", 1, 0, 2)
    table.muster("red", 1, 1, 1)


def test_4_6_a_reinforcement_is_as_a_novice() -> None:
    table = begun().gang("red", reinforcements=2)
    with refused("4.6"):
        table.muster("red", 1, 0, 0, 2)
    table.muster("red", 1, 1, 0, 2)


# -- moving


@pytest.mark.parametrize("steps", [(), ("l 2 3", "l 2 3", "l 2 3"), ("l 2 2",), ("n 2 3",), ("l 3 2",)])
def test_4_3_one_or_two_figures_that_are_there_go_to_another_district(steps: Any) -> None:
    table = begun(red="2:3l")
    with refused("4.3"):
        table.prowl("red", *steps, adjacent=True)


def test_4_3_two_figures_are_two_and_none_moves_twice() -> None:
    table = begun(red="2:1l")
    with refused("4.3"):
        table.prowl("red", "l 2 3", "l 2 1", adjacent=True)
    with refused("4.3"):
        table.prowl("red", "l 2 3", "l 3 1", adjacent=True)


def test_4_4_a_board_file_with_neighbours_decides_who_may_go_where() -> None:
    table = begun(WITH_NEIGHBOURS, red="1:2l 2:2l")
    with refused("4.4"):
        table.prowl("red", "l 1 9")
    with refused("4.4"):
        table.prowl("red", "l 1 2", adjacent=True)
    table.prowl("red", "l 1 6", "l 2 9")  # over a bridge; and touching


def test_4_4_without_one_the_table_says_whether_districts_touch_and_only_once() -> None:
    table = begun(red="1:3l")
    with refused("4.4"):
        table.prowl("red", "l 1 2")
    with refused("4.4"):
        table.prowl("red", "l 1 2", adjacent=False)
    table.prowl("red", "l 1 2", adjacent=True)
    table.turn(hands="red=1")
    with refused("4.4"):
        table.prowl("red", "l 2 1", adjacent=True)
    with refused("4.4"):
        table.prowl("red", "l 2 1", "l 1 3")
    table.prowl("red", "l 2 1")


def test_4_4_what_the_table_said_is_forgotten_where_it_is_taken_back() -> None:
    table = begun(red="1:3l")
    table.prowl("red", "l 1 2", adjacent=True)
    table.undo()
    assert table.state.known == frozenset()


def test_4_5_and_4_6_are_judged_by_the_position_a_move_leaves() -> None:
    table = begun(red="1:1l1n", blue="2:1l")
    with refused("4.6"):
        table.prowl("red", "l 1 3", adjacent=True)
    with refused("4.6"):
        table.prowl("red", "n 1 3", adjacent=True)
    table.prowl("red", "l 1 2", "n 1 2", adjacent=True)


def test_a_novice_goes_alone_to_a_leader_of_its_gang() -> None:
    table = begun(red="1:1l1n 3:1l")
    table.prowl("red", "n 1 3", adjacent=True)
    assert table.state.streets[2][0] == (1, 1, 0)


def test_the_second_figure_may_enter_the_district_that_the_first_one_leaves() -> None:
    table = begun(red="1:1l 2:1l")
    table.prowl("red", "l 1 3", "l 2 1", adjacent=True)
    assert [sum(row[0]) for row in table.state.streets[:3]] == [1, 0, 1]


# -- offers


def every_line(table: Any, chosen: Any = ()) -> Any:
    (offer,) = table.game.offers(table.state)
    step = table.game.step(table.state, offer, chosen)
    if not isinstance(step, Step):
        yield step
        return
    for value in step.values:
        yield from every_line(table, (*chosen, value.key))


POSITIONS = [
    (None, {"red": "1:2l1n 2:1l 9:3l", "blue": "1:1l 2:3l 9:1l"}),
    (None, {"red": "1:1l1n 3:1l1n", "blue": "3:1l 6:2l"}),
    (WHOLE, {"red": "1:1l1n 2:2l 6:1l2n", "blue": "1:1l 3:2l 9:2l"}),
    (WHOLE, {"red": "1:1l 3:3l", "blue": "1:2l 3:1l 6:2l"}),
]


@pytest.mark.parametrize(("board", "put"), POSITIONS)
def test_what_is_on_offer_is_all_that_is_legal(board: Any, put: Any) -> None:
    """Every move and every placing is tried, and found among the offers exactly where it is not refused."""
    table = begun(board, **put).gang("red", reinforcements=1)
    offered = {line for line in every_line(table) if not hasattr(line, "loot")}
    legal = set()
    opened = table.state.terms.opened
    for line in (*all_musters(opened), *all_prowls(opened, table)):
        try:
            table.game.apply(table.state, line)
        except Illegal:
            continue
        legal.add(line)
    assert offered == legal
    assert len(legal) > 20


def all_musters(opened: Any) -> Any:
    for district in opened:
        for leaders in range(8):
            for novices in range(4):
                for extra in range(2):
                    yield Muster(
                        colour=Colour.RED,
                        district=str(district),
                        leaders=leaders,
                        novices=novices,
                        reinforcements=extra,
                    )


def all_prowls(opened: Any, table: Any) -> Any:
    steps = [
        (kind, str(origin), str(target))
        for origin in opened
        for target in opened
        for kind in ("leader", "novice")
        if any(table.state.streets[origin - 1][0])
    ]
    for adjacent in (None, True):
        for one in steps:
            yield Prowl(colour=Colour.RED, figures=(one,), adjacent=adjacent)
            for other in steps:
                yield Prowl(colour=Colour.RED, figures=(one, other), adjacent=adjacent)


def test_a_gang_that_can_neither_place_nor_move_just_lays_a_hideout() -> None:
    table = begun().gang("red", leaders=0, novices=0)
    assert {type(line).__name__ for line in every_line(table)} == {"Hideout"}


# -- what is not asked now


def test_3_6_what_only_the_end_asks_is_refused_before_it() -> None:
    table = begun()
    for asked_too_soon in (
        lambda: table.unlaid(1, "theft"),
        lambda: table.unmask("red", policeman=True),
        lambda: table.bail("red", 0),
        lambda: table.draft("red", 1),
    ):
        with refused("3.6"):
            asked_too_soon()


def test_a_hideout_that_says_what_none_says_is_malformed_and_lines_of_other_games_are_refused() -> None:
    table = begun()
    with pytest.raises(Malformed, match="'gold' is no hideout; there are: "):
        table.lay("red", 1, "gold")
    with pytest.raises(Illegal, match="there is no `reveal` in this game"):
        table.feed(Reveal(card="king"))


def test_what_was_taken_away_says_what_a_hideout_can_say() -> None:
    table = begun()
    table.judge.state = replace(table.state, phase=Phase.UNLAID, asking=1)
    with pytest.raises(Malformed, match="'gold' is no hideout"):
        table.unlaid(1, "gold")


def test_the_rules_themselves_refuse_what_a_judge_never_lets_through() -> None:
    state = begun().state
    with refused("3.6"):
        apply(state, ChanceLine(name="burghers", n=1, by="box", result=None))
    with pytest.raises(Illegal, match="the game is over"):
        apply(replace(state, phase=Phase.OVER), Draft(colour=Colour.RED, district="1"))

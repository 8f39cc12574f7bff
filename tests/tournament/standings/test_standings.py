"""Standings: the rules one by one, as `docs/standings.md` has them, and made-up events worked out in two ways."""

from __future__ import annotations

import random
from fractions import Fraction
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.tournament.log.lines import TIE_BREAKS, TieBreak
from companion.tournament.results import Place, RoundResults, TableResult
from companion.tournament.standings.rounds import Entered, Why
from companion.tournament.standings.standings import Standing, are_final, standings
from tests.amounts import many
from tests.tournament.standings.by_the_page import Slow
from tests.tournament.standings.made_up import MadeUp, made_up

SEED, EVENT = "5eed", "spring"


def table(number: int, table: int, *places: tuple[int, ...]) -> TableResult:
    """Give a final result. places: player and rank, then cards and punished where they matter."""
    return TableResult(number, table, tuple(Place(*place) for place in places), is_final=True)


def standing_of(
    player: int, *rounds: RoundResults, players: int = 9, tie_breaks: tuple[TieBreak, ...] = TIE_BREAKS
) -> Standing:
    """Give a player's standing among players 1 to `players`."""
    (found,) = (
        one for one in standings(rounds, range(1, players + 1), tie_breaks, SEED, EVENT) if one.player == player
    )
    return found


def value(name: TieBreak, player: int, *rounds: RoundResults) -> Fraction | int:
    return standing_of(player, *rounds).values[TIE_BREAKS.index(name)]


# What a round gives -------------------------------------------------------------------------------------------------


def test_a_bye_is_12_and_a_missed_round_0_and_both_are_rounds() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2)),), byes=(3,))
    two = RoundResults(2, (table(2, 1, (2, 1), (3, 2)),), missed=(1,))
    three = RoundResults(3, (table(3, 1, (1, 2), (2, 1)),), missed=(3,))
    assert [got.points for got in standing_of(1, one, two, three).rounds] == [24, 0, 0]
    assert [got.points for got in standing_of(3, one, two, three).rounds] == [12, 0, 0]
    assert value("points", 1, one, two, three) == 8
    assert value("points", 3, one, two, three) == 4
    assert value("points", 2, one, two, three) == 16


def test_rounds_before_a_players_first_do_not_count() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2)),))
    two = RoundResults(2, (table(2, 1, (3, 1), (2, 2)),), byes=(1,))
    assert [(got.round, got.points) for got in standing_of(3, one, two).rounds] == [(2, 24)]
    assert value("points", 3, one, two) == 24


def test_who_is_on_no_list_after_the_first_round_has_missed_it() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2)),))
    two = RoundResults(2, (), byes=(1,))
    assert standing_of(2, one, two).rounds[1].why is Why.MISSED


def test_what_the_organiser_gives_takes_the_place_of_what_the_round_gave() -> None:
    one = RoundResults(
        1, (table(1, 1, (1, 1), (2, 2)),), byes=(3,), missed=(4,), given={1: 5, 3: 6, 4: 7, 5: 8}, waiting=(2,)
    )
    found = {player: standing_of(player, one).rounds[0] for player in (1, 3, 4, 5)}
    assert {player: got.points for player, got in found.items()} == {1: 5, 3: 6, 4: 7, 5: 8}
    assert {got.why for got in found.values()} == {Why.GIVEN}
    assert value("wins", 1, one) == 1
    assert value("points", 2, one) == 0


def test_a_round_whose_table_waits_gives_nothing_yet_and_says_so() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2)),))
    two = RoundResults(2, (table(2, 1, (1, 1), (3, 2)),), waiting=(2,))
    found = standing_of(2, one, two)
    assert [(got.why, got.points, got.is_final) for got in found.rounds][1:] == [(Why.WAITING, None, False)]
    assert found.values[0] == 0
    assert not found.is_final
    assert value("points", 1, one, two) == 24
    assert standing_of(1, one, two).is_final
    assert not are_final(standings((one, two), range(1, 4), TIE_BREAKS, SEED, EVENT))
    assert are_final(standings((one,), range(1, 4), TIE_BREAKS, SEED, EVENT))


def test_who_could_not_sit_at_a_table_yet_does_not_wait_for_it() -> None:
    one = RoundResults(1, (), waiting=(1,))
    two = RoundResults(2, (), byes=(1, 2))
    found = standings((one, two), (1, 2), TIE_BREAKS, SEED, EVENT, [Entered(2, 2)])
    assert {one.player: [got.why for got in one.rounds] for one in found} == {
        1: [Why.WAITING, Why.BYE], 2: [Why.BYE],
    }  # fmt: skip


def test_a_result_by_hand_and_a_provisional_one_are_marked() -> None:
    by_hand = TableResult(1, 1, (Place(1, 1), Place(2, 2)), by_hand=True, is_final=True)
    provisional = TableResult(1, 2, (Place(3, 1), Place(4, 2)))
    one = RoundResults(1, (by_hand, provisional))
    assert standing_of(1, one).rounds[0].why is Why.BY_HAND
    assert [standing_of(player, one).is_final for player in (1, 3)] == [True, False]
    assert standing_of(3, one).rounds[0].at.table == 2  # type: ignore[union-attr]


# The tie-breaks -----------------------------------------------------------------------------------------------------


def test_a_shared_first_place_is_shared_in_wins_which_are_a_mean_of_tables() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 1), (3, 1), (4, 4)),))
    two = RoundResults(2, (table(2, 1, (1, 1), (2, 2)),), byes=(3,), missed=(4,))
    assert [value("wins", player, one, two) for player in (1, 2, 3, 4)] == [
        Fraction(2, 3), Fraction(1, 6), Fraction(1, 3), 0,
    ]  # fmt: skip


def test_cards_are_shares_of_tables_whose_cards_are_all_counted() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1, 30), (2, 2, 10)),))
    two = RoundResults(2, (table(2, 1, (1, 1, 30), (2, 2)),))
    three = RoundResults(3, (table(3, 1, (1, 1, 0), (2, 2, 0)),))
    four = RoundResults(4, (table(4, 1, (1, 1, 10), (2, 2, 10)),))
    assert value("cards", 1, one, two, three) == Fraction(3, 4)
    assert value("cards", 1, one, two, three, four) == Fraction(5, 8)
    assert value("cards", 1, two, three) == 0


def test_an_opponent_counts_by_all_rounds_but_those_against_oneself() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2)), table(1, 2, (3, 1), (4, 2))))
    two = RoundResults(2, (table(2, 1, (1, 2), (3, 1)), table(2, 2, (2, 1), (4, 2))))
    three = RoundResults(3, (table(3, 1, (1, 1), (2, 2)),), byes=(3,), missed=(4,))
    # Player 2 elsewhere: 24 (round 2). Player 3 elsewhere: 24 and the bye's 12. Player 2 was met twice.
    assert value("opponents", 1, one, two, three) == Fraction(24 + 18 + 24, 3)
    # Player 3 elsewhere: 24, 12; player 2 elsewhere: 0, 0.
    assert value("opponents", 4, one, two, three) == Fraction(18 + 0, 2)


def test_opponents_of_a_table_count_as_one_mean_and_who_played_nowhere_else_as_12() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 2), (3, 3)),), byes=(4,))
    assert value("opponents", 1, one) == 12
    two = RoundResults(2, (table(2, 1, (2, 1), (3, 2), (4, 3)),), byes=(1,))
    assert value("opponents", 1, one, two) == Fraction(24 + 12, 2)
    three = RoundResults(3, (table(3, 1, (1, 1), (4, 2)),), byes=(2, 3))
    # (player 2: 24, 12; player 3: 12, 12) and (player 4: 12, 0)
    assert value("opponents", 1, one, two, three) == Fraction(15 + 6, 2)
    assert value("opponents", 9, one, two, three) == 12


def test_fewer_punishments_at_a_table_are_better() -> None:
    places = (Place(1, 1, punished=2), Place(2, 1, punished=1))
    one = RoundResults(1, (TableResult(1, 1, places, is_final=True),))
    two = RoundResults(2, (), byes=(1, 2))
    assert value("punishments", 1, one, two) == 2
    assert standing_of(2, one, two, players=2).place == 1


def test_lots_are_the_hash_of_seed_event_and_player_the_smallest_first() -> None:
    found = standings((), range(1, 50), TIE_BREAKS, SEED, EVENT)
    lots = [sha256(f"5eed:spring:{one.player}".encode()).hexdigest() for one in found]
    assert lots == sorted(lots)
    assert [f"{one.values[-1]:064x}" for one in found] == lots
    assert [one.place for one in found] == list(range(1, 50))
    assert {one.equal for one in found} == {tuple(range(1, 50))}


def test_without_lots_equal_players_share_a_place() -> None:
    one = RoundResults(1, (table(1, 1, (1, 2), (2, 2), (3, 1), (4, 4)),))
    found = standings((one,), (1, 2, 3, 4), ("points", "wins"), SEED, EVENT)
    assert [(got.place, got.player) for got in found] == [(1, 3), (2, 1), (2, 2), (4, 4)]
    assert [got.equal for got in found] == [(), (1, 2), (1, 2), ()]


def test_tie_breaks_hold_in_the_order_that_they_are_given_in() -> None:
    one = RoundResults(1, (table(1, 1, (1, 1), (2, 1)), table(1, 2, (3, 1), (4, 2))), byes=(5,))
    by_points = standings((one,), range(1, 6), ("points", "wins", "lots"), SEED, EVENT)
    first, *even, last = (got.player for got in by_points)
    assert (first, sorted(even[:2]), even[2:], last) == (3, [1, 2], [5], 4)


# What is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "says"),
    [
        ([RoundResults(1, ()), RoundResults(1, ())], "round 1 is there twice"),
        ([RoundResults(1, (), byes=(10,))], "round 1 has player 10, who is not in the event"),
        ([RoundResults(1, (), byes=(1,), missed=(1,))], "player 1 is twice in round 1"),
        ([RoundResults(1, (table(1, 1, (1, 1), (2, 2)), table(1, 2, (2, 1), (3, 2))))], "player 2 is twice in round 1"),
        ([RoundResults(2, (table(1, 4, (1, 1), (2, 2)),))], "table 4 of round 1 is among those of round 2"),
    ],
)
def test_rounds_that_contradict_themselves_are_refused(rounds: list[RoundResults], says: str) -> None:
    with pytest.raises(Illegal, match=says):
        standings(rounds, range(1, 10), TIE_BREAKS, SEED, EVENT)


@pytest.mark.parametrize(
    ("players", "tie_breaks", "says"),
    [
        ((1, 2, 1), ("points",), "player 1 is there twice"),
        ((1, 2), ("points", "points"), "the tie-break 'points' is there twice"),
        ((1, 2), ("luck",), "'luck' is no tie-break; there are points, wins"),
    ],
)
def test_players_and_tie_breaks_that_cannot_be_are_refused(players, tie_breaks, says) -> None:
    with pytest.raises(Illegal, match=says):
        standings((), players, tie_breaks, SEED, EVENT)


def test_first_is_whoever_has_the_best_place_whatever_its_number_is() -> None:
    one = RoundResults(1, (table(1, 1, (1, 2), (2, 3), (3, 2)),))
    assert [value("wins", player, one) for player in (1, 2, 3)] == [Fraction(1, 2), 0, Fraction(1, 2)]


# Made-up events -----------------------------------------------------------------------------------------------------


def told(event: MadeUp, tie_breaks: tuple[TieBreak, ...]) -> list[tuple[int, tuple[Fraction | int, ...]]]:
    return [(one.player, one.values) for one in standings(event.rounds, event.players, tie_breaks, SEED, EVENT)]


@pytest.mark.parametrize("block", range(10))
def test_a_plain_computation_by_the_page_agrees(block: int) -> None:
    for seed in range(200 * block, 200 * block + 200):
        event = made_up(seed)
        middle = list(TIE_BREAKS[1:-1])
        random.Random(seed).shuffle(middle)
        tie_breaks = ("points", *middle, "lots")
        assert told(event, tie_breaks) == Slow(event.rounds, SEED, EVENT).order(event.players, tie_breaks), seed


@settings(max_examples=many(100))
@given(st.integers(), st.randoms())
def test_in_which_order_players_and_results_are_given_changes_nothing(seed: int, rng: random.Random) -> None:
    event = made_up(seed)
    players = rng.sample(event.players, len(event.players))
    rounds = [
        one._replace(
            results=tuple(rng.sample(one.results, len(one.results))),
            byes=one.byes[::-1],
            missed=one.missed[::-1],
            given=dict(reversed(one.given.items())),
        )
        for one in rng.sample(event.rounds, len(event.rounds))
    ]
    found = standings(event.rounds, event.players, TIE_BREAKS, SEED, EVENT)
    again = standings(rounds, players, TIE_BREAKS, SEED, EVENT)
    assert again == found


@settings(max_examples=many(100))
@given(st.integers())
def test_a_round_in_which_everybody_ties_changes_no_order_by_points_among_those_of_as_many_rounds(seed: int) -> None:
    event = made_up(seed)
    number = len(event.rounds) + 1
    tables = [event.players[start : start + 2] for start in range(0, len(event.players) - 1, 2)]
    results = tuple(table(number, at, *((player, 1) for player in pair)) for at, pair in enumerate(tables, 1))
    seated = {player for pair in tables for player in pair}
    tied = RoundResults(number, results, byes=tuple(set(event.players) - seated))
    before = standings(event.rounds, event.players, ("points",), SEED, EVENT)
    after = {one.player: one for one in standings((*event.rounds, tied), event.players, ("points",), SEED, EVENT)}
    counted = {one.player: sum(got.points is not None for got in one.rounds) for one in before}
    for one in before:
        for other in before:
            if counted[one.player] == counted[other.player]:
                assert (one.values < other.values) == (after[one.player].values < after[other.player].values)


@settings(max_examples=many(100))
@given(st.integers())
def test_every_table_and_bye_gives_12_on_average(seed: int) -> None:
    event = made_up(seed)
    rounds = [one._replace(missed=(), given={}) for one in event.rounds]
    gave = [
        got.points
        for one in standings(rounds, event.players, TIE_BREAKS, SEED, EVENT)
        for got in one.rounds
        if got.why in {Why.TABLE, Why.BY_HAND, Why.BYE} and got.points is not None
    ]
    assert sum(gave) == 12 * len(gave)


@settings(max_examples=many(50))
@given(st.integers())
def test_places_are_all_taken_once_and_each_sum_is_that_of_its_rounds(seed: int) -> None:
    event = made_up(seed)
    found = standings(event.rounds, event.players, TIE_BREAKS, SEED, EVENT)
    assert [one.place for one in found] == list(range(1, len(event.players) + 1))
    for one in found:
        assert one.points == sum(got.points or 0 for got in one.rounds)


@pytest.mark.slow  # thousands of players
def test_thousands_of_players_have_each_a_place() -> None:
    """What the desk does after a table's result in a large event; a way that does not scale would be felt here."""
    rng, players, rounds = random.Random(15), list(range(1, 4001)), []
    for number in range(1, 11):
        rng.shuffle(players)
        tables = []
        for at in range(0, len(players), 4):
            ranks = rng.choice(((1, 2, 3, 4), (1, 1, 3, 4), (2, 2, 1, 4)))
            seats = zip(players[at : at + 4], ranks, strict=True)
            tables.append(table(number, at // 4 + 1, *((player, rank, rng.randint(0, 20)) for player, rank in seats)))
        rounds.append(RoundResults(number, tuple(tables)))
    found = standings(rounds, players, TIE_BREAKS, SEED, EVENT)
    assert [one.place for one in found] == list(range(1, 4001))
    assert sum(one.points for one in found) == 12 * 10 * 4000
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)

"""How a number came about: told so that it can be worked out again, and in the languages of the pages."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config.languages import language
from companion.core.words.texts import in_language
from companion.tournament.log.lines import TIE_BREAKS
from companion.tournament.results import Place, RoundResults, TableResult
from companion.tournament.standings.explaining import Explained, equals, explain, figure, means, reckoned, shown
from companion.tournament.standings.points import Score
from companion.tournament.standings.standings import standings
from tests.amounts import many
from tests.tournament.standings.made_up import made_up

ONE = RoundResults(
    1,
    (
        TableResult(1, 1, (Place(1, 1, 20, 1), Place(2, 2, 10), Place(3, 2, 10), Place(4, 4, 0)), is_final=True),
        TableResult(1, 2, (Place(5, 1), Place(6, 1)), by_hand=True, is_final=True),
    ),
    byes=(7,),
)
TWO = RoundResults(2, (TableResult(2, 3, (Place(1, 1), Place(5, 1), Place(7, 3))),), missed=(2,), given={6: 9})
THREE = RoundResults(3, (TableResult(3, 1, (Place(1, 2), Place(2, 1)), is_final=True),), waiting=(2,), byes=(7,))
EVENT = {one.player: one for one in standings((ONE, TWO, THREE), range(1, 9), TIE_BREAKS, "5eed", "spring")}

MEAN = re.compile(r"(?<!× )\(([\d. +]+)\) / (\d+) [=≈] ([\d.]+)")


def told(player: int, name: str) -> Explained:
    (found,) = (one for one in explain(EVENT[player], TIE_BREAKS, EVENT) if one.tie_break == name)
    return found


def test_points_are_told_round_by_round_as_they_are_reckoned() -> None:
    assert told(1, "points") == Explained(
        "points",
        "14",
        (
            "round 1, table 1: 24 × (3 + 0) / 3 = 24",
            "round 2, table 3, not final yet: 24 × (1 + 0.5) / 2 = 18",
            "round 3, table 1: 24 × (0 + 0) / 1 = 0",
            "on average (24 + 18 + 0) / 3 = 14",
        ),
    )
    assert told(2, "points").rows[1:] == (
        "round 2, missed: 0",
        "round 3, table 1: 24 × (1 + 0) / 1 = 24",
        "on average (12 + 0 + 24) / 3 = 12",
    )
    assert told(6, "points").rows == (
        "round 1, table 2, entered by hand: 24 × (0 + 0.5) / 1 = 12",
        "round 2, given by the organiser: 9",
        "round 3: its table has no result yet",
        "on average (12 + 9) / 2 = 10.5",
    )
    assert told(7, "points").rows[0] == "round 1, a bye: 12"
    assert told(8, "points").rows[-1] == "no round to be counted: 0"


def test_wins_cards_and_punishments_are_told_table_by_table() -> None:
    assert told(1, "wins").rows == (
        "round 1, table 1: first, alone: 1",
        "round 2, table 3: first, with 1 more: 1 / 2 = 0.5",
        "round 3, table 1: not first: 0",
        "on average (1 + 0.5 + 0) / 3 = 0.5",
    )
    assert told(1, "cards").rows == (
        "round 1, table 1: 20 of 40 cards = 0.5",
        "round 2, table 3: cards not counted",
        "round 3, table 1: cards not counted",
        "on average 0.5",
    )
    assert told(1, "punishments").rows == (
        "round 1, table 1: 1",
        "round 2, table 3: 0",
        "round 3, table 1: 0",
        "on average (1 + 0 + 0) / 3 ≈ 0.33",
    )


def test_opponents_are_told_one_by_one_without_the_match_against_oneself() -> None:
    assert told(4, "opponents").rows == (
        "round 1, table 1: player 1 elsewhere (18 + 0) / 2 = 9; player 2 elsewhere (0 + 24) / 2 = 12; "
        "player 3 elsewhere 0; on average (9 + 12 + 0) / 3 = 7",
        "on average 7",
    )
    assert told(8, "opponents").rows == ("no round to be counted: 12",)
    (row, _) = told(6, "opponents").rows
    assert row == "round 1, table 2: player 5 elsewhere 18"


def test_lots_say_what_was_hashed_and_who_is_equal_in_all_else() -> None:
    rounds = RoundResults(1, (), byes=(1, 2, 3))
    event = {one.player: one for one in standings((rounds,), (1, 2, 3), TIE_BREAKS, "5eed", "spring")}
    names = {1: "Ann", 2: "Bea", 3: "Cid"}
    lots = explain(event[2], TIE_BREAKS, event, names.__getitem__)[-1]
    assert lots.rows == (
        f"SHA-256 of “SEED:EVENT:2”, the smallest first: {lots.value}…",
        "equal in all else, so that the lots decide: Ann, Cid",
    )
    assert re.fullmatch("[0-9a-f]{12}", lots.value)
    assert len(told(1, "lots").rows) == 1


def test_what_is_told_is_said_in_other_languages() -> None:
    german = language("de")
    assert in_language(told(6, "points").rows[0], german) == (
        "Runde 1, Tisch 2, von Hand eingetragen: 24 × (0 + 0,5) / 1 = 12"
    )
    assert in_language(told(1, "punishments").rows[-1], german) == "im Mittel (1 + 0 + 0) / 3 ≈ 0,33"
    assert in_language(told(1, "opponents").rows[1], german).startswith("Runde 2, Tisch 3: Spieler 5 sonst 12; ")


@pytest.mark.parametrize(
    ("value", "says"),
    [(Fraction(0), "= 0"), (Fraction(21, 2), "= 10.5"), (Fraction(32, 3), "≈ 10.67"), (Fraction(-1, 3), "≈ -0.33"),
     (Fraction(1, 200), "≈ 0.01"), (Fraction(1, 400), "≈ 0"), (24, "= 24"), (Fraction(1999, 1000), "≈ 2"),
     (100, "= 100")],
)  # fmt: skip
def test_a_number_is_told_with_two_decimals_and_marked_where_they_are_not_all(value: Fraction, says: str) -> None:
    assert equals(value) == says
    assert figure(value) == says[2:]


def test_points_and_means_are_told_as_they_are_reckoned() -> None:
    assert reckoned(Score(2, 1, 4)) == "24 × (2 + 0.5) / 3 = 20"
    assert means([Fraction(32, 3)]) == "≈ 10.67"
    assert means([20, 12, 0]) == "(20 + 12 + 0) / 3 ≈ 10.67"
    assert shown("lots", 1) == "000000000000"


@settings(max_examples=many(60))
@given(st.integers())
def test_every_sum_that_is_told_has_the_value_that_is_told(seed: int) -> None:
    event = made_up(seed)
    found = {one.player: one for one in standings(event.rounds, event.players, TIE_BREAKS, "5eed", "spring")}
    for one in found.values():
        for said in explain(one, TIE_BREAKS, found):
            if said.tie_break != "lots":
                assert said.rows[-1].endswith((f" {said.value}", f": {said.value}"))
            for terms, count, result in MEAN.findall(" ".join(said.rows)):
                mean = sum((Fraction(term) for term in terms.split(" + ")), Fraction()) / int(count)
                assert abs(mean - Fraction(result)) <= Fraction(1, 100)

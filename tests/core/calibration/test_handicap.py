"""What races say of a measured allowance: whoever was slow on purpose gains nothing, and nobody's jumps about."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.calibration.handicap import (
    after_match,
    after_matches,
    brought,
    measured_again,
    next_allowance_ms,
    second_figure_ms,
)
from companion.core.calibration.proposing import rounded
from companion.core.panel import Colour
from companion.core.people.judged import MatchFacts, SeatFacts, gaps_of
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.profile import Allowance

RED, YELLOW, BLUE = Colour.RED, Colour.YELLOW, Colour.BLUE


DATE = "2026-11-20T20:00:00+00:00"


def measured(ms: int, now: int | None = None, date: str = DATE) -> Allowance:
    trials = Trials(proposal_ms=ms, date=date, times_ms=(ms,) * 30, others_ms=(0,))
    return Allowance(ms=ms if now is None else now, evidence=Evidence(trials=trials))


def without_times(allowance: Allowance) -> Trials:
    assert allowance.evidence is not None
    assert allowance.evidence.trials is not None
    return replace(allowance.evidence.trials, times_ms=())


def match(
    record: str, gaps: tuple[int, ...], started: str = "2026-11-21T20:00:00+00:00", name: str = "Ann"
) -> MatchFacts:
    seats = (SeatFacts(RED, name, 3, leads=True, gaps_ms=gaps), SeatFacts(BLUE, "Bob", 1, leads=False))
    return MatchFacts(1, "apache", "Apache", started, "cards", seats, (), record=record)


def test_the_second_figure_is_what_the_fastest_8_of_the_last_20_races_stayed_within() -> None:
    gaps = [1000 + 10 * n for n in range(20)]
    assert second_figure_ms(gaps[:19]) is None
    assert second_figure_ms(gaps) == 1070
    assert second_figure_ms([0] * 8 + gaps) == 1070  # older ones are forgotten
    random.Random(1).shuffle(gaps)
    assert second_figure_ms(gaps) == 1070


def test_one_lucky_press_changes_nothing_and_eight_do() -> None:
    assert second_figure_ms([900] * 19 + [0]) == 900
    assert second_figure_ms([900] * 12 + [0] * 8) == 0


def test_the_smaller_is_taken_at_once_and_a_rise_by_half() -> None:
    assert next_allowance_ms(800, 800, [600] * 20) == 600
    assert next_allowance_ms(800, 600, [900] * 20) == 700
    assert next_allowance_ms(800, 700, [900] * 20) == 750
    assert next_allowance_ms(800, 790, [900] * 20) == 800  # and comes there at last
    assert next_allowance_ms(800, 300, [900] * 19) == 300  # too few races say nothing, and nothing rises by them
    assert next_allowance_ms(200, 300, [900] * 19) == 200


@given(st.integers(0, 60_000), st.integers(0, 60_000), st.lists(st.integers(-5000, 70_000), max_size=40))
def test_it_is_never_above_what_was_measured_or_what_it_was_by_more_than_half(
    proposal: int, current: int, gaps: list[int]
) -> None:
    own, now = rounded(proposal), rounded(current)
    after = next_allowance_ms(own, now, gaps)
    assert 0 <= after <= max(own, 0)
    assert after % 10 == 0
    assert after <= max(now + (max(own - now, 0)) // 2, min(own, now + 10))


def test_a_match_is_told_once_and_again_where_it_went_on() -> None:
    once = after_match(measured(800), "aa", (500,) * 20)
    assert once.ms == 500
    assert after_match(once, "aa", (500,) * 20) == once
    assert once.evidence is not None
    longer = after_match(once, "aa", (900,) * 20)
    assert longer.ms == 500  # a rise waits for the next match
    assert after_match(longer, "bb", (900,) * 2).ms == 650


def test_an_allowance_that_was_named_and_not_measured_stays() -> None:
    named = Allowance(ms=800)
    assert after_match(named, "aa", (100,) * 20) == named
    assert after_matches(named, "Ann", [match("aa", (100,) * 20)]) == named


def test_it_follows_from_the_records_alone_and_again_from_what_is_new_of_them() -> None:
    first, second = match("aa", (500,) * 20), match("bb", (900,) * 20)
    before = match("00", (0,) * 20, "2026-11-19T20:00:00+00:00")  # from before the trials
    practice = match("cc", (0,) * 20)._replace(is_practice=True)
    other = match("dd", (0,) * 20, name="Cid")
    at_once = after_matches(measured(800), "ann", [before, first, practice, other, second])
    assert at_once.ms == 650
    in_steps = after_matches(after_matches(measured(800), "Ann", [before, first]), "Ann", [before, first, second])
    assert in_steps == at_once
    assert after_matches(at_once, "Ann", [before, first, second]) == at_once


def test_whoever_is_measured_again_keeps_the_races_of_before() -> None:
    caught = after_match(measured(800), "aa", (500,) * 20)
    again = measured_again(caught, measured(900))
    assert again.ms == 500
    assert again.evidence is not None
    assert caught.evidence is not None
    assert again.evidence.gaps == caught.evidence.gaps
    assert again.evidence.trials == measured(900).evidence.trials  # type: ignore[union-attr]
    assert measured_again(caught, measured(300)).ms == 300
    slower = after_match(caught, "bb", (900,) * 20)  # grown slower: a rise by half
    assert measured_again(slower, measured(900)).ms == 770


def test_of_a_first_measuring_and_of_one_whose_races_are_not_enough_the_newest_holds() -> None:
    few = after_match(measured(800), "aa", (500,) * 19)
    assert measured_again(Allowance(ms=300), measured(900)) == measured(900)
    assert measured_again(few, measured(900)).ms == 900  # they have said nothing yet
    assert after_match(measured_again(few, measured(900)), "bb", (500,)).ms == 500


def test_what_races_have_taken_stays_taken_where_their_gaps_are_lost() -> None:
    """They don't come along by a code."""
    by_code = measured(800, now=500)
    assert measured_again(by_code, measured(900)).ms == 500
    assert after_match(by_code, "aa", (900,) * 19).ms == 500
    assert after_match(by_code, "aa", (900,) * 20).ms == 650


def test_a_profile_that_comes_again_undoes_no_race() -> None:
    fresh, caught = measured(800), after_match(measured(800), "aa", (500,) * 20)
    code = Allowance(ms=800, evidence=Evidence(trials=without_times(measured(800)), count=30))
    for older in (fresh, code, Allowance(), Allowance(ms=900), after_match(fresh, "00", (800,) * 20)):
        assert brought(caught, older) == caught
    assert brought(caught, measured(900, date="2026-11-19T20:00:00+00:00")) == caught  # trials from before these
    newer = brought(caught, measured(900, date="2026-11-22T20:00:00+00:00"))
    assert (newer.ms, newer.evidence.gaps) == (500, caught.evidence.gaps)  # type: ignore[union-attr]
    assert brought(caught, Allowance(ms=450, evidence=code.evidence)).ms == 450


def test_a_profile_that_comes_back_with_more_races_is_taken_as_it_is() -> None:
    caught = after_match(measured(800), "aa", (500,) * 20)
    further = after_match(caught, "bb", (900,) * 15)
    assert brought(caught, further) == further
    assert brought(Allowance(), further) == brought(Allowance(ms=70), further) == further
    only_code = Allowance(ms=500, evidence=Evidence(trials=without_times(caught), count=30))
    with_times = brought(only_code, measured(800))
    assert with_times == measured(800, now=500)


def test_a_gap_is_to_the_median_of_the_others_by_raw_times() -> None:
    assert gaps_of({RED: 5_000_000_000}) == {}
    assert gaps_of({RED: 1_900_000_000, BLUE: 1_000_000_000}) == {RED: 900, BLUE: -900}
    assert gaps_of({RED: 1_900_000_000, BLUE: 1_000_000_000, YELLOW: 1_200_000_000})[RED] == 800


@pytest.mark.parametrize("spread", [30, 100, 200])
def test_a_sandbag_of_100_ms_in_the_trials_gains_nothing_from_the_21st_race_on(spread: int) -> None:
    drawn, gained = random.Random(spread), []
    for _ in range(300):
        gaps = [round(drawn.gauss(1000, spread)) for _ in range(20)]
        honest, slow = (after_match(measured(ms), "aa", gaps).ms for ms in (1000, 1100))
        gained.append(slow - honest)
    assert sum(gained) / len(gained) < 20

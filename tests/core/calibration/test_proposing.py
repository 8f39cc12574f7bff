"""What trials speak for: the rule word by word, and what must hold of any trials at all."""

from __future__ import annotations

import random
from statistics import median
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.calibration.interval import difference, interval, limit_ms
from companion.core.calibration.proposing import looks, propose, rounded
from companion.core.calibration.resampling import BLOCK, RESAMPLES, resampled, starts_of, twice_median
from tests.amounts import many

if TYPE_CHECKING:
    from collections.abc import Sequence

times = st.integers(0, 20_000)
series = st.lists(times, min_size=30, max_size=30)
tables = st.tuples(series, st.lists(series, min_size=1, max_size=4))


@given(tables)
@settings(max_examples=many(30), deadline=None)
def test_it_is_the_median_less_the_median_of_the_others_medians(table: tuple[list[int], list[list[int]]]) -> None:
    player, others = table
    exact = median(player) - median([median(one) for one in others])
    assert difference(player, others) / 4 == exact
    proposal = propose(player, others)
    assert proposal.ms == max(0, exact // 10 * 10)
    assert isinstance(proposal.ms, int)
    assert all(isinstance(end, int) for end in proposal.interval)


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=many(20), deadline=None)
def test_the_order_of_the_others_does_not_matter(
    table: tuple[list[int], list[list[int]]], shuffling: st.DataObject
) -> None:
    player, others = table
    shuffled = list(others)
    shuffling.shuffle(shuffled)  # type: ignore[attr-defined]
    assert propose(player, shuffled) == propose(player, others)


@given(tables, st.integers(0, 5000))
@settings(max_examples=many(20), deadline=None)
def test_whoever_is_slower_by_a_constant_is_proposed_as_much_more_with_the_same_interval_moved(
    table: tuple[list[int], list[list[int]]], slower: int
) -> None:
    player, others = table
    before, after = interval(player, others), interval([time + slower for time in player], others)
    assert after.quarters == before.quarters + 4 * slower
    assert propose([time + slower for time in player], others).ms >= propose(player, others).ms


@given(tables, st.integers(0, 29), st.integers(0, 3000))
@settings(max_examples=many(30), deadline=None)
def test_no_trial_that_was_slower_lowers_a_proposal(
    table: tuple[list[int], list[list[int]]], which: int, slower: int
) -> None:
    player, others = table
    slow = [time + slower * (place == which) for place, time in enumerate(player)]
    assert propose(slow, others).ms >= propose(player, others).ms


@given(st.integers(-(10**7), 10**7))
def test_an_allowance_is_whole_steps_from_nothing_to_a_minute(time_ms: int) -> None:
    ms = rounded(time_ms)
    assert 0 <= ms <= 60_000
    assert ms % 10 == 0
    assert ms <= max(0, time_ms)
    assert ms > min(time_ms, 60_000) - 10


def test_nobody_is_proposed_more_than_a_minute() -> None:
    assert propose([200_000] * 30, [[400] * 30]).ms == 60_000


@pytest.mark.parametrize(("proposal_ms", "most_ms"), [(0, 100), (490, 100), (500, 100), (510, 102), (3000, 600)])
def test_too_wide_is_more_than_100_ms_and_more_than_20_percent(proposal_ms: int, most_ms: int) -> None:
    assert limit_ms(proposal_ms) == most_ms


def test_trials_that_agree_are_enough_at_once_and_others_go_on_to_120() -> None:
    steady, wild = [400 + n % 7 for n in range(120)], [random.Random(n).randrange(300, 2500) for n in range(120)]
    assert [one.trials for one in looks(steady, [steady])] == [30]
    found = list(looks(wild, [steady]))
    assert [one.trials for one in found] == [30, 60, 90, 120]
    assert [one.is_enough for one in found] == [False, False, False, True]
    assert found[-1].is_low
    assert found[-1].ms == rounded(found[-1].interval.low_ms) < rounded(found[-1].interval.quarters // 4)


def test_clocks_that_are_not_sure_widen_the_interval_by_as_much() -> None:
    player, other = [900 + n % 40 for n in range(30)], [400 + n % 30 for n in range(30)]
    sure, unsure = interval(player, [other]), interval(player, [other], doubt_ms=15)
    assert (unsure.low_ms, unsure.high_ms) == (sure.low_ms - 15, sure.high_ms + 15)


@pytest.mark.parametrize(
    ("player", "others"),
    [([1] * 30, []), ([1] * 31, [[1] * 31]), ([1] * 30, [[1] * 60]), ([], [[]]), ([1] * 150, [[1] * 150])],
)
def test_series_that_are_no_whole_rounds_are_refused(player: Sequence[int], others: Sequence[Sequence[int]]) -> None:
    with pytest.raises(ValueError, match="series of one length"):
        interval(player, others)


# -- drawing again -----------------------------------------------------------------------------------------------------


def test_blocks_of_five_neighbours_are_drawn_from_a_ring_one_fewer_than_there_are() -> None:
    starts = starts_of(0, 30)
    assert len(starts) == RESAMPLES
    assert {len(row) for row in starts} == {30 // BLOCK - 1}
    assert {at for row in starts for at in row} == set(range(30))
    trials = [n * n for n in range(30)]
    drawn = resampled(trials, ((28, 0, 3),))
    expected = sorted([*(trials[(28 + n) % 30] for n in range(5)), *trials[0:5], *trials[3:8]])
    assert drawn == [2 * expected[7]]


def test_each_stream_draws_otherwise_and_always_the_same() -> None:
    assert starts_of(1, 30) != starts_of(2, 30)
    assert starts_of(1, 30)[0] == (2, 9, 18, 29, 19)  # the same on any machine, for ever


def test_a_median_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no median"):
        twice_median([])
    with pytest.raises(ValueError, match="no two blocks"):
        starts_of(0, 9)

"""What allowance the trials speak for, and whether more of them are needed first. Pure, in whole milliseconds.

The rule: `ROUND` trials first. Where the 95 % interval is wider than the larger of 100 ms and 20 % of the proposal,
`ROUND` more, up to `MOST`; where it is still too wide then, its lower end is what is proposed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.calibration.interval import MOST, PER_MS, ROUND, interval, limit_ms
from companion.core.calibration.resampling import starts_of
from companion.core.record.lines import MOST_ALLOWANCE_MS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core.calibration.interval import FindStarts, Interval

STEP_MS = 10
"""A proposal is rounded down to whole steps."""


class Proposal(NamedTuple):
    """An allowance that trials speak for. trials: of each seat. is_enough: no more of them are needed.

    is_low: the interval stayed too wide, and the proposal is its lower end.
    """

    ms: int
    interval: Interval
    trials: int
    is_enough: bool
    is_low: bool = False


def rounded(time_ms: int) -> int:
    """Give an allowance: at least 0, at most 60 s, rounded down to 10 ms."""
    return min(max(0, time_ms), MOST_ALLOWANCE_MS) // STEP_MS * STEP_MS


def propose(
    player: Sequence[int], others: Sequence[Sequence[int]], doubt_ms: int = 0, find_starts: FindStarts = starts_of
) -> Proposal:
    """Give what these trials speak for. The series, in ms, as `interval` takes them, which raises ValueError."""
    found = interval(player, others, doubt_ms, find_starts)
    proposal_ms = rounded(found.quarters // PER_MS)
    is_narrow, trials = found.width_ms <= limit_ms(proposal_ms), len(player)
    if is_narrow or trials < MOST:
        return Proposal(proposal_ms, found, trials, is_narrow)
    return Proposal(rounded(found.low_ms), found, trials, is_enough=True, is_low=True)


def looks(player: Sequence[int], others: Sequence[Sequence[int]], doubt_ms: int = 0) -> Iterator[Proposal]:
    """Give what was proposed at each look, up to the one that was enough or to the last whole round there is."""
    for trials in range(ROUND, min(len(player), *map(len, others), MOST) + 1, ROUND):
        proposal = propose(player[:trials], [one[:trials] for one in others], doubt_ms)
        yield proposal
        if proposal.is_enough:
            return

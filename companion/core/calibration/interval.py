"""The difference between a player and the others, and the 95 % interval it lies in. Pure, in whole numbers.

Theory. What is asked for is the player's median less the median of the others' medians. Each seat's series is drawn
again in blocks (`resampling`), each by a stream of its own; how far the drawn medians scatter is the standard error,
and the interval is as many of them to each side as `_factor` says. Four things make it hold what it promises:

- *Few blocks.* A scatter that was found from few blocks is itself uncertain, so Student's t stands for the normal
  distribution's 1.96, with degrees of freedom by Satterthwaite's rule (1946) from the player's part and the others'.
- *Medians of equals.* Where the others are about as quick as each other, their medians lie apart by chance alone, and
  drawing about where they happen to lie finds too much scatter. So they are first moved together, by as much of their
  distance as chance explains (the shrinking of James and Stein, 1961).
- *Neighbours beyond a block.* What hangs together over more than a block's length is lost between two blocks. How much
  that is follows from how often neighbouring trials lie on the same side of the median, counted over all seats.
- *Looking more than once.* Whoever may stop as soon as an interval is narrow enough stops more often where it came out
  too narrow by chance. So before the last look an interval is widened the more, the nearer it is to ending the trials.

What it does not cover: that somebody grows tired or quicker in the course of all trials, or plays otherwise in a match.
`make calibration` measures how often it holds.
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from companion.core.calibration.resampling import BLOCK, resampled, starts_of, twice_median

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.calibration.resampling import Starts

    FindStarts = Callable[[int, int], Starts]
    """Gives where blocks are drawn from: the number of a stream, the length of a series."""

PER_MS = 4
"""All in here is counted in quarters of a millisecond, in which medians of medians of whole ones are whole."""
ROUND, MOST = 30, 120
"""Trials of a seat before each look, and at most."""
WIDE_MS, WIDE_PERCENT = 100, 20
"""An interval is too wide above the larger of this, and of this part of the proposal."""
MOST_TOGETHER = 400
"""Of neighbouring trials, in thousandths: more than this correlation is not believed of so short a series."""

# How wide an interval has to be so that 95 % of them hold, found by simulation (`make calibration`), not by theory.
OWN_DEGREES, OTHERS_DEGREES = 35, 600
"""Degrees of freedom of the player's scatter and of the others', in tenths, for each root of a number of blocks."""
SCATTER = 985
"""Of what the theory says, in thousandths: resampled medians scatter a little more than medians do."""
LOOKING, LAST_LOOK = 120, 20
"""By how much an interval is widened that is just narrow enough to end the trials, and one at the last look."""


class Interval(NamedTuple):
    """How far the player's median is above the median of the others' medians, in ms; negative where it is below.

    quarters: exactly, in quarters of a millisecond. low_ms, high_ms: the ends of the 95 % interval.
    """

    quarters: int
    low_ms: int
    high_ms: int

    @property
    def width_ms(self) -> int:
        """How wide the interval is."""
        return self.high_ms - self.low_ms


def difference(player: Sequence[int], others: Sequence[Sequence[int]]) -> int:
    """Give the player's median less the median of the others' medians, in quarters of a ms. times: in ms."""
    return 2 * twice_median(player) - twice_median([twice_median(one) for one in others])


def interval(
    player: Sequence[int], others: Sequence[Sequence[int]], doubt_ms: int = 0, find_starts: FindStarts = starts_of
) -> Interval:
    """Give the difference with its interval; series in ms, all of one length, a whole number of rounds of `ROUND`.

    The order of the others does not matter. doubt_ms: by how much the clocks of two seats may differ, which widens the
    interval. Raises ValueError where there are no others, or series of other lengths.
    """
    length = len(player)
    if not others or any(len(one) != length for one in others) or length % ROUND or not 0 < length <= MOST:
        raise ValueError(f"series of one length are needed, {ROUND} to {MOST} times each, and others to compare with")
    found = difference(player, others)
    theirs = sorted(map(tuple, others))
    half = half_width(*_scatters(player, theirs, find_starts), together((player, *theirs)), length, found)
    return around(found, half + doubt_ms * PER_MS)


def around(found: int, half: int) -> Interval:
    """Give the interval around a difference, both in quarters of a ms."""
    return Interval(found, _whole_ms(found - half), _whole_ms(found + half))


def _whole_ms(quarters: int) -> int:
    """Round to the nearest millisecond, a half upwards."""
    return (quarters + PER_MS // 2) // PER_MS


def limit_ms(proposal_ms: int) -> int:
    """Give how wide an interval may be for this proposal."""
    return max(WIDE_MS, proposal_ms * WIDE_PERCENT // 100)


def _scatters(player: Sequence[int], others: Sequence[Sequence[int]], find_starts: FindStarts) -> tuple[int, int]:
    """Give the variance of the player's drawn medians, and of the medians of the others', in squared quarters."""
    length = len(player)
    own = variance(resampled(player, find_starts(0, length)))
    drawn = [resampled(one, find_starts(stream, length)) for stream, one in enumerate(others, start=1)]
    moves = shifts([twice_median(one) for one in others], [variance(one) for one in drawn])
    moved = [[median + move for median in one] for one, move in zip(drawn, moves, strict=True)]
    # All of this is two times medians: the median of two times the others' medians counts in quarters by itself.
    return 4 * own, variance([twice_median(medians) for medians in zip(*moved, strict=True)])


def half_width(own: int, theirs: int, hanging: int, length: int, found: int) -> int:
    """Give half the width of the interval, in quarters. hanging: how neighbours hang `together`."""
    scale = _factor(own, theirs, length // BLOCK - 1) * _beyond(hanging)
    return _widened(isqrt((own + theirs) * scale * scale // 10**12), found, length)


def variance(values: Sequence[int]) -> int:
    """Give the mean square distance from the mean, rounded down."""
    count, total = len(values), sum(values)
    return (count * sum(value * value for value in values) - total * total) // (count * count)


def shifts(medians: Sequence[int], scatters: Sequence[int]) -> list[int]:
    """Give by how much each of the others' medians is moved toward their middle, which chance alone has parted.

    Of one or two, the middle is their mean: there it makes no difference, and none is moved.
    """
    count = len(medians)
    if count < 3:
        return [0] * count
    middle, total = twice_median(medians) // 2, sum(medians)
    apart = (count * sum(one * one for one in medians) - total * total) // (count * (count - 1))
    chance = sum(scatters) // count
    kept = isqrt(10**6 * (apart - chance) // apart) if apart > chance else 0
    return [(middle - one) * (1000 - kept) // 1000 for one in medians]


def _factor(own: int, theirs: int, blocks: int) -> int:
    """Give Student's t for 95 %, in thousandths. own, theirs: variances; blocks: of which each was found.

    How sure a median's scatter is grows with the root of their number only (Hall and Martin, 1988), and several seats
    together are surer than one. The series of t is that of Fisher and Cornish.
    """
    whole = max(1, own + theirs) ** 2
    inverse = 10**9 * (own * own * OTHERS_DEGREES + theirs * theirs * OWN_DEGREES)
    inverse //= OWN_DEGREES * OTHERS_DEGREES * isqrt(10**4 * blocks) * whole  # a millionth of 1 / degrees of freedom
    return (1960 + (2372 * inverse) // 10**6 + (2823 * inverse * inverse) // 10**12) * SCATTER // 1000


def together(series: Sequence[Sequence[int]]) -> int:
    """Give how neighbouring trials hang together, by their sides of the median: 0 to `MOST_TOGETHER` thousandths.

    What counting from a median of the same times takes away is added again.
    """
    length, same = len(series[0]), 0
    for times in series:
        middle = twice_median(times)
        sides = [(2 * time > middle) - (2 * time < middle) for time in times]
        same += sum(one * other for one, other in pairwise(sides))
    found = 1000 * same // (len(series) * (length - 1)) + 1000 // length
    return min(max(found, 0), MOST_TOGETHER)


def _beyond(together: int) -> int:
    """Give by how much blocks of 5 find too little scatter, in thousandths, where neighbours correlate so.

    The long run's variance, (1 + r) / (1 - r), by that within a block: 1 + 2 (0.8 r + 0.6 r² + 0.4 r³ + 0.2 r⁴).
    """
    r = together
    within = 10**15 + 2 * (8 * r * 10**11 + 6 * r**2 * 10**8 + 4 * r**3 * 10**5 + 2 * r**4 * 10**2)
    return isqrt((1000 + r) * 10**21 // ((1000 - r) * within))


def _widened(half: int, found: int, length: int) -> int:
    """Widen for looking more than once: nothing at half the limit, `LOOKING` thousandths where it ends the trials."""
    if length >= MOST:
        return half * (1000 + LAST_LOOK) // 1000
    limit = limit_ms(max(0, found) // PER_MS) * PER_MS
    near = min(max(4 * half - limit, 0), limit)  # 0 where the width is half the limit, `limit` where it is all of it
    return half * (1000 * limit + LOOKING * near) // (1000 * limit)

"""What a loop of wire tells about stamps: an output drives a button's line, and its edges are held against that. Pure.

The theory. The program writes a level to an output that is wired to a button's line, and reads the clock before and
after: the line changed between these two instants, its *bracket*. The source stamps the edge. So the stamp's true error
lies between stamp − after and stamp − before: a span, half as wide on either side as the bracket, and nothing can make
it narrower. A median of spans lies between the median of their lower and that of their upper ends, and so do the
smallest and the largest; each figure here is the middle of such a pair, and the bracket is its ±.

What all lines have in common (how long a write, an interrupt or a wire takes) moves every press alike and decides no
race. What decides one is by how much more one line's stamp may be off than another's: the *worst difference*, from the
highest upper end of any line to the lowest lower end of any other. The bracket is within it: it is a bound.

A write that was interrupted between the two looks at the clock has a wide bracket, and says nothing about the stamp.
Such a change counts among those that arrived and not among the errors: it is *disturbed*.
"""

from __future__ import annotations

from statistics import median_high, median_low
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.timing.events import Edge

EARLY_NS = 5 * MS
"""A stamp may lie so long before its bracket; pulses and the pauses between them must be longer."""
DISTURBED = 4
"""A bracket so many times as wide as the line's median one was interrupted."""


class Change(NamedTuple):
    """The output was told to close (`active`: level low) or to open, at some instant from `before_ns` to `after_ns`."""

    active: bool
    before_ns: int
    after_ns: int

    @property
    def width_ns(self) -> int:
        """How wide the bracket is."""
        return self.after_ns - self.before_ns


class Answered(NamedTuple):
    """A change of the output, and the stamp of the edge that came of it; None where none came."""

    change: Change
    t_ns: int | None


class Paired(NamedTuple):
    """All changes of a trial with what came of them, and how many edges came of none."""

    answers: tuple[Answered, ...]
    spurious: int

    @property
    def lost(self) -> int:
        """How many changes no edge came of."""
        return sum(answer.t_ns is None for answer in self.answers)


class Spread(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far stamps lay from the middle of their brackets, in ns; above 0 where the stamp was late."""

    min_ns: int
    median_ns: int
    max_ns: int


class LineFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the loop told of one line.

    input: the number of its GPIO, or of the pod's line. lost: changes of the output that no edge came of.
    spurious: edges that no change explains. elsewhere: edges of other lines meanwhile. disturbed: changes whose
    bracket says nothing. error: of closings, which presses are made of. bracket_ns: the ± of these figures, half the
    width of the widest bracket that counts. least_ns, most_ns: between these every error lies, with the bracket.
    """

    line: str
    input: int
    pulses: int
    lost: int
    spurious: int
    elsewhere: int
    disturbed: int
    error: Spread
    bracket_ns: int
    least_ns: int
    most_ns: int


class WorstDifference(NamedTuple):
    """By how much the stamp of line `late` may be further behind than that of line `early`."""

    ns: int
    late: str
    early: str


def pair(changes: Sequence[Change], edges: Iterable[Edge]) -> Paired:
    """Find for each change the first edge of its direction up to the next change of that direction.

    changes: in order, closings and openings by turns. edges: of one line. A stamp that is further off is a lost edge
    and a spurious one.
    """
    waiting = sorted(edges, key=lambda edge: edge.t_ns)
    answers = []
    used = 0
    for index, change in enumerate(changes):
        after = changes[index + 2].before_ns - EARLY_NS if index + 2 < len(changes) else None
        found = [
            edge.t_ns
            for edge in waiting
            if edge.active == change.active
            and edge.t_ns >= change.before_ns - EARLY_NS
            and (after is None or edge.t_ns < after)
        ]
        answers.append(Answered(change, found[0] if found else None))
        used += bool(found)
    return Paired(tuple(answers), len(waiting) - used)


def figures(line: str, number: int, paired: Paired, elsewhere: int) -> LineFigures | None:
    """Give what a trial told of a line, the input of this number; None where no closing told anything."""
    stamped = [
        (answer.t_ns - answer.change.after_ns, answer.t_ns - answer.change.before_ns)
        for answer in paired.answers
        if answer.change.active and answer.t_ns is not None
    ]
    if not stamped:
        return None
    widest_ns = DISTURBED * median_high(high - low for low, high in stamped)
    spans = [(low, high) for low, high in stamped if high - low <= widest_ns]
    lows, highs = [low for low, _ in spans], [high for _, high in spans]
    return LineFigures(
        line=line,
        input=number,
        pulses=sum(answer.change.active for answer in paired.answers),
        lost=paired.lost,
        spurious=paired.spurious,
        elsewhere=elsewhere,
        disturbed=len(stamped) - len(spans),
        error=Spread(
            _middle(min(lows), min(highs)),
            _middle(median_low(lows), median_high(highs)),
            _middle(max(lows), max(highs)),
        ),
        bracket_ns=_half_up(max(high - low for low, high in spans)),
        least_ns=min(lows),
        most_ns=max(highs),
    )


def worst_difference(lines: Sequence[LineFigures]) -> WorstDifference:
    """Give the worst difference between two lines; of a single line, between its own stamps. Needs one line."""
    pairs = [(late, early) for late in lines for early in lines if late is not early] or [(lines[0], lines[0])]
    return max(WorstDifference(late.most_ns - early.least_ns, late.line, early.line) for late, early in pairs)


def _middle(low_ns: int, high_ns: int) -> int:
    return (low_ns + high_ns) // 2


def _half_up(width_ns: int) -> int:
    return -(-width_ns // 2)

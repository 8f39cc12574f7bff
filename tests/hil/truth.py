"""What was really done to the lines, from the press tool's log, and how what somebody told compares with it. Pure.

The log brackets every edge: it happened not before `before_ns` and not after `after_ns`, on the guest's
CLOCK_MONOTONIC, the same clock that the kernel stamps events with.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.hil.patterns import Plan, Stroke


@dataclass(frozen=True, slots=True)
class Played:
    """One edge as it was played on one chip."""

    chip: int
    gpio: int
    level: int
    before_ns: int
    after_ns: int

    def holds(self, t_ns: int, error_ns: int = 0) -> bool:
        """Whether a time somebody told, with its half-width, can be the time of this edge."""
        return self.before_ns - error_ns <= t_ns <= self.after_ns + error_ns

    def miss_ns(self, t_ns: int) -> int:
        """How far a time lies outside the bracket: 0 inside, negative when early, positive when late."""
        return min(t_ns - self.before_ns, 0) + max(t_ns - self.after_ns, 0)


@dataclass(frozen=True, slots=True)
class Passed:
    """A change of an output that a wire passed on: seen after `seen_ns`, and the line moved within the bracket."""

    gpio: int
    level: int
    seen_ns: int
    before_ns: int
    after_ns: int

    def holds(self, t_ns: int, error_ns: int = 0) -> bool:
        """Whether a time somebody told, with its half-width, can be that of the line's edge."""
        return self.before_ns - error_ns <= t_ns <= self.after_ns + error_ns


def read_loop_log(text: str) -> list[Passed]:
    """The loop tool's log."""
    return [Passed(*map(int, line.split())) for line in text.splitlines()]


@dataclass(frozen=True, slots=True)
class PlayedStroke:
    """A stroke and the moments of its edges."""

    stroke: Stroke
    moments: tuple[Played, ...]

    @property
    def gpio(self) -> int:
        return self.stroke.gpio

    @property
    def first(self) -> Played:
        """Its first edge: the truth about a press."""
        return self.moments[0]

    @property
    def drift_us(self) -> int:
        """By how much an interval within the stroke came out longer or shorter than planned, at worst.

        The emulator may stop for some milliseconds in the middle of a glitch and make a press of it; a test that rests
        on the lengths of intervals leaves such strokes out.
        """
        worst_ns = 0
        for (edge, moment), (later, later_moment) in combinations(zip(self.stroke.edges, self.moments, strict=True), 2):
            planned_ns = (later.at_us - edge.at_us) * 1000
            longest_ns = later_moment.after_ns - moment.before_ns
            shortest_ns = later_moment.before_ns - moment.after_ns
            worst_ns = max(worst_ns, longest_ns - planned_ns, planned_ns - shortest_ns)
        return worst_ns // 1000


def read_log(text: str) -> list[Played]:
    """The press tool's log.

    Raises:
        ValueError: a line that is not five integers, with its number.
    """
    played = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            chip, gpio, level, before_ns, after_ns = map(int, line.split())
        except ValueError:
            raise ValueError(f"line {number} of the press log is not five integers: {line!r}") from None
        played.append(Played(chip, gpio, level, before_ns, after_ns))
    return played


def as_played(plan: Plan, played: Sequence[Played]) -> list[PlayedStroke]:
    """The strokes of a plan, in its order, with the moments of one chip's log.

    Raises:
        ValueError: the log is not of this plan.
    """
    edges, numbers = plan.edges_with_strokes()
    told = [(moment.gpio, moment.level) for moment in played]
    if told != [(edge.gpio, edge.level) for edge in edges]:
        raise ValueError(f"a log of {len(played)} edges does not belong to this plan of {len(edges)}")
    moments: list[list[Played]] = [[] for _ in plan.strokes]
    for number, moment in zip(numbers, played, strict=True):
        moments[number].append(moment)
    return [PlayedStroke(stroke, tuple(own)) for stroke, own in zip(plan.strokes, moments, strict=True)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an order that was told differs from the true one. A name that is told twice is extra the second time."""

    lost: tuple[Hashable, ...]
    extra: tuple[Hashable, ...]
    wrong_first: bool
    misordered_pairs: int
    pairs: int

    @property
    def is_right(self) -> bool:
        return not (self.lost or self.extra or self.wrong_first or self.misordered_pairs)


def compare(truth: Sequence[Hashable], told: Sequence[Hashable]) -> Comparison:
    """Compares orders of names that are unique in `truth`.

    Raises:
        ValueError: a name twice in the truth.
    """
    place = {name: number for number, name in enumerate(truth)}
    if len(place) != len(truth):
        raise ValueError("a name stands twice in the true order")
    known: dict[Hashable, None] = {}
    extra = []
    for name in told:
        if name in place and name not in known:
            known[name] = None
        else:
            extra.append(name)
    places = [place[name] for name in known]
    return Comparison(
        lost=tuple(name for name in truth if name not in known),
        extra=tuple(extra),
        wrong_first=list(truth[:1]) != list(told[:1]),
        misordered_pairs=sum(1 for earlier, later in combinations(places, 2) if earlier > later),
        pairs=len(places) * (len(places) - 1) // 2,
    )

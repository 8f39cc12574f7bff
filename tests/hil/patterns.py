"""What fingers and faults do to button lines: pure, seeded, in whole microseconds.

A *stroke* is one thing that happens to one line, a *plan* many strokes at once, ready to be played by `inside/press.c`.
Lines idle high; a closed contact pulls its line low. Knows neither the guest nor the program under test.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain, pairwise

CLOSED, OPEN = 0, 1
Span = tuple[int, int]


class Kind(Enum):
    """What a stroke is, and so what is to be told of it."""

    PRESS = "press"  # counts once, at its first edge, however much it bounces
    GLITCH = "glitch"  # too short for a finger: never counts
    CHATTER = "chatter"  # a bad contact that will not settle
    HOLD = "hold"  # closed and not opened again in this plan
    RELEASE = "release"  # the end of a hold of an earlier plan


@dataclass(frozen=True, slots=True)
class Edge:
    """A line's level changes, so long after the start of the plan."""

    at_us: int
    gpio: int
    level: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """Edges of one line that belong together, in time order and with levels by turns.

    Raises:
        ValueError: no edges, several lines, a level twice in a row, or time that stands still.
    """

    kind: Kind
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        if not self.edges:
            raise ValueError("a stroke has at least one edge")
        if self.edges[0].level != (OPEN if self.kind is Kind.RELEASE else CLOSED):
            raise ValueError(f"a {self.kind.value} does not begin with level {self.edges[0].level}")
        for edge, after in pairwise(self.edges):
            if after.gpio != edge.gpio:
                raise ValueError(f"one stroke on two lines: GPIO {edge.gpio} and {after.gpio}")
            if after.at_us <= edge.at_us or after.level == edge.level:
                raise ValueError(f"edges out of turn on GPIO {edge.gpio} at {edge.at_us} and {after.at_us} us")

    @property
    def gpio(self) -> int:
        return self.edges[0].gpio

    @property
    def at_us(self) -> int:
        """Its first edge: for a press, the time that is to be told."""
        return self.edges[0].at_us

    @property
    def end_us(self) -> int:
        return self.edges[-1].at_us


@dataclass(frozen=True, slots=True)
class Plan:
    """Strokes to be played together; those of one line come one after the other.

    Raises:
        ValueError: no strokes, time before the start, or two strokes of one line overlap.
    """

    strokes: tuple[Stroke, ...]

    def __post_init__(self) -> None:
        if not self.strokes:
            raise ValueError("a plan has at least one stroke")
        last: dict[int, Edge] = {}
        for stroke in sorted(self.strokes, key=lambda stroke: stroke.at_us):
            first, before = stroke.edges[0], last.get(stroke.gpio)
            if first.at_us < 0:
                raise ValueError(f"GPIO {stroke.gpio} has an edge at {first.at_us} us, before the start")
            if before and (first.at_us <= before.at_us or first.level == before.level):
                raise ValueError(f"two strokes of GPIO {stroke.gpio} overlap at {first.at_us} us")
            last[stroke.gpio] = stroke.edges[-1]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges in the order they are played."""
        return tuple(self.edges_with_strokes()[0])

    def edges_with_strokes(self) -> tuple[list[Edge], list[int]]:
        """All edges in the order they are played, and beside each the index of the stroke it belongs to."""
        tagged = [(edge, number) for number, stroke in enumerate(self.strokes) for edge in stroke.edges]
        tagged.sort(key=lambda pair: pair[0].at_us)
        return [edge for edge, _ in tagged], [number for _, number in tagged]

    @property
    def duration_us(self) -> int:
        return max(stroke.end_us for stroke in self.strokes)

    def text(self) -> str:
        """The pattern file: one line an edge, `DELAY_US GPIO LEVEL`, the delay from the edge before it."""
        times = [0, *(edge.at_us for edge in self.edges)]
        delays = (after - before for before, after in pairwise(times))
        return "".join(f"{delay} {edge.gpio} {edge.level}\n" for delay, edge in zip(delays, self.edges, strict=True))


@dataclass(frozen=True, slots=True)
class Contact:
    """How long a switch chatters when it makes and when it breaks, and how fast: ranges in microseconds.

    While it makes, it stays closed for `closed_us` and open for `open_us` at a time; when it breaks it begins open.
    """

    make_us: Span = (0, 0)
    break_us: Span = (0, 0)
    closed_us: Span = (300, 1400)
    open_us: Span = (300, 900)
    first_us: Span | None = None
    """How long each of its first changes lasts, whether closed or open; None: as all others."""
    firsts: int = 6


CLEAN = Contact()
# Arcade microswitches as they come: several milliseconds of chatter both ways, 7 to 17 edges each.
REAL_SWITCH = Contact(make_us=(5_000, 10_000), break_us=(5_000, 10_000))
# As snap-action switches bounce that were measured: the first changes are the shortest, as the contact has most energy.
SNAP_SWITCH = Contact(
    make_us=(200, 1_500), break_us=(200, 1_500), closed_us=(20, 300), open_us=(20, 300), first_us=(3, 80)
)
LONG_SWITCH = Contact(
    make_us=(2_000, 6_000), break_us=(2_000, 6_000), closed_us=(50, 1_000), open_us=(50, 900), first_us=(3, 100)
)


def _between(rng: random.Random, span: Span) -> int:
    return rng.randint(*span)


def _chatter_us(
    rng: random.Random, total_us: int, first: Span, second: Span, begin: tuple[Span | None, int] = (None, 0)
) -> list[int]:
    """Times after the first edge at which the contact changes, ending with the state it began with at `total_us`.

    begin: how long each of its first changes lasts, and how many these are.
    """
    times: list[int] = []
    now_us = 0
    short_us, firsts = begin
    while short_us is not None and len(times) < firsts and total_us - now_us > 2 * short_us[1]:
        times += [leave_us := now_us + _between(rng, short_us), now_us := leave_us + _between(rng, short_us)]
    while total_us - now_us >= first[0] + second[0]:
        leave_us = now_us + _between(rng, first)
        back_us = leave_us + _between(rng, second)
        if back_us > total_us:
            leave_us, back_us = total_us - second[0], total_us
        times += [leave_us, back_us]
        now_us = back_us
    return times


def _alternating(gpio: int, level: int, times_us: Iterable[int]) -> list[Edge]:
    return [Edge(at_us, gpio, level ^ (number & 1)) for number, at_us in enumerate(times_us)]


def press(rng: random.Random, gpio: int, at_us: int, hold_us: int, contact: Contact = CLEAN) -> Stroke:
    """A finger: the contact is first touched at `at_us` and first leaves `hold_us` later.

    Raises:
        ValueError: it would be let go of before it has settled.
    """
    make_us, break_us = _between(rng, contact.make_us), _between(rng, contact.break_us)
    if hold_us <= make_us:
        raise ValueError(f"GPIO {gpio}: held for {hold_us} us, but the contact chatters for {make_us} us")
    begin = contact.first_us, contact.firsts
    make = [0, *_chatter_us(rng, make_us, contact.closed_us, contact.open_us, begin)]
    leave = [0, *_chatter_us(rng, break_us, contact.open_us, contact.closed_us, begin)]
    edges = [
        *_alternating(gpio, CLOSED, (at_us + after for after in make)),
        *_alternating(gpio, OPEN, (at_us + hold_us + after for after in leave)),
    ]
    return Stroke(Kind.PRESS, tuple(edges))


def glitch(rng: random.Random, gpio: int, at_us: int, length_us: Span = (100, 1_500)) -> Stroke:
    """Closed once, for less than a finger can: interference, or a knock on the box."""
    end_us = at_us + _between(rng, length_us)
    return Stroke(Kind.GLITCH, tuple(_alternating(gpio, CLOSED, (at_us, end_us))))


def chatter(
    rng: random.Random,
    gpio: int,
    at_us: int,
    for_us: int,
    closed_us: Span = (100, 1_500),
    open_us: Span = (100, 1_500),
) -> Stroke:
    """A contact that closes and opens all the time and ends open."""
    closing = [0, *_chatter_us(rng, for_us, closed_us, open_us)]
    times = [*closing, closing[-1] + _between(rng, closed_us)]
    return Stroke(Kind.CHATTER, tuple(_alternating(gpio, CLOSED, (at_us + after for after in times))))


def hold(gpio: int, at_us: int = 0) -> Stroke:
    """Closed, and not opened again in this plan: a stuck button, or one that is held before the program starts."""
    return Stroke(Kind.HOLD, (Edge(at_us, gpio, CLOSED),))


def release(gpio: int, at_us: int = 0) -> Stroke:
    """The end of a hold."""
    return Stroke(Kind.RELEASE, (Edge(at_us, gpio, OPEN),))


def burst(
    rng: random.Random,
    gpios: Sequence[int],
    at_us: int = 0,
    *,
    gap_us: Span = (50, 200),
    hold_us: int = 40_000,
    contact: Contact = CLEAN,
) -> list[Stroke]:
    """All buttons in random order, a gap apart; each is held for `hold_us`. Strokes in the order of the presses."""
    order = rng.sample(list(gpios), len(gpios))
    strokes = []
    for gpio in order:
        strokes.append(press(rng, gpio, at_us, hold_us, contact))
        at_us += _between(rng, gap_us)
    return strokes


def burst_rounds(
    rng: random.Random,
    gpios: Sequence[int],
    rounds: int,
    *,
    period_us: int = 150_000,
    gap_us: Span = (50, 200),
    hold_us: int = 40_000,
    contact: Contact = CLEAN,
) -> list[list[Stroke]]:
    """One burst each period; every line is left alone for the rest of it."""
    return [
        burst(rng, gpios, number * period_us, gap_us=gap_us, hold_us=hold_us, contact=contact)
        for number in range(rounds)
    ]


def bounce_duel(
    rng: random.Random,
    bouncing: int,
    clean: int,
    at_us: int = 0,
    *,
    lead_us: Span = (1_000, 4_500),
    hold_us: int = 60_000,
) -> list[Stroke]:
    """The earlier player's switch chatters, the later one's is clean and closes while it does: the earlier one won."""
    return [
        press(rng, bouncing, at_us, hold_us, REAL_SWITCH),
        press(rng, clean, at_us + _between(rng, lead_us), hold_us),
    ]


def plan(*parts: Stroke | Iterable[Stroke] | Iterable[Iterable[Stroke]]) -> Plan:
    """One plan of strokes, lists of strokes and lists of rounds."""
    return Plan(tuple(chain.from_iterable(map(_flat, parts))))


def _flat(part: Stroke | Iterable[Stroke] | Iterable[Iterable[Stroke]]) -> list[Stroke]:
    if isinstance(part, Stroke):
        return [part]
    return [stroke for inner in part for stroke in _flat(inner)]

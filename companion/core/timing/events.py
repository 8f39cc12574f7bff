"""Edges and presses: instants on the host's CLOCK_MONOTONIC with the half-width of their uncertainty.

All times are integer nanoseconds. Knows no source, no game and no clock.
"""

from __future__ import annotations

from typing import NamedTuple

MS = 1_000_000
"""Nanoseconds in a millisecond."""
SECOND = 1_000_000_000
"""Nanoseconds in a second."""


class Disbelieved(NamedTuple):
    """What a machine said of an edge's time, and is not believed: the edge counts from its arrival instead.

    t_ns, error_ns: what its word comes to on the host's clock. why: in a few words, for a person.
    """

    t_ns: int
    error_ns: int
    why: str


class Origin(NamedTuple):
    """Which edge it is to the device that keeps it until it is safe.

    device: its unique id. start: which of the device's starts counted it, drawn anew at each. line, number: on it.
    active: the level after it.
    """

    device: str
    start: int
    line: int
    number: int
    active: bool


class Edge(NamedTuple):
    """A line changed its level.

    line: the label of the button ("red fourth") or "knob push".
    active: True where the contact closed (level low on a button to ground with a pull-up).
    t_ns: when, CLOCK_MONOTONIC, taken at the lowest place that can take it.
    error_ns: half-width of the uncertainty of `t_ns`.
    number: of the edge, as its source counts them; None where it does not.
    disbelieved: what was said of its time and is not believed; None where nothing was.
    origin: where a device keeps it until it is safe; None where none does.
    merged_ns: the part of `error_ns`, 0 or more, that is there because interrupts were merged: the edge was within so
    much of `t_ns`, on either side.
    lost_since_ns: edges of its line may have been lost between then and it; None where none can have been.
    """

    line: str
    active: bool
    t_ns: int
    error_ns: int
    number: int | None = None
    disbelieved: Disbelieved | None = None
    origin: Origin | None = None
    merged_ns: int = 0
    lost_since_ns: int | None = None

    @property
    def earliest_ns(self) -> int:
        """The earliest that it may have been, but for what its source is uncertain of with every edge."""
        return self.t_ns - self.merged_ns

    @property
    def latest_ns(self) -> int:
        """The latest that it may have been, but for what its source is uncertain of with every edge."""
        return self.t_ns + self.merged_ns


class Levels(NamedTuple):
    """The levels of the lines `known` at `t_ns`: of all when a source starts, of those that lost edges after a loss."""

    active: frozenset[str]
    known: frozenset[str]
    t_ns: int


class Unheard(NamedTuple):
    """These lines are not read any more from `t_ns` on, until `Levels` tell of them again: they made too many edges."""

    lines: frozenset[str]
    t_ns: int


class SourceFault(NamedTuple):
    """A source noticed something that a referee must know of (lost edges, an unplugged chip).

    source: its name ("gpiod"). text: one sentence for a person. t_ns: when it was noticed.
    lost: number of edges that are known to be missing; 0 where none or unknown.
    lines: those on which a press may have been lost; none where no press can have been.
    about: what of the source it is about, where one fault of it is not to stand for another ("phone K7QF").
    is_over: what was said about that holds no longer.
    """

    source: str
    text: str
    t_ns: int
    lost: int = 0
    lines: tuple[str, ...] = ()
    about: str = ""
    is_over: bool = False


class Turned(NamedTuple):
    """The rotary knob was turned by `steps` detents (clockwise positive)."""

    steps: int
    t_ns: int


SourceEvent = Edge | Levels | Unheard | SourceFault | Turned
"""What a button source hands over, in any order within its stated delivery delay."""


class Touch(NamedTuple):
    """A contact has begun on a line that was open; it will be accepted as a press, or rejected."""

    line: str
    t_ns: int


class Press(NamedTuple):
    """An accepted contact. The instant is that of its first edge, within the bounds that `contacts` states.

    remark: what a referee should know of how it came about, empty where there is nothing.
    disbelieved: what was said of its instant and is not believed; None where nothing was.
    origin: the newest edge of its line when it was accepted, where a device keeps that; else None.
    """

    line: str
    t_ns: int
    error_ns: int
    remark: str = ""
    disbelieved: Disbelieved | None = None
    origin: Origin | None = None


class Release(NamedTuple):
    """The contact of a press has ended; `t_ns` is its last edge.

    is_seen: an edge told it. False where none did: the line was found open (edges were lost, a device has gone), or is
    closed for so long that it is taken to be stuck. A hand may hold it still.
    """

    line: str
    t_ns: int
    is_seen: bool = True


class Rejected(NamedTuple):
    """A contact from `t_ns` to `until_ns` that is no press, nor lends its time to a later one. why: for a person."""

    line: str
    t_ns: int
    until_ns: int
    why: str


class Dropped(NamedTuple):
    """What may have been a press at `t_ns` and cannot count as one: to be told to the players.

    why: for a person. known_ns: when that was certain.
    """

    line: str
    t_ns: int
    error_ns: int
    known_ns: int
    why: str


class LineFault(NamedTuple):
    """A line takes no press ("held down at start", "stuck", "chattering"), or is well again (`text` None)."""

    line: str
    text: str | None
    t_ns: int

"""Edges and presses: instants on the host's CLOCK_MONOTONIC with the half-width of their uncertainty.

All times are integer nanoseconds. Knows no source, no game and no clock.
"""

from __future__ import annotations

from typing import NamedTuple

MS = 1_000_000
"""Nanoseconds in a millisecond."""
SECOND = 1_000_000_000
"""Nanoseconds in a second."""


class Edge(NamedTuple):
    """A line changed its level.

    line: the label of the button ("red fourth") or "knob push".
    active: True where the contact closed (level low on a button to ground with a pull-up).
    t_ns: when, CLOCK_MONOTONIC, taken at the lowest place that can take it.
    error_ns: half-width of the uncertainty of `t_ns`.
    number: of the edge, as its source counts them; None where it does not.
    """

    line: str
    active: bool
    t_ns: int
    error_ns: int
    number: int | None = None


class Levels(NamedTuple):
    """The levels of all of a source's lines at `t_ns`: sent when a source starts, and after it lost edges."""

    active: frozenset[str]
    known: frozenset[str]
    t_ns: int


class SourceFault(NamedTuple):
    """A source noticed something that a referee must know of (lost edges, an unplugged chip).

    source: its name ("gpiod"). text: one sentence for a person. t_ns: when it was noticed.
    lost: number of edges that are known to be missing; 0 where none or unknown.
    """

    source: str
    text: str
    t_ns: int
    lost: int = 0


class Turned(NamedTuple):
    """The rotary knob was turned by `steps` detents (clockwise positive)."""

    steps: int
    t_ns: int


SourceEvent = Edge | Levels | SourceFault | Turned
"""What a button source hands over, in any order within its stated delivery delay."""


class Touch(NamedTuple):
    """A contact has begun on a line that was well and quiet; it will become a press or a glitch."""

    line: str
    t_ns: int


class Press(NamedTuple):
    """A confirmed press of a line: the instant is that of its *first* edge."""

    line: str
    t_ns: int
    error_ns: int


class Release(NamedTuple):
    """A pressed line has been quiet for its bounce time; `t_ns` is its last edge."""

    line: str
    t_ns: int


class Glitch(NamedTuple):
    """A contact shorter than the confirmation time, beginning at `t_ns`; `glitches` so far on this line."""

    line: str
    t_ns: int
    glitches: int


class LineFault(NamedTuple):
    """A line is excluded from play ("held at start", "stuck", "chattering"), or well again (`text` None)."""

    line: str
    text: str | None
    t_ns: int

"""Debouncing by time stamps: edges in time order become presses, releases, glitches and faults of lines.

Theory of operation. A *burst* is a run of edges of one line whose gaps are shorter than the line's bounce time. The
**first** active edge of a burst is the instant of the press, whatever follows. The press is *confirmed* once the
contact has stayed closed for the confirmation time anywhere in the burst; a burst that ends without that was a glitch.
After a press the line is deaf until it has been open and quiet for the bounce time. Waiting never moves an instant.

`TABLE` says what becomes of a line. A line that is not believed any more (held at the start, stuck, chattering) is
excluded until it has been open and quiet for a while. What comes out depends on the stamps alone, not on when `advance`
is called. Knows no source and no clock; the caller feeds edges in time order (see `arbiter`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.timing.events import MS, SECOND, Edge, Glitch, Levels, LineFault, Press, Release, Touch

if TYPE_CHECKING:
    from collections.abc import Mapping

LineEvent = Touch | Press | Release | Glitch | LineFault

HELD_AT_START = "held down at start"
UNTIMED = "pressed while edges were lost: its time is not known"
STUCK = "stuck: held too long"
CHATTERING = "chattering: too many edges"


@dataclass(frozen=True, slots=True)
class LineTiming:
    """How one line is debounced.

    confirm_ns: a contact shorter than this is a glitch; 0 to 1 s.
    bounce_ns: quiet time that ends a burst and, after a press, the deafness; 0 to 1 s.
    """

    confirm_ns: int = 2 * MS
    bounce_ns: int = 20 * MS


@dataclass(frozen=True, slots=True)
class FaultLimits:
    """When a line is no longer believed.

    stuck_ns: closed for longer than this is stuck.
    chatter_edges: more edges than this within one second is chatter.
    unsettled_ns: a contact neither confirmed nor over for so long (beyond the confirmation time) is chatter.
    heal_ns: an excluded line is well once it has been open and quiet for this long (or its bounce time, if longer).
    """

    stuck_ns: int = 10 * SECOND
    chatter_edges: int = 200
    unsettled_ns: int = SECOND
    heal_ns: int = SECOND // 2


class LineState(Enum):
    """Where a line is."""

    UNKNOWN = "unknown"
    RELEASED = "released"
    CONTACT = "contact"
    PRESSED = "pressed"
    EXCLUDED = "excluded"


class Cause(Enum):
    """What moves a line from one state to another."""

    ACTIVE = "it closes"
    INACTIVE = "it opens"
    CONFIRMED = "closed for the confirmation time"
    QUIET = "open and quiet for long enough"
    FAULT = "not believed any more"


TABLE: dict[LineState, dict[Cause, LineState]] = {
    LineState.UNKNOWN: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.RELEASED,
        Cause.FAULT: LineState.EXCLUDED,  # closed when the levels are first read
    },
    LineState.RELEASED: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.RELEASED,
        Cause.FAULT: LineState.EXCLUDED,
    },
    LineState.CONTACT: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.CONTACT,
        Cause.CONFIRMED: LineState.PRESSED,
        Cause.QUIET: LineState.RELEASED,  # a glitch
        Cause.FAULT: LineState.EXCLUDED,
    },
    LineState.PRESSED: {
        Cause.ACTIVE: LineState.PRESSED,
        Cause.INACTIVE: LineState.PRESSED,
        Cause.QUIET: LineState.RELEASED,
        Cause.FAULT: LineState.EXCLUDED,
    },
    LineState.EXCLUDED: {
        Cause.ACTIVE: LineState.EXCLUDED,
        Cause.INACTIVE: LineState.EXCLUDED,
        Cause.QUIET: LineState.RELEASED,  # well again
    },
}


@dataclass(slots=True)
class _Line:
    """One line. `began_ns` is the burst's first edge, `edge_ns` the newest edge; `active` the newest level."""

    name: str
    timing: LineTiming
    state: LineState = LineState.UNKNOWN
    active: bool = False
    began_ns: int = 0
    began_error_ns: int = 0
    edge_ns: int = 0
    glitches: int = 0
    recent: deque[int] = field(default_factory=deque)

    def follow(self, cause: Cause) -> None:
        """Go where the table says. Raises KeyError for what cannot happen in this state; it stays as it is then."""
        self.state = TABLE[self.state][cause]

    def deadline(self, limits: FaultLimits) -> int | None:
        """Give the instant at which this line changes state by itself, None where it does not."""
        timing = self.timing
        if self.state is LineState.CONTACT:
            settles = self.edge_ns + (timing.confirm_ns if self.active else timing.bounce_ns)
            return min(settles, self.began_ns + timing.confirm_ns + limits.unsettled_ns)
        if self.state is LineState.PRESSED:
            return self.edge_ns + (limits.stuck_ns if self.active else timing.bounce_ns)
        if self.state is LineState.EXCLUDED and not self.active:
            return self.edge_ns + max(limits.heal_ns, timing.bounce_ns)
        return None


class Debouncer:
    """All lines' debouncing. Feed edges in time order; `advance` to the instant up to which all edges are known."""

    def __init__(self, lines: Mapping[str, LineTiming], limits: FaultLimits | None = None) -> None:
        self._limits = limits or FaultLimits()
        self._lines = {name: _Line(name, timing) for name, timing in lines.items()}

    def state_of(self, line: str) -> LineState:
        """Tell where a line is. Raises KeyError for a line that was not given at the start."""
        return self._lines[line].state

    def earliest_contact(self) -> int | None:
        """Give the first edge of the earliest contact that is not settled yet, None where all are."""
        return min((line.began_ns for line in self._lines.values() if line.state is LineState.CONTACT), default=None)

    def next_deadline(self) -> int | None:
        """Give the instant at which a line next changes state without an edge, None where none does."""
        return min((d for line in self._lines.values() if (d := line.deadline(self._limits)) is not None), default=None)

    def feed(self, event: Edge | Levels) -> list[LineEvent]:
        """Take the next edge, or all levels. Edges of unknown lines and repeated levels change nothing."""
        out = self.advance(event.t_ns)
        if isinstance(event, Levels):
            for name in sorted(event.known & self._lines.keys()):
                out += self._level(self._lines[name], name in event.active, event.t_ns)
        elif (line := self._lines.get(event.line)) is not None and event.active != line.active:
            out += self._edge(line, event)
        return out

    def advance(self, until_ns: int) -> list[LineEvent]:
        """Let time pass up to `until_ns` inclusive; deadlines come before an edge of the same instant."""
        out: list[LineEvent] = []
        while True:
            due = [(d, line) for line in self._lines.values() if (d := line.deadline(self._limits)) is not None]
            due = [(d, line) for d, line in due if d <= until_ns]
            if not due:
                return out
            instant, line = min(due, key=lambda pair: pair[0])
            out += self._expire(line, instant)

    def _edge(self, line: _Line, edge: Edge) -> list[LineEvent]:
        line.active = edge.active
        line.edge_ns = max(edge.t_ns, line.edge_ns)
        line.recent.append(edge.t_ns)
        while line.recent[0] <= edge.t_ns - SECOND:
            line.recent.popleft()
        if len(line.recent) > self._limits.chatter_edges and line.state is not LineState.EXCLUDED:
            return self._exclude(line, CHATTERING, edge.t_ns)
        before = line.state
        line.follow(Cause.ACTIVE if edge.active else Cause.INACTIVE)
        if before is not line.state:
            return self._begin(line, edge)
        return self.advance(edge.t_ns) if line.timing.confirm_ns == 0 or line.timing.bounce_ns == 0 else []

    def _begin(self, line: _Line, edge: Edge) -> list[LineEvent]:
        if not edge.active:
            return []
        line.began_ns, line.began_error_ns = edge.t_ns, edge.error_ns
        out: list[LineEvent] = [Touch(line.name, edge.t_ns)]
        return out + (self.advance(edge.t_ns) if line.timing.confirm_ns == 0 else [])

    def _level(self, line: _Line, active: bool, t_ns: int) -> list[LineEvent]:
        """Hold a line's known level against the true one: after the start, or after edges were lost."""
        if line.state is LineState.UNKNOWN:
            line.active, line.edge_ns = active, t_ns
            if active:
                return self._exclude(line, HELD_AT_START, t_ns)
            line.follow(Cause.INACTIVE)
            return []
        if active == line.active:
            return []
        line.active, line.edge_ns = active, t_ns
        if active and line.state is LineState.RELEASED:
            return self._exclude(line, UNTIMED, t_ns)
        return []

    def _exclude(self, line: _Line, text: str, t_ns: int) -> list[LineEvent]:
        out: list[LineEvent] = []
        if line.state is LineState.CONTACT:
            out += self._glitch(line)
        if line.state is LineState.PRESSED:
            out.append(Release(line.name, t_ns))
        line.follow(Cause.FAULT)
        line.edge_ns = t_ns
        out.append(LineFault(line.name, text, t_ns))
        return out

    def _glitch(self, line: _Line) -> list[LineEvent]:
        line.glitches += 1
        return [Glitch(line.name, line.began_ns, line.glitches)]

    def _expire(self, line: _Line, instant: int) -> list[LineEvent]:
        """Do what the table says when nothing but time has passed."""
        if line.state is LineState.EXCLUDED:
            line.follow(Cause.QUIET)
            return [LineFault(line.name, None, instant)]
        if line.state is LineState.PRESSED:
            if line.active:
                return self._exclude(line, STUCK, instant)
            line.follow(Cause.QUIET)
            return [Release(line.name, line.edge_ns)]
        if line.active and instant >= line.edge_ns + line.timing.confirm_ns:
            line.follow(Cause.CONFIRMED)
            return [Press(line.name, line.began_ns, line.began_error_ns)]
        if not line.active and instant >= line.edge_ns + line.timing.bounce_ns:
            line.follow(Cause.QUIET)
            return self._glitch(line)
        return self._exclude(line, CHATTERING, instant)

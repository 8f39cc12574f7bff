"""Contacts: edges of a line in time order become presses, rejected contacts, releases and faults of lines.

Theory of operation. A *contact* runs from its first active edge until the line has been open for the bounce time; it
ends at the edge that opened it for so long. Its *firm closure* is the first one in it that stays unbroken for the
settling time. It is *accepted*, and makes a press, when it still lasts the acceptance time after its firm closure
began. Otherwise it is *rejected*: no press, and nothing of its time goes to a later contact.

The instant of a press is its contact's first edge, but never more than the bounce time before its firm closure: then it
is the first active edge within that time, and the press carries a remark. So flicker before a press cannot be saved up.
Where edges were lost before an active edge (`lost_since_ns`), the firm closure may have been among them; where edges
were merged, a closure may have been firm though nobody can know: then the ± of the press reaches back to what it would
have counted from. An edge that was merged (`merged_ns`) comes at the earliest instant that it may have been, and what
lasts from it on is counted from the latest: only the time counts in which the contact was surely closed, or open.

An acceptance time above `CONCESSION_NS` lets a hand touch, look and withdraw. So contacts of such a seat that overlap
are seen together: one is accepted only while no other is under way, and counts from the end of the last one. A contact
that is a press already is not under way any more: a hand that rests on a button does not lame the others.

After a press the button is deaf for its repetition time, counted from the contact's end. A line is excluded only where
it is electrically sick: more edges within a second than a hand can make, with closures all shorter than `SHORT_NS`. A
button that is held too long is said to be stuck; let go, it is well after the bounce time, like any other.

`TABLE` says what becomes of a line. What comes out depends on the stamps alone, not on when `advance` is called. Knows
no source and no clock; the caller feeds edges in time order (see `arbiter`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.timing.contact import BEGINNING, Contact, Instant
from companion.core.timing.events import (
    MS,
    SECOND,
    Disbelieved,
    Dropped,
    Edge,
    Levels,
    LineFault,
    Press,
    Rejected,
    Release,
    Touch,
    Unheard,
)
from companion.core.words.texts import joined, number, text, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LineEvent = Touch | Press | Release | Rejected | Dropped | LineFault

HELD_AT_START = text("held down at start")
STUCK = text("stuck: held too long")
CHATTERING = text("chattering: too many edges")

NEVER_FIRM = text("it never closed firmly")
TOO_SHORT = text("it was too short")
OVERLAPPED = text("another button of its seat was touched all the while")
SICK_LINE = text("its line was chattering")

UNTIMED = text("it was made while edges were lost: its time is not known")
UNSURE = text("the kernel was late and merged its edges: nobody can know whether it was closed for long enough")
REPEATED = "it came too soon after the button's last press"

CONCESSION_NS = 20 * MS
"""A seat with a longer acceptance time has its overlapping contacts seen together."""
HAND_NS = 20 * MS
"""What closes a switch for less is hardly a hand."""
SHORT_NS = MS
"""No finger closes a switch for less: only a line with closures all shorter than this can be sick."""


@dataclass(frozen=True, slots=True)
class LineTiming:
    """What a press of one line is.

    bounce_ns: a line that is open for less is still in the same contact; 0 to 50 ms.
    accept_ns: a contact is a press when it lasts for so long after its firm closure began; 0 to 500 ms.
    repeat_ns: after a press the line is deaf for so long; 0 to 5 s.
    seat: whose line it is, None where it is nobody's.
    """

    bounce_ns: int = 20 * MS
    accept_ns: int = 2 * MS
    repeat_ns: int = 0
    seat: str | None = None

    @property
    def is_concession(self) -> bool:
        """Tell whether the acceptance time is one that the seat's contacts are seen together for."""
        return self.seat is not None and self.accept_ns > CONCESSION_NS


USUAL = LineTiming()


@dataclass(frozen=True, slots=True)
class ContactLimits:
    """What holds for every line.

    settle_ns: a closure is firm once it has been unbroken for so long.
    chatter_edges: more edges than this within one second, with closures all shorter than `SHORT_NS`, is a sick line.
    stuck_ns: closed for longer than this is stuck.
    """

    settle_ns: int = 2 * MS
    chatter_edges: int = 200
    stuck_ns: int = 10 * SECOND


class LineState(Enum):
    """Where a line is."""

    UNKNOWN = "unknown"
    RELEASED = "open"
    CONTACT = "in contact, and not firmly closed yet"
    FIRM = "firmly closed, and not accepted yet"
    PRESSED = "in a contact that is a press"
    IGNORED = "no press until it has been let go"
    SICK = "electrically sick"


class Cause(Enum):
    """What moves a line from one state to another."""

    ACTIVE = "it closes"
    INACTIVE = "it opens"
    SETTLED = "closed without a break for the settling time"
    ACCEPTED = "lasted the acceptance time"
    QUIET = "open for the bounce time"
    DROPPED = "closed, and cannot be a press"
    HELD = "held too long"
    CHATTER = "too many edges, all closures short"


TABLE: dict[LineState, dict[Cause, LineState]] = {
    LineState.UNKNOWN: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.RELEASED,
        Cause.DROPPED: LineState.IGNORED,  # closed when the levels are first read
    },
    LineState.RELEASED: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.RELEASED,
        Cause.DROPPED: LineState.IGNORED,  # found closed after edges were lost
        Cause.CHATTER: LineState.SICK,
    },
    LineState.CONTACT: {
        Cause.ACTIVE: LineState.CONTACT,
        Cause.INACTIVE: LineState.CONTACT,
        Cause.SETTLED: LineState.FIRM,
        Cause.QUIET: LineState.RELEASED,  # rejected
        Cause.CHATTER: LineState.SICK,
    },
    LineState.FIRM: {
        Cause.ACTIVE: LineState.FIRM,
        Cause.INACTIVE: LineState.FIRM,
        Cause.ACCEPTED: LineState.PRESSED,
        Cause.QUIET: LineState.RELEASED,  # rejected
        Cause.DROPPED: LineState.IGNORED,  # within the repetition time
        Cause.HELD: LineState.IGNORED,  # together with another button of its seat
        Cause.CHATTER: LineState.SICK,
    },
    LineState.PRESSED: {
        Cause.ACTIVE: LineState.PRESSED,
        Cause.INACTIVE: LineState.PRESSED,
        Cause.QUIET: LineState.RELEASED,
        Cause.HELD: LineState.IGNORED,
        Cause.CHATTER: LineState.SICK,
    },
    LineState.IGNORED: {
        Cause.ACTIVE: LineState.IGNORED,
        Cause.INACTIVE: LineState.IGNORED,
        Cause.QUIET: LineState.RELEASED,  # well
        Cause.HELD: LineState.IGNORED,
        Cause.CHATTER: LineState.SICK,
    },
    LineState.SICK: {
        Cause.ACTIVE: LineState.SICK,
        Cause.INACTIVE: LineState.SICK,
        Cause.DROPPED: LineState.IGNORED,  # a firm closure after all
        Cause.QUIET: LineState.RELEASED,  # well
    },
}


@dataclass(slots=True)
class _Chatter:
    """What tells a sick line from a well one. edges_ns: when the newest edges were, as many as make chatter.

    long_ns: when a closure that was not short last ended, None where none did. heard_ns: since when the line is read.
    """

    edges_ns: deque[int]
    long_ns: int | None = None
    heard_ns: int = -SECOND

    def is_on(self, now_ns: int) -> bool:
        """Tell whether there were too many edges within a second before the newest, at `now_ns`, all closures short."""
        since_ns = now_ns - SECOND
        is_full = len(self.edges_ns) == self.edges_ns.maxlen and self.edges_ns[0] > since_ns
        return is_full and (self.long_ns is None or self.long_ns <= since_ns)

    @property
    def over_ns(self) -> int:
        """When its edges are a second old, or were none of it, and the line has been read for a second."""
        had_long = self.long_ns is not None and self.long_ns > self.edges_ns[0]
        return max(self.heard_ns + SECOND, -1 if had_long else self.edges_ns[0] + SECOND)


@dataclass(slots=True)
class _Line:
    """One line. edge: the newest; active: its level.

    contact: the one that is no press yet. deaf_until_ns: end of the repetition time. fault: what was told of it.
    rejected: closings of the newest contact that was no press, from the bounce time before the last of them on; none
    once there was a press. is_found: no edge told its level, which was found to be so. is_heard: it is read.
    """

    name: str
    timing: LineTiming
    chatter: _Chatter
    state: LineState = LineState.UNKNOWN
    active: bool = False
    edge: Instant = BEGINNING
    contact: Contact | None = None
    deaf_until_ns: int = -1
    fault: str | None = None
    rejected: tuple[Instant, ...] = ()
    is_found: bool = False
    is_heard: bool = True

    def follow(self, cause: Cause) -> None:
        """Go where the table says. Raises KeyError for what cannot happen in this state; it stays as it is then."""
        self.state = TABLE[self.state][cause]

    @property
    def is_resting(self) -> bool:
        """Tell whether nothing happens on it without an edge."""
        return self.state in {LineState.RELEASED, LineState.UNKNOWN}

    @property
    def opens_ns(self) -> int:
        """When it will surely have been open for the bounce time if it stays so."""
        return self.since_ns + self.timing.bounce_ns

    @property
    def since_ns(self) -> int:
        """Since when it surely has its level."""
        return self.edge.latest_ns

    @property
    def until_ns(self) -> int:
        """Until when it surely had the other level."""
        return self.edge.earliest_ns

    def move(self, active: bool, instant: Instant) -> None:
        """Take a new level; a line's own times never run backwards."""
        if instant.t_ns < self.edge.t_ns:
            instant = instant._replace(t_ns=self.edge.t_ns)
        if self.active and instant.earliest_ns - self.since_ns >= SHORT_NS:
            self.chatter.long_ns = instant.t_ns
        if instant.origin is None and self.edge.origin is not None:
            instant = instant._replace(origin=self.edge.origin)
        self.active, self.edge, self.is_found = active, instant, False

    @property
    def open_since_ns(self) -> int | None:
        """When the first edge was that what comes next depends on; None where that is none.

        Of what lies before, the level alone matters: a line that is found closed makes no press before it was let go.
        One that is found open in the middle of its bouncing would make another.
        """
        if self.contact is not None:
            return self.contact.began_ns
        return None if self.active or self.is_resting else self.edge.t_ns

    @property
    def well_ns(self) -> int:
        """When a sick line that is open will be well if it stays so."""
        return max(self.opens_ns, self.chatter.over_ns)

    def close_contact(self, instant: Instant, lost_since_ns: int | None = None) -> None:
        """Add a closing to the contact, which begins here where there is none. lost_since_ns: as an edge has it."""
        if self.contact is None:
            is_deaf = instant.t_ns < self.deaf_until_ns
            self.contact = Contact(instant.t_ns, is_deaf, self.timing.bounce_ns)
        if lost_since_ns is not None:
            self._reach_back(self.contact, lost_since_ns)
        self.contact.add(instant)

    def _reach_back(self, contact: Contact, lost_ns: int) -> None:
        """Edges may have been lost since `lost_ns`, and with them the firm closure: it had its own first edge."""
        first_ns = lost_ns - self.timing.bounce_ns
        begun = (closing.t_ns - closing.error_ns for closing in (*self.rejected, *contact.closings))
        known_ns = lost_ns if contact.since_ns is None else contact.since_ns
        contact.since_ns = min(lost_ns, known_ns, *(t_ns for t_ns in begun if t_ns >= first_ns))

    @property
    def is_under_way(self) -> bool:
        """Tell whether it has a contact that other contacts of its seat have to reckon with."""
        return self.contact is not None and not self.contact.is_deaf


class _Touches:
    """How often each seat that needs long contacts has touched since its last press, and since when."""

    def __init__(self) -> None:
        self._of_seat: dict[str, list[int]] = {}

    def add(self, timing: LineTiming, began_ns: int) -> None:
        """Count a rejected contact."""
        if timing.seat is not None and timing.accept_ns > USUAL.accept_ns:
            self._of_seat.setdefault(timing.seat, []).append(began_ns)

    def before(self, timing: LineTiming, t_ns: int) -> list[str]:
        """Say it of a press at `t_ns`, and forget it; nothing where there were none."""
        began = self._of_seat.pop(timing.seat or "", [])
        if not began:
            return []
        return [
            texts(
                "touched once in the {time} s before",
                "touched {count} times in the {time} s before",
                len(began),
                time=number(f"{(t_ns - began[0]) / SECOND:.1f}"),
            )
        ]


class _Lines(dict[str, _Line]):
    """The lines by name; each keeps so many of its newest edges."""

    def __init__(self, timings: Mapping[str, LineTiming], edges: int) -> None:
        super().__init__()
        self._edges = edges
        self.add(timings)

    def add(self, timings: Mapping[str, LineTiming]) -> None:
        """Know these lines, too, from now on; those that are known stay as they are."""
        for name, timing in timings.items():
            if name not in self:
                self[name] = _Line(name, timing, _Chatter(deque(maxlen=self._edges)))

    @property
    def sick(self) -> frozenset[str]:
        """The lines that are electrically sick."""
        return frozenset(name for name, line in self.items() if line.state is LineState.SICK)

    def open_since(self, name: str) -> int | None:
        """Return the time of the first edge that still matters for what this line does next, or None if no edge does.

        An unknown line has no such edge.
        """
        found = self.get(name)
        if found is None:
            return None
        seat = found.timing.seat if found.timing.is_concession else None
        others = [line.contact for line in self.values() if seat is not None and line.timing.seat == seat]
        instants = [found.open_since_ns, *(contact.others_ns for contact in others if contact is not None)]
        return min((instant for instant in instants if instant is not None), default=None)


class Contacts:
    """All lines' contacts. Feed edges in time order; `advance` to the instant up to which all edges are known."""

    def __init__(self, lines: Mapping[str, LineTiming], limits: ContactLimits | None = None) -> None:
        self._limits = limits or ContactLimits()
        self.lines = _Lines(lines, self._limits.chatter_edges + 1)
        self._busy: dict[str, _Line] = {}
        self._touches = _Touches()
        self._now_ns = -1
        self._none_before_ns = -1  # no line changes by itself before this instant; it may be later than that

    def retime(self, lines: Mapping[str, LineTiming]) -> None:
        """Take other timings of the same lines, for the contacts under way, too."""
        for name, line in self.lines.items():
            line.timing = lines.get(name, line.timing)
        self._none_before_ns = -1

    # -- asking ------------------------------------------------------------------------------------------------------

    def state_of(self, line: str) -> LineState:
        """Tell where a line is. Raises KeyError for a line that was not given at the start."""
        return self.lines[line].state

    def earliest_press(self, known_ns: int) -> int | None:
        """Give the earliest instant that a contact under way may count from, None where none may count.

        known_ns: all edges up to it have been fed, and time was let pass to it.
        """
        return min((self._earliest(line, contact, known_ns) for line, contact in self._under_way()), default=None)

    def unsettled(self, known_ns: int) -> tuple[Touch, ...]:
        """Give the contacts that people should know of before they are a press, if ever, by their first edges.

        Those are the firm ones, and those that flicker for longer than their bounce time.
        """
        shown = [
            (contact.began_ns, line.name)
            for line, contact in self._under_way()
            if contact.firm_ns is not None or known_ns - contact.began_ns > line.timing.bounce_ns
        ]
        return tuple(Touch(name, began_ns) for began_ns, name in sorted(shown))

    def next_deadline(self) -> int | None:
        """Give the instant at which a line next changes state without an edge, None where none does."""
        return min((d for line in self._busy.values() if (d := self._deadline(line)) is not None), default=None)

    # -- events and time ---------------------------------------------------------------------------------------------

    def feed(self, event: Edge | Levels | Unheard) -> list[LineEvent]:
        """Take the next edge, all levels, or that lines are not read. Edges of unknown lines and repeated levels change
        nothing."""
        t_ns = event.earliest_ns if isinstance(event, Edge) else event.t_ns
        out = self.advance(t_ns)
        self._now_ns = max(self._now_ns, t_ns)
        if isinstance(event, Levels):
            for name in sorted(event.known & self.lines.keys()):
                out += self._level(self.lines[name], name in event.active, event.t_ns)
        elif isinstance(event, Unheard):
            for name in event.lines & self.lines.keys():
                self.lines[name].is_heard = False
        elif (line := self.lines.get(event.line)) is not None and event.active != line.active:
            out += self._edge(line, event)
        return out

    def advance(self, until_ns: int) -> list[LineEvent]:
        """Let time pass up to `until_ns` inclusive; deadlines come before an edge of the same instant."""
        out: list[LineEvent] = []
        while self._busy and until_ns >= self._none_before_ns:
            due = [(d, name) for name, line in self._busy.items() if (d := self._deadline(line)) is not None]
            instant, name = min(due, default=(until_ns + 1, ""))
            if instant > until_ns:
                self._none_before_ns = instant
                break
            line = self.lines[name]
            self._now_ns = max(self._now_ns, instant)  # what had to wait for another line may have been due before
            out += self._expire(line, self._now_ns)
            self._note(line)
        return out

    def _note(self, line: _Line) -> None:
        """Keep the lines on which something may happen without an edge, and before when nothing does.

        What a line, and those of its seat, do by themselves may come sooner for what it did.
        """
        if line.is_resting:
            self._busy.pop(line.name, None)
        else:
            self._busy[line.name] = line
        seat = line.timing.seat
        for busy in self._busy.values():
            if busy is line or (seat is not None and busy.timing.seat == seat):
                deadline_ns = self._deadline(busy)
                if deadline_ns is not None and deadline_ns < self._none_before_ns:
                    self._none_before_ns = deadline_ns

    def _edge(self, line: _Line, edge: Edge) -> list[LineEvent]:
        instant = Instant(edge.t_ns, edge.error_ns, edge.disbelieved, edge.origin, edge.merged_ns)
        line.move(edge.active, instant)
        line.chatter.edges_ns.append(edge.t_ns)
        if line.chatter.is_on(line.edge.t_ns) and line.state is not LineState.SICK:
            out = self._fall_sick(line)
        else:
            out = self._take(line, instant, edge.lost_since_ns)
        self._note(line)
        return out

    def _take(self, line: _Line, instant: Instant, lost_since_ns: int | None) -> list[LineEvent]:
        """Go where the edge leads, and keep what the instant of a press may be."""
        before, contact = line.state, line.contact
        line.follow(Cause.ACTIVE if line.active else Cause.INACTIVE)
        if line.state is not LineState.CONTACT:
            return []
        if not line.active:
            if contact is not None:
                contact.open(instant.latest_ns, self._limits.settle_ns)
            return []
        line.close_contact(instant, lost_since_ns)
        return [Touch(line.name, instant.t_ns)] if before is not LineState.CONTACT else []

    def _level(self, line: _Line, active: bool, t_ns: int) -> list[LineEvent]:
        """Hold a line's known level against the true one: after the start, or after edges were lost."""
        before, is_new = line.edge.t_ns, line.state is LineState.UNKNOWN
        if not line.is_heard:
            line.is_heard, line.chatter.heard_ns = True, t_ns
            self._none_before_ns = -1
        if active == line.active and not is_new:
            return []
        line.move(active, Instant(t_ns, 0))
        line.is_found = True
        out: list[LineEvent] = []
        if is_new and not active:
            line.follow(Cause.INACTIVE)
        elif is_new:
            line.follow(Cause.DROPPED)
            out = _tell(line, HELD_AT_START, t_ns)
        elif active and line.state is LineState.RELEASED:
            line.follow(Cause.DROPPED)
            out = [Dropped(line.name, t_ns, 0, t_ns, UNTIMED)]
        elif active and line.state is LineState.CONTACT:  # it closed somewhen since its last edge
            line.close_contact(Instant(t_ns, t_ns - before), before)
        self._note(line)
        return out

    # -- what only time does -----------------------------------------------------------------------------------------

    def _deadline(self, line: _Line) -> int | None:
        """Give the instant at which a busy line changes state by itself, None where it does not."""
        if not line.is_heard:
            return None
        if not line.active:
            return line.well_ns if line.state is LineState.SICK else line.opens_ns
        closed_ns, limits = line.since_ns, self._limits
        if line.state is LineState.CONTACT:
            return closed_ns + limits.settle_ns
        if line.state is LineState.SICK:
            return closed_ns + max(limits.settle_ns, SHORT_NS)
        if line.state is LineState.FIRM and not self._is_accompanied(line):
            return _due_ns(line)
        return None if line.fault is not None else closed_ns + limits.stuck_ns

    def _expire(self, line: _Line, instant: int) -> list[LineEvent]:
        """Do what the table says when nothing but time has passed."""
        if not line.active:
            return self._open(line, instant)
        if line.state is LineState.CONTACT:
            line.follow(Cause.SETTLED)
            if line.contact is not None:
                line.contact.firm_ns = line.since_ns
            return []
        if line.state is LineState.SICK:
            line.follow(Cause.DROPPED)
            return [Dropped(line.name, line.edge.t_ns, line.edge.error_ns, instant, SICK_LINE)]
        if line.state is LineState.FIRM and not self._is_accompanied(line):
            return self._accept(line, instant)
        return self._held(line, instant)

    def _accept(self, line: _Line, instant: int) -> list[LineEvent]:
        contact, line.contact = line.contact, None
        if contact is None:
            return []
        line.rejected = ()
        t_ns, error_ns, disbelieved, *_ = contact.instant
        if contact.is_deaf:
            line.follow(Cause.DROPPED)
            return [Dropped(line.name, t_ns, error_ns, instant, REPEATED)]
        line.follow(Cause.ACCEPTED)
        return [Press(line.name, t_ns, error_ns, _remark(self._touches, line, contact), disbelieved, line.edge.origin)]

    def _held(self, line: _Line, instant: int) -> list[LineEvent]:
        was_press = line.state is LineState.PRESSED
        line.follow(Cause.HELD)
        released: list[LineEvent] = [Release(line.name, instant, is_seen=False)] if was_press else []
        return released + _tell(line, STUCK, instant)

    def _open(self, line: _Line, instant: int) -> list[LineEvent]:
        """A line has been open for long enough: its contact is over, and it is well."""
        out: list[LineEvent] = []
        if line.state is LineState.FIRM and self._lasted_alone(line):
            out += self._accept(line, instant)
        was, end_ns = line.state, line.edge.t_ns
        line.follow(Cause.QUIET)
        if line.contact is not None:
            out += self._reject(line, _why(line, was))
        elif was is LineState.PRESSED or line.fault == STUCK:
            out.append(Release(line.name, end_ns, is_seen=not line.is_found))
        if was is LineState.PRESSED or line.fault == STUCK:
            line.deaf_until_ns = end_ns + line.timing.repeat_ns
        return out + _tell(line, None, instant)

    def _reject(self, line: _Line, why: str) -> list[LineEvent]:
        """End a contact that makes no press, at the line's newest edge."""
        contact, line.contact = line.contact, None
        if contact is None:
            return []
        line.rejected = tuple(contact.closings)
        if not contact.is_deaf:
            self._let_go(line, contact.began_ns)
        if why == NEVER_FIRM and contact.longest_ns >= HAND_NS:
            return [Dropped(line.name, contact.instant.t_ns, contact.instant.error_ns, line.edge.t_ns, UNSURE)]
        return [Rejected(line.name, contact.began_ns, line.edge.t_ns, why)]

    def _fall_sick(self, line: _Line) -> list[LineEvent]:
        t_ns = line.edge.t_ns
        out = self._reject(line, CHATTERING)
        if line.state is LineState.PRESSED:
            out.append(Release(line.name, t_ns))
        line.follow(Cause.CHATTER)
        return out + _tell(line, CHATTERING, t_ns)

    # -- a seat's contacts together ----------------------------------------------------------------------------------

    def _under_way(self) -> Iterator[tuple[_Line, Contact]]:
        """Give the contacts that may become a press yet."""
        for line in self._busy.values():
            if line.contact is not None and line.is_under_way and line.state is not LineState.IGNORED:
                yield line, line.contact

    def _others(self, line: _Line) -> list[_Line]:
        """Give the lines of the same seat that have a contact under way too, where that matters."""
        seat = line.timing.seat if line.timing.is_concession else None
        if seat is None:
            return []
        return [o for o in self._busy.values() if o is not line and o.is_under_way and o.timing.seat == seat]

    def _is_accompanied(self, line: _Line) -> bool:
        return line.is_under_way and bool(self._others(line))

    def _lasted_alone(self, line: _Line) -> bool:
        """Tell whether a firm contact was alone in its seat, and long enough, before the edge that ended it."""
        contact, end_ns = line.contact, line.until_ns
        if contact is None or self._is_accompanied(line) or contact.others_end is None:
            return False  # one that never had company was accepted in its time
        return end_ns >= _due_ns(line) and end_ns > contact.others_end.t_ns

    def _let_go(self, line: _Line, began_ns: int) -> None:
        """A contact is over that was no press: those it overlapped with count from its end."""
        self._touches.add(line.timing, began_ns)
        for other in self._others(line):
            contact = other.contact
            if contact is not None and contact.began_ns < line.edge.t_ns:
                before_ns = contact.others_end.t_ns if contact.others_end is not None else -1
                contact.others_end = line.edge if line.edge.t_ns > before_ns else contact.others_end
                contact.others_ns = min(began_ns, began_ns if contact.others_ns is None else contact.others_ns)

    def _earliest(self, line: _Line, contact: Contact, known_ns: int) -> int:
        """Give the earliest instant that a contact under way may count from."""
        earliest_ns = contact.instant.earliest_ns
        if contact.firm_ns is None and not line.active:  # what may be firm lies beyond all that is known
            possible_ns = known_ns + 1 - line.timing.bounce_ns
            possible = (closing.earliest_ns for closing in contact.closings if closing.latest_ns >= possible_ns)
            earliest_ns = max(next(possible, known_ns + 1), possible_ns)
        ends = (known_ns + 1 if other.active else other.edge.t_ns for other in self._others(line))
        return max((earliest_ns, *ends))


def _remark(touches: _Touches, line: _Line, contact: Contact) -> str:
    """Say what is special about a press."""
    t_ns = contact.instant.t_ns
    said: list[str] = []
    if contact.others_end is not None and t_ns == contact.others_end.t_ns:
        said.append(text("counts from when another button of its seat was let go"))
    elif contact.closings[0].t_ns != contact.began_ns and contact.firm_ns is not None:
        flicker_ms, bounce_ms = (contact.firm_ns - contact.began_ns) / MS, line.timing.bounce_ns / MS
        says = text("flickered for {flicker} ms: counts from its first edge in the last {bounce} ms")
        said.append(says.format(flicker=number(f"{flicker_ms:.1f}"), bounce=number(f"{bounce_ms:g}")))
    said += touches.before(line.timing, t_ns)
    said += [_counts_from_arrival(contact.instant.disbelieved)] if contact.instant.disbelieved is not None else []
    return joined(said)


def _counts_from_arrival(own: Disbelieved) -> str:
    says = text("counts from its arrival: {why}; its own stamp was {t_ns} ns ± {error_ns} ns")
    return says.format(why=own.why, t_ns=own.t_ns, error_ns=own.error_ns)


def _tell(line: _Line, fault: str | None, t_ns: int) -> list[LineEvent]:
    """Say what is wrong with a line, or that it is well; nothing where that was said already."""
    is_news, line.fault = line.fault != fault, fault
    return [LineFault(line.name, fault, t_ns)] if is_news else []


def _why(line: _Line, was: LineState) -> str:
    """Say why a contact that has ended is no press; was: how far it had come."""
    if was is LineState.CONTACT:
        return NEVER_FIRM
    return TOO_SHORT if line.until_ns < _due_ns(line) else OVERLAPPED


def _due_ns(line: _Line) -> int:
    """Give when a firm contact has lasted the acceptance time."""
    contact = line.contact
    firm_ns = line.since_ns if contact is None or contact.firm_ns is None else contact.firm_ns
    return firm_ns + line.timing.accept_ns

"""What the contacts of a race were, by its evidence and the record's conditions alone: as the box itself went about it.

Each source's edges go through `Contacts` by themselves, as the arbiter has it. Pure.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.evidence.written import EdgeSeen, LevelsSeen
from companion.core.panel import BUTTON_BY_LABEL, label_of
from companion.core.timing.contacts import ContactLimits, Contacts, LineTiming
from companion.core.timing.events import MS, SECOND, Dropped, Levels, LineFault, Press, Rejected, Touch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.core.evidence.written import Entry
    from companion.core.record.lines import Conditions
    from companion.core.timing.contacts import LineEvent

AFTERWARDS_NS = SECOND
"""Within so long after the last edge every contact that is no longer held is accepted or rejected."""


class Verdict(Enum):
    """What became of a contact."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DROPPED = "dropped"


class Contact(NamedTuple):
    """A contact of a line, from its first closing edge to its last opening one (where it was held: the last edge).

    t_ns, error_ns: the instant of its press, or of what would have been one. says: why it is none, or what a referee
    should know of it; empty for nothing.
    """

    line: str
    verdict: Verdict
    from_ns: int
    to_ns: int
    t_ns: int
    error_ns: int
    says: str = ""


class Seen(NamedTuple):
    """The contacts of a race, and what was told of lines that took no press ("stuck", "chattering")."""

    contacts: tuple[Contact, ...]
    faults: tuple[LineFault, ...]


def contacts_seen(entries: Sequence[Entry], conditions: Conditions | None) -> Seen:
    """Give the contacts that these entries make, in the order of time. conditions: None for the usual ones."""
    lines = sorted({entry.line for entry in entries if isinstance(entry, EdgeSeen)})
    timings = {line: timing_of(line, conditions) for line in lines}
    contacts: list[Contact] = []
    faults: list[LineFault] = []
    for source in sorted({entry.source for entry in entries if isinstance(entry, (EdgeSeen, LevelsSeen))}):
        own = [entry for entry in entries if isinstance(entry, (EdgeSeen, LevelsSeen)) and entry.source == source]
        events = _events(own, timings, limits_of(conditions))
        contacts += _contacts(events, [entry for entry in own if isinstance(entry, EdgeSeen)], timings)
        faults += [event for event in events if isinstance(event, LineFault) and event.text is not None]
    return Seen(tuple(sorted(contacts, key=_by_time)), tuple(faults))


def timing_of(line: str, conditions: Conditions | None) -> LineTiming:
    """Give what a press of a line is, as the conditions have it; the usual where they say nothing of it."""
    button = BUTTON_BY_LABEL.get(label_of(line))
    seat = conditions.seats.get(button.colour) if conditions is not None and button is not None else None
    if seat is None or button is None:
        return LineTiming()
    return LineTiming(seat.bounce_ms * MS, seat.accept_ms * MS, seat.repeat_ms * MS, button.colour)


def limits_of(conditions: Conditions | None) -> ContactLimits:
    """Give what holds for every line, as the conditions have it."""
    if conditions is None:
        return ContactLimits()
    return ContactLimits(settle_ns=conditions.settle_ms * MS, chatter_edges=conditions.chatter_hz)


def _events(
    own: Iterable[EdgeSeen | LevelsSeen], timings: Mapping[str, LineTiming], limits: ContactLimits
) -> list[LineEvent]:
    machine = Contacts(timings, limits)
    out: list[LineEvent] = []
    last_ns = 0
    for entry in sorted(own, key=_taken_ns):
        last_ns = max(last_ns, entry.t_ns)
        if isinstance(entry, EdgeSeen):
            out += machine.feed(entry.edge)
        else:
            closed = frozenset(entry.closed)
            out += machine.feed(Levels(closed, closed | frozenset(entry.open), entry.t_ns))
    return out + machine.advance(last_ns + AFTERWARDS_NS)


def _taken_ns(entry: EdgeSeen | LevelsSeen) -> int:
    """Return the instant at which the contacts take it."""
    return entry.edge.earliest_ns if isinstance(entry, EdgeSeen) else entry.t_ns


def _contacts(
    events: Iterable[LineEvent], edges: Sequence[EdgeSeen], timings: Mapping[str, LineTiming]
) -> Iterable[Contact]:
    touched: dict[str, int] = {}
    for event in events:
        match event:
            case Touch():
                touched[event.line] = event.t_ns
            case Press():
                from_ns = touched.get(event.line, event.t_ns)
                to_ns = _end(edges, event.line, event.t_ns, timings[event.line].bounce_ns)
                says = event.remark or ""
                yield Contact(event.line, Verdict.ACCEPTED, from_ns, to_ns, event.t_ns, event.error_ns, says)
            case Rejected():
                yield Contact(event.line, Verdict.REJECTED, event.t_ns, event.until_ns, event.t_ns, 0, event.why)
            case Dropped():
                to_ns = _end(edges, event.line, event.t_ns, timings[event.line].bounce_ns)
                yield Contact(event.line, Verdict.DROPPED, event.t_ns, to_ns, event.t_ns, event.error_ns, event.why)


def _end(edges: Iterable[EdgeSeen], line: str, from_ns: int, bounce_ns: int) -> int:
    """Give the last edge of the contact that has one at `from_ns`: it then stays open for the bounce time."""
    end_ns, is_open = from_ns, False
    for edge in edges:
        if edge.line != line or edge.t_ns < from_ns:
            continue
        if is_open and edge.t_ns - end_ns >= bounce_ns:
            break
        end_ns, is_open = edge.t_ns, not edge.active
    return end_ns


def _by_time(contact: Contact) -> tuple[int, str]:
    return contact.from_ns, contact.line

"""What the numbers of a request's events tell: which edges are missing, and since when an edge may really have been.

Knows libgpiod's events and no request. Theory of operation (Linux 6.1, `gpiolib-cdev.c`). The interrupt takes the stamp
and the request's next number, and wakes the line's own thread; the thread reads the level, gives the line's next number
and queues the event. So:

- When a contact changes again before the thread has run, the later interrupt writes over stamp and number: one event
  stands for several changes, and the request's numbering has a gap. Each missing change lies between the stamps of the
  events whose numbers enclose the gap. Whose it was is not told, but it was of a line whose *next* event comes after
  the gap: the thread had not run. That event's change may have begun any time since the gap's beginning.
- An interrupt may also come while the thread is at work: the event then bears the later number with the earlier stamp,
  and the thread runs once more, with no stamp or an old number. The second event shows itself by a level that does not
  alternate: `levels` gives it the time since the line's event before it.
- The line's own number counts what its thread has queued. A gap in it is an event that was dropped because the queue
  was full; the request's numbering has that gap too.
- A request of one line gives the line's numbers for both: nothing merged can be seen in it (`gpiod_request`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.gpio.levels import RawEdge
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import gpiod

DOUBT_NS = SECOND
"""An interrupt's thread that has waited for so long would long have been reported dead by the kernel: what comes later
on a line is no longer taken for the end of what was missing."""


class Counted(NamedTuple):
    """What the numbers of some events tell. edges: in the order of numbers. lost: how many are known to be dropped.

    has_gap: numbers are missing, whether dropped or merged.
    """

    edges: list[RawEdge]
    lost: int = 0
    has_gap: bool = False


class _Doubt(NamedTuple):
    """Changes are missing from the number `first` on, since `since_ns`; the newest gap ended at `at_ns`."""

    first: int
    since_ns: int
    at_ns: int


def in_order(events: Iterable[gpiod.EdgeEvent]) -> list[gpiod.EdgeEvent]:
    """Sort events as their interrupts came, which is not always as they were queued."""
    return sorted(events, key=lambda event: (event.global_seqno, event.line_seqno))


class Numbers:
    """The numbers of one request. labels: by GPIO. rising: the type of an event that closes a contact.

    since_ns: when the lines were claimed; no event is older.
    """

    def __init__(self, labels: Mapping[int, str], rising: object, since_ns: int) -> None:
        self._labels = labels
        self._rising = rising
        self._next_of_line = dict.fromkeys(labels, 1)
        self._doubts: dict[int, _Doubt] = {}
        self._newest_ns = since_ns
        self.next = 1
        """The number that is expected."""

    def take(self, events: Iterable[gpiod.EdgeEvent]) -> Counted:
        """Take events (`in_order`)."""
        lost, has_gap = 0, False
        edges: list[RawEdge] = []
        for event in events:
            lost += max(event.line_seqno - self._next_of_line[event.line_offset], 0)
            self._next_of_line[event.line_offset] = event.line_seqno + 1
            if event.global_seqno > self.next:
                has_gap = True
                self._doubt_all(event)
            edges.append(self._edge(event))
            if event.global_seqno >= self.next:
                self.next = event.global_seqno + 1
                self._newest_ns = max(self._newest_ns, event.timestamp_ns)
        return Counted(edges, lost, has_gap)

    def _doubt_all(self, event: gpiod.EdgeEvent) -> None:
        """The missing changes may be any line's that has had no event since."""
        fresh = _Doubt(self.next, self._newest_ns, event.timestamp_ns)
        for offset in self._labels:
            old = self._doubts.get(offset)
            is_over = old is None or event.timestamp_ns - old.at_ns > DOUBT_NS
            self._doubts[offset] = fresh if is_over or old is None else old._replace(at_ns=event.timestamp_ns)

    def _edge(self, event: gpiod.EdgeEvent) -> RawEdge:
        """Give the edge of an event. One that fills the gap itself came late and is as certain as any."""
        doubt = self._doubts.pop(event.line_offset, None)
        active = event.event_type is self._rising
        since_ns = None
        if doubt is not None and event.global_seqno > doubt.first and event.timestamp_ns - doubt.at_ns <= DOUBT_NS:
            since_ns = doubt.since_ns
        return RawEdge(event.timestamp_ns, self._labels[event.line_offset], active, since_ns)

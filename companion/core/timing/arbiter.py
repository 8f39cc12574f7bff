"""The arbiter: events of all sources, in whatever order they are delivered, become one stream in the order of time.

It waits until no earlier press can still be on its way. Two things can be: an edge that a source has not delivered yet
(each source states its worst delay), and a contact that has begun and is not confirmed yet (it counts from its first
edge). What comes out therefore does not depend on the order of delivery, nor on when `advance` is called. Knows no
source, no clock and no game.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import Edge, Glitch, Levels, LineFault, Press, Release, SourceFault, Touch, Turned

if TYPE_CHECKING:
    from companion.core.timing.debounce import Debouncer
    from companion.core.timing.events import SourceEvent


class LateDelivery(NamedTuple):
    """An edge came later than its source states; it keeps its time, and an order shown before may have changed."""

    line: str
    t_ns: int
    late_ns: int


ArbiterEvent = Press | Release | Glitch | LineFault | Turned | SourceFault | LateDelivery


class Arbiter:
    """Orders the events of sources whose worst delivery delay is `delay_ns` (the largest of all sources).

    `settled_ns`: every press up to this instant has been given out; nothing before it can come any more.
    """

    def __init__(self, debouncer: Debouncer, delay_ns: int) -> None:
        self._debouncer = debouncer
        self.delay_ns = delay_ns
        self._waiting: list[tuple[int, int, Edge | Levels | Turned]] = []
        self._ordered: list[tuple[int, int, ArbiterEvent]] = []
        self._at_once: list[ArbiterEvent] = []
        self._count = 0
        self._horizon_ns = -1
        self.settled_ns = -1

    def feed(self, event: SourceEvent) -> None:
        """Take an event of a source; what follows from it comes out of `advance`."""
        if isinstance(event, SourceFault):
            self._at_once.append(event)
            return
        if event.t_ns <= self._horizon_ns and isinstance(event, Edge):
            self._at_once.append(LateDelivery(event.line, event.t_ns, self._horizon_ns - event.t_ns))
        self._count += 1
        heapq.heappush(self._waiting, (event.t_ns, self._count, event))

    def advance(self, now_ns: int) -> list[ArbiterEvent]:
        """Give everything that is certain at `now_ns`, in the order of time; faults of sources first.

        All that the sources had to give by `now_ns` must have been fed before.
        """
        self._horizon_ns = max(self._horizon_ns, now_ns - self.delay_ns)
        while self._waiting and self._waiting[0][0] <= self._horizon_ns:
            _, _, event = heapq.heappop(self._waiting)
            if isinstance(event, Turned):
                self._put(event)
            else:
                self._put(*self._debouncer.feed(event))
        self._put(*self._debouncer.advance(self._horizon_ns))
        contact_ns = self._debouncer.earliest_contact()
        self.settled_ns = self._horizon_ns if contact_ns is None else min(self._horizon_ns, contact_ns - 1)
        out, self._at_once = self._at_once, []
        while self._ordered and self._ordered[0][0] <= self.settled_ns:
            out.append(heapq.heappop(self._ordered)[2])
        return out

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to do without a new event, None where it never has."""
        instants = [deadline] if (deadline := self._debouncer.next_deadline()) is not None else []
        instants += [self._waiting[0][0]] if self._waiting else []
        return min(instants) + self.delay_ns if instants else None

    def _put(self, *events: Touch | ArbiterEvent) -> None:
        for event in events:
            if not isinstance(event, Touch):
                self._count += 1
                heapq.heappush(self._ordered, (event.t_ns, self._count, event))

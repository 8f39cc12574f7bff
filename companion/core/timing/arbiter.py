"""The arbiter: events of all sources, in whatever order they are delivered, become one stream in the order of time.

Theory of operation. Every source has a *horizon*, up to which it has given all it had: now less its worst delay, and
never beyond what it says to hold back. Its edges become contacts in the order of time, up to its own horizon; what is
accepted there is a press for good (`taken`). A press is given out once no earlier one can still come: once every
source's horizon has passed it, and no contact under way can count from before it. What comes out therefore does not
depend on the order of delivery, nor on when `advance` is called.

What is only shown need not wait: a second run of the same machine takes every edge as it arrives (`pending`). What it
accepts is provisional, and is forgotten where the first run does not confirm it. Knows no source, no clock, no game.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.contacts import Contacts, LineTiming
from companion.core.timing.events import (
    SECOND,
    Dropped,
    Edge,
    Levels,
    LineFault,
    Press,
    Rejected,
    Release,
    SourceFault,
    Touch,
    Turned,
    Unheard,
)
from companion.core.timing.filters import OwnFilters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.core.timing.contacts import ContactLimits
    from companion.core.timing.events import SourceEvent

BURST_NS = SECOND
"""Edges of one source that come late within so long of each other are told as one."""


class LateDelivery(NamedTuple):
    """Edges came later than their source states; they keep their times, and an order shown before may have changed.

    source: its name. t_ns: the time of the first of them. late_ns: by how much the latest was late. edges: how many.
    """

    source: str
    t_ns: int
    late_ns: int
    edges: int = 1


class Pending(NamedTuple):
    """What is to be shown before it is certain.

    presses: accepted and not given out yet, in the order of time. unsettled: contacts that may become one.
    """

    presses: tuple[Press, ...] = ()
    unsettled: tuple[Touch, ...] = ()


NOTHING = Pending()

ArbiterEvent = Press | Release | Rejected | Dropped | LineFault | Turned | SourceFault | LateDelivery


class _Eager:
    """The contacts of one source as they arrive. Presses stay until they are certain, or cannot become so."""

    def __init__(self, contacts: Contacts) -> None:
        self.contacts = contacts
        self._until_ns = -1
        self._presses: dict[tuple[str, int], tuple[Press, int]] = {}  # and when it was accepted

    def feed(self, event: Edge | Levels | Unheard) -> None:
        self._keep(self.contacts.feed(event), event.t_ns)

    def advance(self, now_ns: int) -> None:
        self._keep(self.contacts.advance(now_ns), now_ns)
        self._until_ns = max(self._until_ns, now_ns)

    def is_certain(self, press: Press) -> None:
        """Forget a press that was accepted for good: it is known elsewhere."""
        self._presses.pop((press.line, press.t_ns), None)

    def forget(self, horizon_ns: int) -> None:
        """Forget what should have been accepted for good by now, and was not."""
        gone = [key for key, (_, accepted_ns) in self._presses.items() if accepted_ns <= horizon_ns]
        for key in gone:
            del self._presses[key]

    def presses(self) -> Iterable[Press]:
        return (press for press, _ in self._presses.values())

    def unsettled(self) -> tuple[Touch, ...]:
        return self.contacts.unsettled(self._until_ns)

    def _keep(self, events: Iterable[object], at_ns: int) -> None:
        for event in events:
            if isinstance(event, Press):
                self._presses[event.line, event.t_ns] = event, at_ns


class _Source:
    """What one source has given: what waits for its horizon, and the contacts up to there."""

    def __init__(self, name: str, timings: Mapping[str, LineTiming], limits: ContactLimits | None) -> None:
        self.name = name
        self.contacts = Contacts(timings, limits)
        self.eager = _Eager(Contacts(timings, limits))
        self.horizon_ns = -1
        self.waiting: list[tuple[int, int, Edge | Levels | Unheard | Turned]] = []
        self._count = 0
        self._late: LateDelivery | None = None
        self._told_ns: int | None = None

    def feed(self, event: Edge | Levels | Unheard | Turned) -> None:
        t_ns = event.earliest_ns if isinstance(event, Edge) else event.t_ns
        if isinstance(event, Edge) and t_ns <= self.horizon_ns:
            self._note_late(event)
        self._count += 1
        heapq.heappush(self.waiting, (t_ns, self._count, event))
        if not isinstance(event, Turned):
            self.eager.feed(event)

    def advance(self, now_ns: int, horizon_ns: int) -> list[ArbiterEvent]:
        """Let time pass to the horizon; give what follows, as it comes to be certain."""
        self.horizon_ns = max(self.horizon_ns, horizon_ns)
        out: list[Touch | ArbiterEvent] = []
        while self.waiting and self.waiting[0][0] <= self.horizon_ns:
            event = heapq.heappop(self.waiting)[2]
            out += [event] if isinstance(event, Turned) else self.contacts.feed(event)
        out += self.contacts.advance(self.horizon_ns)
        self.eager.advance(now_ns)
        self.eager.forget(self.horizon_ns)
        return [event for event in out if not isinstance(event, Touch)]

    def late(self, now_ns: int) -> list[LateDelivery]:
        """Give what came late, once a burst: the rest of it is told with what comes after it."""
        late = self._late
        if late is None or (self._told_ns is not None and now_ns - self._told_ns < BURST_NS):
            return []
        self._late, self._told_ns = None, now_ns
        return [late]

    def earliest_press(self) -> int | None:
        """Give the earliest instant that a contact under way may count from, None where none may count."""
        return self.contacts.earliest_press(self.horizon_ns)

    def next_deadline(self) -> int | None:
        """Give the horizon that has something to do without a new event."""
        instants = [deadline] if (deadline := self.contacts.next_deadline()) is not None else []
        instants += [self.waiting[0][0]] if self.waiting else []
        return min(instants, default=None)

    def _note_late(self, edge: Edge) -> None:
        late_ns, before = self.horizon_ns - edge.earliest_ns, self._late
        if before is None:
            self._late = LateDelivery(self.name, edge.t_ns, late_ns)
        else:
            worst_ns = max(before.late_ns, late_ns)
            self._late = before._replace(t_ns=min(before.t_ns, edge.t_ns), late_ns=worst_ns, edges=before.edges + 1)


class Arbiter:
    """Orders the events of sources.

    timings: of every line. delays: each source's worst delay from an edge to its being given, by its name; may be
    changed at any time. `settled_ns`: every press up to this instant has been given out; none before it can come.
    """

    def __init__(
        self, timings: Mapping[str, LineTiming], delays: Mapping[str, int], limits: ContactLimits | None = None
    ) -> None:
        self._timings, self._limits = dict(timings), limits
        self._usual = dict(timings)
        self._own: Mapping[str, OwnFilters] = {}
        self.delays = dict(delays)
        self._sources: dict[str, _Source] = {}
        self._ordered: list[tuple[int, str, int, ArbiterEvent]] = []
        self._at_once: list[ArbiterEvent] = []
        self._taken: list[Press] = []
        self._count = 0
        self._horizon_ns = -1
        self.settled_ns = -1

    def retime(self, own: Mapping[str, OwnFilters]) -> None:
        """Take what each line's press is by these filters of its seat, the others as they were given; from now on.

        To be called between matches alone: a contact that is under way is judged by them, too.
        """
        self._own = own
        self._timings = {
            line: own.get(timing.seat or "", OwnFilters()).over(timing) for line, timing in self._usual.items()
        }
        for source in self._sources.values():
            source.contacts.retime(self._timings)
            source.eager.contacts.retime(self._timings)

    @property
    def delay_ns(self) -> int:
        """The longest that any source may take to hand an edge over."""
        return max(self.delays.values(), default=0)

    def add(self, timings: Mapping[str, LineTiming]) -> None:
        """Take edges of these lines, too, from now on; those that are known stay as they are."""
        self._usual = {**timings, **self._usual}
        self.retime(self._own)
        for source in self._sources.values():
            source.contacts.lines.add(self._timings)
            source.eager.contacts.lines.add(self._timings)

    def feed(self, source: str, event: SourceEvent) -> None:
        """Take an event of a source; what follows from it comes out of `advance`."""
        if isinstance(event, SourceFault):
            self._at_once.append(event)
        else:
            self._source(source).feed(event)

    def advance(self, now_ns: int, given: Mapping[str, int | None] | None = None) -> list[ArbiterEvent]:
        """Give everything that is certain at `now_ns`, in the order of time; faults of sources first.

        All that the sources had to give by `now_ns` must have been fed before, but for what they hold back. given: by
        the name of each that does, up to which instant it has given everything; None, or not named: it holds nothing.
        """
        horizons = [self._pass(name, now_ns, (given or {}).get(name)) for name in {**self.delays, **self._sources}]
        self._horizon_ns = max(self._horizon_ns, min(horizons, default=now_ns))
        under_way = [t for source in self._sources.values() if (t := source.earliest_press()) is not None]
        certain_ns = min([self._horizon_ns, *(t_ns - 1 for t_ns in under_way)])
        self.settled_ns = max(self.settled_ns, certain_ns)
        out, self._at_once = self._at_once, []
        while self._ordered and self._ordered[0][0] <= self.settled_ns:
            out.append(heapq.heappop(self._ordered)[3])
        return out

    def decided_before(self, source: str, line: str) -> int:
        """Give the instant before which no edge of this line decides anything any more: -1 before any `advance`."""
        found = self._sources.get(source)
        if found is None:
            return -1
        since_ns = found.contacts.lines.open_since(line)
        return found.horizon_ns + 1 if since_ns is None else min(since_ns, found.horizon_ns + 1)

    def sick(self, source: str) -> frozenset[str]:
        """Return the lines of a source that take no press because they are electrically sick."""
        found = self._sources.get(source)
        return frozenset() if found is None else found.contacts.lines.sick

    def taken(self) -> list[Press]:
        """Give the presses that have been accepted for good since the last call, before they are put in order."""
        taken, self._taken = self._taken, []
        return taken

    def pending(self) -> Pending:
        """Give what is to be shown before it is certain; changes nothing."""
        presses = [event for *_, event in self._ordered if isinstance(event, Press)]
        touches = [touch for source in self._sources.values() for touch in source.eager.unsettled()]
        presses += [press for source in self._sources.values() for press in source.eager.presses()]
        by_time = sorted(presses, key=lambda press: (press.t_ns, press.line))
        return Pending(tuple(by_time), tuple(sorted(touches, key=lambda touch: (touch.t_ns, touch.line))))

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to do without a new event, None where it never has."""
        instants = []
        for name, source in self._sources.items():
            if (deadline := source.next_deadline()) is not None:
                instants.append(deadline + self.delays.get(name, 0))
            if (shown := source.eager.contacts.next_deadline()) is not None:
                instants.append(shown)
        if self._ordered and self._ordered[0][0] > self._horizon_ns:  # else it waits for a contact, which has its own
            instants.append(self._ordered[0][0] + self.delay_ns)
        return min(instants, default=None)

    def _source(self, name: str) -> _Source:
        if name not in self._sources:
            self._sources[name] = _Source(name, self._timings, self._limits)
        return self._sources[name]

    def _pass(self, name: str, now_ns: int, given_ns: int | None) -> int:
        """Let one source's time pass, and give its horizon."""
        horizon_ns = now_ns - self.delays.get(name, 0)
        source = self._source(name)
        for event in source.advance(now_ns, horizon_ns if given_ns is None else min(horizon_ns, given_ns)):
            if isinstance(event, Press):
                self._taken.append(event)
                source.eager.is_certain(event)
            self._put(name, event)
        self._at_once += source.late(now_ns)
        return source.horizon_ns

    def _put(self, name: str, event: ArbiterEvent) -> None:
        self._count += 1
        heapq.heappush(self._ordered, (self._order_ns(event), name, self._count, event))

    def _order_ns(self, event: ArbiterEvent) -> int:
        """Give the place of an event in the stream: a press's own time; of what is less, when it was known."""
        if isinstance(event, Release):
            return event.t_ns + self._timings[event.line].bounce_ns
        if isinstance(event, Rejected):
            return event.until_ns + self._timings[event.line].bounce_ns
        return event.known_ns if isinstance(event, Dropped) else event.t_ns

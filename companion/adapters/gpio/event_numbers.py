"""What the numbers of a request's events tell: which edges are missing, and since when an edge may really have been.

Knows libgpiod's events and no request. Theory of operation (Linux 6.1, `gpiolib-cdev.c`). The interrupt takes the stamp
and the request's next number, and wakes the line's own thread; the thread reads the level, gives the line's next number
and queues the event. Two different things take edges away:

- *Merged.* When a contact changes again before the thread has run, the later interrupt writes over stamp and number:
  one event stands for several changes, and the request's numbering has a gap. The missing changes lie between the
  stamps of the events whose numbers enclose the gap, and are of a line whose *next* event comes after it. That thread
  had not run, so they are no older than it may have waited: how long that is, and where the machine counts interrupts
  also whose they were, the caller says (`Heard`). Where the levels of as many lines as numbers are missing do not
  alternate, it was these, and the others' edges are certain.
- *Dropped.* The line's own number counts what its thread has queued. A gap in it is an event that was dropped because
  the queue was full; the request's numbering has that gap too. While the queue may have been full, a gap in the
  request's numbers alone may be a dropped event of any line. Edges that were dropped may have been a whole contact:
  that is no ± of an edge but a doubt of its own (`RawEdge.lost_since_ns`), until the line's next edge, or its level is
  told anew.

An interrupt may also come while the thread is at work: the event then bears the later number with the earlier stamp,
and the thread runs once more, with no stamp or an old number. The second event shows itself by a level that does not
alternate (`levels`). A request of one line gives the line's numbers for both: nothing merged can be seen in it
(`gpiod_request`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.gpio.lines.levels import RawEdge
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    import gpiod

DOUBT_NS = SECOND
"""An interrupt's thread that has waited for so long would long have been reported dead by the kernel: what comes later
on a line is no longer taken for the end of what was missing."""
MOST_GAPS = 64
"""So many gaps are kept apart of those that a line has had no event since."""


class Counted(NamedTuple):
    """What the numbers of some events tell. edges: in the order of numbers. lost: how many are known to be dropped.

    may_have_lost: some were dropped, or may have been.
    """

    edges: list[RawEdge]
    lost: int = 0
    may_have_lost: bool = False


class Heard(NamedTuple):
    """An event. wait_ns: its line's thread waited no longer. may_be_merged: it may stand for several changes."""

    event: gpiod.EdgeEvent
    wait_ns: int
    may_be_merged: bool = True


class _Gap(NamedTuple):
    """Numbers are missing: from `first` on, `missing` of them, since `since_ns`; the next event was at `at_ns`."""

    first: int
    missing: int
    since_ns: int
    at_ns: int


class _Doubted(NamedTuple):
    """What was heard, the gaps of whose changes it may be, whether its level does not alternate, and `RawEdge`'s."""

    heard: Heard
    gaps: list[_Gap]
    is_odd: bool
    lost_since_ns: int | None


def order(heard: Heard) -> tuple[int, int]:
    """Return the key that sorts events as their interrupts came, which is not always as they were queued."""
    return heard.event.global_seqno, heard.event.line_seqno


class Numbers:
    """The numbers of one request. labels: by GPIO. rising: the type of an event that closes a contact.

    since_ns: when the lines were claimed; no event is older.
    """

    def __init__(self, labels: Mapping[int, str], rising: object, since_ns: int) -> None:
        self._labels = labels
        self._rising = rising
        self._next_of_line = dict.fromkeys(labels, 1)
        self._newest_of_line = dict.fromkeys(labels, since_ns)
        self._levels: dict[int, bool] = {}
        self._gaps: dict[int, list[_Gap]] = {offset: [] for offset in labels}
        self._lost_since_ns: dict[int, int] = {}
        self._newest_ns = since_ns
        self.next = 1
        """The number that is expected."""

    def take(self, events: Iterable[Heard], *, is_full: bool = False) -> Counted:
        """Take events (sorted by `order`). is_full: the queue may have run over since it was last known to be empty."""
        lost, may_have_lost = 0, False
        doubted: list[_Doubted] = []
        for heard in events:
            event = heard.event
            dropped = max(event.line_seqno - self._next_of_line[event.line_offset], 0)
            if dropped:
                lost, may_have_lost = lost + dropped, True
                self._lose([event.line_offset], self._newest_of_line[event.line_offset])
            if event.global_seqno > self.next and is_full:
                may_have_lost = True
                self._lose(self._labels, self._newest_ns)
            elif event.global_seqno > self.next + dropped:
                self._note(
                    _Gap(self.next, event.global_seqno - self.next - dropped, self._newest_ns, event.timestamp_ns)
                )
            lost_since_ns = self._lost_since_ns.pop(event.line_offset, None)
            doubted.append(_Doubted(heard, self._gaps_of(heard), self._is_odd(event), lost_since_ns))
            self._pass(event)
        accounted = _accounted(doubted)
        return Counted([self._edge(one, accounted) for one in doubted], lost, may_have_lost)

    def told_anew(self) -> None:
        """Forget all losses: the levels of all lines were read after everything that was queued."""
        self._lost_since_ns.clear()

    def _lose(self, offsets: Iterable[int], since_ns: int) -> None:
        for offset in offsets:
            self._lost_since_ns.setdefault(offset, since_ns)

    def _note(self, gap: _Gap) -> None:
        for offset, gaps in self._gaps.items():
            kept = [old for old in gaps if gap.at_ns - old.at_ns <= DOUBT_NS]
            if len(kept) == MOST_GAPS:
                kept[:2] = [kept[0]._replace(missing=kept[0].missing + kept[1].missing, at_ns=kept[1].at_ns)]
            self._gaps[offset] = [*kept, gap]

    def _gaps_of(self, heard: Heard) -> list[_Gap]:
        """Return the gaps whose missing numbers may belong to this event, which is its line's first one after them."""
        event = heard.event
        gaps, self._gaps[event.line_offset] = self._gaps[event.line_offset], []
        if not heard.may_be_merged:
            return []
        since_ns = event.timestamp_ns - heard.wait_ns
        return [gap for gap in gaps if event.global_seqno > gap.first and gap.at_ns >= since_ns]

    def _is_odd(self, event: gpiod.EdgeEvent) -> bool:
        """Tell whether the level does not alternate."""
        return self._levels.get(event.line_offset) is (event.event_type is self._rising)

    def _pass(self, event: gpiod.EdgeEvent) -> None:
        self._next_of_line[event.line_offset] = event.line_seqno + 1
        self._levels[event.line_offset] = event.event_type is self._rising
        self._newest_of_line[event.line_offset] = max(self._newest_of_line[event.line_offset], event.timestamp_ns)
        if event.global_seqno >= self.next:
            self.next = event.global_seqno + 1
            self._newest_ns = max(self._newest_ns, event.timestamp_ns)

    def _edge(self, doubted: _Doubted, accounted: AbstractSet[_Gap]) -> RawEdge:
        """Return the edge of an event."""
        (event, wait_ns, _), gaps, is_odd, lost_since_ns = doubted
        own = [gap for gap in gaps if is_odd or gap not in accounted]
        since_ns = max(event.timestamp_ns - wait_ns, min(gap.since_ns for gap in own)) if own else None
        active = event.event_type is self._rising
        return RawEdge(event.timestamp_ns, self._labels[event.line_offset], active, since_ns, wait_ns, lost_since_ns)


def _accounted(doubted: Iterable[_Doubted]) -> set[_Gap]:
    """Return the gaps of which each number is of a line with no other gap, whose level does not alternate after it."""
    odd = Counter(one.gaps[0] for one in doubted if one.is_odd and len(one.gaps) == 1)
    return {gap for gap, count in odd.items() if count == gap.missing}

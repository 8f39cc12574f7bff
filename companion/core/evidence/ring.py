"""What all sources have given lately, kept in bounded memory until it is known whether a race needs it. Pure.

Each line has a room of its own, so that one that floods pushes out nothing of the others. Where a room is full its
middle goes: the beginning, in which a press would lie, and the newest stay; and what went is said.
"""

from __future__ import annotations

import heapq
from collections import deque
from typing import TYPE_CHECKING

from companion.core.evidence.written import BOX, EdgeSeen, Entry, LevelsSeen, Lost
from companion.core.timing.events import Edge, Levels, SourceFault, Unheard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.core.timing.events import SourceEvent

EDGES_A_LINE = 2_000
"""So many edges of one line are kept at most: a switch that bounces makes some ten."""
REPORTS = 500
"""So many losses and readings of levels are kept at most."""

NOT_READ = "not read any more, until their levels are told again: they made too many edges"

Numbered = tuple[int, int, Entry]
"""Its time, when it came (1, 2, …), and what it was."""


class _Room:
    """What is kept of one line: its beginning, its end, and how many went from between them."""

    def __init__(self, line: str, size: int) -> None:
        self._line, self._half = line, size // 2
        self._begin: deque[Numbered] = deque()
        self._end: deque[Numbered] = deque()
        self._gone = 0
        self._gone_ns = (0, 0)

    def add(self, entry: Numbered) -> None:
        if len(self._begin) < self._half and not self._end:
            self._begin.append(entry)
            return
        self._end.append(entry)
        if len(self._end) > self._half:
            t_ns = self._end.popleft()[0]
            self._gone_ns = (self._gone_ns[0] if self._gone else t_ns, t_ns)
            self._gone += 1

    def forget(self, before_ns: int) -> None:
        while self._begin and self._begin[0][0] < before_ns:
            self._begin.popleft()
        if self._begin:
            return
        while self._end and self._end[0][0] < before_ns:
            self._end.popleft()
        if self._gone and self._gone_ns[1] < before_ns:
            self._gone = 0
        if not self._gone:
            self._begin, self._end = self._end, deque()

    def __iter__(self) -> Iterator[Numbered]:
        yield from self._begin
        if self._gone:
            yield self._gone_ns[1], 0, self._loss()
        yield from self._end

    def _loss(self) -> Lost:
        since_ns, t_ns = self._gone_ns
        text = f"{self._line}: {self._gone} edges in the middle were too many to be kept"
        return Lost(t_ns=t_ns, since_ns=since_ns, source=BOX, lost=self._gone, text=text, lines=(self._line,))


class EdgeRing:
    """The newest events of all lines. known_since_ns: from when on all is kept; None before anything has been given."""

    def __init__(self, edges_a_line: int = EDGES_A_LINE) -> None:
        self._size = edges_a_line
        self._rooms: dict[str, _Room] = {}
        self._reports: deque[Numbered] = deque(maxlen=REPORTS)
        self._count = 0
        self.known_since_ns: int | None = None

    def feed(self, source: str, event: SourceEvent) -> None:
        """Take what the source of that name gave; turns of a knob are no evidence."""
        entry = _entry(source, event)
        if entry is None:
            return
        if self.known_since_ns is None:
            self.known_since_ns = entry.t_ns
        self._count += 1
        numbered = (entry.t_ns, self._count, entry)
        if isinstance(entry, EdgeSeen):
            if entry.line not in self._rooms:
                self._rooms[entry.line] = _Room(entry.line, self._size)
            self._rooms[entry.line].add(numbered)
        else:
            self._reports.append(numbered)

    def forget(self, before_ns: int) -> None:
        """Keep nothing from before that instant."""
        if self.known_since_ns is None or before_ns <= self.known_since_ns:
            return
        self.known_since_ns = before_ns
        for room in self._rooms.values():
            room.forget(before_ns)
        while self._reports and self._reports[0][0] < before_ns:
            self._reports.popleft()

    def between(self, from_ns: int, to_ns: int) -> list[Entry]:
        """Give what is kept from `from_ns` to `to_ns`, both inclusive, in the order of time, equal ones as they came.

        Where the ring does not reach back so far, the first entry says so.
        """
        kept: list[Iterable[Numbered]] = [*self._rooms.values(), self._reports]
        rooms = [sorted(room, key=_when) for room in kept]
        found = [entry for t_ns, _, entry in heapq.merge(*rooms, key=_when) if from_ns <= t_ns <= to_ns]
        known_ns = self.known_since_ns
        if known_ns is not None and from_ns < known_ns <= to_ns:
            text = "nothing is kept from before this instant"
            found.insert(0, Lost(t_ns=known_ns, since_ns=from_ns, source=BOX, lost=0, text=text))
        return found


def _when(entry: Numbered) -> tuple[int, int]:
    return entry[0], entry[1]


def _entry(source: str, event: SourceEvent) -> Entry | None:
    if isinstance(event, Edge):
        return EdgeSeen(
            t_ns=event.t_ns, line=event.line, active=event.active, error_ns=event.error_ns, source=source,
            number=event.number, merged_ns=event.merged_ns, lost_since_ns=event.lost_since_ns,
        )  # fmt: skip
    if isinstance(event, Levels):
        closed, known = event.active & event.known, event.known
        return LevelsSeen(
            t_ns=event.t_ns, source=source, closed=tuple(sorted(closed)), open=tuple(sorted(known - closed))
        )
    if isinstance(event, Unheard):
        return Lost(t_ns=event.t_ns, source=source, lost=0, text=NOT_READ, lines=tuple(sorted(event.lines)))
    if isinstance(event, SourceFault):
        return Lost(t_ns=event.t_ns, source=event.source, lost=event.lost, text=event.text, lines=event.lines or None)
    return None

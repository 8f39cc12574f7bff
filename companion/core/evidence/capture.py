"""Which edges are the evidence of which race: follows a match, and gives each race's evidence once all of it is there.

Theory of operation. A race's evidence reaches from `BEFORE_NS` before its first press to `AFTER_NS` after its close.
Which presses those are is known when the race is judged, and that may be long after them, where a card was awaited; so
the ring keeps all from before the first press of the race that runs, and else what a race beginning now would need. A
race that is judged again just as it was (a call was replaced) has its evidence already. A match that is left, or a box
that stops, gives at once what there is, also of a race that is not judged. Knows no file and no clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.evidence.ring import EdgeRing
from companion.core.evidence.written import EdgeSeen, digest, dump_evidence
from companion.core.match.match import made_at
from companion.core.record.lines import Close, JudgeLine
from companion.core.ruling.rulings import Order
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.ruling.history import History, Told
    from companion.core.timing.events import SourceEvent

BEFORE_NS = 2 * SECOND
AFTER_NS = 2 * SECOND
UNSEEN_NS = 3 * SECOND
"""A press may be so old before the match knows of it: its contact has to settle, and to be delivered."""
TIDY_NS = SECOND
"""How often what no race can need any more is forgotten."""


class Span(NamedTuple):
    """A race whose edges are wanted: its number, its first press, its close (or, without one, its last press)."""

    race: int
    first_ns: int
    close_ns: int


class Captured(NamedTuple):
    """The evidence of a race. edges: how many of the entries in `content` are edges."""

    race: int
    content: bytes
    sha256: str
    edges: int


class Capture:
    """The evidence of one match after another."""

    def __init__(self, ring: EdgeRing | None = None) -> None:
        self._ring = EdgeRing() if ring is None else ring
        self._match: Match | None = None
        self._seen = 0
        self._waiting: list[Span] = []
        self._done: set[Span] = set()
        self._captured: list[Captured] = []
        self._tidied_ns = 0

    def feed(self, source: str, event: SourceEvent) -> None:
        """Take what the source of that name gave, as it gave it."""
        self._ring.feed(source, event)

    def follow(self, match: Match | None, now_ns: int, settled_ns: int) -> None:
        """See what has become of the match. settled_ns: all events up to then have been fed."""
        if match is not self._match:
            self._leave(now_ns)
            self._match, self._seen = match, 0 if match is None else match.lines_written
        if match is not None and match.lines_written > self._seen:
            self._read(match.history, now_ns)
        self._give([span for span in self._waiting if span.close_ns + AFTER_NS <= settled_ns])
        if now_ns - self._tidied_ns >= TIDY_NS:
            self._tidied_ns = now_ns
            self._ring.forget(self._needed_since(now_ns) - BEFORE_NS)

    def next_deadline(self) -> int | None:
        """Give the settled instant at which `follow` has evidence to give, None where none is awaited."""
        return min((span.close_ns + AFTER_NS for span in self._waiting), default=None)

    def flush(self, now_ns: int) -> None:
        """Give what there is of every race that is awaited, and of the one that runs: nothing more will come."""
        running = None if self._match is None else _running(self._match, now_ns)
        if running is not None:
            self._waiting.append(running)
        self._give(self._waiting)

    def take(self) -> list[Captured]:
        """Give the evidence that is complete, and forget it."""
        captured, self._captured = self._captured, []
        return captured

    def _leave(self, now_ns: int) -> None:
        self.flush(now_ns)
        self._match = None
        self._done.clear()

    def _read(self, history: History, now_ns: int) -> None:
        for told in history[self._seen :]:
            span = _judged(history, told)
            if span is not None and span not in self._done and self._may_have(span, now_ns):
                self._done.add(span)
                self._waiting.append(span)
        self._seen = len(history)

    def _may_have(self, span: Span, now_ns: int) -> bool:
        """Tell whether the race was on this clock, and not over before there was anything to be kept."""
        known_ns = self._ring.known_since_ns
        return known_ns is not None and known_ns <= span.close_ns <= now_ns

    def _give(self, spans: list[Span]) -> None:
        self._waiting = [span for span in self._waiting if span not in spans]
        for span in spans:
            entries = self._ring.between(span.first_ns - BEFORE_NS, span.close_ns + AFTER_NS)
            content = dump_evidence(entries)
            edges = sum(isinstance(entry, EdgeSeen) for entry in entries)
            self._captured.append(Captured(span.race, content, digest(content), edges))

    def _needed_since(self, now_ns: int) -> int:
        """Give the earliest instant at which a race may have begun whose evidence has not been given."""
        running = () if self._match is None else made_at(self._match).values()
        began: list[int] = [*(span.first_ns for span in self._waiting), *running]
        return min([now_ns - UNSEEN_NS, *began])


def _judged(history: History, told: Told) -> Span | None:
    """Give the race that a line judged, None where it judged none."""
    order = next((ruling for ruling in told.rulings if isinstance(ruling, Order)), None)
    if not isinstance(told.line, JudgeLine) or order is None:
        return None
    times = [place.t_ns for place in order.order]
    closed_ns = next((t.line.t_ns for t in history.standing_backwards(told.number) if isinstance(t.line, Close)), None)
    return Span(order.race, min(times), max(times) if closed_ns is None else closed_ns)


def _running(match: Match, now_ns: int) -> Span | None:
    """Give the race that runs, or waits for its judging, as one that ends now; None where none does."""
    times, race = made_at(match).values(), match.race
    if not times or race is None:
        return None
    return Span(race.number, min(times), now_ns)

"""One contact that is no press yet: what it would count from if it became one.

`contacts` says what a contact is, and how far a press of it reaches back; here is what of its edges is kept for that.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.core.timing.events import Disbelieved, Origin


class Instant(NamedTuple):
    """A stamp and the half-width of its uncertainty. merged_ns: as an edge has it."""

    t_ns: int
    error_ns: int
    disbelieved: Disbelieved | None = None
    origin: Origin | None = None
    merged_ns: int = 0

    @property
    def earliest_ns(self) -> int:
        """Return the earliest instant that it may have been, without its source's own error."""
        return self.t_ns - self.merged_ns

    @property
    def latest_ns(self) -> int:
        """Return the latest instant that it may have been, without its source's own error."""
        return self.t_ns + self.merged_ns

    def or_as_late_as(self, other: Instant, from_ns: int) -> Instant:
        """Return what covers both this instant, from `from_ns` on, and a later one."""
        from_ns = max(from_ns, self.earliest_ns)
        t_ns = (from_ns + other.latest_ns) // 2
        own_ns = max(self.error_ns - self.merged_ns, other.error_ns - other.merged_ns)
        merged_ns = other.latest_ns - t_ns
        return self._replace(t_ns=t_ns, error_ns=own_ns + merged_ns, merged_ns=merged_ns)


BEGINNING = Instant(0, 0)


@dataclass(slots=True)
class Contact:
    """A contact that is no press yet.

    closings: its active edges that may be within the bounce time (bounce_ns) before the newest, until it is firm: the
    first of those within it is the instant.
    others_end: when the last other contact of its seat ended that it overlapped with, None where none has; others_ns:
    when the first of them began.
    since_ns: how far back it may count from, as a firm closure may have been lost; None where none was. maybe: what it
    counts from if the first of its merged closures that may have been firm was so; None where none may have been.
    is_deaf: it began within the repetition time. longest_ns: the longest that one of its closures may have lasted of
    which it is not known whether it was firm.
    """

    began_ns: int
    is_deaf: bool
    bounce_ns: int
    closings: deque[Instant] = field(default_factory=deque)
    firm_ns: int | None = None
    others_end: Instant | None = None
    others_ns: int | None = None
    since_ns: int | None = None
    maybe: Instant | None = None
    longest_ns: int = 0

    @property
    def instant(self) -> Instant:
        """Return the instant that it counts from, as far as its edges tell."""
        first, after = self._first(), self.others_end
        if self.maybe is not None:
            first = self.maybe.or_as_late_as(first, self.maybe.earliest_ns)
        if self.since_ns is not None:
            first = first._replace(error_ns=max(first.error_ns, first.t_ns - self.since_ns))
        return after if after is not None and after.t_ns > first.t_ns else first

    def _first(self) -> Instant:
        """Return the first closing within the bounce time, or what covers all that may be it."""
        first, newest = self.closings[0], self.closings[-1]
        surely_ns = newest.latest_ns - self.bounce_ns
        if first.earliest_ns >= surely_ns:
            return first
        certain = next((closing for closing in self.closings if closing.earliest_ns >= surely_ns), newest)
        return first.or_as_late_as(certain, newest.earliest_ns - self.bounce_ns)

    def open(self, latest_ns: int, settle_ns: int) -> None:
        """Note an opening by `latest_ns`, while no closure was surely firm.

        The newest may have been: then it counts from what it does by now. settle_ns: a firm closure lasts so long.
        """
        may_ns = latest_ns - self.closings[-1].earliest_ns
        if may_ns >= settle_ns:
            self.longest_ns = max(self.longest_ns, may_ns)
            self.maybe = self.maybe or self._first()

    def add(self, closing: Instant) -> None:
        """Add the newest closing; those are forgotten that surely were more than the bounce time before it."""
        self.closings.append(closing)
        while self.closings[0].latest_ns < closing.earliest_ns - self.bounce_ns:
            self.closings.popleft()

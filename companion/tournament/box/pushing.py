"""All of a box's matches of an event on their way to the desk: which are owed, and when it is tried again. Pure.

The pauses: while lines are under way and the desk acknowledges nothing, they are sent again after `FIRST_PAUSE_NS`,
then after twice as long each time. After `MOST_TRIES` of that nobody listens: nothing more is sent until the desk says
something, so that a desk that is away for an hour finds no heap of copies at its broker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND
from companion.tournament.box.outbox import Outbox
from companion.tournament.wire import Held

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.tournament.wire import Have, RecordPart

FIRST_PAUSE_NS = 4 * SECOND
LONGEST_PAUSE_NS = 60 * SECOND
MOST_TRIES = 4


class Pushing:
    """The outboxes by match. acknowledged: what is known from before a start."""

    def __init__(self, acknowledged: Mapping[str, int]) -> None:
        self.outboxes: dict[str, Outbox] = {}
        self.has_listener = False
        """Whether the desk has said something on this connection, and not fallen silent since."""
        self._known = dict(acknowledged)
        self._quiet_since_ns = 0
        self._tries = 0

    @property
    def acknowledged(self) -> dict[str, int]:
        """How many lines the desk has, by match; of matches too that are not here any more."""
        return {**self._known, **{match: outbox.acknowledged for match, outbox in self.outboxes.items()}}

    def held(self) -> tuple[Held, ...]:
        """Give what the box says of its matches."""
        return tuple(Held(one.match, len(one.lines), one.acknowledged) for one in self.outboxes.values())

    def grow(self, match: str, lines: Sequence[bytes]) -> Outbox:
        """Take the next lines of a match, or the first."""
        if match not in self.outboxes:
            self.outboxes[match] = Outbox(match, self._known.get(match, 0))
        self.outboxes[match].grow(lines)
        return self.outboxes[match]

    def listens(self, now_ns: int) -> None:
        """The desk has said something."""
        if not self.has_listener:
            self.again()
            self._quiet_since_ns, self._tries = now_ns, 0
        self.has_listener = True

    def lost(self) -> None:
        """The connection has gone, and what was under way with it."""
        self.has_listener = False
        self.again()

    def again(self) -> None:
        """Go on from what is acknowledged, in every match."""
        for outbox in self.outboxes.values():
            outbox.again()

    def have(self, have: Have, now_ns: int) -> Outbox | None:
        """Take what the desk has of a match; None where this box has no such match."""
        outbox = self.outboxes.get(have.match)
        if outbox is not None and outbox.have(have.lines, have.sha256):
            self._quiet_since_ns, self._tries = now_ns, 0
        return outbox

    def next(self, now_ns: int) -> list[RecordPart]:
        """Give what is to be sent now."""
        if not self.has_listener:
            return []
        was_idle = not self._under_way()
        found = [part for outbox in self.outboxes.values() for part in outbox.next()]
        if found and was_idle:
            self._quiet_since_ns = now_ns
        return found

    def advance(self, now_ns: int) -> None:
        """Let time pass: what was not acknowledged for too long is sent again, or nobody listens."""
        deadline_ns = self.next_deadline()
        if deadline_ns is None or now_ns < deadline_ns:
            return
        self.again()
        self._tries += 1
        self._quiet_since_ns = now_ns
        self.has_listener = self._tries < MOST_TRIES

    def next_deadline(self) -> int | None:
        """Give when `advance` next has something to do; None: not by itself."""
        if not self.has_listener or not self._under_way():
            return None
        return self._quiet_since_ns + min(FIRST_PAUSE_NS << self._tries, LONGEST_PAUSE_NS)

    def _under_way(self) -> int:
        return sum(outbox.under_way for outbox in self.outboxes.values() if not outbox.conflict)

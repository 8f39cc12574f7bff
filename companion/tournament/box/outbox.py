"""Which lines of a match are to be sent next, by what the desk has said that it has. Pure.

Theory of operation. The desk says how many lines it has from the first on without a gap (`Have`). What lies between
that and the newest line is owed. At most `WINDOW` lines are under way, so that a desk that is not there fills no
broker's queue. Nothing is sent twice for its own sake: only `again` (a new connection, or a silence that was too long)
and a desk that has less than it said before go back to what it has. So whatever is lost or comes twice on the way,
every line is sent until it is acknowledged, and in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.seals import SealedHash
from companion.tournament.wire import RecordPart

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = 64
"""Lines under way at a time: a race has some ten, and a whole match goes in a few dozen rounds."""


class Outbox:
    """The lines of one match, as they are stored, and how far the desk has them.

    acknowledged: what is known from before a start; it is forgotten where there are not so many lines. conflict: why
    nothing more is sent, empty while all is well.
    """

    def __init__(self, match: str, acknowledged: int = 0) -> None:
        self.match = match
        self.lines: list[bytes] = []
        self.acknowledged = acknowledged
        self.conflict = ""
        self._sent = 0
        self._hashed, self._hash = 0, SealedHash()

    @property
    def is_whole(self) -> bool:
        """Tell whether the desk has every line."""
        return self.acknowledged == len(self.lines)

    @property
    def under_way(self) -> int:
        """The lines that were sent and are not acknowledged."""
        return max(self._sent - self.acknowledged, 0)

    def grow(self, lines: Sequence[bytes]) -> None:
        """Take the next lines, which are safely stored."""
        self.lines += lines

    def next(self) -> list[RecordPart]:
        """Give what is to be sent now, and take it for sent."""
        if self.conflict:
            return []
        if self.acknowledged > len(self.lines):
            self.acknowledged = 0
        first = max(self._sent, self.acknowledged)
        last = min(len(self.lines), self.acknowledged + WINDOW)
        self._sent = max(first, last)
        return [RecordPart(self.match, number, self.lines[number - 1]) for number in range(first + 1, last + 1)]

    def again(self) -> None:
        """What is under way may be lost: go on from what is acknowledged."""
        self._sent = min(self._sent, self.acknowledged)

    def have(self, lines: int, digest: str) -> bool:
        """The desk has the first `lines` lines, with this hash; tell whether that is more than it was known to have.

        Others than these lines are a conflict, which lasts.
        """
        if lines > len(self.lines):
            self.conflict = f"the desk has {lines:,} lines, and this box {len(self.lines):,}"
        elif self._digest(lines) != digest:
            self.conflict = f"the first {lines:,} lines are others at the desk"
        if self.conflict:
            return False
        is_more = lines > self.acknowledged
        if lines < self.acknowledged:
            self._sent = lines
        self.acknowledged = lines
        return is_more

    def _digest(self, lines: int) -> str:
        """Give the SHA-256 of the first lines as a seal has it, going on from where it was asked before."""
        if lines < self._hashed:
            self._hashed, self._hash = 0, SealedHash()
        for line in self.lines[self._hashed : lines]:
            self._hash.take(line)
        self._hashed = lines
        return self._hash.digest().hex()

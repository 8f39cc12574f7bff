"""The event's log in the database: added to at its end, read as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, insert, select

from companion.adapters.event_store.tables import LOG
from companion.core.errors import Illegal, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


class Added(NamedTuple):
    """Lines of which it is not known whether they are stored: the connection was lost when they were about to be."""

    first: int
    lines: tuple[bytes, ...]


class LogRows:
    """The log of one event. length: how many lines are known to be stored."""

    def __init__(self, event: str) -> None:
        self.event = event
        self.length = 0

    def load(self, connection: Connection) -> None:
        """Look how long the log is."""
        query = select(func.max(LOG.c.number)).where(LOG.c.event == self.event)
        self.length = connection.execute(query).scalar_one() or 0

    def read(self, connection: Connection) -> list[bytes]:
        """Give all lines. Raises Unavailable where one is missing."""
        query = select(LOG.c.number, LOG.c.raw).where(LOG.c.event == self.event).order_by(LOG.c.number)
        lines: list[bytes] = []
        for number, raw in connection.execute(query):
            lines.append(bytes(raw))
            if number != len(lines):
                raise Unavailable(f"the log of {self.event!r} has lost its line {len(lines)}: take the newest backup")
        return lines

    def must_follow(self, first: int) -> None:
        """See that a line of this number is the next. Raises Illegal."""
        if first != self.length + 1:
            raise Illegal(
                f"the log of {self.event!r} has {self.length} lines: the next is number {self.length + 1}, not {first}"
            )

    def put(self, connection: Connection, added: Added) -> None:
        """Store lines; they count when `length` says so."""
        rows = [{"event": self.event, "number": n, "raw": raw} for n, raw in enumerate(added.lines, added.first)]
        if rows:
            connection.execute(insert(LOG), rows)

    def take_back(self, connection: Connection, added: Added) -> None:
        """Delete lines at the end where they were stored, though whoever gave them was told that they were not."""
        here = (LOG.c.event == self.event) & (LOG.c.number >= added.first)
        rows = connection.execute(select(LOG.c.raw).where(here).order_by(LOG.c.number))
        if self._same(rows.scalars().all(), added.lines):
            connection.execute(delete(LOG).where(here))

    @staticmethod
    def _same(stored: Sequence[bytes], lines: Sequence[bytes]) -> bool:
        return bool(lines) and [bytes(raw) for raw in stored] == list(lines)

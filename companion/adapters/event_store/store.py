"""The port `EventStore` by SQL: one connection, each call a transaction, and what is known in memory of what is stored.

Whatever the database says no to, the connection is given up, and with it all that was known in memory; the next call
connects, takes the lock and reads again. So there is one way back from a full disk, a lost server and a damaged file,
and it is the way that every start goes.

Threads: one at a time, whichever; `backup` alone may be called by another. Everything may block for the disk, or for a
server.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from companion.adapters.event_store.address import Address, read_address
from companion.adapters.event_store.log_rows import Added, LogRows
from companion.adapters.event_store.migrating import bring_forward
from companion.adapters.event_store.postgresql_place import PostgresqlPlace
from companion.adapters.event_store.record_rows import RecordRows
from companion.adapters.event_store.sqlite_place import SqlitePlace
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from companion.adapters.event_store.place import Place
    from companion.tournament.wire import RecordPart


class SqlEventStore:
    """The store of one event, in a file or a server's database, where others may be too.

    url: sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE. Raises Malformed for any other.
    """

    def __init__(self, url: str, event: str) -> None:
        self._place: Place = _place_of(read_address(url), event)
        self._event = event
        self._log, self._records = LogRows(event), RecordRows(event)
        self._is_open = False
        self._connection: Connection | None = None
        self._doubtful: Added | None = None

    def __repr__(self) -> str:
        return f"SqlEventStore({self._place.name}, event={self._event!r})"

    def open(self) -> None:
        """Be ready; make the tables, or bring those of an older version to this one.

        Raises Unavailable: no server, no folder, in use by another desk, newer, damaged; it is closed then.
        """
        self._is_open = True
        try:
            with self._transaction():
                pass
        except BaseException:
            self.close()
            raise

    def entries(self) -> list[bytes]:
        """Give the event's log. Raises Unavailable."""
        with self._transaction() as connection:
            return self._log.read(connection)

    def append(self, first: int, lines: Sequence[bytes]) -> None:
        """Add lines to the log, all or none. Raises Illegal (they do not follow), Unavailable."""
        added = Added(first, tuple(lines))
        with self._transaction() as connection:
            self._log.must_follow(first)
            self._place.before_change()
            self._doubtful = added
            self._log.put(connection, added)
        self._doubtful = None
        self._log.length += len(added.lines)

    def keep(self, parts: Sequence[tuple[str, RecordPart]]) -> list[tuple[str, RecordPart]]:
        """Store lines of records once, and give those that contradict what is there. Raises Unavailable."""
        with self._transaction() as connection:
            new, contradicting = self._records.sort(connection, parts)
            after, against = {}, self._records.unknown(contradicting)
            if new or against:
                self._place.before_change()
            if new:
                after = self._records.put(connection, new)
            if against:
                self._records.put_contradictions(connection, against, after)
        self._records.take(after, against)
        return contradicting

    def contradicted(self) -> set[tuple[str, str]]:
        """Give by box and match the records of which ever another line came than is stored. Raises Unavailable."""
        with self._transaction():
            return self._records.contradicted()

    def held(self) -> dict[tuple[str, str], int]:
        """Give by box and match how many lines are there without a gap; 0 where only later ones are.

        It reads nothing but at the first call after a connection was lost. Raises Unavailable.
        """
        if self._connection is None:
            with self._transaction():
                pass
        return self._records.held()

    def record(self, box: str, match: str) -> list[bytes]:
        """Give a record's lines without a gap. Raises Unavailable."""
        with self._transaction() as connection:
            return self._records.read(connection, (box, match))

    def backup(self, path: Path) -> None:
        """Copy a store in a file to `path`, in place of any file there, while it is in use.

        Raises Unavailable: it cannot be written, and an earlier one is as it was; or the store is at a server, where
        pg_dump does it.
        """
        self._place.backup(path)

    def close(self) -> None:
        """Let go of connection and lock; may be called again."""
        self._is_open = False
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.close()
        self._place.release()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Give the connection, in a transaction that is durable when this ends. Raises Unavailable."""
        if not self._is_open:
            raise Unavailable(f"{self._place.name} is not open")
        try:
            connection = self._connection or self._connect()
            with connection.begin():
                yield connection
        except SQLAlchemyError as error:
            self._lose()
            # Without its cause: what a driver says may repeat what it was given.
            raise Unavailable(f"{self._place.name}: {self._place.reason(error)}") from None

    def _connect(self) -> Connection:
        self._connection = connection = self._place.connect()
        try:
            with connection.begin():
                bring_forward(connection, self._place)
                if self._doubtful is not None:
                    self._log.take_back(connection, self._doubtful)
                self._log.load(connection)
                self._records.load(connection)
        except BaseException:
            self._lose()
            raise
        self._doubtful = None
        return connection

    def _lose(self) -> None:
        """Give the connection up, whatever state it is in."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
            with suppress(SQLAlchemyError):
                connection.close()


def _place_of(address: Address, event: str) -> Place:
    return PostgresqlPlace(address, event) if address.path is None else SqlitePlace(address.path)

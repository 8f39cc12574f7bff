"""A store in a PostgreSQL database: its connection, its lock, its faults in words.

The lock is an advisory one of the session, so that it ends with the connection. A connection that is lost without a
word (a cable) may live on at the server for minutes: a desk that comes back ends its own former session there, which it
knows by process and beginning, and no other.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import NullPool, create_engine, text

from companion.adapters.event_store.place import InUse
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.exc import SQLAlchemyError

    from companion.adapters.event_store.address import Address

APPLICATION = "companion-desk"
CONNECT_S = 10
"""So long a server is waited for."""
_CLIENT = {
    "application_name": APPLICATION,
    "connect_timeout": str(CONNECT_S),
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
"""What libpq is asked for where the URL does not say otherwise: a dead connection is noticed in half a minute."""
_SESSION = (
    "SET tcp_keepalives_idle = 10",  # the server too notices a desk that has gone, and gives its lock free
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    # What returns is on the disk, whatever is usual at this server; what is stricter than `on` is left as it is.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)
_SCHEMA_LOCK = "companion-event-store"
_WHO = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_TRY = text("SELECT pg_try_advisory_lock(:key)")
_HOLDER = text(
    "SELECT pid, backend_start, host(client_addr) AS host FROM pg_locks JOIN pg_stat_activity USING (pid)"
    " WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND CAST(classid AS bigint) = :high AND CAST(objid AS bigint) = :low"
)
_END = text("SELECT pg_terminate_backend(:pid, 5000)")  # waits so many ms for its end; since PostgreSQL 14


class Session(NamedTuple):
    """A connection as the server knows it; the two together are never given again."""

    process: int
    begun: datetime


class PostgresqlPlace:
    """The database that `address` names; `event` is the one of its events that is held."""

    def __init__(self, address: Address, event: str) -> None:
        self._address, self._event = address, event
        self._engine: Engine | None = None
        self._session: Session | None = None

    @property
    def name(self) -> str:
        """The URL without a password."""
        return self._address.name

    def connect(self) -> Connection:
        """Connect and take the event's lock."""
        self._engine = self._engine or self._new_engine()
        connection = self._engine.connect()
        try:
            with connection.begin():
                for statement in _SESSION:
                    connection.exec_driver_sql(statement)
                self._hold(connection)
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        return connection

    def before_change(self) -> None:
        """Do nothing: a server says so itself where something cannot be written."""

    def hold_schema(self, connection: Connection) -> None:
        """Wait for the desks of other events in this database, where they change the tables."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key_of(_SCHEMA_LOCK)})

    def reason(self, error: SQLAlchemyError) -> str:
        """Say what driver or server say."""
        cause = getattr(error, "orig", None) or error
        return self._address.clean(str(cause)) or type(cause).__name__

    def backup(self, path: Path) -> None:
        """Raise Unavailable: the server's own program does it."""
        raise Unavailable(f"{self.name} is backed up by pg_dump, at the server: nothing is written to {path}")

    def release(self) -> None:
        """Do nothing: the lock ends with the connection."""

    def _new_engine(self) -> Engine:
        url = self._address.url
        own = {key: value for key, value in _CLIENT.items() if key not in url.query}
        try:
            return create_engine(url, connect_args=own, poolclass=NullPool, hide_parameters=True)
        except ImportError as error:
            raise Unavailable(
                f"{self.name} needs psycopg, which is not there ({error}): pip install 'table-companion[postgresql]'"
            ) from None

    def _hold(self, connection: Connection) -> None:
        key = key_of(f"companion-event {self._event}")
        is_held = connection.execute(_TRY, {"key": key}).scalar_one()
        if not is_held:
            holder = connection.execute(_HOLDER, {"high": key >> 32 & 0xFFFFFFFF, "low": key & 0xFFFFFFFF}).first()
            if holder is not None and Session(holder.pid, holder.backend_start) == self._session:
                connection.execute(_END, {"pid": holder.pid})
            is_held = connection.execute(_TRY, {"key": key}).scalar_one()
            if not is_held:
                raise InUse(self._in_use(holder))
        self._session = Session(*connection.execute(_WHO).one())

    def _in_use(self, holder: Any) -> str:
        where = f" (at {holder.host})" if holder is not None and holder.host else ""
        return f"another desk{where} has the event {self._event!r} in {self.name}: stop it, or choose another event"


def key_of(name: str) -> int:
    """Give the number of an advisory lock, of 64 bits with a sign."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)

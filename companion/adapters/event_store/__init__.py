"""The event's store by SQL: its log and the lines of boxes' records, in an SQLite file or in a PostgreSQL database.

`store` is the port (`EventStore`), `address` reads its URL, `sqlite_place` and `postgresql_place` are what differs
between a file and a server, `log_rows` and `record_rows` what is written there, `migrating` and `migrations/` how an
older store becomes a newer one. Knows no game, and no meaning of a line.
"""

from companion.adapters.event_store.address import url_of_file
from companion.adapters.event_store.store import SqlEventStore

__all__ = ["SqlEventStore", "url_of_file"]

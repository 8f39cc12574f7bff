"""The tables as they are now, for queries. How they came about, and nothing else makes them, is in `migrations/`."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, MetaData, String, Table, UniqueConstraint

METADATA = MetaData()
VERSION_TABLE = "event_version"
"""Where Alembic keeps the revision; not its usual name, as a server's database may have other tables too."""

LOG = Table(
    "event_log",
    METADATA,
    Column("event", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The lines of events' logs, numbered from 1."""

RECORD = Table(
    "event_record",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", String, nullable=False),
    Column("box", String, nullable=False),
    Column("match", String, nullable=False),
    Column("held", Integer, nullable=False),
    UniqueConstraint("event", "box", "match"),
)
"""The records of boxes. held: how many lines are there from 1 on without a gap."""

LINE = Table(
    "event_line",
    METADATA,
    Column("record", Integer, ForeignKey("event_record.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""Their lines, numbered from 1; with gaps, while some are still on their way."""

CONTRADICTION = Table(
    "event_contradiction",
    METADATA,
    Column("record", Integer, ForeignKey("event_record.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("raw", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""What came under the number of a stored line, and was another: the first of each number. It counts for nothing."""

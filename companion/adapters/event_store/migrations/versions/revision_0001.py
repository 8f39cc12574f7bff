"""The log, the records of boxes and their lines."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, String, UniqueConstraint

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "event_log",
        Column("event", String, primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("raw", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "event_record",
        Column("id", Integer, primary_key=True),
        Column("event", String, nullable=False),
        Column("box", String, nullable=False),
        Column("match", String, nullable=False),
        UniqueConstraint("event", "box", "match"),
    )
    op.create_table(
        "event_line",
        Column("record", Integer, ForeignKey("event_record.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("raw", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in ("event_line", "event_record", "event_log"):
        op.drop_table(table)

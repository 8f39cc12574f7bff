"""What contradicts a stored line is kept.

That a record is doubtful must outlive the desk that saw it, and the evidence with it.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, LargeBinary

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "event_contradiction",
        Column("record", Integer, ForeignKey("event_record.id"), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("raw", LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take the table away."""
    op.drop_table("event_contradiction")

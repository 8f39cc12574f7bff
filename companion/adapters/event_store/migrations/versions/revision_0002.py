"""How many lines a record has without a gap stands beside it.

To count them, SQLite reads every line of an event, hundreds of megabytes of a large one: too much whenever a desk opens
it.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, text

revision = "0002"
down_revision = "0001"

COUNT = text(
    "UPDATE event_record SET held = counted.held FROM ("
    "SELECT record, max(number) AS held FROM ("
    "SELECT record, number, row_number() OVER (PARTITION BY record ORDER BY number) AS nth FROM event_line"
    ") AS numbered WHERE number = nth GROUP BY record"
    ") AS counted WHERE counted.record = event_record.id"
)
"""The numbers of a record begin at 1: without a gap are those that are as great as their place in the order."""


def upgrade() -> None:
    """Add the count, and count once."""
    op.add_column("event_record", Column("held", Integer, nullable=False, server_default="0"))
    op.execute(COUNT)


def downgrade() -> None:
    """Take the count away."""
    op.drop_column("event_record", "held")

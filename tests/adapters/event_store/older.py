"""Stores as older and newer versions of the program leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from companion.adapters.event_store.migrating import SCRIPTS
from companion.adapters.event_store.tables import VERSION_TABLE

if TYPE_CHECKING:
    from sqlalchemy import Connection

INSERTS = (
    "INSERT INTO event_log VALUES ('cup', 1, :one), ('cup', 2, :two), ('other', 1, :one)",
    "INSERT INTO event_record (id, event, box, match) VALUES (1, 'cup', 'box-1', 'full'), (2, 'cup', 'box-2', 'gap'),"
    " (3, 'cup', 'box-3', 'late'), (4, 'other', 'box-1', 'full'), (5, 'cup', 'box-4', 'empty')",
    "INSERT INTO event_line VALUES (1, 1, :one), (1, 2, :two), (2, 1, :one), (2, 3, :two), (3, 2, :two), (4, 1, :one)",
)


def of_revision_0001(url: str) -> None:
    """Make a store as the first version had it, with lines in it."""
    engine = create_engine(url)
    with engine.begin() as connection:
        command.upgrade(_config(connection), "0001")
        for insert in INSERTS:
            connection.execute(text(insert), {"one": b"one", "two": b"two"})
    engine.dispose()


def of_revision(url: str, revision: str) -> None:
    """Have a store say that it is of another revision."""
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = :it"), {"it": revision})
    engine.dispose()


def revision_of(url: str) -> str:
    """Give the revision that a store says it is of."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found: str = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one()
    engine.dispose()
    return found


def down_to(url: str, revision: str) -> None:
    """Go back to an older revision, by the scripts' own way."""
    engine = create_engine(url)
    with engine.begin() as connection:
        command.downgrade(_config(connection), revision)
    engine.dispose()


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    return config

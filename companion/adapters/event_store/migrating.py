"""Brings an older store to this version, by Alembic's scripts in `migrations/`; refuses a newer one by name."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from companion.adapters.event_store.tables import VERSION_TABLE
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from companion.adapters.event_store.place import Place

_ALEMBIC = threading.Lock()
"""Its scripts speak to the one migration that runs in this process, whichever thread it is in."""
SCRIPTS = Path(__file__).parent / "migrations"


def bring_forward(connection: Connection, place: Place) -> None:
    """Make the tables, or change them to what this version knows. Within a transaction: all of it or nothing.

    Raises Unavailable where a newer version has written the store.
    """
    place.hold_schema(connection)
    config = _config(connection)
    scripts = ScriptDirectory.from_config(config)
    found = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_heads()
    if found == tuple(scripts.get_heads()):
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if newer := sorted(set(found) - known):
        raise Unavailable(
            f"{place.name} is of a newer version (revision {', '.join(newer)}; this program knows up to"
            f" {', '.join(scripts.get_heads())}): install that version, or choose another store"
        )
    with _ALEMBIC:
        command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    """Give what `migrations/env.py` is run with: no file, and the connection that is there already."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    return config

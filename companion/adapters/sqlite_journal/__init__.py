"""The journal on disk: match records in SQLite, durable line by line, whatever the disk or the mains do.

`writer` is the box's side (the `Journal` port), `reader` what the command line lists and exports, `store` the file,
`checks` what makes it damaged; `repair` puts back what `salvage` gets out of files that were set aside.
Knows no game and no other adapter.
"""

from companion.adapters.sqlite_journal.faults import NothingStored
from companion.adapters.sqlite_journal.reader import (
    StoredMatch,
    export_first_lines,
    export_lines,
    export_notes,
    list_matches,
)
from companion.adapters.sqlite_journal.writer import SqliteJournal

__all__ = [
    "NothingStored",
    "SqliteJournal",
    "StoredMatch",
    "export_first_lines",
    "export_lines",
    "export_notes",
    "list_matches",
]

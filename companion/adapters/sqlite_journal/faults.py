"""What can be wrong with the journal's file, told apart: its content (it is set aside) or the disk (it is tried again).

Knows no file; pure but for SQLite's own error codes.
"""

from __future__ import annotations

import sqlite3

from companion.core.errors import CompanionError, Malformed, Unavailable

_OF_THE_DISK = frozenset({
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_AUTH,
})  # fmt: skip
"""What SQLite says of disk, permissions and memory: the file may be well, and is left where it is."""

_UNREADABLE = frozenset({
    sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS,
})  # fmt: skip
"""Among them: a part of the file can be read no more (a bad sector), which no waiting mends."""


class Damaged(Malformed):
    """The database file can be read no more, or does not hold what was written."""


class TakenAway(Damaged):
    """The database file is not there any more, or is another one."""


class NewerVersion(Unavailable):
    """A newer version of the program wrote the database."""


class InUse(Unavailable):
    """Another process has the state directory."""


class NothingStored(Unavailable):
    """No match has been stored in the state directory yet."""


def is_damage(error: Exception) -> bool:
    """Tell whether an error means that the file's content is broken; whatever is not known to be the disk's does."""
    if isinstance(error, (CompanionError, OSError)):
        return isinstance(error, Damaged)
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code in _UNREADABLE or code & 0xFF not in _OF_THE_DISK


def reason(error: Exception) -> str:
    """Say in plain words what is wrong with the disk."""
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full"
    if code is not None and code & 0xFF == sqlite3.SQLITE_READONLY:
        return "the disk or the file is read-only"
    if code is not None and code & 0xFF == sqlite3.SQLITE_IOERR:
        return f"the disk does not work ({error})"
    if isinstance(error, OSError) and not isinstance(error, Unavailable):
        return error.strerror or str(error)
    return one_line(error)


def one_line(error: Exception) -> str:
    """Give an error's text on one line, and its kind where it has none."""
    return " ".join(str(error).split()) or type(error).__name__

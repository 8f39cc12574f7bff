"""A store in an SQLite file: its pragmas, its lock, its faults in words, its backup.

The lock is a file beside it, held by flock, as SQLite's own locks let two desks take turns, each with the wrong numbers
in mind. It ends with the process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from sqlalchemy import NullPool, create_engine, event, inspect

from companion.adapters.event_store.place import InUse
from companion.adapters.event_store.tables import VERSION_TABLE
from companion.core.errors import Unavailable
from companion.files.durable import make_folder, sync_folder

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine
    from sqlalchemy.exc import SQLAlchemyError

LOCK_SUFFIX, DRAFT_SUFFIX = ".lock", ".draft"
LOCKED_S = 5.0
"""So long another program's lock (somebody looks into the file) is waited for."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_SCHEMA})
_IN_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_BUSY: "another program has locked it",
    sqlite3.SQLITE_PERM: "this user may not write it",
}


class SqlitePlace:
    """The file at `path`, which is made where it is missing, with the folders above it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine: Engine | None = None
        self._lock: int | None = None
        self._inode = 0

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self.path)

    def connect(self) -> Connection:
        """Lock the file and open it; where it is opened for the first time, look at its pages."""
        is_first = self._lock is None
        if self._lock is None:
            self._lock = _hold(self.path)
        if not is_first:
            self.before_change()  # SQLite would begin a new one
        self._engine = self._engine or self._new_engine()
        connection = self._engine.connect()
        try:
            self._inode = self.path.stat().st_ino
            if is_first:
                self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def before_change(self) -> None:
        """See that the file is still there: SQLite would go on writing into one that was taken away."""
        try:
            is_there = self.path.stat().st_ino == self._inode
        except OSError:
            is_there = False
        if not is_there:
            raise Unavailable(f"{self.path} has been taken away, or another put in its place: start the desk again")

    def hold_schema(self, connection: Connection) -> None:
        """Do nothing: the lock keeps others away already."""

    def reason(self, error: SQLAlchemyError) -> str:
        """Say in plain words what is wrong with the file or its disk."""
        return _reason(getattr(error, "orig", None) or error)

    def backup(self, path: Path) -> None:
        """Copy the file as it is at this moment to `path`, durably, in place of any file there.

        It uses a connection of its own: another thread than the store's may call it. Raises Unavailable; an earlier
        backup is as it was then.
        """
        draft = path.with_name(f".{path.name}{DRAFT_SUFFIX}")
        try:
            if path.exists() and path.samefile(self.path):
                raise Unavailable(f"a backup of {self.path} cannot take its own place")
            draft.unlink(missing_ok=True)
            self._copy_to(draft)
            draft.rename(path)
            sync_folder(path.parent)
        except (sqlite3.Error, OSError) as error:
            with suppress(OSError):
                draft.unlink()
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"no backup of {self.path} as {path}: {_reason(error)}") from error

    def release(self) -> None:
        """Let go of the lock."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _copy_to(self, draft: Path) -> None:
        source_uri = f"{self.path.absolute().as_uri()}?mode=ro"
        with (
            closing(sqlite3.connect(source_uri, uri=True, timeout=LOCKED_S)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)  # in one step: what is written meanwhile is in the next backup
            target.execute("PRAGMA journal_mode = DELETE")  # one file alone, whatever it is copied with
        handle = os.open(draft, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def _new_engine(self) -> Engine:
        engine = create_engine("sqlite://", creator=self._open_file, poolclass=NullPool, hide_parameters=True)
        event.listen(engine, "begin", _begin)
        return engine

    def _open_file(self) -> sqlite3.Connection:
        # isolation_level None: SQLAlchemy begins transactions, of which changes of the tables are a part too.
        database = sqlite3.connect(self.path, timeout=LOCKED_S, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            database.close()
            raise
        return database

    def _check(self, connection: Connection) -> None:
        """See that the file is whole, and a store's or new. Raises Unavailable."""
        with connection.begin():
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
            tables = set(inspect(connection).get_table_names())
        if found != "ok":
            raise Unavailable(f"{self.path}: {_damaged(' '.join(str(found).split()))}")
        if tables and VERSION_TABLE not in tables:
            raise Unavailable(f"{self.path} is the database of another program: choose another file for the event")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _reason(error: BaseException) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return getattr(error, "strerror", None) or _one_line(error)
    if code & 0xFF in _DAMAGED:
        return _damaged(_one_line(error))
    if code & 0xFF == sqlite3.SQLITE_IOERR:
        return f"the disk does not work ({_one_line(error)})"
    return _IN_WORDS.get(code & 0xFF, _one_line(error))


def _damaged(what: str) -> str:
    return f"it is damaged ({what}); put the newest backup in its place, boxes send what is missing again"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _hold(path: Path) -> int:
    """Make the folder and lock the file for this process. Raises InUse, Unavailable."""
    lock_path = path.with_name(path.name + LOCK_SUFFIX)
    try:
        make_folder(path.parent)
        lock = os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise Unavailable(f"{path}: the event cannot be kept there: {error.strerror or error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        os.close(lock)
        if not isinstance(error, BlockingIOError):
            raise Unavailable(f"{lock_path} cannot be locked: {error.strerror or error}") from error
        raise InUse(
            f"another desk{f' (process {holder})' if holder else ''} is using {path}: stop it, or choose another file"
        ) from error
    with suppress(OSError):  # whose it is, for the message above; a full disk must not cost the lock
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
    return lock

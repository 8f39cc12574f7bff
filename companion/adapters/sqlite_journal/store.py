"""The database file of the journal: its schema, its checks, and putting a damaged one aside.

Knows no thread and no callback (that is `writer`), no game, and no meaning of a line but that of the setup's seats.
Everything here may block for the disk.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import tempfile
import zlib
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.sqlite_journal import checks
from companion.adapters.sqlite_journal.checks import SCHEMA, SCHEMA_VERSION, SELECT_MATCH, chained, check_version
from companion.adapters.sqlite_journal.faults import (
    Damaged,
    InUse,
    NothingStored,
    TakenAway,
    is_damage,
    one_line,
    reason,
)
from companion.adapters.sqlite_journal.numbers import keep_number, last_number
from companion.core.errors import Unavailable, UnknownMatch
from companion.files.aside import set_aside
from companion.files.durable import make_folder, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FILE_NAME = "matches.sqlite"
LOCK_NAME = "matches.lock"
LOGS = ("-wal", "-shm")
"""What follows the database's name in those of the files that SQLite keeps beside it."""
_OLDEST = """
    SELECT id, (SELECT count(*) FROM line WHERE match = id), (SELECT line FROM line WHERE match = id AND number = 1)
    FROM match WHERE id <= ? ORDER BY id
"""
LOCKED_S = 2.0
"""So long a reader waits for another program's lock."""


class MatchRow(NamedTuple):
    """What is stored of a match beside its lines. `started` is wall time (RFC 3339)."""

    id: int
    game: str
    started: str
    boot_id: str | None
    finished: bool


class Store:
    """The open database, by the process that holds the state directory's lock. Use from one thread at a time.

    set_aside: a sentence for each damaged file that was set aside and has not been told of; whoever tells it clears it.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / FILE_NAME
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None
        self._inode = 0
        self._is_unproven = False  # begun after another was set aside, and nothing has been stored in it yet
        self.set_aside: list[str] = []

    @property
    def is_open(self) -> bool:
        """Tell whether there is a connection."""
        return self._database is not None

    def open(self) -> None:
        """Lock the directory, open and check the database; one that is damaged in any way is set aside.

        Raises InUse, NewerVersion, OSError or sqlite3.Error (full, read-only, broken), Unavailable (damaged, and cannot
        be set aside); what was opened is closed then.
        """
        if self._lock is None:
            self._lock = _hold_directory(self.directory)
        try:
            self._open_checked()
        except Exception as error:
            if not is_damage(error):
                self.disconnect()
                raise
            self.put_aside(error)
            self._open_anew()

    def _open_anew(self) -> None:
        try:
            self._open_checked()
        except BaseException:
            self.disconnect()
            raise

    def put_aside(self, error: Exception) -> None:
        """Close the database and set it aside with its log, for what `error` says; the next `open` begins a new one.

        Raises Unavailable where that cannot be done, or would be done again and again.
        """
        why = f"{self.path} was damaged ({one_line(error)})"
        if self._is_unproven:
            self.disconnect()
            raise Unavailable(f"{why}, as the one before it: nothing can be stored there") from error
        try:
            aside = set_aside(self.path, LOGS)
        except OSError as refused:
            raise Unavailable(f"{why} and cannot be set aside: {reason(refused)}") from error
        finally:
            self.disconnect()  # only now: SQLite deletes the log of a database that it closes
        self._is_unproven = True
        if last_number(self.directory) == 0:  # of an earlier version, which did not keep it
            from companion.adapters.sqlite_journal.salvage import highest_number  # noqa: PLC0415 - rarely needed

            keep_number(self.directory, highest_number(aside))
        self.set_aside.append(f"{why}; it is kept as {aside.name}, and a new one has been begun")

    def disconnect(self) -> None:
        """Close the connection and keep the lock."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def close(self) -> None:
        """Close the connection and let go of the directory."""
        self.disconnect()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def last_number(self) -> int:
        """Give the highest number that a match has had here, as far as that is known."""
        newest = self.newest()
        return max(last_number(self.directory), newest.id if newest else 0)

    def newest(self) -> MatchRow | None:
        """Give the match with the highest id."""
        row = self._open_database().execute(f"{SELECT_MATCH} ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else _match_row(row)

    def matches(self) -> list[MatchRow]:
        """Give the rows of all matches, the oldest first."""
        return read_matches(self._open_database())

    def match(self, match_id: int) -> MatchRow:
        """Give a match's row. Raises UnknownMatch."""
        return _read_match(self._open_database(), match_id, self.path)

    def lines(self, match_id: int) -> list[bytes]:
        """Give a match's lines. Raises Damaged where they are not those that were written."""
        return _read_lines(self._open_database(), match_id, self.path)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make what is done within one atomic, durable change; nothing of it stays where anything raises."""
        database = self._open_database()
        if not self.path.exists() or self.path.stat().st_ino != self._inode:
            raise TakenAway(f"{self.path} has been taken away")  # SQLite would go on writing into the void
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.execute("COMMIT")
            self._is_unproven = False
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def put_match(self, row: MatchRow) -> None:
        """Store a new match."""
        self._open_database().execute("INSERT INTO match VALUES (?, ?, ?, ?, ?)", row)

    def put_lines(self, match_id: int, start: int, lines: Sequence[bytes], crc: int) -> int:
        """Store lines, the first of them as number `start` + 1; `crc` is the check sum so far. Give the new one."""
        rows = []
        for number, line in enumerate(lines, start + 1):
            crc = zlib.crc32(line, crc)
            rows.append((match_id, number, line, crc))
        self._open_database().executemany("INSERT INTO line VALUES (?, ?, ?, ?)", rows)
        return crc

    def put_more(self, match_id: int, stored: Sequence[bytes], more: Sequence[bytes]) -> None:
        """Store lines after those that are stored."""
        crc = 0
        for line in stored:
            crc = zlib.crc32(line, crc)
        self.put_lines(match_id, len(stored), more, crc)

    def change_lines(self, having: bytes, change: Callable[[bytes], bytes]) -> int:
        """Put others in the place of lines that contain `having`, in one transaction; give of how many matches."""
        database, changed = self._open_database(), 0
        with self.transaction():
            found = database.execute("SELECT DISTINCT match FROM line WHERE instr(line, ?)", (having,)).fetchall()
            for (match_id,) in found:
                lines = self.lines(match_id)
                others = [change(line) if having in line else line for line in lines]
                if others != lines:
                    database.execute("DELETE FROM line WHERE match = ?", (match_id,))
                    self.put_lines(match_id, 0, others, 0)
                    changed += 1
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # in the log there are the old ones still
        return changed

    def keep_newest(self, count: int, is_spared: Callable[[bytes, int], bool]) -> None:
        """Delete all matches but the newest `count` (1 or more) and those that are spared. Within a transaction.

        is_spared: tells it by a match's first line and the number of its lines.
        """
        database = self._open_database()
        row = database.execute("SELECT id FROM match ORDER BY id DESC LIMIT 1 OFFSET ?", (count,)).fetchone()
        if row is None:
            return
        found = database.execute(_OLDEST, row).fetchall()
        for match_id, lines, first in found:
            if not is_spared(first or b"", lines):
                database.execute("DELETE FROM line WHERE match = ?", (match_id,))
                database.execute("DELETE FROM match WHERE id = ?", (match_id,))

    def put_boot(self, match_id: int, boot_id: str) -> None:
        """Store whose clock a match's newest lines are on."""
        self._open_database().execute("UPDATE match SET boot_id = ? WHERE id = ?", (boot_id, match_id))

    def put_finished(self, match_id: int) -> None:
        """Mark a match as finished."""
        self._open_database().execute("UPDATE match SET finished = 1 WHERE id = ?", (match_id,))

    def _open_database(self) -> sqlite3.Connection:
        if self._database is None:
            raise Unavailable(f"{self.path} is not open")
        return self._database

    def _open_checked(self) -> None:
        # The journal's own lock says which of its threads may use the connection.
        checks.check_header(self.path)
        database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._database = database
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("PRAGMA secure_delete = ON")  # what is deleted, a name too, is not left in the file
        self._inode = self.path.stat().st_ino
        torn = checks.check_log(database, self.path)
        checks.check_pages(database)
        self._prepare_schema(database)
        checks.check_rows(database)
        self._check_resumable(torn)

    def _prepare_schema(self, database: sqlite3.Connection) -> None:
        """Make the tables of a new database; look at those of another."""
        if database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
            was_unproven = self._is_unproven
            with self.transaction():
                for statement in SCHEMA:
                    database.execute(statement)
                database.execute("INSERT INTO version VALUES (?)", (SCHEMA_VERSION,))
                database.execute(f"PRAGMA user_version = {SCHEMA_VERSION:d}")
            self._is_unproven = was_unproven
        check_version(database, self.path)
        checks.check_schema(database)

    def _check_resumable(self, torn: bytes) -> None:
        """Read the match that could be resumed. torn: a log whose last transaction SQLite has not taken; b"": none."""
        newest = self.newest()
        lines = None if newest is None or newest.finished else self.lines(newest.id)
        if torn:
            self._take_torn(newest.id if newest is not None else 0, lines, torn)

    def _take_torn(self, newest: int, lines: Sequence[bytes] | None, torn: bytes) -> None:
        """Store what can be read of a log's last transaction. lines: the newest match's; None where it was ended."""
        from companion.adapters.sqlite_journal import salvage  # noqa: PLC0415 - rarely needed

        more = () if lines is None else salvage.torn_off(lines, newest, torn)
        begun = salvage.torn_begun(newest, last_number(self.directory), torn)
        if not more and not begun:
            return
        with self.transaction():  # one: it overwrites the log
            self.put_more(newest, lines or (), more)
            for match in begun:
                row = match.row
                is_over = row.finished or match.cut is not None
                self.put_match(MatchRow(row.id, row.game, row.started, row.boot_id, is_over))
                self.put_more(row.id, (), match.lines)


@contextmanager
def reading(directory: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a state directory for reading only, while the box may be running.

    Raises NothingStored, Unavailable (no permission, locked), NewerVersion, Damaged.
    """
    path = directory / FILE_NAME
    with ExitStack() as stack:
        try:
            if not path.exists():
                raise NothingStored(f"no matches are stored in {directory}: there is no {FILE_NAME}")
            checks.check_header(path)
            database = _connect_reading(path, stack)
            check_version(database, path)
            yield database
        except (sqlite3.Error, TypeError, ValueError, OverflowError, OSError) as error:
            raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> Exception:
    """Give what is to be raised for an error of reading."""
    if isinstance(error, (Unavailable, UnknownMatch)) or (isinstance(error, Damaged) and str(path) in str(error)):
        return error
    if is_damage(error):
        return Damaged(
            f"{path} is damaged ({one_line(error)}); the box sets it aside, and `companion doctor --repair`"
            " gets what can be read"
        )
    return Unavailable(f"cannot read {path}: {reason(error)}")


def read_matches(database: sqlite3.Connection) -> list[MatchRow]:
    """Give all matches, the oldest first."""
    return [_match_row(row) for row in database.execute(f"{SELECT_MATCH} ORDER BY id")]


def read_lines(database: sqlite3.Connection, match_id: int, path: Path) -> list[bytes]:
    """Give a match's lines. Raises UnknownMatch, Damaged."""
    _read_match(database, match_id, path)
    return _read_lines(database, match_id, path)


def count_lines(database: sqlite3.Connection) -> dict[int, int]:
    """Give the number of lines by match id."""
    return dict(database.execute("SELECT match, count(*) FROM line GROUP BY match").fetchall())


def lines_numbered(database: sqlite3.Connection, number: int) -> dict[int, bytes]:
    """Give the line of this number (1 is the setup) by match id."""
    return dict(database.execute("SELECT match, line FROM line WHERE number = ?", (number,)).fetchall())


def lines_with(database: sqlite3.Connection, words: Sequence[bytes]) -> list[list[bytes]]:
    """Give of each match the lines that contain any of `words`."""
    contains = " OR ".join("instr(line, ?)" for _ in words)
    found: dict[int, list[bytes]] = {}
    query = f"SELECT match, line FROM line WHERE {contains} ORDER BY match, number"  # noqa: S608 - only question marks
    for match, line in database.execute(query, tuple(words)):
        found.setdefault(match, []).append(line)
    return list(found.values())


def _match_row(row: tuple[int, str, str, str | None, int]) -> MatchRow:
    return MatchRow(row[0], row[1], row[2], row[3], bool(row[4]))


def _read_match(database: sqlite3.Connection, match_id: int, path: Path) -> MatchRow:
    row = database.execute(f"{SELECT_MATCH} WHERE id = ?", (match_id,)).fetchone()
    if row is None:
        raise UnknownMatch(f"{path} has no match {match_id}; `companion matches` lists them")
    return _match_row(row)


def _read_lines(database: sqlite3.Connection, match_id: int, path: Path) -> list[bytes]:
    query = "SELECT number, line, crc FROM line WHERE match = ? ORDER BY number"
    return chained(database.execute(query, (match_id,)), match_id, path)


def _connect_reading(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Connect in place; where SQLite cannot (a read-only disk, and the log not merged), read a copy."""
    try:
        database = _probe(path)
    except sqlite3.OperationalError as error:
        if is_damage(error) or getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_BUSY,
            sqlite3.SQLITE_LOCKED,
        ):
            raise
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        for source in (path, path.with_name(f"{path.name}-wal")):
            if source.exists():
                shutil.copyfile(source, scratch / source.name)
        database = _probe(scratch / path.name)
    stack.callback(database.close)
    return database


def _probe(path: Path) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    database = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=LOCKED_S)
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        is_empty = database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    except sqlite3.Error:
        database.close()
        raise
    if is_empty:
        database.close()
        raise NothingStored(f"no matches are stored in {path} yet")
    return database


def _hold_directory(directory: Path) -> int:
    """Make the directory and lock it for this process. Raises InUse, OSError."""
    if not directory.is_dir():
        make_folder(directory)
        with suppress(OSError):
            sync_folder(directory.parent)
    path = directory / LOCK_NAME
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(lock, 20, 0).decode("ascii", "replace").strip()
        os.close(lock)
        raise InUse(
            f"another companion{f' (process {holder})' if holder else ''} is using {directory}:"
            " stop it, or choose another state directory"
        ) from error
    except OSError:
        os.close(lock)
        raise
    with suppress(OSError):  # whose it is, for the message above; a full disk must not cost the lock
        os.ftruncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
    return lock

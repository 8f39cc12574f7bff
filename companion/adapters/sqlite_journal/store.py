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
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed, Unavailable, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FILE_NAME = "matches.sqlite"
LOCK_NAME = "matches.lock"
SET_ASIDE = "matches-damaged-*.sqlite"
"""What damaged databases that were put aside are called."""
SCHEMA_VERSION = 1

# A line's check sum goes on from that of the line before: SQLite notices broken pages, this notices changed text, and
# lines that are missing or in another order.
_SCHEMA = (
    "CREATE TABLE version (number INTEGER NOT NULL)",
    "CREATE TABLE match (id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL,"
    " boot_id TEXT, finished INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE line (match INTEGER NOT NULL REFERENCES match (id), number INTEGER NOT NULL, line BLOB NOT NULL,"
    " crc INTEGER NOT NULL, PRIMARY KEY (match, number)) WITHOUT ROWID",
)

_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class MatchRow(NamedTuple):
    """What is stored of a match beside its lines. `started` is wall time (RFC 3339)."""

    id: int
    game: str
    started: str
    boot_id: str | None
    finished: bool


class Damaged(Malformed):
    """The database file can be read no more, or does not hold what was written."""


class NewerVersion(Unavailable):
    """A newer version of the program wrote the database."""


class InUse(Unavailable):
    """Another process has the state directory."""


class Store:
    """The open database, by the process that holds the state directory's lock. Use from one thread at a time."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.path = directory / FILE_NAME
        self._lock: int | None = None
        self._database: sqlite3.Connection | None = None
        self._inode = 0

    @property
    def is_open(self) -> bool:
        """Tell whether there is a connection."""
        return self._database is not None

    def open(self) -> str | None:
        """Lock the directory, open and check the database; give a sentence where a damaged one was set aside.

        Raises InUse, NewerVersion, OSError or sqlite3.Error (full, read-only, broken); what was opened is closed then.
        """
        if self._lock is None:
            self._lock = _hold_directory(self.directory)
        try:
            self._open_checked()
        except (Damaged, sqlite3.DatabaseError) as error:
            if not is_damage(error):
                raise
            aside = self._set_aside()
            self._open_checked()
            return f"{self.path} was damaged ({error}); it is kept as {aside.name}, and a new one has been begun"
        return None

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

    def newest(self) -> MatchRow | None:
        """Give the match with the highest id."""
        row = self._open_database().execute(f"{_SELECT_MATCH} ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else _match_row(row)

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
            raise Damaged(f"{self.path} has been taken away")  # SQLite would go on writing into the void
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.execute("COMMIT")
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

    def keep_newest(self, count: int) -> None:
        """Delete all matches but the newest `count` (1 or more). Within a transaction."""
        database = self._open_database()
        row = database.execute("SELECT id FROM match ORDER BY id DESC LIMIT 1 OFFSET ?", (count,)).fetchone()
        if row is not None:
            database.execute("DELETE FROM line WHERE match <= ?", row)
            database.execute("DELETE FROM match WHERE id <= ?", row)

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
        database = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self._database = database
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA foreign_keys = ON")
            self._inode = self.path.stat().st_ino
            _check_pages(database)
            self._check_schema(database)
            self._check_resumable()
        except BaseException:
            self.disconnect()
            raise

    def _check_schema(self, database: sqlite3.Connection) -> None:
        if database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
            with self.transaction():
                for statement in _SCHEMA:
                    database.execute(statement)
                database.execute("INSERT INTO version VALUES (?)", (SCHEMA_VERSION,))
        _check_version(database, self.path)

    def _check_resumable(self) -> None:
        newest = self.newest()
        if newest is not None and not newest.finished:
            self.lines(newest.id)

    def _set_aside(self) -> Path:
        """Rename the database; its log first, so that a power cut in between loses neither."""
        stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        aside = self.directory / f"matches-damaged-{stamp}.sqlite"
        number = 1
        while aside.exists():
            number += 1
            aside = self.directory / f"matches-damaged-{stamp}-{number}.sqlite"
        for suffix in ("-wal", "-shm", ""):
            source = self.path.with_name(self.path.name + suffix)
            if source.exists():
                source.rename(aside.with_name(aside.name + suffix))
        _sync_directory(self.directory)
        return aside


@contextmanager
def reading(directory: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a state directory for reading only, while the box may be running.

    Raises Unavailable (none there, no permission), NewerVersion, Damaged.
    """
    path = directory / FILE_NAME
    if not path.is_file():
        raise Unavailable(f"no matches are stored in {directory}: there is no {FILE_NAME}")
    with ExitStack() as stack:
        try:
            database = _connect_reading(path, stack)
            _check_version(database, path)
            yield database
        except sqlite3.Error as error:
            if is_damage(error):
                raise Damaged(f"{path} is damaged ({error}); the box sets it aside at its next start") from error
            raise Unavailable(f"cannot read {path}: {error}") from error
        except OSError as error:
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"cannot read {path}: {error.strerror or error}") from error


def read_matches(database: sqlite3.Connection) -> list[MatchRow]:
    """Give all matches, the oldest first."""
    return [_match_row(row) for row in database.execute(f"{_SELECT_MATCH} ORDER BY id")]


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


_SELECT_MATCH = "SELECT id, game, started, boot_id, finished FROM match"


def _match_row(row: tuple[int, str, str, str | None, int]) -> MatchRow:
    return MatchRow(row[0], row[1], row[2], row[3], bool(row[4]))


def _read_match(database: sqlite3.Connection, match_id: int, path: Path) -> MatchRow:
    row = database.execute(f"{_SELECT_MATCH} WHERE id = ?", (match_id,)).fetchone()
    if row is None:
        raise UnknownMatch(f"{path} has no match {match_id}; `companion matches` lists them")
    return _match_row(row)


def _read_lines(database: sqlite3.Connection, match_id: int, path: Path) -> list[bytes]:
    lines: list[bytes] = []
    crc = 0
    rows = database.execute("SELECT number, line, crc FROM line WHERE match = ? ORDER BY number", (match_id,))
    for number, line, stored in rows:
        crc = zlib.crc32(line, crc) if isinstance(line, bytes) else -1
        if number != len(lines) + 1 or crc != stored:
            raise Damaged(f"match {match_id} in {path} is not as it was written from line {len(lines) + 1} on")
        lines.append(line)
    return lines


def _check_pages(database: sqlite3.Connection) -> None:
    # `quick_check` would save nothing: it too reads every page, and leaves out only the comparison of indexes with
    # rows, of which there are none beyond the tables' own keys. A thousand matches (96 MB) took 0.11 s against 0.09 s.
    (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise Damaged(" ".join(str(found).split()))


def _check_version(database: sqlite3.Connection, path: Path) -> None:
    try:
        row = database.execute("SELECT number FROM version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        row = None
    if row is None:
        raise Damaged(f"{path} is not a journal of matches")
    if row[0] > SCHEMA_VERSION:
        raise NewerVersion(
            f"{path} was written by a newer version of this program (format {row[0]}; this one knows"
            f" {SCHEMA_VERSION}): install that version, or choose another state directory"
        )


def _connect_reading(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Connect in place; where SQLite cannot (a read-only disk, and the log not merged), read a copy."""
    try:
        database = _probe(path)
    except sqlite3.OperationalError as error:
        if is_damage(error):
            raise
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        for source in (path, path.with_name(f"{path.name}-wal")):
            if source.exists():
                shutil.copyfile(source, scratch / source.name)
        database = _probe(scratch / path.name)
    stack.callback(database.close)
    return database


def _probe(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        is_empty = database.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    except sqlite3.Error:
        database.close()
        raise
    if is_empty:
        database.close()
        raise Unavailable(f"no matches are stored in {path} yet")
    return database


def is_damage(error: Exception) -> bool:
    """Tell whether an error means that the file's content is broken."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, Damaged) or (code is not None and code & 0xFF in _DAMAGE)


def _hold_directory(directory: Path) -> int:
    """Make the directory and lock it for this process. Raises InUse, OSError."""
    if not directory.is_dir():
        directory.mkdir(parents=True, exist_ok=True)
        _sync_directory(directory.parent)
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


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

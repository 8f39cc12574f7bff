"""Gets out of a damaged database what can be read of its matches. Reads copies; the file stays as it is.

Three ways are gone, and what each finds is put together: SQLite's own reading as far as it comes, the `.recover` of its
shell where that is installed, and the rows in the file's bytes (`raw_rows`). None has to be believed: the lines of a
match are a chain of check sums, and a line is taken where it is the next link.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
import zlib
from collections import defaultdict
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.adapters.sqlite_journal.checks import SELECT_MATCH
from companion.adapters.sqlite_journal.numbers import HIGHEST
from companion.adapters.sqlite_journal.raw_rows import (
    LooseText,
    Pages,
    RawLine,
    RawMatch,
    find_lines,
    find_matches,
    find_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SHELL = "sqlite3"
SHELL_WITHIN_S = 600.0
_MENDED_UP_TO = 8192
"""Bytes; in a longer line no changed bit is looked for."""


class Salvaged(NamedTuple):
    """A match as far as it could be read.

    cut: the number of the first line that could not be read, None where no line is known to be missing. beyond: how
    many lines after that were seen and cannot be used. mended: the numbers of lines in which the one changed bit was
    found by the check sums.
    """

    row: RawMatch
    lines: tuple[bytes, ...]
    cut: int | None
    beyond: int
    mended: tuple[int, ...]


class Found:
    """All rows that any way has led to."""

    def __init__(self) -> None:
        self.lines: dict[int, dict[int, set[tuple[bytes, int]]]] = defaultdict(lambda: defaultdict(set))
        self.matches: dict[int, RawMatch] = {}
        self.known: set[int] | None = set()  # what a whole reading knows of; the rest was deleted. None: nobody knows

    def add_line(self, row: RawLine) -> None:
        """Take a row of a line."""
        if 1 <= row.match <= HIGHEST and 1 <= row.number <= HIGHEST:
            self.lines[row.match][row.number].add((row.line, row.crc))

    def add_match(self, row: RawMatch) -> None:
        """Take a row of a match; the first of its number counts."""
        if 1 <= row.id <= HIGHEST:
            self.matches.setdefault(row.id, row)


def salvage(database: Path, shell: str | None = SHELL) -> list[Salvaged]:
    """Give what can be read of each match of a damaged file, the oldest first; () lines are never given.

    shell: SQLite's, None for none. Raises OSError where the file cannot be read.
    """
    found = Found()
    log = database.with_name(f"{database.name}-wal")
    with tempfile.TemporaryDirectory(prefix="companion-") as scratch:
        copy = Path(scratch) / "copy.sqlite"
        shutil.copyfile(database, copy)
        if log.exists():
            shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
        pages = Pages(copy.read_bytes(), log.read_bytes() if log.exists() else b"")
        if shell is not None and (program := shutil.which(shell)):
            _ask_shell(found, program, copy)
        _ask_sqlite(found, copy)
    for row in find_lines(pages):
        found.add_line(row)
    for match in find_matches(pages):
        found.add_match(match)
    return list(_assembled(found, pages))


def torn_off(lines: Sequence[bytes], match: int, log: bytes) -> list[bytes]:
    """Give the lines of a match that follow those that are stored, as far as they stand in the bytes of a log."""
    chain = _Chain(defaultdict(set), lines)
    for row in find_lines(Pages(b"", log)):
        if row.match == match and row.number > len(lines):
            chain.add(row.number, row.line, row.crc)
    chain.follow((), mend=False)
    return chain.lines[len(lines) :]


def torn_begun(newest: int, given: int, log: bytes) -> list[Salvaged]:
    """Give the matches after `newest` that begin in the bytes of a log.

    given: the highest number that was given, which is kept before a match is stored; 0 where that is not known. Then a
    match needs a row of its own: else a changed bit of a line's number could make one up.
    """
    if 0 < given <= newest:
        return []
    pages = Pages(b"", log)
    found = Found()
    found.known = None
    for match in find_matches(pages):
        found.add_match(match)
    for row in find_lines(pages):
        if row.match > newest and (row.match <= given or row.match in found.matches):
            found.add_line(row)
    return list(_assembled(found, pages))


def highest_number(database: Path) -> int:
    """Give the highest number of a match in a damaged file; 0 where none can be read."""
    with suppress(OSError):
        return max((one.row.id for one in salvage(database, None)), default=0)
    return 0


def _ask_sqlite(found: Found, copy: Path) -> None:
    """Read as far as SQLite comes, from both ends."""
    try:
        with closing(sqlite3.connect(copy)) as database:
            database.text_factory = bytes
            matches = _rows(database, f"{SELECT_MATCH} ORDER BY id")
            lines = _rows(database, "SELECT match, number, line, crc FROM line ORDER BY match, number")
            is_whole = _take_all(found, matches) and _take_all(found, lines)
            if not is_whole:
                found.known = None
                _take_all(found, _rows(database, f"{SELECT_MATCH} ORDER BY id DESC"))
                backwards = "SELECT match, number, line, crc FROM line ORDER BY match DESC, number DESC"
                _take_all(found, _rows(database, backwards))
    except sqlite3.Error:
        found.known = None


def _rows(database: sqlite3.Connection, query: str) -> Iterator[Sequence[object]]:
    return iter(database.execute(query))


def _take_all(found: Found, rows: Iterator[Sequence[object]]) -> bool:
    """Take rows to their end, or to where they can be read no more; tell which."""
    try:
        for row in rows:
            _take(found, row)
    except (sqlite3.Error, ValueError, OverflowError):
        return False
    return True


def _take(found: Found, row: Sequence[object]) -> None:
    """Take a row of either table, of whatever table it was found in."""
    if len(row) == 4:
        match, number, line, crc = row
        if isinstance(match, int) and isinstance(number, int) and isinstance(line, bytes) and isinstance(crc, int):
            found.add_line(RawLine(match, number, line, crc))
            if found.known is not None:
                found.known.add(match)
    elif len(row) == 5 and isinstance(row[0], int):
        game, started, boot_id = (_text(column) for column in row[1:4])
        if game is not None and started is not None:
            found.add_match(RawMatch(row[0], game, started, boot_id, bool(row[4])))


def _text(column: object) -> str | None:
    if isinstance(column, bytes):
        return column.decode("utf-8", "replace")
    return column if isinstance(column, str) else None


def _ask_shell(found: Found, program: str, copy: Path) -> None:
    """Have SQLite's shell recover what it can, into memory."""
    with tempfile.TemporaryFile() as output, suppress(OSError, subprocess.SubprocessError):
        subprocess.run(  # noqa: S603 - of a shell that the system has installed, on a copy of ours
            [program, "-batch", str(copy), ".recover"],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, timeout=SHELL_WITHIN_S, check=False,
        )  # fmt: skip
        output.seek(0)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
            database.set_authorizer(_within_memory)
            for statement in _statements(output):
                with suppress(sqlite3.Error):
                    database.execute(statement)
            known, found.known = found.known, None
            database.text_factory = bytes
            _take_recovered(found, database)
            found.known = known


def _within_memory(action: int, *_: object) -> int:
    return sqlite3.SQLITE_DENY if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH) else sqlite3.SQLITE_OK


def _statements(output: Iterable[bytes]) -> Iterator[str]:
    gathered = ""
    for line in output:
        gathered += line.decode("utf-8", "replace")
        if sqlite3.complete_statement(gathered):
            yield gathered
            gathered = ""


def _take_recovered(found: Found, database: sqlite3.Connection) -> None:
    """Take the rows of both tables, and those that the shell could not tell the table of."""
    for query in (SELECT_MATCH, "SELECT match, number, line, crc FROM line"):
        with suppress(sqlite3.Error):
            _take_all(found, _rows(database, query))
    with suppress(sqlite3.Error):
        for row in _rows(database, "SELECT * FROM lost_and_found"):
            columns = row[4 : 4 + row[2]] if isinstance(row[2], int) else ()
            _take(found, (row[3], *columns[1:]) if len(columns) == 5 else columns)


def _assembled(found: Found, pages: Pages) -> Iterator[Salvaged]:
    texts: list[LooseText] | None = None
    for number in sorted(found.lines):
        if found.known and number < min(found.known):
            continue  # deleted, as only so many are kept
        chain = _Chain(found.lines[number])
        chain.follow(())
        if chain.is_cut:
            texts = list(find_texts(pages)) if texts is None else texts
            chain.follow(texts)
        if chain.lines:
            row = found.matches.get(number) or _row_of(number, chain.lines[0])
            cut = len(chain.lines) + 1 if chain.is_cut else None
            yield Salvaged(row, tuple(chain.lines), cut, chain.beyond, tuple(chain.mended))


class _Chain:
    """The lines of one match, each the next link of the check sums."""

    def __init__(self, rows: dict[int, set[tuple[bytes, int]]], lines: Sequence[bytes] = ()) -> None:
        """rows: by number. lines: the first of the match, which are known."""
        self._rows = rows
        self._crc = 0
        self.lines: list[bytes] = list(lines)
        self.mended: list[int] = []
        for line in lines:
            self._crc = zlib.crc32(line, self._crc)

    def add(self, number: int, line: bytes, crc: int) -> None:
        """Take one more row."""
        self._rows[number].add((line, crc))

    @property
    def beyond(self) -> int:
        """How many rows there are after the last line that fits."""
        return sum(number > len(self.lines) for number in self._rows)

    @property
    def is_cut(self) -> bool:
        """Tell whether a line is known to be missing."""
        return self.beyond > 0

    def follow(self, texts: Sequence[LooseText], *, mend: bool = True) -> None:
        """Add lines as long as one is the next. texts: what could be a line whose row cannot be read. mend: look for
        a changed bit too."""
        while (line := self._next(texts, mend=mend)) is not None:
            self._crc = zlib.crc32(line, self._crc)
            self.lines.append(line)

    def _next(self, texts: Sequence[LooseText], *, mend: bool) -> bytes | None:
        rows = self._rows.get(len(self.lines) + 1, set())
        for line, crc in rows:
            if zlib.crc32(line, self._crc) == crc:
                return line
        for line, _ in rows:
            if self._leads_on(line):
                return line
        for text in texts:
            crc = zlib.crc32(text.line, self._crc)
            if crc.to_bytes(4, "big") in text.behind or self._leads_on(text.line):
                return text.line
        return self._with_a_bit_changed(rows) if mend else None

    def _leads_on(self, line: bytes) -> bool:
        """Tell whether the line after this one fits to it."""
        crc = zlib.crc32(line, self._crc)
        after = self._rows.get(len(self.lines) + 2, set())
        return any(zlib.crc32(following, crc) == stored for following, stored in after)

    def _with_a_bit_changed(self, rows: Iterable[tuple[bytes, int]]) -> bytes | None:
        """Give the line of one of these rows with the one bit changed that makes it fit; None where none does."""
        for line, crc in rows:
            changed = bytearray(line)
            for position in range(8 * len(line) if len(line) <= _MENDED_UP_TO else 0):
                changed[position // 8] ^= 1 << position % 8
                if zlib.crc32(changed, self._crc) == crc:
                    self.mended.append(len(self.lines) + 1)
                    return bytes(changed)
                changed[position // 8] ^= 1 << position % 8
        return None


class _Told(msgspec.Struct):
    """No more of a first line than a match's row needs."""

    game: str = "?"
    wall: str = ""


def _row_of(number: int, first: bytes) -> RawMatch:
    """Make up the row of a match from its first line; it is not to be resumed."""
    try:
        told = msgspec.json.decode(first, type=_Told)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        told = _Told()
    return RawMatch(number, told.game, told.wall, None, finished=True)

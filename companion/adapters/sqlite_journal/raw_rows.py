"""Finds rows of the journal in the bytes of a damaged database or of its log, whatever its pages say of themselves.

SQLite's file format, as far as it is needed (sqlite.org/fileformat2.html): a row is a cell; a cell is the length of its
record, the record's header (its own length, then each column's type) and the columns. What does not fit on its page
goes on on other pages, whose chain begins with a page number behind the part that is there. Lines begin with `{"`; a
match's row holds a date: these are looked for, and the cells around them read. A row that was found is a proposal: its
check sum says whether it is one. Pure but for nothing; knows no file.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Buffer = bytes | memoryview

_LINE = re.compile(rb'\{"')
_STARTED = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d")
_LONGEST_START = 40
"""A cell's bytes before its text: lengths, types, and numbers."""
LONGEST_LINE = 2**24


class RawLine(NamedTuple):
    """A line's row as it was found."""

    match: int
    number: int
    line: bytes
    crc: int


class RawMatch(NamedTuple):
    """A match's row as it was found."""

    id: int
    game: str
    started: str
    boot_id: str | None
    finished: bool


class Pages:
    """The pages of a database file, with those of its log over them; a log's older versions of a page count too."""

    def __init__(self, database: Buffer, log: Buffer = b"") -> None:
        self.size = _page_size(bytes(database[:100]), bytes(log[:32]))
        self._database, self._log = database, log
        self._newest: dict[int, int] = {}
        for number, at in self._frames():
            self._newest[number] = at

    def all(self) -> Iterator[bytes]:
        """Give every page, the database's and then the log's."""
        for at in range(0, len(self._database), self.size):
            yield bytes(self._database[at : at + self.size])
        for _, at in self._frames():
            yield bytes(self._log[at : at + self.size])

    def page(self, number: int) -> Iterator[bytes]:
        """Give the versions of a page (1, 2, …): the log's newest, then the database's."""
        if number in self._newest:
            at = self._newest[number]
            yield bytes(self._log[at : at + self.size])
        at = (number - 1) * self.size
        if 0 <= at < len(self._database):
            yield bytes(self._database[at : at + self.size])

    def _frames(self) -> Iterator[tuple[int, int]]:
        for at in range(32, len(self._log) - 24, self.size + 24):
            yield int.from_bytes(self._log[at : at + 4], "big"), at + 24


def find_lines(pages: Pages) -> Iterator[RawLine]:
    """Give every row of a line that can be made out."""
    for page in pages.all():
        for found in _LINE.finditer(page):
            for start in _starts(page, found.start()):
                if (row := _line_at(pages, page, start, found.start())) is not None:
                    yield row


def _starts(page: bytes, text_at: int) -> Iterator[int]:
    """Give where a cell could begin whose text is at `text_at`: some bytes before a header of 5 to 12 bytes."""
    for header_at in range(max(1, text_at - _LONGEST_START), text_at - 4):
        header = page[header_at]
        if 5 <= header <= 12 and 0 <= text_at - header_at - header <= 16:
            yield from range(max(0, header_at - 4), header_at)


def find_matches(pages: Pages) -> Iterator[RawMatch]:
    """Give every row of a match that can be made out."""
    for page in pages.all():
        for found in _STARTED.finditer(page):
            for start in _match_starts(page, found.start()):
                if (row := _match_at(page, start)) is not None:
                    yield row


def _match_starts(page: bytes, text_at: int) -> Iterator[int]:
    """Give where a cell could begin: some bytes before a header of 6 to 12 bytes, whose first column is nothing."""
    for header_at in range(max(2, text_at - 2 * _LONGEST_START), text_at - 5):
        if page[header_at + 1] == 0 and 6 <= page[header_at] <= 12:
            yield from range(max(0, header_at - 6), header_at - 1)


def _line_at(pages: Pages, page: bytes, start: int, text_at: int) -> RawLine | None:
    """Read the cell of a line at `start`, None where there is none whose text begins at `text_at`."""
    length, at = _varint(page, start)
    header, types, body = _types(page, at, 4)
    if header > length or len(types) != 4 or types[2] < 12 or types[2] % 2 or length > LONGEST_LINE:
        return None
    sizes = [_SIZES.get(kind, -1) if kind < 12 else (kind - 12) // 2 for kind in types]
    if -1 in sizes or body + sizes[0] + sizes[1] != text_at or header + sum(sizes) != length:
        return None
    record = _record(pages, page, at, length)
    if record is None:
        return None
    columns = _columns(record[header:], types, sizes)
    match, number, line, crc = columns
    if not (isinstance(match, int) and isinstance(number, int) and isinstance(crc, int)):
        return None
    return RawLine(match, number, line, crc) if match > 0 < number and isinstance(line, bytes) else None


def _match_at(page: bytes, start: int) -> RawMatch | None:
    length, at = _varint(page, start)
    number, at = _varint(page, at)
    header, types, body = _types(page, at, 5)
    if len(types) != 5 or types[0] != 0 or types[1] < 13 or types[2] < 13 or not types[1] % 2 or not types[2] % 2:
        return None
    if (types[3] != 0 and (types[3] < 13 or not types[3] % 2)) or types[4] not in (8, 9) or number < 1:
        return None
    sizes = [_SIZES.get(kind, -1) if kind < 12 else (kind - 12) // 2 for kind in types]
    if header + sum(sizes) != length or body + sum(sizes) > len(page):
        return None
    _, game, started, boot_id, finished = _columns(page[body:], types, sizes)
    try:
        return RawMatch(
            number, _text(game), _text(started), None if boot_id is None else _text(boot_id), bool(finished)
        )
    except UnicodeDecodeError:
        return None


def _record(pages: Pages, page: bytes, at: int, length: int) -> bytes | None:
    """Give a record of the tables of lines, put together from its pages; None where it is cut off."""
    local = _local_length(length, pages.size)
    if at + local > len(page):
        return None
    record = page[at : at + local]
    if local == length:
        return record
    number = int.from_bytes(page[at + local : at + local + 4], "big")
    return _with_overflow(pages, record, length, number)


def _with_overflow(pages: Pages, record: bytes, length: int, number: int) -> bytes | None:
    seen: set[int] = set()
    while len(record) < length:
        page = next(pages.page(number), None)
        if number in seen or page is None or len(page) < 5:
            return None
        seen.add(number)
        record += page[4 : 4 + length - len(record)]
        number = int.from_bytes(page[:4], "big")
    return record


def _local_length(length: int, size: int) -> int:
    """Give how much of a record stays on the page of its cell: of one in a table without row ids, as lines are."""
    most, least = (size - 12) * 64 // 255 - 23, (size - 12) * 32 // 255 - 23
    if length <= most:
        return length
    rest = least + (length - least) % (size - 4)
    return rest if rest <= most else least


def _types(page: bytes, at: int, count: int) -> tuple[int, Sequence[int], int]:
    """Read a record's header: its length, the types of its columns, and where the columns begin; () for too many."""
    header, position = _varint(page, at)
    end = at + header
    types: list[int] = []
    while position < end and len(types) <= count:
        kind, position = _varint(page, position)
        types.append(kind)
    return header, (types if position == end else ()), position


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Read a number of 1 to 9 bytes; give it and where it ends. What is beyond the page is 0."""
    value = 0
    for number in range(9):
        byte = page[at + number] if at + number < len(page) else 0
        if number == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at + number + 1


_SIZES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
"""Bytes of a column by its type: nothing, numbers, 0 and 1; texts (odd) and bytes (even) are 12 and more."""


def _columns(body: bytes, types: Sequence[int], sizes: Sequence[int]) -> list[int | bytes | None]:
    columns: list[int | bytes | None] = []
    at = 0
    for kind, size in zip(types, sizes, strict=True):
        raw = body[at : at + size]
        at += size
        if kind == 0:
            columns.append(None)
        elif kind in (8, 9):
            columns.append(kind - 8)
        else:
            columns.append(raw if kind >= 12 else int.from_bytes(raw, "big", signed=True))
    return columns


def _text(raw: object) -> str:
    return raw.decode() if isinstance(raw, bytes) else ""


def _page_size(head: bytes, log_head: bytes) -> int:
    """Give the pages' size: as the database says, else as its log does, else SQLite's usual one."""
    sizes = (int.from_bytes(head[16:18], "big"), int.from_bytes(log_head[8:12], "big"))
    for size in sizes:
        if 512 <= size <= 32768 and size & (size - 1) == 0:
            return size
    return 4096


class LooseText(NamedTuple):
    """Text that could be a line whose row cannot be read, with what follows it: its check sum, if it is one."""

    line: bytes
    behind: bytes


def find_texts(pages: Pages) -> Iterator[LooseText]:
    """Give whatever begins as a line does and is an object of JSON, row or not."""
    decode = json.JSONDecoder().raw_decode
    for page in pages.all():
        text = page.decode("latin-1")  # a character is a byte
        for found in _LINE.finditer(page):
            with suppress(ValueError, RecursionError):
                _, end = decode(text, found.start())
                yield LooseText(page[found.start() : end], page[end : end + 6])

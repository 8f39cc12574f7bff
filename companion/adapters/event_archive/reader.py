"""Reads an event's file that anybody may have made: nothing in it is believed, and nothing of it is unpacked to a disk.

Theory of operation. The end of the archive is read first, by itself: it says how long the list of members is, which is
what a reader of archives would load into memory. Then each member's name is one of those that an event's file has, its
size is within bounds before anything of it is unpacked, and no more of it is unpacked than that. Every error names the
member. Threads: none.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Self

from companion.adapters.event_archive.members import (
    KEY,
    LARGEST_FILE,
    LARGEST_IN_ALL,
    LARGEST_MEMBER,
    LOG,
    MIB,
    MOST_MEMBERS,
    check_name,
    keys_of,
    record_member,
    record_of,
)
from companion.core.errors import Malformed, Unavailable
from companion.core.record.lines import LONGEST_LINE
from companion.files.reading import open_file, read_start, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAGIC = b"PK\x03\x04"
_END = struct.Struct("<4s4H2LH")
"""Of the end: mark, two disks, members here and in all, bytes of their list, where that begins, bytes of a comment."""
_END_MARK, _LONG_MARK = b"PK\x05\x06", b"PK\x06\x07"
_LONG_BYTES = 20
_ENTRY_BYTES = 200
"""Of the list of members, for each, at most; ours take 140."""
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_BROKEN = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
    ValueError, OverflowError, MemoryError,
)  # fmt: skip
"""What the reader of archives raises for broken ones."""


def is_archive(path: Path | str) -> bool:
    """Tell by its first bytes whether a file is an archive. Raises Unavailable."""
    return read_start(path, len(MAGIC)) == MAGIC


class EventArchive:
    """An event's file that is open; `Contents` of an event. Use it as a context."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        """Read the list of members. file: stays the caller's to close. name: for errors. Raises Malformed."""
        self._name = name
        _check_end(file, name)
        try:
            self._archive = zipfile.ZipFile(file)
        except (*_BROKEN, OSError) as error:
            raise Malformed(f"{name}: no archive that can be read: {error}") from error
        self._members = self._checked()
        if LOG not in self._members:
            raise Malformed(f"{name}: member {LOG} is missing: this is no event's file")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the archive; the file stays open."""
        self._archive.close()

    def log(self) -> list[bytes]:
        """Give the event's log. Raises Malformed."""
        return self._lines(LOG)

    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Give by box the keys it was enrolled with, in base64. Raises Malformed."""
        found = {}
        for name in self._members:
            box = keys_of(name)
            if box is not None:
                found[box] = tuple(self._key(name, line) for line in self._lines(name))
        return found

    def records(self) -> list[tuple[str, str]]:
        """Give box and match of each record, sorted."""
        return sorted(found for name in self._members if (found := record_of(name)) is not None)

    def record(self, box: str, match: str) -> list[bytes]:
        """Give a record's lines. Raises Malformed."""
        return self._lines(record_member(box, match))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _checked(self) -> dict[str, zipfile.ZipInfo]:
        """Give the members by name. Raises Malformed for a name, a size or a kind that is not an event's file's."""
        members: dict[str, zipfile.ZipInfo] = {}
        in_all = 0
        for entry in self._archive.infolist():
            name = entry.orig_filename  # `filename` ends at a zero byte
            try:
                check_name(name)
            except Malformed as error:
                raise Malformed(f"{self._name}: {error}") from error
            if name in members:
                raise self._fault(name, "it is there twice")
            if entry.flag_bits & _ENCRYPTED:
                raise self._fault(name, "it is encrypted; nothing in an event's file is")
            if entry.compress_type not in _METHODS:
                raise self._fault(name, f"it is packed by method {entry.compress_type}, which an event's file is not")
            if entry.file_size > LARGEST_MEMBER:
                raise self._fault(name, f"it says that it has {entry.file_size} bytes: more than {LARGEST_MEMBER}")
            in_all += entry.file_size
            if in_all > LARGEST_IN_ALL:
                raise self._fault(name, f"with it all members have more than {LARGEST_IN_ALL} bytes")
            members[name] = entry
        return members

    def _fault(self, name: str, what: str) -> Malformed:
        return Malformed(f"{self._name}: member {name}: {what}")

    def _content(self, name: str) -> bytes:
        entry = self._members.get(name)
        if entry is None:
            raise self._fault(name, "it is missing")
        try:
            with self._archive.open(entry) as member:
                content = member.read(entry.file_size + 1)  # one more: its checksum is looked at when it has ended
        except _BROKEN as error:
            raise self._fault(name, f"it cannot be unpacked: {error}") from error
        except OSError as error:
            raise Unavailable(f"cannot read {self._name}: {error.strerror or error}") from error
        if len(content) != entry.file_size:
            raise self._fault(name, f"it has {len(content)} bytes, and says that it has {entry.file_size}")
        return content

    def _lines(self, name: str) -> list[bytes]:
        """Give a member's lines without their ends. Raises Malformed."""
        content = self._content(name)
        if not content.endswith(b"\n"):
            raise self._fault(name, "it does not end with an end of line" if content else "it is empty")
        lines = content[:-1].split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line or len(line) > LONGEST_LINE:
                why = f"longer than {LONGEST_LINE} bytes" if line else "empty"
                raise self._fault(name, f"line {number} is {why}")
        return lines

    def _key(self, name: str, line: bytes) -> str:
        try:
            key = line.decode("ascii")
        except UnicodeDecodeError:
            key = ""
        if KEY.match(key) is None:
            raise self._fault(name, "a key is 32 bytes in base64, one a line")
        return key


@contextmanager
def opened_archive(path: Path | str) -> Iterator[EventArchive]:
    """Give the archive at a path, open while it is used. Raises Malformed, Unavailable."""
    with open_file(path) as file, EventArchive(file, shown(path)) as archive:
        yield archive


def _check_end(file: BinaryIO, name: str) -> None:
    """See that the list of members is of a size to be loaded, and ends with the file. Raises Malformed, Unavailable."""
    try:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END.size - _LONG_BYTES))
        tail = file.read(_END.size + _LONG_BYTES)
        file.seek(0)
    except OSError as error:
        raise Unavailable(f"cannot read {name}: {error.strerror or error}") from error
    if size > LARGEST_FILE:
        raise Malformed(f"{name} is too large: at most {LARGEST_FILE // MIB} MiB are read")
    if len(tail) < _END.size or not tail[-_END.size :].startswith(_END_MARK):
        raise Malformed(f"{name}: it does not end as an archive without a comment does: cut off, or added to")
    _, disk, list_disk, here, members, list_bytes, begins, comment = _END.unpack(tail[-_END.size :])
    if tail.startswith(_LONG_MARK) or (disk, list_disk, comment) != (0, 0, 0) or here != members:
        raise Malformed(f"{name}: it is an archive of a kind that no event's file is (zip64, or in parts)")
    if members > MOST_MEMBERS or list_bytes > members * _ENTRY_BYTES:
        raise Malformed(f"{name}: it lists {members} members in {list_bytes} bytes: more than an event's file has")
    if begins + list_bytes + _END.size != size:
        raise Malformed(f"{name}: its list of members is not where it says: cut off, or added to")

"""Writes an event's file, as a whole and durably. The same content gives the same bytes: members are sorted, and have
no dates of their own. Threads: none; it blocks for the disk.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from companion.adapters.event_archive.members import (
    KEY,
    LARGEST_FILE,
    LARGEST_IN_ALL,
    LARGEST_MEMBER,
    LOG,
    MOST_MEMBERS,
    README,
    TEXT,
    check_name,
    keys_member,
    record_member,
)
from companion.core.errors import Malformed
from companion.files.durable import put

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.tournament.verifying.contents import Contents

NO_DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest that an archive can say."""
UNIX, MODE = 3, 0o100644
LEVEL = 6


def write_archive(path: Path, contents: Contents) -> None:
    """Put an event's file in its place, whole or not at all, in place of any that is there.

    Raises Malformed for what no reader would take (a name, a line with an end of line in it, too much of anything), and
    OSError; then nothing has changed.
    """
    put(path, archived(contents))


def archived(contents: Contents) -> bytes:
    """Give the bytes of an event's file. Raises Malformed as `write_archive`."""
    out = io.BytesIO()
    size = count = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, allowZip64=False, compresslevel=LEVEL) as archive:
        for name, content in _members(contents):
            check_name(name)
            size, count = size + len(content), count + 1
            if len(content) > LARGEST_MEMBER or size > LARGEST_IN_ALL or count > MOST_MEMBERS:
                raise Malformed(f"{name}: too much for an event's file")
            archive.writestr(_entry(name), content)
    if out.tell() > LARGEST_FILE:
        raise Malformed("too much for an event's file")
    return out.getvalue()


def _members(contents: Contents) -> Iterator[tuple[str, bytes]]:
    """Give names and contents in the order of the names."""
    yield README, TEXT.encode("ascii")
    yield LOG, _joined(LOG, contents.log())
    keys = contents.keys()
    for box in sorted(keys):
        yield keys_member(box), _keys(keys_member(box), keys[box])
    for box, match in sorted(contents.records()):
        name = record_member(box, match)
        yield name, _joined(name, contents.record(box, match))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, NO_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = UNIX
    entry.external_attr = MODE << 16
    return entry


def _joined(name: str, lines: Sequence[bytes]) -> bytes:
    if not lines or any(not line or b"\n" in line for line in lines):
        raise Malformed(f"{name}: it has lines, and each is one line that is not empty")
    return b"\n".join(lines) + b"\n"


def _keys(name: str, keys: Sequence[str]) -> bytes:
    if not keys or any(KEY.match(key) is None for key in keys):
        raise Malformed(f"{name}: a key is 32 bytes in base64")
    return "".join(f"{key}\n" for key in keys).encode("ascii")

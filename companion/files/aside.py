"""Puts a file that cannot be used out of the way: it is renamed beside its place, and nothing of it is lost.

A rename needs no room, so this works on a full disk too. Threads: none; everything may block for the disk.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from companion.files.durable import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MARK = "-damaged-"
"""Stands in the name of every file that was set aside, between its own name and the time."""


def set_aside(path: Path, companions: Sequence[str] = ()) -> Path:
    """Rename a file, and the files that belong to it, to a free name with the wall time; give the new name.

    companions: what follows the file's name in theirs ("-wal"); they are renamed first, so that a power cut in between
    parts the file from nothing that a program would take for another's. Raises OSError; then all names are as before.
    """
    aside = _free_name(path)
    done: list[tuple[Path, Path]] = []
    try:
        for suffix in (*companions, ""):
            source, target = path.with_name(path.name + suffix), aside.with_name(aside.name + suffix)
            if os.path.lexists(source):
                source.rename(target)
                done.append((source, target))
    except OSError:
        for source, target in done:
            with suppress(OSError):
                target.rename(source)
        raise
    with suppress(OSError):  # a disk that cannot sync has been renamed on all the same
        sync_folder(path.parent)
    return aside


def asides_of(path: Path) -> list[Path]:
    """Give what was set aside of a file, the oldest first. Raises OSError where the folder cannot be read."""
    if not path.parent.is_dir():
        return []
    start = path.stem + MARK
    found = (one for one in path.parent.iterdir() if one.name.startswith(start) and one.suffix == path.suffix)
    return sorted(found, key=lambda one: (len(one.name) > len(start) + 15 + len(path.suffix), one.name))


def _free_name(path: Path) -> Path:
    return next(name for name in _names(path) if not os.path.lexists(name))


def _names(path: Path) -> Iterator[Path]:
    start = f"{path.stem}{MARK}{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    yield path.with_name(start + path.suffix)
    number = 2
    while True:
        yield path.with_name(f"{start}-{number}{path.suffix}")
        number += 1

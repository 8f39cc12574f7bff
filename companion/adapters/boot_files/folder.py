"""The boot files on the disk: found, read, and each put back as a whole, with the builder's own kept beside it.

Debian's package raspi-firmware makes `config.txt` and `cmdline.txt` anew with each kernel; where it does, the files
that it makes them from are edited as well. Threads: none; everything may block for the disk.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.boot_files.config_txt import Edited, edited
from companion.adapters.boot_files.consoles import edited_cmdline, edited_defaults
from companion.core.errors import Unavailable
from companion.files.durable import put
from companion.files.reading import MIB, NotThere, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.adapters.boot_files.config_txt import Wanted

FOLDERS = ("boot/firmware", "boot")
"""Where the firmware's partition is: since Debian 12, and before."""
CONFIG, CMDLINE = "config.txt", "cmdline.txt"
DEFAULTS, CUSTOM = "etc/default/raspi-firmware", "etc/default/raspi-firmware-custom"
MOVED = "has moved to"
"""Stands in what Raspberry Pi OS 12 leaves at the old place of a file."""
BACKUP = ".before-companion"


class Places(NamedTuple):
    """Where the files are. root: of the system they belong to, None for a card in a reader."""

    boot: Path
    root: Path | None = None


class Planned(NamedTuple):
    """A file and what is to become of it. was: as it is, None where there is none."""

    path: Path
    was: str | None
    new: Edited

    @property
    def is_due(self) -> bool:
        """Tell whether it must be written."""
        return bool(self.new.changes)


def find(root: Path = Path("/")) -> Places | None:
    """Give where a system's boot files are; None where it has none, and so is no Raspberry Pi's.

    Raises Unavailable where the firmware's partition is not mounted.
    """
    for folder in FOLDERS:
        config = root / folder / CONFIG
        if config.is_file():
            if MOVED in _read(config):
                raise Unavailable(f"{config} says that it has moved: mount the boot partition on {root / FOLDERS[0]}")
            return Places(config.parent, root)
    return None


def planned(places: Places, wanted: Wanted) -> Iterator[Planned]:
    """Say of each file how it is and how it must be. Raises Unavailable, Malformed (far too large)."""
    config = places.boot / CONFIG
    yield Planned(config, was := _read_if_there(config), edited(was or "", wanted))
    cmdline = places.boot / CMDLINE
    if wanted.no_serial and (was := _read_if_there(cmdline)) is not None:
        yield Planned(cmdline, was, edited_cmdline(was))
    defaults = None if places.root is None else places.root / DEFAULTS
    if places.root is None or defaults is None or (was := _read_if_there(defaults)) is None:
        return
    if wanted.no_serial:
        yield Planned(defaults, was, edited_defaults(was))
    custom = places.root / CUSTOM
    yield Planned(custom, was := _read_if_there(custom), edited(was or "", wanted))


def write(one: Planned) -> None:
    """Put a file in its place, the one that was there beside it (the first of these stays). Raises Unavailable."""
    path = one.path.resolve()
    backup = path.with_name(path.name + BACKUP)
    try:
        if one.was is not None and not os.path.lexists(backup):
            put(backup, _bytes(one.was))
        put(path, _bytes(one.new.text))
    except OSError as error:
        raise Unavailable(f"{path} is as it was: it cannot be written: {error.strerror or error}") from error


def _read(path: Path) -> str:
    return read_file(path, MIB).decode("utf-8", "surrogateescape")


def _read_if_there(path: Path) -> str | None:
    try:
        return _read(path)
    except NotThere:
        return None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

"""The file in the runtime directory in which the running box says how it is, and its reader.

It is replaced whole, so that a reader sees the old text or the new one. Nothing is synced: the file lives in memory and
is of no use after a power cut. Knows nothing of the box but plain values.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import Malformed, Unavailable
from companion.core.play.health import BoxStatus
from companion.core.words.encoding import encode
from companion.files.reading import MIB, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME = "status.json"


class StatusFile:
    """The writing side, in one directory. A failure is told once and changes nothing."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME
        self._is_broken = False

    def write(self, status: BoxStatus) -> str | None:
        """Replace the file; give a sentence where that failed for the first time in a row."""
        new = self.path.with_name(f".{FILE_NAME}.{os.getpid()}")
        try:
            new.write_bytes(encode(status) + b"\n")
            new.chmod(0o644)  # anybody on the machine may ask how the box is
            new.replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
            is_news, self._is_broken = not self._is_broken, True
            return f"{self.path} cannot be written: {error.strerror or error}" if is_news else None
        self._is_broken = False
        return None


def read_status(directories: tuple[Path, ...]) -> BoxStatus:
    """Give the newest status in these directories. Raises Unavailable (none), Malformed (not ours)."""
    found: list[tuple[int, Path]] = []
    for directory in directories:
        with contextlib.suppress(OSError):
            path = directory / FILE_NAME
            found.append((path.stat().st_mtime_ns, path))
    if not found:
        looked = ", ".join(str(directory) for directory in directories)
        raise Unavailable(f"no box has run here since the machine was switched on: no {FILE_NAME} in {looked}")
    _, path = max(found)
    try:
        return msgspec.json.decode(read_file(path, MIB), type=BoxStatus)
    except Malformed:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Malformed(f"{path}: {error}; another version of the program wrote it: restart the box") from error


def runtime_directories(environ: Mapping[str, str], service: Path) -> tuple[Path, ...]:
    """Give where a box may keep its file: systemd's for this process, the service's, the user's."""
    given = environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    user = environ.get("XDG_RUNTIME_DIR", "")
    return tuple(Path(text) for text in (given, str(service), f"{user}/table-companion" if user else "") if text)


def runtime_directory(environ: Mapping[str, str], service: Path) -> Path | None:
    """Give where this process may put what is of use only while it runs; None where there is no such place."""
    directory = None
    if environ.get("RUNTIME_DIRECTORY"):
        directory = runtime_directories(environ, service)[0]
    elif environ.get("XDG_RUNTIME_DIR"):
        directory = runtime_directories(environ, service)[-1]
        with contextlib.suppress(OSError):
            directory.mkdir(mode=0o755, exist_ok=True)
    return directory if directory is not None and directory.is_dir() else None

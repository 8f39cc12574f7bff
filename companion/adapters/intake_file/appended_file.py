"""A file that is only appended to, or emptied; what was taken in part is no line of it."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.files.reading import MIB

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


MOST_BYTES = 16 * MIB
"""What waits are the presses of some races: a few kilobytes; a file is emptied far below this."""
_NO_FILES = frozenset({errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV})


class NoFile(Unavailable):
    """What lies there is no file, or far too large to be one of ours."""


class AppendedFile:
    """The file at `path`; write, sync: as in `os`. size: its bytes, as far as this one knows."""

    def __init__(
        self, path: Path, write: Callable[[int, bytes], int] = os.write, sync: Callable[[int], None] = os.fdatasync
    ) -> None:
        self.path = path
        self.size = 0
        self._os_write, self._os_sync = write, sync
        self._handle = self._before = -1  # and the one before it, which another thread may be bringing to the disk yet

    def open(self) -> bytes:
        """Give what is in it, and be ready to append. Raises Unavailable; NoFile for what can never be one of ours."""
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
            self._handle = os.open(self.path, flags, 0o600)
            state = os.fstat(self._handle)
            if not stat.S_ISREG(state.st_mode) or state.st_size > MOST_BYTES:
                raise NoFile(f"{self.path} is no file of kept presses")
            found = os.pread(self._handle, MOST_BYTES, 0)
        except OSError as error:
            self.close()
            if isinstance(error, NoFile):
                raise
            kind = NoFile if error.errno in _NO_FILES else Unavailable
            raise kind(f"{self.path} cannot be used: {error.strerror or error}") from error
        self.size = len(found)
        return found

    def append(self, data: bytes) -> None:
        """Append whole lines. Raises OSError; then all of it is to be appended again."""
        done = self._os_write(self._handle, data)
        if done < len(data):
            self._os_write(self._handle, b"\n")  # what was cut off is no line
            raise OSError(f"only {done} of {len(data)} bytes were taken")
        self.size += done

    def begin_anew(self, data: bytes) -> None:
        """Have nothing but `data` in it, at no instant less. Raises OSError; then it is as it was."""
        if not data:
            os.ftruncate(self._handle, 0)
            self.size = 0
            return
        beside = self.path.with_suffix(".new")
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC
        handle = os.open(beside, flags, 0o600)
        try:
            if self._os_write(handle, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            beside.replace(self.path)
        except OSError:
            os.close(handle)
            beside.unlink(missing_ok=True)
            raise
        if self._before >= 0:
            os.close(self._before)
        self._before, self._handle, self.size = self._handle, handle, len(data)

    def sync(self) -> None:
        """Wait until the disk has what was appended. Raises OSError."""
        self._os_sync(self._handle)

    def close(self) -> None:
        """Let go of it; may be called again."""
        handles, self._handle, self._before = (self._handle, self._before), -1, -1
        for handle in handles:
            if handle >= 0:
                os.close(handle)

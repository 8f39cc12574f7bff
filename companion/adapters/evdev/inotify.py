"""Whether device files come, go or change their permissions: the kernel's inotify, by ctypes.

Python has no inotify of its own. udev gives a new file to its group a moment after the kernel has made it, which is why
the permissions are watched too. The folder need not be there yet: then the one that it will lie in is watched.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

IN_ATTRIB, IN_MOVED_TO, IN_CREATE, IN_DELETE, IN_DELETE_SELF = 0x04, 0x80, 0x100, 0x200, 0x400
MASK = IN_ATTRIB | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF


class FolderWatch:
    """Tells that something has happened in a folder. Raises Unavailable where neither it nor its parent is there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd: int = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd < 0:
            raise Unavailable(f"new input devices cannot be noticed: {os.strerror(ctypes.get_errno())}")
        if not self._watch():
            self.close()
            raise Unavailable(f"{folder}: there are no input devices, nor a folder for them: is /dev there?")

    def fileno(self) -> int:
        """Give the descriptor that becomes readable."""
        return self._fd

    def take(self) -> bool:
        """Tell whether anything has happened since the last call."""
        has_happened = False
        with suppress(BlockingIOError):
            while os.read(self._fd, 65_536):
                has_happened = True
        if has_happened:
            self._watch()  # the folder itself may have come; what is watched already stays as it is
        return has_happened

    def close(self) -> None:
        """Watch no more; may be called again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _watch(self) -> bool:
        return any(self._add(folder) for folder in (self._folder, self._folder.parent))

    def _add(self, folder: Path) -> bool:
        added: int = self._libc.inotify_add_watch(self._fd, os.fsencode(folder), MASK)
        return added >= 0

"""One descriptor for all that may have something to say: event files, their folder, and the source itself."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.adapters.evdev.inotify import FolderWatch

if TYPE_CHECKING:
    from pathlib import Path


class Ready:
    """An epoll descriptor. Raises Unavailable where the folder cannot be watched."""

    def __init__(self, folder: Path) -> None:
        self._watch = FolderWatch(folder)
        self._own = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll = select.epoll()
        for fd in (self._watch.fileno(), self._own):
            self._epoll.register(fd, select.EPOLLIN)

    def fileno(self) -> int:
        """Give the descriptor that becomes readable."""
        return self._epoll.fileno()

    def add(self, fd: int) -> None:
        """Watch an event file."""
        self._epoll.register(fd, select.EPOLLIN)

    def remove(self, fd: int) -> None:
        """Watch it no more; the kernel may have forgotten it already."""
        with suppress(OSError, ValueError):
            self._epoll.unregister(fd)

    def signal(self) -> None:
        """Be readable until the next `take`."""
        os.eventfd_write(self._own, 1)

    def take(self) -> bool:
        """Tell whether anything has happened in the folder since the last call."""
        with suppress(BlockingIOError):
            os.eventfd_read(self._own)
        return self._watch.take()

    def close(self) -> None:
        """Watch nothing more."""
        self._epoll.close()
        os.close(self._own)
        self._watch.close()

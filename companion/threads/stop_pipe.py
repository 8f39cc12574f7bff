"""A pipe by which a thread that waits in `select` is told to end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.threads.watched import Watched


class StopPipe:
    """To be watched by one thread, by its `fileno`, and ended by another."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def fileno(self) -> int:
        """Give the descriptor that becomes readable once the thread is to end; -1 after `end`."""
        return self._read

    def end(self, thread: Watched) -> None:
        """Have the thread that watches it end, and wait until it has; may be called again."""
        if self._write < 0:
            return
        os.write(self._write, b".")
        thread.join()
        os.close(self._read)
        os.close(self._write)
        self._read = self._write = -1

"""A pipe by which a thread that waits in `select` is told to end."""

from __future__ import annotations

import os


class StopPipe:
    """To be watched by one thread, by its `fileno`, and closed by another."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    @property
    def is_closed(self) -> bool:
        """Tell whether it has been closed."""
        return self._write < 0

    def fileno(self) -> int:
        """Give the descriptor that becomes readable once the thread is to end; -1 after `close`."""
        return self._read

    def stop(self) -> None:
        """Have the thread end."""
        os.write(self._write, b".")

    def close(self) -> None:
        """Give both ends back, once nobody watches any more."""
        os.close(self._read)
        os.close(self._write)
        self._read = self._write = -1

"""A barcode or RFID reader at a pseudo-terminal: shows codes, is unplugged and plugged in again."""

from __future__ import annotations

import os
import tty
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class WiredReader:
    """A reader at `path`; unplugged and plugged in again, it is the same path and another terminal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plug()

    def plug(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self._slave)
        os.close(self._master)

    def show(self, raw: bytes) -> None:
        os.write(self._master, raw)

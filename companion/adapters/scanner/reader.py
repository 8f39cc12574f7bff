"""A barcode, QR or RFID reader at a serial port. One thread: it waits for bytes, so that a card's time is when it came.

The thread ends with `close`; `on_scan` and `on_state` are called in it. A reader that is unplugged is opened again when
it is back. Knows no card and no game.
"""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.core.play.scanning import Condition, Scan, ScannedLines, Unreadable
from companion.core.timing.events import SECOND
from companion.threads.stop_pipe import StopPipe
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import serial

AGAIN_NS = SECOND


class Scanner:
    """Reads codes from `open_port()` until closed.

    on_scan: a code, or what is wrong with what was read, and when it came (CLOCK_MONOTONIC, ns). on_state: what is
    wrong with the port, None when it is well again.
    """

    def __init__(
        self,
        path: Path,
        open_port: Callable[[Path], serial.Serial],
        on_scan: Callable[[Scan | Unreadable, int], None],
        on_state: Callable[[str | None], None],
        *,
        prefix: str = "",
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._path, self._open_port = path, open_port
        self._on_scan, self._condition = on_scan, Condition(on_state)
        self._prefix, self._clock = prefix, clock
        self._stop = StopPipe()
        self._thread = Watched(self._run, name="card scanner")

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._stop.end(self._thread)

    def _run(self) -> None:
        while True:
            try:
                port = self._open_port(self._path)
            except Unavailable as error:
                self._condition.tell(str(error))
            else:
                self._condition.tell(None)
                try:
                    if self._read(port):
                        return
                except (OSError, TypeError) as error:  # pyserial raises TypeError where the port was closed under it
                    self._condition.tell(f"the card scanner at {self._path} has gone: {error}")
                finally:
                    port.close()
            if select.select([self._stop.fileno()], [], [], AGAIN_NS / SECOND)[0]:
                return

    def _read(self, port: serial.Serial) -> bool:
        """Read until told to stop: True. Raises OSError when the port has gone."""
        lines = ScannedLines(self._prefix)
        while True:
            ready, _, _ = select.select([port.fileno(), self._stop.fileno()], [], [])
            if self._stop.fileno() in ready:
                return True
            data = port.read(4096)
            now_ns = self._clock()
            for scan in lines.feed(data):
                self._on_scan(scan, now_ns)

"""A fake Pico on a pseudo-terminal, in a thread of its own, so that a real serial library can open it."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.fakes.pico import FakePico, Restarted

if TYPE_CHECKING:
    from collections.abc import Callable


class WiredPico:
    """`path` is the serial port; `unplug` makes it vanish and `plug` gives a new one under the same name.

    clock: whose ns the pod's crystal counts.
    """

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns, **board: Any) -> None:
        self.pico = FakePico(clock, **board)
        self.pico.boot()
        self._link: Path | None = None
        self._typed: bytes | None = None
        """What has come at its prompt, once it was called to it."""
        self._is_closing = False
        self._master = self._slave = -1
        self._wire()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def path(self) -> Path:
        """The port; the link that was given to `name`, if any."""
        return self._link or Path(os.ttyname(self._slave))

    def name(self, link: Path) -> None:
        """Give the port a name that stays through unplugging, as udev's do."""
        self._link = link
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._slave))

    def unplug(self, *, power: bool = False) -> None:
        """Pull the data lines; with `power`, what was kept is lost too."""
        if self._link is not None:
            self._link.unlink()
        with self.pico.lock:
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1
            self.pico.inbox.clear()
            if power:
                self.pico.boot()

    def plug(self) -> None:
        with self.pico.lock:
            self._wire()
        if self._link is not None:
            self.name(self._link)

    def say(self, noise: bytes) -> None:
        """Put bytes on the line that no pod would send."""
        os.write(self._master, noise)

    def read_prompt(self) -> bytes | None:
        """Give all that has come at its prompt so far; None for a pod that still runs its program."""
        with self.pico.lock:
            self._shovel()
            return self._typed

    def close(self) -> None:
        self._is_closing = True
        self._thread.join()
        for end in (self._master, self._slave):
            if end >= 0:
                os.close(end)
        self._master = self._slave = -1

    def _wire(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)

    def _run(self) -> None:
        while not self._is_closing:
            with self.pico.lock:
                self._shovel()
                line = self._master
            with contextlib.suppress(OSError):  # it was unplugged meanwhile
                select.select([] if line < 0 else [line], [], [], 0.001)

    def _shovel(self) -> None:
        if self._master < 0:
            self.pico.step()
            return
        with contextlib.suppress(BlockingIOError):
            self.pico.inbox.extend(os.read(self._master, 4096))
        if self._typed is None:
            with contextlib.suppress(Restarted):
                self.pico.step()
                self._send()
                return
        self._typed = (self._typed or b"") + bytes(self.pico.inbox)
        self.pico.inbox.clear()

    def _send(self) -> None:
        sent = self.pico.take()
        if sent:
            try:
                os.write(self._master, sent)
            except BlockingIOError:
                return  # nobody reads: the pod's USB drops it too

"""Brokers as processes of their own: begun on ports that are free, ended whatever happens, their log at hand."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PATIENCE_S = 90.0
_FIRST, _LAST = 20_000, 32_000
"""Below the ports that the kernel gives to whoever connects: so none of those takes one while a broker is down."""


def free_ports() -> Iterator[int]:
    """Give ports that are free on 127.0.0.1, other ones to each process that asks."""
    start = os.getpid() * 97
    for step in range(_LAST - _FIRST):
        port = _FIRST + (start + step) % (_LAST - _FIRST)
        with socket.socket() as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trying.bind(("127.0.0.1", port))
            except OSError:
                continue
        yield port


def answers(port: int) -> bool:
    """Tell whether somebody listens."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        return True
    return False


class Process:
    """A program with a log. It ends with the thread that has begun it, however that ends: begin it in the first."""

    def __init__(self, command: Sequence[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self._command = ["setpriv", "--pdeathsig", "KILL", *command]
        self._log, self._environment = log, environment
        self._shown = 0
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment,
                start_new_session=True,
            )  # fmt: skip

    @property
    def pid(self) -> int:
        assert self._running is not None, "it does not run"
        return self._running.pid

    def is_running(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def kill(self) -> None:
        """End it and all that it has begun, at once; may be called again."""
        if self._running is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
            self._running = None

    def read_again(self) -> None:
        """Have it read its files again, as an administrator would."""
        self.signal(signal.SIGHUP)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, where it runs."""
        if self._running is not None:
            self._running.send_signal(number)

    def until_it_answers(self, port: int) -> bool:
        """Wait until it listens; False: it has ended before."""
        end = time.monotonic() + PATIENCE_S
        while self.is_running():
            if answers(port):
                return True
            assert time.monotonic() < end, f"nothing listens at {port}:\n{self.log()}"
            time.sleep(0.02)
        return False

    def log(self) -> str:
        return self._log.read_text(errors="replace")[-20_000:]

    def show_log(self) -> None:
        """Print what is new in the log: pytest shows it where a test has failed."""
        if self._log.exists():
            text = self._log.read_text(errors="replace")
            print(text[self._shown :][-20_000:])
            self._shown = len(text)

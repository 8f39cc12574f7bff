"""The service manager's notification socket (sd_notify(3)): readiness, a line of status, the watchdog's sign of life.

Written out here because the protocol is one datagram: the library most used for it (sdnotify) does not read the
watchdog's time, and systemd's own wants a compiler and libsystemd's headers on the Pi. Never blocks, starts no thread:
who is alive says so itself. Knows nothing of the box.
"""

from __future__ import annotations

import logging
import os
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LOG = logging.getLogger("companion")

US = 1000
"""Nanoseconds of a microsecond, the unit of WATCHDOG_USEC."""


class NotifySocket:
    """A `ServiceManager` on $NOTIFY_SOCKET; where there is none, nobody is told anything.

    watchdog_ns: `alive` must be called at least so often, None where nobody watches.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._socket: socket.socket | None = None
        self._is_told_of_loss = False
        self.watchdog_ns = _watchdog_ns(environ) if self._address else None

    @property
    def is_there(self) -> bool:
        """Tell whether somebody listens."""
        return self._address is not None

    def ready(self, text: str) -> None:
        """Say that every press from now on is taken; `text` is one line of status."""
        self._send("READY=1", f"STATUS={_one_line(text)}")

    def status(self, text: str) -> None:
        """Say in one line how things are."""
        self._send(f"STATUS={_one_line(text)}")

    def alive(self) -> None:
        """Give the watchdog its sign of life."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the program is ending by itself or because it was told to."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, *assignments: str) -> None:
        if self._address is None:
            return
        try:
            if self._socket is None:
                kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
                self._socket = socket.socket(socket.AF_UNIX, kind)
            self._socket.sendto("\n".join(assignments).encode(), self._address)
            self._is_told_of_loss = False
        except OSError as error:  # its queue is full or it is being restarted: the next sign of life is soon
            if not self._is_told_of_loss:
                self._is_told_of_loss = True
                LOG.warning("the service manager was not told %s: %s", assignments[0], error.strerror or error)


def _address(given: str) -> str | None:
    """Give the socket's address: a path, or an abstract one where it begins with @; None for any other."""
    if given.startswith("@"):
        return "\0" + given[1:]
    return given if given.startswith("/") else None


def _watchdog_ns(environ: Mapping[str, str]) -> int | None:
    """Read the watchdog's time, None where there is none or it is meant for another process."""
    process = environ.get("WATCHDOG_PID", "")
    if process and process != str(os.getpid()):
        return None
    text = environ.get("WATCHDOG_USEC", "")
    return int(text) * US if text.isascii() and text.isdigit() and int(text) > 0 else None


def _one_line(text: str) -> str:
    return " ".join(text.split())

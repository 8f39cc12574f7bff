"""Takes connections off the listening socket: a few at a time, each only if it is admitted, also where files run out.

In the place of asyncio's own, which takes up to two thousand before it looks at anything else, and where no more files
can be opened tries as often in a row, with a line in the log for each. Runs in the web server's thread.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from functools import partial
from typing import TYPE_CHECKING

from companion.adapters.web.limits.bounds import RECEIVING, SENDING, network_of

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence

    from companion.adapters.web.limits.admission import Admission
    from companion.adapters.web.limits.guests import Guest

AT_A_TIME = 8
"""Connections taken before anybody else has a turn."""
SHORTAGE_S = 0.5
"""How long it is waited once no more files can be opened."""
SWEEP_S = 0.5
HANDSHAKE_S = 5.0
"""How long TLS may take to begin."""
_NO_MORE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Listening:
    """Everything that is listened on, in the shape uvicorn keeps its servers. make: gives a guest its protocol.

    encrypted: gives how, for each connection, where TLS is spoken. sweep: called now and then, too. accept: takes a
    connection off a socket.
    """

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        admission: Admission,
        make: Callable[[Guest], asyncio.Protocol],
        encrypted: Callable[[], ssl.SSLContext] | None = None,
        *,
        sweep: Callable[[], None] = lambda: None,
        accept: Callable[[socket.socket], tuple[socket.socket, tuple[str, int]]] = socket.socket.accept,
    ) -> None:
        self._sockets, self._admission, self._make = list(sockets), admission, make
        self._encrypted, self._accept, self._sweep_more = encrypted, accept, sweep
        self._loop = asyncio.get_running_loop()
        self._beginning: set[asyncio.Task[None]] = set()
        self._sweeping: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to take connections."""
        for listening in self._sockets:
            listening.setblocking(False)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVING)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING)
            self._watch(listening)
        self._sweep()

    def close(self) -> None:
        """Take no more."""
        for listening in self._sockets:
            if listening.fileno() >= 0:
                self._loop.remove_reader(listening)
        self._sockets = []
        for task in self._beginning:
            task.cancel()
        if self._sweeping is not None:
            self._sweeping.cancel()

    async def wait_closed(self) -> None:
        """Nothing is left to wait for."""

    def _watch(self, listening: socket.socket) -> None:
        if listening in self._sockets and listening.fileno() >= 0:
            self._loop.add_reader(listening, self._take, listening)

    def _sweep(self) -> None:
        self._admission.sweep()
        self._sweep_more()
        self._sweeping = self._loop.call_later(SWEEP_S, self._sweep)

    def _take(self, listening: socket.socket) -> None:
        for _ in range(AT_A_TIME):
            try:
                connection, address = self._accept(listening)
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in _NO_MORE:
                    self._wait(listening)
                return
            self._receive(connection, address[0])

    def _wait(self, listening: socket.socket) -> None:
        """No file can be opened: let one go, and come back to it."""
        self._admission.make_descriptor()
        self._loop.remove_reader(listening)
        self._loop.call_later(SHORTAGE_S, self._watch, listening)

    def _receive(self, connection: socket.socket, host: str) -> None:
        guest = self._admission.admit(network_of(host), connection.close)
        if guest is None:
            connection.close()
            return
        connection.setblocking(False)
        task = self._loop.create_task(self._begin(connection, guest))
        guest.end = partial(_cancel, task)
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _begin(self, connection: socket.socket, guest: Guest) -> None:
        try:
            await self._loop.connect_accepted_socket(
                lambda: self._make(guest), connection, ssl=None if self._encrypted is None else self._encrypted(),
                ssl_handshake_timeout=HANDSHAKE_S if self._encrypted is not None else None,
            )  # fmt: skip
        except (OSError, asyncio.CancelledError):  # gone already, or no TLS
            self._admission.leave(guest)
            connection.close()


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()

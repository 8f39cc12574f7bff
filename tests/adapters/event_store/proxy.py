"""A way to a server that fails as networks do: between any two bytes, and without a word to either side."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Proxy:
    """Passes bytes on between a port of its own and a server's. One thread for each direction of a connection.

    cut: the client's connections are ended, while the server hears nothing of it. lose_after: what a client sends up to
    and with these bytes still goes on to the server; the answer to it, and the connection, are lost once it is done.
    """

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lose_after: bytes | None = None
        self._sockets: list[socket.socket] = []
        self._clients: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def cut(self) -> None:
        """End every connection of clients; those to the server stay open."""
        while self._clients:
            _shut(self._clients.pop())

    def close(self) -> None:
        """End everything."""
        _shut(self._listener)
        self._threads[0].join()
        for one in self._sockets:
            _shut(one)
        for thread in self._threads:
            thread.join()
        for one in (self._listener, *self._sockets):
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._sockets += [client, server]
                self._clients.append(client)
                for run in (self._up, self._down):
                    thread = threading.Thread(target=run, args=(client, server))
                    self._threads.append(thread)
                    thread.start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                if self.lose_after is not None and self.lose_after in data:
                    self.lose_after = None
                    self._clients.remove(client)  # before the server can answer: its answer is not passed on
                server.sendall(data)

    def _down(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                if client not in self._clients:
                    _shut(client)
                    return
                client.sendall(data)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)

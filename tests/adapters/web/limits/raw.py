"""A plain socket that comes from a given address of loopback, and says what it is told."""

from __future__ import annotations

import socket

from tests.attack.clients import frame, said, upgrade

PATIENCE_S = 30.0


class Raw:
    """A connection to the box. address: where it comes from; 127.0.0.1 is the box's own browser."""

    def __init__(self, port: int, address: str = "127.0.0.2") -> None:
        self.port = port
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (address, 0))

    def send(self, data: bytes) -> Raw:
        self._socket.sendall(data)
        return self

    def until(self, sought: bytes) -> bytes:
        """Read until this has come. Raises EOFError where the box ends the connection first."""
        data = b""
        while sought not in data:
            piece = self._socket.recv(65_536)
            if not piece:
                raise EOFError(data)
            data += piece
        return data

    def upgrade(self, query: str = "") -> Raw:
        self.send(upgrade(self.port, query)).until(b'"type":"hello"')
        return self

    def is_ended(self) -> bool:
        """Read until the box ends the connection; fails by a time-out where it does not."""
        try:
            while self._socket.recv(65_536):
                pass
        except ConnectionError:
            pass
        return True

    def is_alive(self) -> bool:
        """Tell whether a WebSocket is answered."""
        try:
            self.send(said({"type": "ping"})).until(b'"pong"')
        except (EOFError, ConnectionError):
            return False
        return True

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = ["PATIENCE_S", "Raw", "frame", "said"]

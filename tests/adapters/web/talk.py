"""A WebSocket client on a plain socket: it does what it is told, the wrong things too."""

from __future__ import annotations

import base64
import json
import os
import select
import socket
import struct
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from typing import Self

PATIENCE_S = 30.0
"""How long a message may take. The server's own pings keep a connection busy, so the socket's limit alone is none."""


class Refused(Exception):
    """The upgrade was not accepted: the status line."""


class Talk:
    """One WebSocket. `get` gives the next message of a type; what comes before it is kept in `passed`.

    tls: what is trusted, for encrypted pages. source: the address it comes from; 127.0.0.1 is the box's own, others of
    127.0.0.0/8 are strangers'.
    """

    def __init__(
        self, port: int, query: str = "", headers: dict[str, str] | None = None, source: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
    ) -> None:  # fmt: skip
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (source, 0))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as browsers do: nothing waits for more
        if tls is not None:
            self._socket = tls.wrap_socket(self._socket, server_hostname="127.0.0.1")
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13", **(headers or {}),
        }  # fmt: skip
        lines = [f"GET /ws{query} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._read()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        status = head.split(b"\r\n")[0].decode()
        if " 101 " not in status:
            self._socket.close()
            raise Refused(status)
        self.passed: list[dict[str, Any]] = []
        self.close_code: int | None = None

    def _read(self) -> None:
        data = self._socket.recv(65536)
        if not data:
            raise EOFError("the connection was closed")
        self._buffer += data

    def say(self, message: Any) -> None:
        self.send(json.dumps(message).encode())

    def send(self, payload: bytes, opcode: int = 1) -> None:
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        self._socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def next(self, patience_s: float | None = None) -> dict[str, Any]:
        patience_s = time.monotonic() + PATIENCE_S if patience_s is None else patience_s
        while True:
            assert time.monotonic() < patience_s, f"it never came; what did: {[one['type'] for one in self.passed]}"
            opcode, payload = self._frame()
            if opcode == 1:
                message: dict[str, Any] = json.loads(payload)
                return message
            if opcode == 9:
                self.send(payload, 10)
            if opcode == 8:
                self.close_code = struct.unpack("!H", payload[:2])[0] if payload else None
                raise EOFError(f"closed with {self.close_code}")

    def has_more(self) -> bool:
        """Tell whether something has come that was not given yet."""
        return bool(self._buffer) or bool(select.select([self._socket], [], [], 0)[0])

    def get(self, kind: str, where: Any = lambda _message: True) -> dict[str, Any]:
        patience_s = time.monotonic() + PATIENCE_S
        while True:
            message = self.next(patience_s)
            if message["type"] == kind and where(message):
                return message
            self.passed.append(message)

    def _frame(self) -> tuple[int, bytes]:
        while len(self._buffer) < 2:
            self._read()
        length, start = self._buffer[1] & 127, 2
        if length >= 126:
            size = 2 if length == 126 else 8
            while len(self._buffer) < 2 + size:
                self._read()
            length, start = int.from_bytes(self._buffer[2 : 2 + size]), 2 + size
        while len(self._buffer) < start + length:
            self._read()
        opcode = self._buffer[0] & 15
        payload, self._buffer = self._buffer[start : start + length], self._buffer[start + length :]
        return opcode, payload

    def hang_up(self) -> None:
        """End both ways, so that whoever reads here in another thread is told."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

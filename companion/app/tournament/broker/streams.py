"""The two ends of a client's stream, as the broker within the process reads and writes it: bounded in size and time.

amqtt has no bounds of its own: it reads a packet of any length, waits for ever, keeps what a client sends faster than
it is handed on, and what another does not take. Each is bounded here, by cutting the connection: a client that is cut
comes back, and what it had not been told to be there it sends again.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from amqtt.adapters import ReaderAdapter, WriterAdapter

from companion.tournament import wire

if TYPE_CHECKING:
    import ssl

LONGEST_READ = wire.LONGEST_MESSAGE + 100_000
"""Bytes that one packet may have beside its payload: a topic has 65,535 at most."""
SILENCE_S = 10.0
"""A client that has said nothing for so long after it connected is cut, and one that takes nothing for so long."""
MOST_WAITING = 64
"""Messages that a client has sent and that are not handed on yet; beyond them nothing is read from it."""


class Inbound(ReaderAdapter):  # type: ignore[misc]
    """What a client sends. Cuts a client that sends too much at once, or falls silent.

    silence_s: after so long without a byte the client is gone; None: never. waiting: what is not handed on yet.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._again = bytearray()
        self._kept: bytearray | None = bytearray()
        self._heard_at_s = asyncio.get_running_loop().time()
        self.silence_s: float | None = SILENCE_S
        self.waiting: asyncio.Queue[Any] = asyncio.Queue(MOST_WAITING)

    async def read(self, n: int = -1) -> bytes:
        """Read so many bytes. Raises ConnectionResetError: the client is cut, or gone."""
        if self._again:
            taken = bytes(self._again[:n])
            del self._again[:n]
            return taken
        if not 0 <= n <= LONGEST_READ:
            raise self.cut()
        if n == 1:  # between packets: what was read before is put into the queue meanwhile
            await asyncio.sleep(0)
            while self.waiting.full():
                await asyncio.sleep(0.01)
        try:
            async with asyncio.timeout_at(None if self.silence_s is None else self._heard_at_s + self.silence_s):
                data = await self._reader.readexactly(n)
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            raise self.cut() from error
        self._heard_at_s = asyncio.get_running_loop().time()
        if self._kept is not None:
            self._kept += data
        return data

    def rewind(self) -> None:
        """Have all that was read so far be read again, and keep nothing from here on."""
        self._again, self._kept = self._kept or bytearray(), None

    def feed_eof(self) -> None:
        """Take note of the end: it is not needed."""

    def cut(self) -> ConnectionResetError:
        """End the connection at once; gives what to raise."""
        self._writer.transport.abort()
        return ConnectionResetError("cut off")


class Outbound(WriterAdapter):  # type: ignore[misc]
    """What a client is sent. Cuts one that does not take it."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Send, as soon as it can be."""
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        """Wait until there is room. Raises ConnectionResetError: the client takes nothing, and is cut, or is gone."""
        try:
            async with asyncio.timeout(SILENCE_S):
                await self._writer.drain()
        except (TimeoutError, OSError) as error:
            self._writer.transport.abort()
            raise ConnectionResetError("cut off") from error

    def get_peer_info(self) -> tuple[str, int] | None:
        """Give the client's address and port; None: it is gone already."""
        found = self._writer.get_extra_info("peername")
        return (found[0], found[1]) if found else None

    def get_ssl_info(self) -> ssl.SSLObject | None:
        """Give the TLS of the connection, None for none."""
        found: ssl.SSLObject | None = self._writer.get_extra_info("ssl_object")
        return found

    async def close(self) -> None:
        """Close; may be called again."""
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(SILENCE_S):
                await self._writer.wait_closed()

"""A wire from a box, or the desk, to the broker: a TCP port that leads on, and can be cut, refused, held or delayed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self

PIECE = 4_096
"""Bytes that pass in one go: a delay is for each."""


class Wire:
    """One port of 127.0.0.1 that leads on to another. Used in one event loop."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._writers = set[asyncio.StreamWriter]()
        self._tasks = set[asyncio.Task[None]]()
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self.port = 0
        self.is_refusing = False
        self.delay_s = 0.0
        self.release()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.cut()

    def cut(self) -> None:
        """End every connection at once, as a cable that is pulled and a router that says so."""
        for writer in self._writers:
            writer.transport.abort()

    def hold(self, *, up: bool, down: bool) -> None:
        """Let nothing pass any more: up to the broker, down from it, or both; nobody is told."""
        if up:
            self._up.clear()
        if down:
            self._down.clear()

    def release(self) -> None:
        """Let everything pass that was held, in its order."""
        self._up.set()
        self._down.set()

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        on_writer: asyncio.StreamWriter | None = None
        try:
            if not self.is_refusing:
                # Whoever is cancelled at the end ends as any other: asyncio's streams complain of it else.
                with suppress(OSError, asyncio.CancelledError):
                    on_reader, on_writer = await asyncio.open_connection("127.0.0.1", self._to)
                    self._writers.add(on_writer)
                    await asyncio.gather(
                        self._pump(reader, on_writer, self._up), self._pump(on_reader, writer, self._down)
                    )
        finally:
            for one in (writer, on_writer):
                if one is not None:
                    one.transport.abort()
                    self._writers.discard(one)
            self._tasks.discard(task)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event) -> None:
        """Hand on what comes, once the gate is open; the end of a connection too is told only then."""
        with suppress(OSError):
            while data := await reader.read(PIECE):
                await asyncio.sleep(self.delay_s)
                await gate.wait()
                writer.write(data)
                await writer.drain()
        await gate.wait()
        writer.transport.abort()

"""A bad network: a TCP proxy that delays each piece by an amount of its own, in order, and that can be cut.

Real TCP on both sides; only the time that the bytes take is made up. In `Host` and `Origin` the box reads its own port,
as from any proxy in front of it: another is none of its names.
"""

from __future__ import annotations

import asyncio
import random
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 1_000_000_000


class Proxy:
    """Listens on a free port of its own. base_ms, jitter_ms: each piece takes base to base + jitter, each way anew.

    uneven: so many times longer towards the browser than from it (the worst that a round trip cannot see).
    """

    def __init__(self, target: int, *, base_ms: float = 0, jitter_ms: float = 0, uneven: float = 1, seed: int = 1):
        self._target, self._base, self._jitter, self._uneven = target, base_ms / 1000, jitter_ms / 1000, uneven
        self._random = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self.port = 0
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._is_up.wait(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break every connection, and take no new ones."""
        self._call(self._cut)

    def mend(self) -> None:
        """Take connections again."""
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _call(self, function: Callable[[], None]) -> None:
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (function(), done.set()))
        done.wait(10)

    def _cut(self) -> None:
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._is_up.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        both = {writer, far_writer}
        self._writers |= both
        try:
            await asyncio.gather(
                self._carry(reader, far_writer, 1, is_asking=True), self._carry(far_reader, writer, self._uneven)
            )
        except OSError:
            pass  # cut
        finally:
            for one in both:
                one.close()
            self._writers -= both

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, factor: float, *, is_asking: bool = False
    ) -> None:
        """Carry one way: each piece at its own time, none before the one that went ahead."""
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, piece = await queue.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if not piece:
                    if writer.can_write_eof():
                        writer.write_eof()
                    return
                writer.write(piece)
                await writer.drain()

        delivering = asyncio.create_task(deliver())
        due = 0.0
        while True:
            piece = await reader.read(65536)
            if is_asking:
                piece = piece.replace(b"127.0.0.1:%d" % self.port, b"127.0.0.1:%d" % self._target)
            wait = (self._base + self._random.random() * self._jitter) * factor
            due = max(due, self._loop.time() + wait)
            queue.put_nowait((due, piece))
            if not piece:
                break
        await delivering

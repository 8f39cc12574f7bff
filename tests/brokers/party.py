"""Who speaks at a broker in a test: a link that runs, with what it was told; and a line to it that can be cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from companion.adapters.mqtt.link import MqttLink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.adapters.mqtt.broker import Broker
    from companion.adapters.mqtt.link import Will

PATIENCE_S = 60.0
"""A busy machine is no fault: only a test that would fail anyhow waits so long."""
DELAYS_S = (0.05, 0.1, 0.2)


async def until(condition: Callable[[], object], what: Callable[[], object] = lambda: "") -> None:
    """Wait until a condition holds. what: gives what to say if it never does."""
    end = asyncio.get_running_loop().time() + PATIENCE_S
    while not condition():
        assert asyncio.get_running_loop().time() < end, f"it never came to be: {what()}"
        await asyncio.sleep(0.01)


class Party:
    """A link that runs. messages: topics and payloads that came. told: what was said of losses, in words."""

    def __init__(
        self, broker: Broker, subscriptions: Sequence[str] = (), will: Will | None = None, client_id: str | None = None
    ) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.told: list[str] = []
        self.connections = 0
        self.link = MqttLink(
            broker,
            client_id=client_id or broker.username or "stranger",
            subscriptions=subscriptions,
            on_connected=self._connected,
            on_message=lambda topic, payload: self.messages.append((topic, payload)),
            on_lost=self.told.append,
            will=will,
            delays_s=DELAYS_S,
        )

    def _connected(self) -> None:
        self.connections += 1

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.link.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        ended_itself = self._task.done()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        assert not ended_itself, "a link never ends by itself"

    async def connected(self, times: int = 1) -> None:
        await until(lambda: self.connections >= times, lambda: f"connected {self.connections} times; {self.told}")

    async def has(self, count: int) -> None:
        await until(lambda: len(self.messages) >= count, lambda: f"{len(self.messages)} of {count}; {self.told}")

    async def hears(self, payload: bytes) -> None:
        await until(lambda: payload in self.payloads(), lambda: f"{self.told}; {self.payloads()}"[:2000])

    async def says_of_loss(self, words: str) -> None:
        await until(lambda: any(words in one for one in self.told), lambda: self.told)

    def payloads(self) -> list[bytes]:
        return [payload for _, payload in self.messages]

    def first_of_each(self) -> list[bytes]:
        """Give what came, in the order in which each came first."""
        return list(dict.fromkeys(self.payloads()))


class CutLine:
    """A port that leads on to a broker's, until it is cut: as a cable that is pulled, with no word of leave."""

    def __init__(self, port: int) -> None:
        self._to, self._writers = port, set[asyncio.StreamWriter]()
        self._tasks = set[asyncio.Task[None]]()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        with suppress(OSError):
            on_reader, on_writer = await asyncio.open_connection("127.0.0.1", self._to)
            self._writers.add(on_writer)
            await asyncio.gather(_pump(reader, on_writer), _pump(on_reader, writer))
        writer.transport.abort()
        self._tasks.discard(task)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()

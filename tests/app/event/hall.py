"""A broker and a desk at it, in a thread of a test: the way of a box's lines by the real link."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from companion.adapters.mqtt.broker import read_broker
from companion.adapters.mqtt.link import MqttLink
from companion.app.tournament.broker.embedded import EmbeddedBroker
from companion.core.errors import Unavailable
from companion.tournament.wire import ToBox, all_up, down_topic, write_message
from tests.fakes.event_link import BOX, EVENT, PATIENCE_S, FakeDesk

if TYPE_CHECKING:
    from collections.abc import Coroutine

LOGINS = {"desk": "d", BOX: "b"}


class Hall(FakeDesk):
    """A broker and a desk at it, in a thread with an event loop of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hall of a test")
        self._thread.start()
        self._broker: EmbeddedBroker | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self.call(self._open_broker())
        self._desk: MqttLink | None = None
        self._running: asyncio.Task[None] | None = None
        self.call(self._open_desk())

    def call(self, what: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE_S)

    async def _open_broker(self) -> None:
        self._broker = EmbeddedBroker(EVENT, "127.0.0.1", self.port, LOGINS)
        await self._broker.__aenter__()
        self.port = self._broker.port

    async def _close_broker(self) -> None:
        assert self._broker is not None
        await self._broker.__aexit__(None, None, None)
        self._broker = None

    async def _open_desk(self) -> None:
        connected = asyncio.Event()
        self._desk = MqttLink(
            read_broker(f"mqtt://127.0.0.1:{self.port}", username="desk", password="d"),
            client_id="desk",
            subscriptions=(all_up(EVENT),),
            on_connected=connected.set,
            on_message=self._arrived,
            on_lost=lambda _why: None,
            delays_s=(0.1,),
        )
        self._running = asyncio.create_task(self._desk.run())
        await connected.wait()

    def _arrived(self, topic: str, payload: bytes) -> None:
        for message in self.take(topic, payload):
            self._send(message)

    def _send(self, message: ToBox) -> None:
        task = asyncio.get_running_loop().create_task(self._publish(message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _publish(self, message: ToBox) -> None:
        assert self._desk is not None
        try:
            await self._desk.publish(down_topic(EVENT, BOX), write_message(message))
        except Unavailable:
            return

    def say(self, message: ToBox) -> None:
        self._loop.call_soon_threadsafe(self._send, message)

    def cut(self) -> None:
        self.call(self._close_broker())

    def mend(self) -> None:
        self.call(self._open_broker())

    def close(self) -> None:
        self.call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    async def _close(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, *self._sending, return_exceptions=True)
        if self._broker is not None:
            await self._close_broker()
        await asyncio.get_running_loop().shutdown_default_executor()

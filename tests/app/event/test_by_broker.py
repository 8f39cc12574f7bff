"""A box at an event by the real link and a real broker, which dies and comes back within a match."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.mqtt.broker import read_broker
from companion.adapters.mqtt.link import MqttLink
from companion.app.event.joined import Joined
from companion.app.tournament.broker.embedded import EmbeddedBroker
from companion.core.errors import Unavailable
from companion.tournament.wire import ToBox, all_up, down_topic, write_message
from tests.app.event.running import CARDS, RunningBox, sit
from tests.fakes.event_link import BOX, EVENT, PATIENCE_S, FakeDesk

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

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


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    made.close()


def test_a_match_reaches_the_desk_whole_though_the_broker_dies_within_it(hall: Hall, tmp_path: Path) -> None:
    joined = Joined(f"mqtt://127.0.0.1:{hall.port}", EVENT, BOX, password="b")
    box = RunningBox(tmp_path / "state", hall, joined=joined)
    try:
        hall.until(lambda: bool(hall.here))
        hall.say(sit())
        box.seated()
        match = box.start()
        hall.until(lambda: box.is_pushed(match))
        hall.cut()
        box.until(lambda session: not session.at_event().is_connected)
        box.reveal(*CARDS)
        hall.mend()
        box.end()
        hall.until(lambda: box.is_pushed(match) and b'"end"' in b"".join(hall.model.record(match)))
        hall.until(lambda: bool(hall.states) and hall.states[-1].is_there)
    finally:
        box.stop()
    hall.until(lambda: not hall.states[-1].is_there)


def test_a_wrong_password_is_said_in_words_and_the_box_referees(hall: Hall, tmp_path: Path) -> None:
    joined = Joined(f"mqtt://127.0.0.1:{hall.port}", EVENT, BOX, password="wrong")
    box = RunningBox(tmp_path / "state", hall, joined=joined)
    try:
        box.until(lambda session: "password" in session.at_event().why)
        box.ask(lambda session: session.begin(session.table) if session.table.seats else None)
        assert box.ask(lambda session: session.can_be_prepared)
    finally:
        box.stop()

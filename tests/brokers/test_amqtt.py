"""The contract on the broker within the desk's process, in a thread with a loop of its own."""

from __future__ import annotations

import asyncio
import threading

import pytest

from companion.app.tournament.broker.access import DESK
from companion.app.tournament.broker.embedded import EmbeddedBroker
from tests.brokers.contract import BOXES, EVENT, BasePlace, LinkContract
from tests.brokers.processes import free_ports

pytestmark = pytest.mark.slow  # starts processes


class Embedded(BasePlace):
    """The broker; killed, it cuts everybody and forgets all it knew."""

    def __init__(self) -> None:
        super().__init__({user: f"password of {user}" for user in (DESK, *BOXES)})
        self.port = next(free_ports())
        self.start()

    def start(self) -> None:
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),), daemon=True)
        self._thread.start()
        assert self._is_up.wait(30), "the broker did not start"

    async def _run(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with EmbeddedBroker(EVENT, "127.0.0.1", self.port, self.logins):
            self._is_up.set()
            await self._end.wait()

    def kill(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()


@pytest.fixture(scope="module")
def place():
    broker = Embedded()
    yield broker
    broker.kill()


class TestAmqtt(LinkContract):
    """See the contract."""

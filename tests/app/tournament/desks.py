"""A desk that runs in a test: with a store in memory that fails when it is told to, and a link without a broker."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from companion.adapters.keys.ed25519 import check
from companion.adapters.simulated.memory_event_store import MemoryEventStore
from companion.app.tournament.driver import TICK_S, DeskDriver
from companion.core.errors import Unavailable
from companion.core.record.seals import in_base64
from companion.games import registry
from companion.tournament import wire
from companion.tournament.log import lines
from tests.tournament.logs import Log
from tests.tournament.tables.sealing import box_key, table

Message = TypeVar("Message")
EVENT = "cup"
MOST_S = 20.0
"""So long is waited for what must happen, on however busy a machine."""


class Link:
    """Takes what is published; is_up: whether there is a connection."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, wire.ToBox]] = []
        self.is_up = True

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        await asyncio.sleep(0)
        assert not retain
        if not self.is_up:
            raise Unavailable("there is no connection")
        self.sent.append((topic.split("/")[3], wire.read_down(topic, payload)))

    def told(self, box: str, kind: type[Message]) -> list[Message]:
        """Give what a box was told, of one kind."""
        return [message for name, message in self.sent if name == box and isinstance(message, kind)]


class FailingStore(MemoryEventStore):
    """Fails at the calls whose numbers are in `fails`, counted from 1 and by name in `calls`."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.fails: set[int] = set()

    def _count(self, name: str) -> None:
        self.calls.append(name)
        if len(self.calls) in self.fails:
            raise Unavailable(f"{name} failed")

    def entries(self):
        self._count("entries")
        return super().entries()

    def append(self, first, raws):
        self._count("append")
        super().append(first, raws)

    def keep(self, parts):
        self._count("keep")
        return super().keep(parts)

    def held(self):
        self._count("held")
        return super().held()

    def record(self, box, match):
        self._count("record")
        return super().record(box, match)


class Time:
    """The clock of a desk in a test: waiting takes no time of its own, and ends when the test says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, tzinfo=UTC)
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> datetime:
        return self.now

    async def sleep(self, seconds: float) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append((seconds, waiting))
        await waiting

    def pass_by(self, seconds: float) -> None:
        """Let so much time pass, and whoever waits for a while go on."""
        self.now += timedelta(seconds=seconds)
        waiting, self._waiting = self._waiting, []
        for _, one in waiting:
            if not one.done():
                one.set_result(None)

    def waits_for_store(self) -> bool:
        return any(seconds != TICK_S and not one.done() for seconds, one in self._waiting)


class Running:
    """A desk that runs, and what a test does with it."""

    def __init__(self, driver: DeskDriver, link: Link, store, time: Time) -> None:
        self.driver, self.link, self.store, self.time = driver, link, store, time
        self.changes: list[frozenset[tuple[int, int]]] = []
        driver.on_change(self.changes.append)

    @property
    def event(self):
        return self.driver.desk.event

    def say(self, box: str, message: wire.FromBox) -> None:
        self.driver.message(wire.up_topic(EVENT, box), wire.write_message(message))

    def push(self, box: str, match: str, record, first: int = 1) -> None:
        """Have a box push lines of a record, from number `first` on."""
        for number, raw in enumerate(record[first - 1 :], first):
            self.driver.message(wire.line_topic(EVENT, box, match, number), raw)

    async def until(self, is_so, *, ahead: bool = False) -> None:
        """Wait for something that must come about. ahead: also before it is stored."""
        async with asyncio.timeout(MOST_S):
            while not (is_so() if ahead else await self.driver.look(lambda _: is_so())):
                await asyncio.sleep(0.001)

    async def recovered(self, is_so=lambda: True) -> None:
        """Have the desk try its store again until it is well, and something has come about."""
        async with asyncio.timeout(MOST_S):
            while "store" in self.driver.faults or not await self.driver.look(lambda _: is_so()):
                if self.time.waits_for_store():
                    self.time.pass_by(3)
                await asyncio.sleep(0.001)


@asynccontextmanager
async def running(store, *, begin=None, time: Time | None = None):
    """Run a desk on a store."""
    time, link = time or Time(), Link()
    driver = DeskDriver(store, registry.find, check, now=time, sleep=time.sleep)
    await driver.open(begin)
    task = asyncio.create_task(driver.run(link))
    desk = Running(driver, link, store, time)
    await asyncio.sleep(0)
    driver.connected()
    try:
        yield desk
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await driver.close()


def key_of(number: int) -> str:
    return in_base64(box_key(number).key)


def event_log(boxes: int = 2, **fields) -> Log:
    """Give an event in which round 1 is drawn, a table of four for each box, by the keys of made-up boxes."""
    log = Log(**fields)
    for number in range(1, boxes + 1):
        log.box(f"box-{number}", box_key(number).key)
    log.players(4 * boxes)
    log.draw(*[tuple(range(4 * one + 1, 4 * one + 5)) for one in range(boxes)])
    for number in range(1, boxes + 1):
        log.add(lines.AssignedLine, round=1, table=number, box=f"box-{number}")
    return log


def stored(log: Log, store=None):
    """Give a store that has a log."""
    store = FailingStore() if store is None else store
    store.open()
    MemoryEventStore.append(store, 1, log.raw)
    store.close()
    return store


def match_of(number: int) -> str:
    return f"{number:032x}"


def record_of(log: Log, number: int, signed: int | None = None, **more) -> list[bytes]:
    """Give the sealed record of a table of round 1, played on the box of its number."""
    assert log.event is not None
    sheet = log.event.rounds[0].line.sheet
    where = {"id": EVENT, "round": 1, "table": number, "sheet": sheet}
    races = [{"red": 300, "yellow": 320, "green": 350, "blue": 400}, {"yellow": 300, "red": 320}]
    more = {"box": number, "match": number, **more}
    return table(*races, event=where, signed=signed, **more)


def here(number: int, *matches: wire.Held, **more) -> wire.Here:
    return wire.Here(key=key_of(number), software="test", matches=matches, **more)

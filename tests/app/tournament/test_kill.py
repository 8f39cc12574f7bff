"""The desk's process is killed in play, again and again: every line is there once, in order, and results agree."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.app.tournament.broker.embedded import EmbeddedBroker
from companion.app.tournament.broker.logins import logins_for
from companion.core.errors import Unavailable
from companion.core.timing.events import MS
from companion.games import registry
from companion.tournament import wire
from companion.tournament.box.effects import Publish
from companion.tournament.box.kept import Kept, Who
from companion.tournament.box.machine import BoxInEvent
from companion.tournament.desk.desk import Desk
from companion.tournament.log.lines import RecordLine
from tests.app.tournament.desks import EVENT, MOST_S, event_log, key_of, match_of, record_of, stored

pytestmark = pytest.mark.slow  # starts processes

HERE = "127.0.0.1"
ROOT = Path(__file__).parents[3]


class Box:
    """The real machine of a box, at a real link; its clock goes faster, so that no pause is waited for."""

    def __init__(self, number: int, record: list[bytes], address: str, password: str) -> None:
        from companion.adapters.mqtt.broker import read_broker
        from companion.adapters.mqtt.link import MqttLink

        self.name, self.record = f"box-{number}", record
        self.machine = BoxInEvent(Who(EVENT, self.name, key_of(number), "test"), Kept(event=EVENT))
        self._match, self._given, self._now_ns = match_of(number), 0, 0
        self._link = MqttLink(
            read_broker(address, username=self.name, password=password),
            client_id=self.name,
            subscriptions=(wire.down_topic(EVENT, self.name),),
            on_connected=lambda: self.machine.connected(self._now_ns),
            on_message=lambda topic, payload: self.machine.hear(wire.read_down(topic, payload), self._now_ns),
            on_lost=lambda _why: self.machine.lost(),
        )

    def grow(self, count: int) -> None:
        """Have so many lines be stored on the box."""
        more = self.record[self._given : count]
        self._given = max(self._given, count)
        if more:
            self.machine.grew(self._match, more, self._now_ns)

    @property
    def acknowledged(self) -> int:
        return self.machine.pushing.acknowledged.get(self._match, 0)

    @property
    def is_final(self) -> bool:
        return self._match in self.machine.kept.final

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._link.run())
            tasks.create_task(self._push())

    async def _push(self) -> None:
        while True:
            self._now_ns += 100 * MS
            self.machine.advance(self._now_ns)
            for effect in self.machine.take():
                if isinstance(effect, Publish):
                    try:
                        await self._link.publish(effect.topic, effect.payload, retain=effect.retain)
                    except Unavailable:
                        self.machine.lost()
            await asyncio.sleep(0.005)


@asynccontextmanager
async def desk_process(folder: Path, address: str):
    """Run a desk until it is killed, without a warning."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.app.tournament.desk_child", str(folder), EVENT, address,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert await asyncio.wait_for(process.stdout.readline(), MOST_S) == b"ready\n"
        yield
    finally:
        process.kill()
        await process.wait()


async def until(is_so) -> None:
    async with asyncio.timeout(3 * MOST_S):
        while not is_so():
            await asyncio.sleep(0.005)


@pytest.fixture
def log():
    return event_log()


def test_a_desk_that_is_killed_in_play_has_every_line_once(tmp_path, log) -> None:
    store = stored(log, None)
    store.open()
    begun = SqlEventStore(url_of_file(tmp_path / "event.sqlite3"), EVENT)
    begun.open()
    begun.append(1, store.entries())
    begun.close()
    logins = logins_for(tmp_path, EVENT, ["box-1", "box-2"])
    records = {number: record_of(log, number) for number in (1, 2)}

    async def run() -> None:
        async with EmbeddedBroker(EVENT, HERE, 0, logins) as broker:
            address = f"mqtt://{HERE}:{broker.port}"
            boxes = [Box(number, records[number], address, logins[f"box-{number}"]) for number in (1, 2)]
            tasks = [asyncio.create_task(box.run()) for box in boxes]
            try:
                for part in (7, 14):
                    async with desk_process(tmp_path, address):
                        boxes[0].grow(part)
                        boxes[1].grow(part - 2)
                        await until(lambda part=part: boxes[0].acknowledged >= part)
                for box in boxes:
                    box.grow(len(box.record))
                async with desk_process(tmp_path, address):
                    await until(lambda: all(box.is_final for box in boxes))
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    assert results_of(tmp_path, records) == undisturbed(log, records)


def results_of(folder: Path, records) -> object:
    """See that the store has every line, and give what the event came to."""
    store = SqlEventStore(url_of_file(folder / "event.sqlite3"), EVENT)
    store.open()
    try:
        for number, record in records.items():
            assert store.record(f"box-{number}", match_of(number)) == record
        return come_to(Desk(store.entries(), registry.find, check), records)
    finally:
        store.close()


def undisturbed(log, records) -> object:
    desk = Desk(log.raw, registry.find, check)
    return come_to(desk, records)


def come_to(desk: Desk, records) -> object:
    parts = [
        (f"box-{number}", wire.RecordPart(match_of(number), place, raw))
        for number, record in records.items()
        for place, raw in enumerate(record, 1)
    ]
    desk.kept(parts, (), "2026-05-01T12:00:00+00:00")
    tables = desk.event.rounds[0].tables.values()
    return desk.results(), [(table.stage, lines_of(table.record)) for table in tables]


def lines_of(record: RecordLine | None) -> int:
    assert record is not None
    return record.lines

"""The broker in the process while clients come and go: nothing is lost for it, nobody is told what is others'."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from companion.adapters.mqtt.broker import read_broker
from companion.adapters.mqtt.link import MqttLink
from companion.app.tournament.broker.embedded import EmbeddedBroker, Subscriptions
from companion.tournament import wire

EVENT, HERE = "cup", "127.0.0.1"
BOXES = 8
EACH = 15
MOST_S = 30.0
LOGINS = {"desk": "x" * 20, **{f"box-{number}": "y" * 20 for number in range(BOXES)}}


@asynccontextmanager
async def client(port: int, user: str, topic: str):
    """Run a link; give it with what it has been told."""
    heard: list[tuple[str, bytes]] = []
    connected = asyncio.Event()
    link = MqttLink(
        read_broker(f"mqtt://{HERE}:{port}", username=user, password=LOGINS[user]),
        client_id=user, subscriptions=(topic,), on_connected=connected.set,
        on_message=lambda topic, payload: heard.append((topic, payload)), on_lost=lambda _why: None,
    )  # fmt: skip
    task = asyncio.create_task(link.run())
    try:
        await asyncio.wait_for(connected.wait(), MOST_S)
        yield link, heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_nothing_is_lost_while_clients_come_and_go() -> None:
    async def say(port: int, box: str) -> None:
        for number in range(EACH):
            async with client(port, box, wire.down_topic(EVENT, box)) as (link, _):
                await link.publish(wire.up_topic(EVENT, box), b"%d" % number)

    async def run() -> None:
        async with (
            EmbeddedBroker(EVENT, HERE, 0, LOGINS) as broker,
            client(broker.port, "desk", wire.all_up(EVENT)) as (_, heard),
        ):
            boxes = [f"box-{number}" for number in range(BOXES)]
            await asyncio.gather(*(say(broker.port, box) for box in boxes))
            wanted = {(wire.up_topic(EVENT, box), b"%d" % number) for box in boxes for number in range(EACH)}
            async with asyncio.timeout(MOST_S):
                while not wanted <= set(heard):
                    await asyncio.sleep(0.01)

    asyncio.run(run())


def test_what_is_retained_for_others_is_told_to_nobody() -> None:
    async def run() -> None:
        async with (
            EmbeddedBroker(EVENT, HERE, 0, LOGINS) as broker,
            client(broker.port, "desk", wire.all_up(EVENT)) as (desk, _),
            client(broker.port, "box-0", wire.down_topic(EVENT, "box-0")) as (box, _),
        ):
            await box.publish(wire.state_topic(EVENT, "box-0"), b"there", retain=True)
            async with client(broker.port, "box-1", wire.down_topic(EVENT, "box-1")) as (_, heard):
                await desk.publish(wire.down_topic(EVENT, "box-1"), b"hello")
                async with asyncio.timeout(MOST_S):
                    while (wire.down_topic(EVENT, "box-1"), b"hello") not in heard:
                        await asyncio.sleep(0.01)
                assert [topic for topic, _ in heard] == [wire.down_topic(EVENT, "box-1")]

    asyncio.run(run())


def test_who_reads_what_may_change_while_it_is_walked_through() -> None:
    subscriptions = Subscriptions({"a": ["one"]})
    for wanted, those in subscriptions.items():
        for _ in those:
            subscriptions.setdefault("b", []).append(wanted)
            subscriptions["a"].append("other")
    for _ in subscriptions:
        subscriptions["c"] = []
    assert dict(subscriptions) == {"a": ["one", "other"], "b": ["a"], "c": []}

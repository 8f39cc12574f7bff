"""The broker within the process: whom it does not let in, what it bounds. What links do on it is in tests/brokers."""

from __future__ import annotations

import asyncio
import struct
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime

import pytest

from companion.adapters.mqtt.broker import Broker, Node, Tls
from companion.adapters.mqtt.link import Will
from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker import gate, streams
from companion.app.tournament.broker.access import DESK
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.embedded import EmbeddedBroker
from companion.core.errors import Malformed, Unavailable
from companion.tournament import wire
from tests.brokers.party import PATIENCE_S, Party

EVENT = "cup"
LOGINS = {DESK: "of the desk", "box-1": "first", "box-2": "second"}
ACCEPTED = 0
UP, STATE = wire.up_topic(EVENT, "box-1"), wire.state_topic(EVENT, "box-1")


def text(value: str) -> bytes:
    return struct.pack("!H", len(value.encode())) + value.encode()


def packet(kind: int, body: bytes) -> bytes:
    length, left = bytearray(), len(body)
    while True:
        left, low = divmod(left, 128)
        length.append(low | (128 if left else 0))
        if not left:
            return bytes([kind]) + length + body


def connect(
    client: str, user: str | None, password: str = "", *, is_clean: bool = True, will: str = "", keepalive_s: int = 0,
    level: int = 4,
) -> bytes:  # fmt: skip
    flags = (2 if is_clean else 0) | (0xC0 if user is not None else 0) | (4 if will else 0)
    body = text("MQTT") + bytes((level, flags)) + struct.pack("!H", keepalive_s) + text(client)
    body += text(will) + text("gone") if will else b""
    return packet(0x10, body + (text(user) + text(password) if user is not None else b""))


@asynccontextmanager
async def joined(port: int, hello: bytes):
    """Connect, say hello, and give both ends with the code of the answer; None: cut off without one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(hello)
        try:
            answer = await reader.readexactly(4)
        except (asyncio.IncompleteReadError, OSError):
            yield reader, writer, None
        else:
            yield reader, writer, answer[3]
    finally:
        writer.transport.abort()


async def ends(reader: asyncio.StreamReader) -> None:
    async with asyncio.timeout(PATIENCE_S):
        with suppress(OSError):
            while await reader.read(65_536):
                pass


def link(port: int, user: str, topics: list[str], will: Will | None = None, client_id: str | None = None) -> Party:
    return Party(Broker((Node("127.0.0.1", port),), user, LOGINS[user]), topics, will, client_id)


def play(test, server=None) -> None:
    async def run() -> None:
        async with EmbeddedBroker(EVENT, "127.0.0.1", 0, LOGINS, server) as broker:
            await test(broker.port)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        (connect("box-1", "box-1", "first"), ACCEPTED),
        (connect("box-1:2", "box-1", "first"), ACCEPTED),
        (connect("box-1", "box-1", "first", will=STATE), ACCEPTED),
        (connect("box-1", None), 5),
        (connect("box-1", "box-1", "second"), 5),
        (connect("box-1", "box-1", ""), 5),
        (connect("nobody", "nobody", "first"), 5),
        (connect("box-2", "box-1", "first"), 2),
        (connect("box-11", "box-1", "first"), 2),
        (connect("", "box-1", "first"), 2),
        (connect("box-1", "box-1", "first", is_clean=False), 2),
        (connect("box-1", "box-1", "first", will=wire.state_topic(EVENT, "box-2")), 5),
        (connect("box-1", "box-1", "first", level=5), 1),
        (b"GET / HTTP/1.1\r\n\r\n", None),
        (packet(0x30, text("a")), None),
    ],
)
def test_only_who_proves_to_be_its_user_is_let_in(hello: bytes, code: int | None) -> None:
    async def test(port: int) -> None:
        async with joined(port, hello) as (reader, _, answered):
            assert answered == code
            if code != ACCEPTED:
                await ends(reader)

    play(test)


def test_a_stranger_by_the_name_of_a_box_does_not_disturb_it() -> None:
    async def test(port: int) -> None:
        async with link(port, "box-1", [wire.down_topic(EVENT, "box-1")]) as box, link(port, DESK, []) as desk:
            await box.connected()
            await desk.connected()
            for hello in (
                connect("box-1", "box-1", "guessed"),
                connect("box-1", None),
                connect("box-1", "box-2", "second"),
            ):
                async with joined(port, hello) as (reader, _, code):
                    assert code != ACCEPTED
                    await ends(reader)
            await desk.link.publish(wire.down_topic(EVENT, "box-1"), b"still there?")
            await box.hears(b"still there?")
            assert (box.connections, box.told) == (1, [])

    play(test)


def test_a_box_that_comes_again_takes_the_place_of_its_own_lost_connection() -> None:
    async def test(port: int) -> None:
        async with link(port, DESK, [wire.all_up(EVENT)]) as desk:
            await desk.connected()
            async with joined(port, connect("box-1", "box-1", "first", will=STATE)) as (lost, _, code):
                assert code == ACCEPTED
                async with link(port, "box-1", []) as box:
                    await box.connected()
                    await box.link.publish(STATE, b"here")
                    await ends(lost)
                    await desk.hears(b"here")
                    assert desk.payloads() == [b"gone", b"here"]  # its own will comes first

    play(test)


def test_who_says_nothing_is_cut_and_who_keeps_silent_is_told_to_be_gone(monkeypatch) -> None:
    monkeypatch.setattr(streams, "SILENCE_S", 0.05)
    monkeypatch.setattr(gate, "PATIENCE", 0.05)

    async def test(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await ends(reader)
        writer.transport.abort()
        async with link(port, DESK, [wire.all_up(EVENT)]) as desk:
            await desk.connected()
            async with joined(port, connect("box-1", "box-1", "first", will=STATE, keepalive_s=1)) as (reader, _, code):
                assert code == ACCEPTED
                await desk.hears(b"gone")
                await ends(reader)

    play(test)


def test_a_message_longer_than_any_is_not_even_read() -> None:
    async def test(port: int) -> None:
        async with joined(port, connect("box-1", "box-1", "first")) as (reader, writer, code):
            assert code == ACCEPTED
            writer.write(b"\x30\xff\xff\xff\x7f" + text(UP))  # 256 MiB are announced
            await ends(reader)
        async with link(port, "box-1", []) as box:
            await box.connected()

    play(test)


def test_who_takes_nothing_is_cut_and_the_others_go_on(monkeypatch) -> None:
    monkeypatch.setattr(streams, "SILENCE_S", 0.2)

    async def test(port: int) -> None:
        down = wire.down_topic(EVENT, "box-1")
        async with (
            link(port, DESK, []) as desk,
            joined(port, connect("box-1", "box-1", "first")) as (reader, writer, _),
        ):
            await desk.connected()
            writer.write(packet(0x82, b"\x00\x01" + text(down) + b"\x00"))
            await reader.readexactly(5)
            for _ in range(8):
                await desk.link.publish(down, bytes(wire.LONGEST_MESSAGE))
            async with link(port, "box-2", [wire.down_topic(EVENT, "box-2")]) as other:
                await other.connected()
                await desk.link.publish(wire.down_topic(EVENT, "box-2"), b"goes on")
                await other.hears(b"goes on")
            await ends(reader)
            assert desk.told == []

    play(test)


def test_a_flood_is_read_no_faster_than_it_is_handed_on() -> None:
    async def test(port: int) -> None:
        async with link(port, DESK, [wire.all_up(EVENT)]) as desk:
            await desk.connected()
            async with joined(port, connect("box-1", "box-1", "first")) as (_, writer, _code):
                for number in range(2_000):
                    writer.write(packet(0x30, text(UP) + b"%d" % number))
                await desk.has(2_000)
                assert desk.payloads() == [b"%d" % number for number in range(2_000)]

    play(test)


def test_it_can_be_encrypted(tmp_path) -> None:
    made = certificates_in(tmp_path, EVENT, Called(("localhost",), ("127.0.0.1",)), datetime.now(UTC))

    async def test(port: int) -> None:
        node = Node("127.0.0.1", port)
        async with Party(Broker((node,), DESK, LOGINS[DESK], Tls(made.authority)), [wire.all_up(EVENT)]) as desk:
            await desk.connected()
            async with Party(Broker((node,), "box-1", LOGINS["box-1"], Tls(made.authority))) as box:
                await box.connected()
                await box.link.publish(UP, bytes(1_000_000))
                await desk.hears(bytes(1_000_000))
        async with Party(Broker((node,), "box-1", LOGINS["box-1"], Tls())) as box:
            await box.says_of_loss("certificate")

    play(test, made.server)


def test_a_port_that_is_taken_is_named() -> None:
    async def test(port: int) -> None:
        with pytest.raises(Unavailable, match=rf"no broker can listen at 127\.0\.0\.1:{port}: "):
            async with EmbeddedBroker(EVENT, "127.0.0.1", port, LOGINS):
                pass

    play(test)


def test_an_event_that_cannot_be_named_has_no_broker() -> None:
    with pytest.raises(Malformed):
        EmbeddedBroker("a/b", "127.0.0.1", 0, LOGINS)

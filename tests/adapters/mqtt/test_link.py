"""The link where no broker is, or one that does not behave; what it does on real ones is in tests/brokers."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest

from companion.adapters.mqtt.broker import Broker, Node, Tls, read_broker
from companion.adapters.mqtt.connection import connection_to
from companion.adapters.mqtt.faults import words_of
from companion.adapters.mqtt.link import JITTER, MqttLink
from companion.adapters.web.encryption.authority import make_authority, make_server
from companion.adapters.web.encryption.checking import certificates
from companion.adapters.web.encryption.own_names import Called
from companion.core.errors import Unavailable
from companion.tournament.wire import LONGEST_MESSAGE
from tests.brokers.party import Party, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

ACCEPTED = b"\x20\x02\x00\x00"
UNANSWERED = "{node} closed the connection before it answered: perhaps it wants TLS (mqtts://)"
HERE = Called(("localhost",), ("127.0.0.1",))


@pytest.fixture(autouse=True)
def _nothing_is_left_open():
    """See what was forgotten: a socket that nobody closed is told when it is collected."""
    yield
    gc.collect()


@asynccontextmanager
async def served(serve: Serve, tls: ssl.SSLContext | None = None):
    """Serve on 127.0.0.1 and give the port; whoever is connected at the end is cut."""
    tasks = set[asyncio.Task[None]]()

    async def joined(reader, writer):
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await serve(reader, writer)
        finally:
            writer.transport.abort()
            tasks.discard(task)

    server = await asyncio.start_server(joined, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(1_000):
        pass


async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)


def answering(answer: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)
        await silent(reader, writer)

    return serve


def at(port: int, tls: Tls | None = None) -> Broker:
    return Broker((Node("127.0.0.1", port),), "box-1", "a password", tls)


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("serve", "words"),
    [
        (closing, UNANSWERED),
        (answering(b"\x20\x02\x00\x05"), "{node} refuses the user's name or the password"),
        (answering(b"\x20\x02\x00\x04"), "{node} refuses the user's name or the password"),
        (answering(b"\x20\x02\x00\x03"), "{node} answers, and serves nobody now"),
        (answering(b"\x20\x02\x00\x02"), "{node} does not take this client's name"),
        (
            answering(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 5),
            UNANSWERED,
        ),
    ],
)
def test_each_refusal_has_its_words(serve: Serve, words: str) -> None:
    async def play() -> None:
        async with served(serve) as port, Party(at(port)) as box:
            await until(lambda: len(box.told) > 1)
            assert set(box.told) == {words.format(node=f"127.0.0.1:{port}")}

    asyncio.run(play())


def test_a_closed_port_and_a_name_that_is_none_have_theirs() -> None:
    async def play() -> None:
        async with Party(at(closed_port())) as box:
            await box.says_of_loss("the port is closed at 127.0.0.1:")
        label = "x" * 64  # longer than a part of a name may be: no server of names need be asked
        async with Party(Broker((Node(f"{label}.local", 1883),))) as box:
            await box.says_of_loss(f"no host is known by the name {label}.local")

    asyncio.run(play())


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no host is known by the name desk"),
        (TimeoutError("timed out"), "nothing answers at desk:1"),
        (OSError(113, "No route to host"), "desk:1 cannot be reached: No route to host"),
        (ConnectionResetError(104, "reset"), "the connection to desk:1 was closed"),
        (ssl.SSLError(1, "[SSL] odd"), "TLS with desk:1 fails"),
    ],
)
def test_what_the_library_hides_is_said(error: OSError, words: str) -> None:
    def hide() -> None:
        try:
            raise error
        except OSError as hidden:
            raise aiomqtt.MqttError(str(hidden)) from None

    with pytest.raises(aiomqtt.MqttError) as raised:
        hide()
    assert words_of(raised.value, Node("desk", 1)).startswith(words)


def test_a_broker_that_closes_while_it_is_asked_for_topics_is_lost_at_once() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(ACCEPTED)
        await reader.readuntil(b"a/topic")

    async def play() -> None:
        async with served(serve) as port, Party(at(port), ["a/topic"]) as box:
            await until(lambda: len(box.told) > 2)
            assert box.connections == 0

    asyncio.run(play())


def test_a_broker_that_takes_a_message_and_closes_has_the_publisher_told() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(ACCEPTED)
        await reader.readuntil(b"a/topic")

    async def play() -> None:
        async with served(serve) as port, Party(at(port)) as box:
            await box.connected()
            sending = [box.link.publish("a/topic", b"%d" % number) for number in range(200)]
            ended = await asyncio.gather(*sending, return_exceptions=True)
            assert {type(one) for one in ended} == {Unavailable}
            await box.connected(2)

    asyncio.run(play())


def test_no_more_are_under_way_at_once_than_the_window() -> None:
    seen = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(ACCEPTED)
        while data := await reader.read(1_000):
            seen.extend(data)

    async def play() -> None:
        async with served(serve) as port, Party(at(port)) as box:
            await box.connected()
            sending = [asyncio.ensure_future(box.link.publish("a/topic", b".")) for _ in range(200)]
            await until(lambda: seen.count(b"a/topic") == 64)
            for _ in range(100):
                await asyncio.sleep(0)
            assert seen.count(b"a/topic") == 64
        await asyncio.gather(*sending, return_exceptions=True)

    asyncio.run(play())


def test_a_longer_message_than_any_may_be_is_dropped_with_a_word(caplog) -> None:
    def message(payload: bytes) -> bytes:
        length, left = bytearray(), len(payload) + 3
        while left:
            length.append(left % 128 | (128 if left > 127 else 0))
            left //= 128
        return b"\x30" + length + b"\x00\x01a" + payload

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(ACCEPTED + message(bytes(LONGEST_MESSAGE + 1)) + message(b"short"))
        await silent(reader, writer)

    async def play() -> None:
        async with served(serve) as port, Party(at(port)) as box:
            await box.has(1)
            assert box.payloads() == [b"short"]
            assert box.told == []

    asyncio.run(play())
    assert "is dropped" in caplog.text


@pytest.mark.parametrize("serve", [silent, answering(ACCEPTED)])
def test_cancelling_ends_it_whatever_the_broker_does(serve: Serve) -> None:
    async def play() -> None:
        async with served(serve) as port:
            for turns in range(30):
                link = MqttLink(
                    at(port), client_id="box-1", subscriptions=["a"], on_connected=lambda: None,
                    on_message=lambda topic, payload: None, on_lost=lambda why: None,
                )  # fmt: skip
                running = asyncio.create_task(link.run())
                for _ in range(turns):
                    await asyncio.sleep(0.0005)
                running.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await running
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())


def test_the_wait_grows_up_to_its_bound_and_differs_from_box_to_box() -> None:
    def waited(client_id: str) -> list[float]:
        delays: list[float] = []
        enough = asyncio.Event()

        async def sleep(delay_s: float) -> None:
            delays.append(delay_s)
            if len(delays) == 6:
                enough.set()
            await asyncio.sleep(0)

        async def play() -> None:
            link = MqttLink(
                at(port), client_id=client_id, subscriptions=[], on_connected=lambda: None,
                on_message=lambda topic, payload: None, on_lost=lambda why: None, delays_s=(1, 2, 4), sleep=sleep,
            )  # fmt: skip
            running = asyncio.create_task(link.run())
            await enough.wait()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

        asyncio.run(play())
        return delays[:6]

    port = closed_port()
    first = waited("box-1")
    assert [delay_s / first[0] for delay_s in first] == pytest.approx([1, 2, 4, 4, 4, 4])
    assert 1 <= first[0] <= 1 + JITTER
    assert waited("box-1") == first
    assert waited("box-2") != first


class Authority:
    """Files of an authority, of a server that it vouches for, and of a client."""

    def __init__(self, folder: Path, called: Called = HERE) -> None:
        now = datetime.now(UTC)
        pem = make_authority("event", called.names, now)
        self.server, self.trusted = folder / "server.pem", folder / "authority.crt"
        self.server.write_bytes(make_server(pem, called, now).pem)
        self.trusted.write_bytes(certificates(pem)[-1])

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server)
        return context


def test_a_certificate_is_refused_in_words_and_a_right_one_is_taken(tmp_path) -> None:
    authority = Authority(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = Authority(elsewhere, Called(("desk.local",), ()))

    async def play() -> None:
        async with served(answering(ACCEPTED), authority.context()) as port:
            async with Party(at(port, Tls(authority.trusted))) as box:
                await box.connected()
            for tls in (Tls(), Tls(other.trusted)):
                async with Party(at(port, tls)) as box:
                    await box.says_of_loss(f"the certificate of 127.0.0.1:{port} is refused: ")
                    await until(partial(lambda box: len(box.told) > 2, box))
        async with served(answering(ACCEPTED), other.context()) as port, Party(at(port, Tls(other.trusted))) as box:
            await box.says_of_loss("IP address mismatch")

    asyncio.run(play())


def test_a_broker_that_wants_another_certificate_of_the_client_says_so(tmp_path) -> None:
    authority = Authority(tmp_path)
    context = authority.context()
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(authority.trusted)

    async def play() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: None)  # the server's own complaint
        async with served(answering(ACCEPTED), context) as port, Party(at(port, Tls(authority.trusted))) as box:
            await until(lambda: len(box.told) > 2)
            # Which of both is said is luck: the answer may be lost with the connection.
            refused = f"127.0.0.1:{port} refuses this client's certificate, or wants one: "
            closed = f"127.0.0.1:{port} closed the connection before it answered: perhaps it wants a client's"
            assert all(one.startswith((refused, closed)) for one in box.told), box.told

    asyncio.run(play())


def test_who_speaks_tls_where_nobody_does_is_told(tmp_path) -> None:
    authority = Authority(tmp_path)

    async def play() -> None:
        async with served(answering(ACCEPTED * 20)) as port, Party(at(port, Tls(authority.trusted))) as box:
            await box.says_of_loss("does not speak TLS")

    asyncio.run(play())


def test_files_that_are_none_are_named(tmp_path) -> None:
    authority = Authority(tmp_path)
    missing, empty = tmp_path / "missing.crt", tmp_path / "empty.crt"
    empty.write_bytes(b"")

    async def play() -> None:
        for tls, words in (
            (Tls(missing), f"{missing} is no file of authorities that can be read: No such file"),
            (Tls(empty), f"{empty} is no file of authorities that can be read: "),
            (Tls(authority.trusted, empty, empty), f"{empty} and {empty} are no certificate with its key: "),
        ):
            async with Party(at(1, tls)) as box:
                await box.says_of_loss(words)

    asyncio.run(play())


def test_the_next_node_is_tried_and_the_link_is_called_otherwise_there() -> None:
    heard = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.extend(await reader.read(1_000))
        writer.write(ACCEPTED)
        await silent(reader, writer)

    async def play() -> None:
        async with served(serve) as port:
            broker = read_broker(f"mqtt://localhost:{closed_port()},127.0.0.1:{port}", username="box-1", password="")
            async with Party(broker) as box:
                await box.connected()
                assert len(box.told) == 1
        assert b"\x00\x07box-1:2\x00\x05box-1" in heard

    asyncio.run(play())


def test_who_is_cancelled_while_others_are_under_way_has_sent_nothing() -> None:
    seen, may_answer = bytearray(), asyncio.Event()
    length = len(b"\x32." + b"\x00\x07a/topic" + b".." + b"000")  # one with its number, and three bytes

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly((await reader.readexactly(2))[1])
        writer.write(ACCEPTED)
        answered = 0
        while True:
            packet = await reader.readexactly(length)
            seen.extend(packet)
            await asyncio.sleep(0)
            if seen.count(b"a/topic") >= 64:
                await may_answer.wait()
                for start in range(answered, len(seen), length):
                    writer.write(b"\x40\x02" + seen[start + 11 : start + 13])
                answered = len(seen)

    async def play() -> None:
        async with served(serve) as port, Party(at(port)) as box:
            await box.connected()
            sending = [asyncio.ensure_future(box.link.publish("a/topic", b"%03d" % number)) for number in range(100)]
            await until(lambda: seen.count(b"a/topic") == 64)
            sending[80].cancel()
            may_answer.set()
            ended = await asyncio.gather(*sending, return_exceptions=True)
            assert [number for number, one in enumerate(ended) if one is not None] == [80]
            assert b"a/topic" in seen
            assert not any(seen[start + 13 : start + 16] == b"080" for start in range(0, len(seen), length))

    asyncio.run(play())


def test_a_socket_that_is_closed_before_the_loop_comes_to_it_is_not_watched() -> None:
    async def closed_at_once() -> list[Any]:
        problems: list[Any] = []
        asyncio.get_running_loop().set_exception_handler(lambda _loop, found: problems.append(found))
        client = connection_to(at(1), Node("127.0.0.1", 1), "box", None)._client
        for watch in (client._on_socket_open, client._on_socket_register_write):
            one, other = socket.socketpair()
            watch(client._client, None, one)
            one.close()
            other.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return problems

    assert asyncio.run(closed_at_once()) == []

"""One connection to one node of a broker, from its first byte to its last: it ends once, and leaves nothing behind.

aiomqtt does the work. What it leaves open is done here, in `_Client`, which is why that reaches into it:

- it makes two tasks for each message that it gives and for each that it sends: a desk of a thousand boxes did little
  else. Here a message that comes is handed over as it is read, and one that is sent waits for a future of its own;
- a broker that closes before it has answered is told at once, not after a time;
- whoever is cancelled while a broker does not answer need not wait for that answer;
- a publish waits for its acknowledgement beyond the end of the connection: `call` ends it with the connection;
- a socket is watched by the loop only if it is still open when the loop comes to it: the thread that connects may have
  closed it by then, and its number may be another's;
- a socket that is not closed in good order (no answer, a full line) is closed at the end all the same.

Threads: names are looked up, and TCP and TLS connected, in a thread of the loop's executor, which nothing can stop: who
is cancelled meanwhile waits for it, `TIMEOUT_S` and once more for each further address of the host.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import aiomqtt

from companion.adapters.mqtt.faults import Unanswered, words_of
from companion.adapters.mqtt.tls import LinkContext, link_context
from companion.core.errors import Unavailable
from companion.tournament.wire import QOS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence

    from companion.adapters.mqtt.broker import Broker, Node

TIMEOUT_S = 5.0
"""A broker that answers nothing for so long, to a connection or a subscription, is none."""
TAKEN_S = 60.0
"""A message that a broker has not taken after so long is told Unavailable, whatever else it may answer."""
LOOK_S = 3.0
"""So often is looked whether the broker has to be told that the client is there."""
KEEPALIVE_S = 15
"""A broker tells a client's will when it has heard nothing for one and a half times this."""
WINDOW = 64
"""So many messages are under way at once; the next wait."""
_MOST_READS = 100
_REFUSED_FROM = 128

_SILENT = logging.getLogger("companion.mqtt.library")
_SILENT.setLevel(logging.CRITICAL)  # what it would log is said in words by `on_lost`


class _Client(aiomqtt.Client):
    """The library's client, which tells a connection that ends early, and can be cut.

    is_through: the thread has done its part, so that the socket is the loop's. on_end: called when it has ended.
    came: topics and payloads that nobody has taken yet. taken: who waits until the broker has a message.
    """

    on_end: Callable[[], None] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_through = asyncio.Event()
        self.came: deque[tuple[str, bytes]] = deque()
        self.taken: dict[int, asyncio.Future[None]] = {}
        self._news = asyncio.Event()

    async def wait(self) -> None:
        """Wait until something has come. Raises MqttError once the connection has ended and all that came is taken."""
        self._disconnected.add_done_callback(self._wake)
        try:
            while not self.came:
                if self._disconnected.done():
                    raise aiomqtt.MqttError("the connection has ended") from self._disconnected.exception()
                self._news.clear()
                await self._news.wait()
        finally:
            self._disconnected.remove_done_callback(self._wake)

    async def send(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Send by QoS 1; returns when the broker has it. Raises MqttError; is cancelled where `taken` is."""
        info = self._client.publish(topic, payload, QOS, retain)
        if info.rc != 0:
            raise aiomqtt.MqttCodeError(info.rc, "it cannot be sent")
        if info.is_published():
            return
        taken = self.taken[info.mid] = self._loop.create_future()
        try:
            async with asyncio.timeout(TAKEN_S):
                await taken
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None
        finally:
            self.taken.pop(info.mid, None)

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:  # noqa: ARG002 - as the library calls it
        self.came.append((message.topic, message.payload))
        self._news.set()

    def _on_publish(self, client: Any, userdata: Any, mid: int, reason_code: Any, properties: Any = None) -> None:  # noqa: ARG002
        taken = self.taken.get(mid)
        if taken is not None and not taken.done():
            taken.set_result(None)

    def _on_socket_open(self, client: Any, userdata: Any, sock: Any) -> None:  # noqa: ARG002 - as the library calls it
        self._watch(sock, self._loop.add_reader, self._read)
        self._loop.call_soon_threadsafe(self._begin_misc)

    def _on_socket_register_write(self, client: Any, userdata: Any, sock: Any) -> None:  # noqa: ARG002 - as above
        self._watch(sock, self._loop.add_writer, self._client.loop_write)

    def _watch(self, sock: Any, add: Callable[[int, Callable[[], None]], None], do: Callable[[], object]) -> None:
        """Have the loop do something whenever a socket is ready. May be called in the thread that connects."""

        def ready() -> None:
            try:
                do()
            except Exception as error:  # noqa: BLE001 - whatever it is, the connection has ended by it
                if not self._disconnected.done():
                    self._disconnected.set_exception(error)

        def begin() -> None:
            if sock.fileno() >= 0:
                add(sock.fileno(), ready)

        self._loop.call_soon_threadsafe(begin)

    def _read(self) -> None:
        """Read until nothing is left that TLS has decoded already: no readiness tells of that."""
        self._client.loop_read()
        while isinstance(found := self._client.socket(), ssl.SSLSocket) and found.pending() > 0:
            self._client.loop_read()

    def _begin_misc(self) -> None:
        self._misc_task = self._loop.create_task(self._misc_loop())

    async def _misc_loop(self) -> None:
        while self._client.loop_misc() == 0:
            await asyncio.sleep(LOOK_S)

    def _wake(self, _ended: asyncio.Future[Any]) -> None:
        self._news.set()

    def _client_connect(self) -> None:
        try:
            super()._client_connect()
        finally:
            self._loop.call_soon_threadsafe(self.is_through.set)

    def _on_disconnect(self, client: Any, userdata: Any, flags: Any, reason_code: Any, properties: Any = None) -> None:
        if not self._connected.done():
            self._connected.set_exception(Unanswered("closed before it answered"))
            return
        super()._on_disconnect(client, userdata, flags, reason_code, properties)
        if self.on_end is not None:
            self.on_end()

    def cut(self) -> None:
        """Close the socket if it is still open, and take note of how the connection ended."""
        open_socket = self._client.socket()
        if isinstance(open_socket, socket.socket):
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)
            for _ in range(_MOST_READS):
                if self._client.socket() is None:
                    break
                with suppress(Exception):  # half a message may be left in it
                    self._client.loop_read()
        for ended in (self._connected, self._disconnected):
            if ended.done() and not ended.cancelled():
                ended.exception()  # else the loop complains that nobody has asked


class Connection:
    """A connection, used by one task that opens and closes it, and by those that publish."""

    def __init__(self, client: _Client, node: Node, context: LinkContext | None) -> None:
        self._client, self._node, self._context = client, node, context
        self._window = asyncio.Semaphore(WINDOW)
        self._calls: set[asyncio.Task[Any]] = set()
        self._is_over = False
        client.on_end = self._end_calls

    async def open(self) -> None:
        """Connect. Raises Unavailable, in words."""
        entering = asyncio.ensure_future(self._client.__aenter__())
        try:
            await asyncio.shield(entering)
        except asyncio.CancelledError:
            await self._give_up(entering)
            raise
        except (aiomqtt.MqttError, OSError, ValueError) as error:
            self._client.cut()
            raise self._lost(error) from error

    async def _give_up(self, entering: asyncio.Future[Any]) -> None:
        """Wait for the thread that connects, whatever happens meanwhile, and close what it has opened."""
        through = asyncio.ensure_future(self._client.is_through.wait())
        while not entering.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({entering, through}, return_when=asyncio.FIRST_COMPLETED)
                if through.done():
                    self._client.cut()
                    await asyncio.wait({entering})
        through.cancel()
        if entering.exception() is None:
            await self.close()
        else:
            self._client.cut()

    async def close(self) -> None:
        """Take leave of the broker if that is possible, and close. Whoever still publishes is told Unavailable."""
        self._end_calls()
        try:
            with suppress(aiomqtt.MqttError):
                await self._client.__aexit__(None, None, None)
        finally:
            self._client.cut()

    async def subscribe(self, topics: Sequence[str]) -> None:
        """Ask for what comes to topics. Raises Unavailable: it is lost, or the broker does not allow one of them."""
        for topic in topics:
            codes = await self._call(self._client.subscribe(topic, qos=QOS))
            if any(getattr(code, "value", code) >= _REFUSED_FROM for code in codes):
                raise Unavailable(f"{self._node} does not let this user read {topic}")

    async def messages(self) -> AsyncIterator[tuple[str, bytes]]:
        """Give what comes, topic and payload, until the connection ends. Raises Unavailable, in words."""
        client = self._client
        try:
            while True:
                await client.wait()
                while client.came:
                    yield client.came.popleft()
        except (aiomqtt.MqttError, OSError) as error:
            raise self._lost(error) from error

    async def publish(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Send; returns when the broker has it. Raises Unavailable."""
        async with self._window:
            if self._is_over:
                raise self._closed()
            try:
                await self._client.send(topic, payload, retain=retain)
            except asyncio.CancelledError:
                self._see_who_cancelled()
            except (aiomqtt.MqttError, OSError) as error:
                raise self._lost(error) from error

    def _end_calls(self) -> None:
        self._is_over = True
        for call in [*self._calls, *self._client.taken.values()]:
            call.cancel()

    def _see_who_cancelled(self) -> None:
        """Raise Unavailable where the end of the connection has, and CancelledError where somebody else has."""
        task = asyncio.current_task()
        if not self._is_over or (task is not None and task.cancelling()):
            raise asyncio.CancelledError
        raise self._closed() from None

    def _closed(self) -> Unavailable:
        return Unavailable(f"the connection to {self._node} was closed")

    async def _call(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Wait for an answer of the broker, or the end of the connection. Raises Unavailable."""
        if self._is_over:
            coroutine.close()
            raise self._closed()
        call = asyncio.ensure_future(coroutine)
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            return await call
        except asyncio.CancelledError:
            self._see_who_cancelled()
        except (aiomqtt.MqttError, OSError) as error:
            raise self._lost(error) from error

    def _lost(self, error: BaseException) -> Unavailable:
        return Unavailable(words_of(error, self._node, self._context))


def connection_to(broker: Broker, node: Node, client_id: str, will: aiomqtt.Will | None) -> Connection:
    """Make a connection that is not open yet. Reads the files of TLS. Raises Unavailable."""
    context = None if broker.tls is None else link_context(broker.tls)
    client = _Client(
        node.host,
        node.port,
        username=broker.username,
        password=broker.password,
        identifier=client_id,
        protocol=aiomqtt.ProtocolVersion.V311,
        clean_session=True,
        will=will,
        timeout=TIMEOUT_S,
        keepalive=KEEPALIVE_S,
        max_inflight_messages=WINDOW,
        tls_context=context,
        logger=_SILENT,
    )
    return Connection(client, node, context)

"""Keeps a connection to an event's broker up (the port `EventLink`): connects, subscribes, and comes back after a loss.

The session is clean: nothing rests on what a broker remembers. After each connection `on_connected` is called, once all
topics are subscribed to, and both sides say anew how they stand. Whatever was being published when a connection ended
is told Unavailable, and may have arrived.

Waiting: after a loss first the shortest delay, then each next one of `delays_s`, the last for ever; a connection that
was made begins anew. Each delay is longer by a part that follows from the client's name, so that a hundred boxes that
lost a broker together do not all come back in one instant; and nothing is drawn by chance. The nodes of a cluster are
tried in turn, at each but the first by another name (`box-7:2`): a node that died keeps what a client had asked for
under its name, and RabbitMQ then refuses the name at every other.

All of it is in the event loop of one thread; the callbacks are called there, and should not wait.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from itertools import count
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import aiomqtt

from companion.adapters.mqtt.connection import Connection, connection_to
from companion.core.errors import Malformed, Unavailable
from companion.tournament.wire import LONGEST_MESSAGE, QOS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from companion.adapters.mqtt.broker import Broker

LOG = logging.getLogger("companion")

DELAYS_S = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
"""So long is waited after each loss, in seconds, before the jitter."""
JITTER = 0.25
"""At most so much of a delay is added to it."""


class Will(NamedTuple):
    """What the broker says, retained, for a client that it has lost."""

    topic: str
    payload: bytes


class MqttLink:
    """The connection to a broker, by the port `EventLink`.

    on_connected: all topics are subscribed to. on_message: of one of these, topic and payload. on_lost: why there is no
    connection, in words; after each attempt. delays_s, sleep: what is waited between attempts, and how.
    """

    def __init__(
        self,
        broker: Broker,
        *,
        client_id: str,
        subscriptions: Sequence[str],
        on_connected: Callable[[], None],
        on_message: Callable[[str, bytes], None],
        on_lost: Callable[[str], None],
        will: Will | None = None,
        delays_s: Sequence[float] = DELAYS_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._broker, self._client_id, self._subscriptions = broker, client_id, tuple(subscriptions)
        self._on_connected, self._on_message, self._on_lost = on_connected, on_message, on_lost
        self._will = None if will is None else aiomqtt.Will(will.topic, will.payload, QOS, retain=True)
        self._delays_s, self._sleep = tuple(delays_s), sleep
        self._connection: Connection | None = None
        self._losses = 0

    async def run(self) -> None:
        """Connect, subscribe, hand on what comes, and connect again after a loss, until cancelled."""
        for attempt in count():
            which = attempt % len(self._broker.nodes)
            client_id = self._client_id if which == 0 else f"{self._client_id}:{which + 1}"
            try:
                connection = connection_to(self._broker, self._broker.nodes[which], client_id, self._will)
                await self._follow(connection)
            except Unavailable as error:
                self._on_lost(str(error))
            await self._sleep(self._delay_s())

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send by QoS 1; returns when the broker has it. At most `WINDOW` are under way, the next wait, in their order.

        Raises Unavailable where there is no connection, or it ends before that: it may have arrived all the same.
        Malformed: the payload is longer than any message may be.
        """
        if len(payload) > LONGEST_MESSAGE:
            raise Malformed(f"{topic}: {len(payload)} bytes are more than a message has, at most {LONGEST_MESSAGE}")
        connection = self._connection
        if connection is None:
            raise Unavailable(f"there is no connection to {self._broker}")
        await connection.publish(topic, payload, retain=retain)

    async def _follow(self, connection: Connection) -> None:
        """Open a connection and hand on what comes by it, until it is lost. Raises Unavailable."""
        await connection.open()
        try:
            await connection.subscribe(self._subscriptions)
            self._connection, self._losses = connection, 0
            self._on_connected()
            async with aclosing(connection.messages()) as messages:  # type: ignore[type-var]
                async for topic, payload in messages:
                    self._hand_on(topic, payload)
        finally:
            self._connection = None
            await connection.close()

    def _hand_on(self, topic: str, payload: bytes) -> None:
        if len(payload) > LONGEST_MESSAGE:
            LOG.warning("%s: a message of %d bytes is dropped: at most %d", topic, len(payload), LONGEST_MESSAGE)
            return
        self._on_message(topic, payload)

    def _delay_s(self) -> float:
        """Give how long to wait now: longer after each loss without a connection between."""
        delay_s = self._delays_s[min(self._losses, len(self._delays_s) - 1)]
        self._losses += 1
        return delay_s * (1 + JITTER * (crc32(self._client_id.encode()) % 1000) / 1000)

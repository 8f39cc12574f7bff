"""Lets clients in to the broker within the process, or refuses them, before the broker itself knows of them.

amqtt forgets a client's session when another connects by its name, whether or not that one then proves who it is; it
sends any will, and keeps a session that is not clean for as long as it runs. So the first packet is read here: only
who has the password, is called as its user (`box-7`, or `box-7:…`), begins a clean session and leaves a will that it
might send itself is handed on. The client that it replaces is cut first, and its will has been sent by then.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import TYPE_CHECKING, Any

from amqtt.errors import AMQTTError, MQTTError, NoDataError
from amqtt.mqtt.connect import ConnectPacket
from amqtt.mqtt.packet import CONNECT, MQTTFixedHeader

from companion.app.tournament.broker.access import may_send
from companion.app.tournament.broker.streams import Inbound, Outbound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

LOG = logging.getLogger("companion")

MOST_CONNECTIONS = 4_000
_BAD_PROTOCOL, _BAD_NAME, _BUSY, _REFUSED = 1, 2, 3, 5
"""Codes of a refusal (MQTT 3.1.1, 3.2.2.3)."""
_LEVEL = 4
PATIENCE = 1.5
"""A client is gone after so many of its own keep-alive times (MQTT 3.1.1, 3.1.2.10)."""


class Gate:
    """The connections of a broker. hand_on: has the broker serve one that is let in, until it ends."""

    def __init__(
        self, event: str, logins: Mapping[str, str], hand_on: Callable[[Inbound, Outbound], Awaitable[None]]
    ) -> None:
        self._event, self._hand_on = event, hand_on
        self._logins = {user: password.encode() for user, password in logins.items()}
        self._tasks: dict[asyncio.Task[Any], Inbound] = {}
        self._present: dict[str, asyncio.Task[Any]] = {}
        self._admitted: dict[tuple[str, int], Inbound] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, from its first packet to its end."""
        task = asyncio.current_task()
        inbound, outbound = Inbound(reader, writer), Outbound(writer)
        peer = outbound.get_peer_info()
        try:
            if task is not None and peer is not None:
                self._tasks[task] = inbound
                await self._serve(task, peer, inbound, outbound)
        except (AMQTTError, MQTTError, NoDataError, OSError, ValueError, asyncio.IncompleteReadError) as error:
            LOG.info("the event's broker let go of a client: %s", error)
        finally:
            if task is not None:
                self._tasks.pop(task, None)
            writer.transport.abort()

    async def close(self) -> None:
        """Cut everybody, and wait until they are gone."""
        while self._tasks:
            for inbound in self._tasks.values():
                inbound.cut()
            await asyncio.wait(list(self._tasks))

    def admitted(self, peer: tuple[str, int]) -> Inbound | None:
        """Give what a client sends that was let in, by its address and port; None: no such client was."""
        return self._admitted.get(peer)

    async def _serve(
        self, task: asyncio.Task[Any], peer: tuple[str, int], inbound: Inbound, outbound: Outbound
    ) -> None:
        header = await MQTTFixedHeader.from_stream(inbound)
        if header is None or header.packet_type != CONNECT or header.flags != 0:
            return
        connect = await ConnectPacket.from_stream(inbound, fixed_header=header)
        refused = self._refusal(connect)
        if refused is not None:
            LOG.warning("the event's broker refuses %s: code %d", peer[0], refused)
            outbound.write(bytes((0x20, 2, 0, refused)))
            await outbound.close()
            return
        client = connect.client_id
        while (other := self._present.get(client)) is not None:
            self._tasks[other].cut()
            await asyncio.wait({other})
        self._present[client], self._admitted[peer] = task, inbound
        try:
            inbound.silence_s = connect.keep_alive * PATIENCE or None
            inbound.rewind()
            await self._hand_on(inbound, outbound)
        finally:
            del self._present[client], self._admitted[peer]

    def _refusal(self, connect: ConnectPacket) -> int | None:
        """Give the code by which a client is refused, None: it is let in."""
        if connect.proto_name != "MQTT" or connect.proto_level != _LEVEL:
            return _BAD_PROTOCOL
        user, password = connect.username or "", connect.password or ""
        known = self._logins.get(user)
        if known is None or not hmac.compare_digest(known, password.encode()):
            return _REFUSED
        if connect.client_id.partition(":")[0] != user or not connect.clean_session_flag:
            return _BAD_NAME
        if connect.will_flag and not may_send(user, self._event, connect.will_topic or ""):
            return _REFUSED
        return _BUSY if len(self._tasks) > MOST_CONNECTIONS else None

"""A broker within the desk's own process, for an event without any other: amqtt behind a gate of our own.

It listens by itself and hands connections on to amqtt once `gate` has let them in; what each may send and read is said
by `access`. Retained messages are in memory, and gone with it.

Threads: all of it is in the event loop that it was entered in.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from amqtt.broker import Broker
from amqtt.contexts import Action, BrokerConfig, ListenerConfig, ListenerType
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin

from companion.adapters.web.encryption.checking import server_context
from companion.app.tournament.broker.access import may_read, may_send, names_of
from companion.app.tournament.broker.gate import Gate
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from amqtt.session import Session

_LISTENER = "default"
_BACKLOG = 1_000
"""So many boxes may come back in one instant, after the desk was started again."""


class Access(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc]
    """Tells amqtt whom the gate has let in, and who may send and read what."""

    @dataclass
    class Config:
        """What the broker hands over."""

        gate: Any
        event: str

    async def authenticate(self, *, session: Session) -> bool:
        """Tell whether the gate has let this client in; bounds what of it waits."""
        inbound = self.config.gate.admitted((session.remote_address, session.remote_port))
        if inbound is None:
            return False
        session.delivered_message_queue = inbound.waiting
        session.keep_alive = 0  # the stream sees to that: amqtt would only take note
        return True

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool:
        """Tell whether a client may do this with a topic."""
        if session is None or session.username is None or topic is None:
            return False
        may = may_send if action == Action.PUBLISH else may_read
        return may(session.username, self.config.event, topic)


class Subscriptions(dict[str, list[Any]]):
    """Who reads what. amqtt walks through it while it waits, and clients come and go meanwhile: it walks on a copy.

    Else it would drop the message that it has just then, without a word.
    """

    def items(self) -> Any:
        """Give all as they are now."""
        return [(wanted, tuple(those)) for wanted, those in super().items()]

    def __iter__(self) -> Any:
        return iter(tuple(self.keys()))


class OwnRetained(Broker):  # type: ignore[misc]
    """The broker, but for one thing: it would give whoever connects what is retained for everybody's subscriptions."""

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        those = self._subscriptions.get(subscription[0], ())
        if any(reader is session for reader, _ in those):
            await super()._publish_retained_messages_for_subscription(subscription, session)


class EmbeddedBroker:
    """The broker, as an asynchronous context. port: 0 for any that is free; then `port` says which.

    logins: passwords by user name. server: key and certificate (PEM), None: nothing is encrypted.
    """

    def __init__(self, event: str, host: str, port: int, logins: Mapping[str, str], server: Path | None = None) -> None:
        names_of(event, ())
        self._event, self._host, self._server_file = event, host, server
        self.port = port
        self._logins = dict(logins)
        self._gate: Gate | None = None
        self._broker: Any = None
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Listen. Raises Unavailable (the port is taken), Malformed (the certificate)."""
        logging.getLogger("amqtt").setLevel(logging.ERROR)
        logging.getLogger("transitions").setLevel(logging.ERROR)
        tls = None if self._server_file is None else server_context(self._server_file)
        gate = self._gate = Gate(self._event, self._logins, self._hand_on)
        self._broker = OwnRetained(self._config(gate))
        self._broker._subscriptions = Subscriptions()
        await self._broker.start()
        try:
            self._server = await asyncio.start_server(
                gate.serve, self._host or None, self.port, ssl=tls, backlog=_BACKLOG
            )
        except OSError as error:
            await self._broker.shutdown()
            raise Unavailable(f"no broker can listen at {self._host}:{self.port}: {error.strerror or error}") from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cut everybody and close."""
        if self._server is not None and self._gate is not None:
            self._server.close()
            await self._gate.close()
            await self._server.wait_closed()
        await self._broker.shutdown()

    def _config(self, gate: Gate) -> BrokerConfig:
        plugin = f"{Access.__module__}.{Access.__qualname__}"
        return BrokerConfig(
            listeners={_LISTENER: ListenerConfig(type=ListenerType.EXTERNAL)},
            plugins={plugin: {"gate": gate, "event": self._event}},
        )

    async def _hand_on(self, inbound: Any, outbound: Any) -> None:
        await self._broker.external_connected(inbound, outbound, _LISTENER)

"""uvicorn's protocols with limits: each tells its guest how far it has come and what it holds, and ends too much.

Before each piece of work the web's thread gives way (`give_way`) to whatever has precedence over pages.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from companion.adapters.web.limits.allowance import Allowance
from companion.adapters.web.limits.bounds import MOST_FRAGMENTS, MOST_OF_A_REQUEST, MOST_PINGS, MOST_READ, MOST_UNSENT
from companion.adapters.web.limits.guests import Phase

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from wsproto.events import BytesMessage, Ping, TextMessage

    from companion.adapters.web.limits.admission import Admission
    from companion.adapters.web.limits.guests import Guest

GUEST = "guest"
"""The key in a WebSocket's `state` under which the application finds its guest."""


class Http(H11Protocol):
    """HTTP of one guest, and the way to its WebSocket."""

    def __init__(self, admission: Admission, guest: Guest, give_way: Callable[[], None], **options: Any) -> None:
        super().__init__(**options)
        self._admission, self._guest, self._taken = admission, guest, 0
        self.ws_protocol_class = partial(Socket, admission, guest, give_way)  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, in small pieces."""
        transport.max_size = MOST_READ  # type: ignore[attr-defined]
        transport.set_write_buffer_limits(high=MOST_UNSENT)
        self._guest.end, self._guest.unsent = transport.abort, transport.get_write_buffer_size
        super().connection_made(transport)
        if self._guest not in self._admission.guests:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take bytes, and see how far the request has come."""
        self._taken += len(data)
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._look()

    def _look(self) -> None:
        if self.conn.their_state is h11.IDLE:
            # what is left of a request that was answered has been taken as a whole: bytes that wait are of the next
            is_begun = bool(self.conn.trailing_data[0])
            phase = Phase.HEAD if is_begun else self._guest.phase
        else:
            phase = Phase.BODY if self.conn.their_state is h11.SEND_BODY else Phase.SERVED
        self._guest.enter(phase, self._admission.clock())
        self._admission.hold(self._guest, self._taken)
        if self._taken > MOST_OF_A_REQUEST:
            self._admission.close(self._guest, "its request did not end")

    def on_response_complete(self) -> None:
        """Be ready for the next request."""
        self._taken = 0
        self._admission.hold(self._guest, 0)
        self._guest.enter(Phase.IDLE, self._admission.clock())
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._admission.leave(self._guest)
        super().connection_lost(exc)
        _unknot(self.transport, self._guest)


class Socket(WSProtocol):
    """The WebSocket of one guest."""

    def __init__(self, admission: Admission, guest: Guest, give_way: Callable[[], None], **options: Any) -> None:
        super().__init__(**options)
        self._admission, self._guest, self._give_way = admission, guest, give_way
        self._pings = Allowance(MOST_PINGS, 1.0, admission.clock())
        self._fragments = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection over."""
        self._guest.enter(Phase.TALKING, self._admission.clock())
        self._admission.hold(self._guest, 0)
        super().connection_made(transport)

    async def run_asgi(self) -> None:
        """Serve, and let the application know its guest."""
        self.scope["state"][GUEST] = self._guest
        await super().run_asgi()

    def handle_message(self, event: TextMessage | BytesMessage) -> None:
        """Take a message or a part of one."""
        self._give_way()
        if self.close_sent:
            return
        super().handle_message(event)
        self._fragments = 0 if event.message_finished else self._fragments + event.frame_finished
        if self._fragments > MOST_FRAGMENTS:
            self._admission.close(self._guest, "a message came in too many frames")
            return
        is_begun = self.buffer.value is not None and not self.close_sent
        self._guest.enter(Phase.MESSAGE if is_begun else Phase.TALKING, self._admission.clock())
        self._admission.hold(self._guest, self.buffer.length if is_begun else 0)

    def handle_ping(self, event: Ping) -> None:
        """Answer a ping, but not many."""
        self._give_way()
        if self._pings.take(self._admission.clock()):
            super().handle_ping(event)
        else:
            self._admission.close(self._guest, "too many pings")

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._admission.leave(self._guest)
        super().connection_lost(exc)
        _unknot(self.transport, self._guest)


def _unknot(transport: asyncio.Transport, guest: Guest) -> None:
    """Have what a lost connection leaves behind freed at once, rather than by a collection that everybody waits for.

    asyncio's transports refer to themselves by this attribute.
    """
    guest.forget()
    vars(transport).pop("_read_ready_cb", None)

"""The WebSocket `/ws` of a desk's page: what changes, as it changes. A page only asks whether the desk is there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from companion.adapters.web.limits.allowance import Allowance
from companion.adapters.web.spoken.choosing import language_of
from companion.adapters.web.tournament.hub import Looker
from companion.adapters.web.tournament.messages import LARGEST_MESSAGE, Ping, Pong
from companion.adapters.web.wire.worded import Worded

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket

    from companion.adapters.web.tournament.hub import Hub
    from companion.ports import Languages

MOST_AT_ONCE, A_SECOND = 20, 5.0
"""Messages that a page may send; one that sends more is hung up on."""
SEND_S = 10.0
"""A connection that takes nothing for so long is given up."""
POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013
_decode = msgspec.json.Decoder(Ping).decode


async def serve_live(socket: WebSocket, hub: Hub, languages: Languages, clock: Callable[[], int]) -> None:
    """Talk until the other side goes, or is given up. clock: monotonic nanoseconds."""
    looker = Looker(language_of(socket, languages), shows_tables=socket.query_params.get("tables") == "1")
    await socket.accept()
    await hub.join(looker)
    tasks = [asyncio.create_task(_send(socket, looker)), asyncio.create_task(_receive(socket, looker, clock))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub.leave(looker)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send(socket: WebSocket, looker: Looker) -> None:
    while True:
        await looker.wait()
        try:
            async with asyncio.timeout(SEND_S):
                while (message := looker.take()) is not None:
                    await socket.send({"type": "websocket.send", "text": message.decode()})
                if looker.is_too_slow:
                    await socket.close(TRY_AGAIN_LATER, "too slow: too much was waiting")
                    return
        except TimeoutError:
            return


async def _receive(socket: WebSocket, looker: Looker, clock: Callable[[], int]) -> None:
    allowance = Allowance(MOST_AT_ONCE, A_SECOND, clock())
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        raw = (message.get("text") or "").encode() or message.get("bytes") or b""
        if not allowance.take(clock()) or not _is_ping(raw):
            await socket.close(POLICY_VIOLATION, "a page sends nothing but pings, and few")
            return
        looker.put(Worded(Pong()))


def _is_ping(raw: bytes) -> bool:
    try:
        return len(raw) <= LARGEST_MESSAGE and isinstance(_decode(raw), Ping)
    except (ValueError, RecursionError):
        return False

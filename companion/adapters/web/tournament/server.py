"""The web server of a tournament's desk: the application put together, and served in the desk's own event loop.

It is reached through the box's gate and within the box's limits. One loop with the desk: what is shown is looked up
between two of its steps, and no lock is needed.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute

from companion.adapters.web.access.address import Address
from companion.adapters.web.access.answers import answer
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.access.gate import Gate
from companion.adapters.web.access.hosts import Hosts
from companion.adapters.web.access.routes import handlers_of, routes_of
from companion.adapters.web.encryption.serving import keep_small, keep_valid
from companion.adapters.web.encryption.trust import STYLE, Divided, Trust
from companion.adapters.web.limits.bounds import Bounds
from companion.adapters.web.limits.keeping import Keeping
from companion.adapters.web.limits.serving import LimitedServer, config_of
from companion.adapters.web.openapi import describe
from companion.adapters.web.pages import Pages
from companion.adapters.web.sending import file_of, packed, send_file
from companion.adapters.web.spoken.choosing import answering, language_of, remembering
from companion.adapters.web.spoken.script import SCRIPT, UNDER, words_at
from companion.adapters.web.tournament.api import Parts, needed
from companion.adapters.web.tournament.entry import DeskPins, Entry
from companion.adapters.web.tournament.hub import Hub
from companion.adapters.web.tournament.live import serve_live
from companion.adapters.web.tournament.messages import LARGEST_BODY
from companion.adapters.web.tournament.pages import PAGES
from companion.adapters.web.tournament.ways import WAYS
from companion.threads.aside import aside

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.adapters.web.tournament.ways import Way
    from companion.ports import DeskActs, DeskPrints, DeskViews, Languages

__all__ = ["DeskPins", "DeskServer", "Where", "application"]

PLAYER = "/player/{player:int}"
"""The page of one player; what stands for it in the table of pages has no number."""
CONNECTIONS, PER_ADDRESS = 3000, 100
"""A hall full of phones; many of them may come through one address."""


class Where(NamedTuple):
    """Where a desk's pages are served. port: 0 takes a free one. is_lan: others may reach it. names: the machine's.

    encryption: None for plain pages. help_port: plain, tells phones how to trust encrypted ones; 0 takes a free one.
    """

    host: str = "127.0.0.1"
    port: int = 0
    is_lan: bool = False
    names: tuple[str, ...] = ()
    encryption: Encryption | None = None
    help_port: int = 0


class DeskServer:
    """The pages of one desk. Call `open`, then `serve` in its event loop. clock: monotonic nanoseconds.

    Raises Malformed for a PIN that is none.
    """

    def __init__(
        self,
        *,
        where: Where,
        pins: DeskPins,
        views: DeskViews,
        acts: DeskActs,
        prints: DeskPrints | None,
        languages: Languages,
        version: str,
        clock: Callable[[], int],
    ) -> None:
        self.encryption = where.encryption
        help_port = None if where.encryption is None else where.help_port
        self._address = Address(where.host, where.port, where.names, is_lan=where.is_lan, help_port=help_port)
        self._clock = clock
        self._keeping = Keeping(Bounds(connections=CONNECTIONS, per_address=PER_ADDRESS), clock)
        self.parts = Parts(
            views=views, acts=acts, prints=prints, hub=Hub(views, secrets.token_hex(4)), entry=Entry(pins, clock),
            pages=Pages(pages=PAGES, languages=languages.all), languages=languages, version=version,
        )  # fmt: skip

    def open(self) -> None:
        """Take the address. Raises Unavailable (port in use; encrypted pages without a certificate)."""
        if self.encryption is not None:
            self.encryption.open()
        self._address.listen()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._address.port

    def urls(self) -> tuple[str, ...]:
        """Give the addresses it is reached by, the best first."""
        return self._address.urls()

    def near_url(self) -> str:
        """Give the address for a browser on this machine."""
        return self._address.near_url()

    def trust_url(self) -> str:
        """Give where a phone learns how to trust encrypted pages; empty where they are plain."""
        return "" if self.encryption is None else self._address.trust_url()

    async def serve(self) -> None:
        """Serve until cancelled."""
        parts, encryption = self.parts, self.encryption
        trust = (
            None
            if encryption is None
            else Trust(encryption, lambda: parts.pages.find(STYLE), self.port, parts.languages)
        )
        server = LimitedServer(config_of(application(parts, self._clock, self._address.names, trust)), self._keeping)
        sockets = self._address.sockets() or []
        following = [asyncio.create_task(parts.hub.run())]
        if encryption is not None:
            keep_small()
            server.encrypted = (sockets.pop(0), lambda: encryption.context)
            following.append(asyncio.create_task(keep_valid(encryption, lambda: True, None)))
        serving = asyncio.create_task(server.serve(sockets=sockets))
        try:
            done, _ = await asyncio.wait((serving, *following), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in following:
                task.cancel()
            server.should_exit = True
            await asyncio.gather(serving, *following, return_exceptions=True)
            self._keeping.finish()
            self._address.close()


def application(
    parts: Parts, clock: Callable[[], int], names: tuple[str, ...] = (), trust: Trust | None = None
) -> Gate:
    """Give the whole application. names: by which it may be called beside the machine's own. trust: if it is encrypted;
    what is asked in the plain then gets no further than to how it is trusted."""
    description = describe(
        [way.endpoint() for way in WAYS], parts.version, title="Table companion: a tournament's desk",
        says="Everything that a tournament's desk shows, and everything that its people can do.",
    )  # fmt: skip

    async def get_description(request: Request) -> Response:
        return await packed(request, answer(description), aside)

    async def get_page(request: Request) -> Response:
        return _page(parts, request, request.url.path)

    async def get_player(request: Request) -> Response:
        return _page(parts, request, "/player")

    async def live(websocket: WebSocket) -> None:
        await serve_live(websocket, parts.hub, parts.languages, clock)

    routes = [
        *routes_of(WAYS, partial(_serve, parts), parts.languages),
        Route("/api/openapi.json", get_description, methods=["GET"]),
        WebSocketRoute("/ws", live),
        *(trust.routes(is_plain=False) if trust is not None else []),
        Route(PLAYER, get_player, methods=["GET"]),
        Route("/{path:path}", get_page, methods=["GET"]),
    ]
    handlers = handlers_of("desk")
    app: Any = Starlette(routes=routes, exception_handlers=handlers)
    if trust is not None:
        app = Divided(app, Starlette(routes=trust.routes(is_plain=True), exception_handlers=handlers))
    return Gate(app, Hosts((socket.gethostname(), *names)), LARGEST_BODY)


def _page(parts: Parts, request: Request, path: str) -> Response:
    language = language_of(request, parts.languages)
    answering.set(language)
    if path.startswith(UNDER):
        words = words_at(path, parts.languages)
        file = None if words is None else file_of(words, SCRIPT)
    else:
        file = parts.pages.find(path, language)
    if file is None:
        raise ApiError(404, "not_found", f"there is nothing at {path}")
    return remembering(request, send_file(request, file), language)


async def _serve(parts: Parts, way: Way, request: Request) -> Response:
    if way.needs is not None and not parts.entry.may(way.needs, request.cookies):
        raise needed(way.needs)
    return await packed(request, await way.handler(parts, request), aside)

"""The web server: the application put together, and run by uvicorn in a thread and an event loop of its own.

Why a thread: the box's loop takes presses, decides and hands pictures on; with two hundred spectators one change of
state is two hundred sends, and in the same loop a press would be read only after all of them. In a thread of its own
the box waits for the interpreter's lock at most, which the sends give up one by one. The figures of both are measured
by the benchmark.

Threads: "web" runs everything here but `publish`, `start` and `stop`, and "web reading" reads stored matches and judges
them. What crosses: snapshots (frozen values; only the newest is kept) by `publish`; commands by the referee's port;
edges by `PanelSource`, under its lock.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.access.gate import Gate
from companion.adapters.web.access.guard import Guard, Hosts, PinFile
from companion.adapters.web.api import Desk, answer, refuse, token_of
from companion.adapters.web.endpoints import ENDPOINTS
from companion.adapters.web.openapi import describe
from companion.adapters.web.pages import Pages
from companion.adapters.web.phones.panel_source import FAR_DELAY_NS, Panels, PanelSource
from companion.adapters.web.socket import Live
from companion.adapters.web.wire.hub import Hub
from companion.core.errors import Unavailable
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from companion.adapters.web.endpoints import Endpoint
    from companion.core.play.snapshot import Snapshot
    from companion.ports import Archive, Demo, Referee, WebViews

LOG = logging.getLogger("companion")

LARGEST_FRAME = 1 << 20
"""Bytes of a WebSocket message beyond which the connection itself is closed; far above what is read."""
START_S = 10.0
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"]
"""All that an address answers itself, those it does not know by a 405."""


class WebServer:
    """Pages, API and WebSocket of one box.

    host, port: where it listens; port 0 takes a free one (`port` then tells which). is_lan: others may reach it.
    pin_directory: where the PIN is kept; None draws one that is kept nowhere. names: the machine's own.
    """

    def __init__(
        self,
        *,
        host: str,
        port: int,
        views: WebViews,
        referee: Referee,
        archive: Archive,
        panel_source: PanelSource,
        simulated: bool,
        version: str,
        pin_directory: Path | None = None,
        pin: str = "",
        is_lan: bool = False,
        names: tuple[str, ...] = (),
        demo: Demo | None = None,
        far_delay_ns: int = FAR_DELAY_NS,
        clock: Callable[[], int] = time.monotonic_ns,
        pages: Pages | None = None,
    ) -> None:
        self.host, self.port, self.is_lan = host, port, is_lan
        self.pin = pin
        self._views, self._referee, self._archive = views, referee, archive
        self._source, self._simulated, self._version = panel_source, simulated, version
        self._pin_directory, self._names, self._demo = pin_directory, names, demo
        self._far_delay_ns, self._clock, self._pages = far_delay_ns, clock, pages or Pages()
        self._socket: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._is_up = threading.Event()
        self._lock = threading.Lock()
        self._newest: tuple[Snapshot, int | None] | None = None  # under the lock: not taken up yet
        self._tones: list[str] = []  # under the lock
        self.desk: Desk | None = None

    # -- life --------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take the address and the PIN. Raises Unavailable (the port is in use, no such address), Malformed."""
        pin_file = None if self._pin_directory is None else PinFile(self._pin_directory)
        if not self.pin:
            self.pin = pin_file.load() if pin_file is not None else f"{secrets.randbelow(10**6):06}"
        guard = Guard(self.pin, self._clock)
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((self.host, self.port))
            listening.listen(256)
        except (OSError, OverflowError) as error:
            listening.close()
            text = getattr(error, "strerror", None) or error
            raise Unavailable(
                f"the web server cannot listen on {self.host} port {self.port}: {text}; choose another with --port, or "
                "leave it out with --no-web"
            ) from error
        self._socket, self.port = listening, listening.getsockname()[1]
        panels = Panels(self._source, self._clock, simulated=self._simulated, far_delay_ns=self._far_delay_ns)
        hub = Hub(
            self._views, secrets.token_hex(4), simulated=self._simulated, extras=lambda: {"phones": phones(panels)}
        )
        panels.on_change = hub.refresh
        self.desk = Desk(
            hub=hub, panels=panels, guard=guard, pin_file=pin_file, referee=self._referee, views=self._views,
            archive=self._archive, demo=self._demo, pages=self._pages, version=self._version, urls=self.urls(),
            is_lan=self.is_lan,
        )  # fmt: skip

    def urls(self) -> tuple[str, ...]:
        """Give the addresses it is reached by, the best first."""
        if not self.is_lan:
            return (f"http://{_bracketed(self.host)}:{self.port}/",)
        named = [f"{name}.local" for name in self._names if "." not in name]
        found = [address for address in (lan_address(), *named) if address]
        return tuple(f"http://{_bracketed(name)}:{self.port}/" for name in found or ["127.0.0.1"])

    def start(self) -> None:
        """Serve, in a thread of its own. Raises Unavailable where that does not begin."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self.serve()), name="web", daemon=True)
        self._thread.start()
        if not self._is_up.wait(START_S):
            raise Unavailable("the web server does not start")

    async def serve(self) -> None:
        """Serve in the running event loop, until `stop`. For measuring; `start` is the usual way."""
        config = uvicorn.Config(
            application(self._open_desk(), self._clock), http="h11", ws="wsproto", loop="none", lifespan="off",
            log_config=None, log_level="warning", access_log=False, server_header=False, ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False, limit_concurrency=1000, timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = _Server(config)
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._is_up.set)
        self._loop.call_soon(self._take_up)
        try:
            await self._server.serve(sockets=[self._socket] if self._socket is not None else None)
        finally:
            self._loop = None
            self._is_up.clear()
            if self._socket is not None:
                self._socket.close()
            self._open_desk().reading.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """End; may be called from any thread but its own, and again."""
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(START_S)
            self._thread = None
        elif self._server is None and self._socket is not None:
            self._socket.close()  # it was opened and never served

    def publish(self, snapshot: Snapshot, match_id: int | None, tones: tuple[str, ...] = ()) -> None:
        """Tell everybody what there is now; from any thread, returns at once. One not taken up yet is replaced."""
        with self._lock:
            is_waiting = self._newest is not None
            self._newest = (snapshot, match_id)
            self._tones += tones
        loop = self._loop
        if not is_waiting and loop is not None:
            try:
                loop.call_soon_threadsafe(self._take_up)
            except RuntimeError:  # it has just ended
                return

    # -- inside ------------------------------------------------------------------------------------------------------

    def _open_desk(self) -> Desk:
        if self.desk is None:
            raise Unavailable("the web server is not open: call open() first")
        return self.desk

    def _take_up(self) -> None:
        with self._lock:
            newest, self._newest = self._newest, None
            tones, self._tones = tuple(self._tones), []
        if newest is not None:
            self._open_desk().hub.publish(*newest, tones)


class _Server(uvicorn.Server):
    """uvicorn without its handling of signals: the box has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them."""
        yield


def application(desk: Desk, clock: Callable[[], int] = time.monotonic_ns) -> Gate:
    """Give the whole application."""
    description = describe(ENDPOINTS, desk.version)

    async def get_description(request: Request) -> Response:  # noqa: ARG001
        return answer(description)

    async def get_page(request: Request) -> Response:
        file = desk.pages.find(request.url.path)
        if file is None:
            raise ApiError(404, "not_found", f"there is nothing at {request.url.path}")
        headers = {"cache-control": "no-cache", "etag": file.etag}
        if request.headers.get("if-none-match") == file.etag:
            return Response(b"", 304, headers)
        return Response(file.content, 200, headers, file.media_type)

    async def live(websocket: WebSocket) -> None:
        await Live(desk, websocket, clock).serve()

    routes = [
        *_api_routes(desk),
        Route("/api/openapi.json", get_description, methods=["GET"]),
        WebSocketRoute("/ws", live),
        Route("/{path:path}", get_page, methods=["GET"]),
    ]
    handlers: Any = {ApiError: _on_api_error, HTTPException: _on_http_error, Exception: _on_bug}
    app = Starlette(routes=routes, exception_handlers=handlers)
    names = (socket.gethostname(), *(url.split("/")[2].rsplit(":", 1)[0] for url in desk.urls))
    return Gate(app, Hosts(names))


def _api_routes(desk: Desk) -> list[Route]:
    """One route for each path, whatever its methods, so that a wrong method is told from a wrong address."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ENDPOINTS:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, _handler(desk, methods), methods=METHODS) for path, methods in by_path.items()]


def _handler(desk: Desk, methods: dict[str, Endpoint]) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def handle(request: Request) -> Response:
        endpoint = methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            allowed = ", ".join(methods)
            raise ApiError(405, "wrong_method", f"not by {request.method}, but by {allowed}", {"allow": allowed})
        if endpoint.needs_pin and not desk.guard.is_referee(token_of(request)):
            raise ApiError(401, "pin_needed", "this needs the referee's PIN: open a session first")
        return await endpoint.handler(desk, request)

    return handle


async def _on_api_error(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return refuse(error if isinstance(error, ApiError) else ApiError(500, "bug", "this is a bug"))


async def _on_http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    headers = dict(getattr(error, "headers", None) or {})
    if status == 405:
        return refuse(ApiError(405, "wrong_method", f"not by {request.method}: see Allow", headers))
    return refuse(ApiError(status, "not_found" if status == 404 else "malformed", str(error), headers))


async def _on_bug(request: Request, error: Exception) -> Response:
    LOG.error("web: %s %s: %s: %s", request.method, request.url.path, type(error).__name__, error)
    return refuse(ApiError(500, "bug", "this is a bug: the box's log says more"))


def phones(panels: Panels) -> list[dict[str, Any]]:
    """Give the phones that ask for a seat or have one, for the state document."""
    out = []
    for panel in panels.listed():
        error_ns = panels.error_ns(panel)
        out.append(
            {
                "code": panel.code,
                "asks": panel.asks,
                "seat": panel.seat,
                "connected": not panel.is_gone,
                "error_ms": None if error_ns is None else round(error_ns / MS, 1),
                "delay_ms": panels.delay_ns(panel) // MS,
            }
        )
    return out


def lan_address() -> str | None:
    """Give the address by which this machine is in its network, None where it is in none. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the way to it is looked up
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host

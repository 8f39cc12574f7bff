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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from companion.adapters.web.access.address import Address
from companion.adapters.web.access.answers import answer
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.access.gate import Gate
from companion.adapters.web.access.guard import Guard
from companion.adapters.web.access.hosts import Hosts
from companion.adapters.web.access.pin_file import PIN_NOT_KEPT, DrawnPin, PinFile, draw_pin
from companion.adapters.web.access.routes import handlers_of, routes_of
from companion.adapters.web.access.screen_code import ScreenCodes
from companion.adapters.web.api import Desk, in_thread, token_of
from companion.adapters.web.encryption.serving import is_calm, keep_small, keep_valid
from companion.adapters.web.encryption.trust import STYLE, Divided, Trust
from companion.adapters.web.endpoints import ENDPOINTS
from companion.adapters.web.limits.bounds import Bounds
from companion.adapters.web.limits.keeping import Keeping, Soon
from companion.adapters.web.limits.serving import LimitedServer, config_of
from companion.adapters.web.limits.turns import run_politely
from companion.adapters.web.notices import NoNotices
from companion.adapters.web.openapi import describe
from companion.adapters.web.pages import Pages
from companion.adapters.web.phones.panel_source import FAR_DELAY_NS, USUAL_TRUST, Panels, PanelSource, PhoneTrust
from companion.adapters.web.phones.places import MOST_PANELS_OF_ONE
from companion.adapters.web.sending import file_of, packed, send_file
from companion.adapters.web.socket import Live
from companion.adapters.web.spoken.choosing import OnlyEnglish, answering, language_of, remembering
from companion.adapters.web.spoken.script import SCRIPT, UNDER, words_at
from companion.adapters.web.wire.hub import Hub
from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.timing.events import MS
from companion.core.words.texts import text
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.adapters.web.endpoints import Endpoint
    from companion.core.play.snapshot import Snapshot
    from companion.core.profiles.kept import KeptProfiles
    from companion.core.profiles.profile import Profile
    from companion.core.shown.cued import SwitchNow
    from companion.core.timing.line_health import LineHealth
    from companion.ports import (
        Archive,
        Demonstrations,
        GameFiles,
        Languages,
        People,
        Referee,
        Sound,
        WebNotices,
        WebViews,
    )

LOG = logging.getLogger("companion")

TICK_S = 1.0
"""How often the OLED's picture on pages follows a game's clocks."""
START_S = 10.0


class AccessSettings(NamedTuple):
    """Who is let in. most_panels_of_one: without a seat, from one address. shows_codes: on the box's display."""

    most_panels_of_one: int = MOST_PANELS_OF_ONE
    shows_codes: bool = True


@dataclass(frozen=True, slots=True)
class DeskPlan:
    """What a desk is made of, but for what is known only once the address is taken."""

    views: WebViews
    referee: Referee
    archive: Archive
    panel_source: PanelSource
    simulated: bool
    version: str
    demonstrations: Demonstrations | None
    far_delay_ns: int
    clock: Callable[[], int]
    pages: Pages
    on_pin: Callable[[str], None]
    admission: AccessSettings
    notices: WebNotices
    encryption: Encryption | None
    trust: PhoneTrust
    people: People | None
    profiles: KeptProfiles | None
    files: GameFiles | None
    languages: Languages

    def desk(self, guard: Guard, pin_file: PinFile | None, address: Address, keeping: Keeping) -> Desk:
        """Give the desk, with a hub that has told nothing yet."""
        panels = Panels(
            self.panel_source, self.clock, simulated=self.simulated, far_delay_ns=self.far_delay_ns,
            most_of_one=self.admission.most_panels_of_one, trust=self.trust,
        )  # fmt: skip
        hub = Hub(
            self.views, secrets.token_hex(4), simulated=self.simulated, extras=lambda: said_of(panels),
            phones=lambda: seats_of_phones(panels), clock=self.clock,
        )  # fmt: skip
        panels.on_change = Soon(hub.refresh, keeping.admission.bounds.apart_s)
        return Desk(
            hub=hub, panels=panels, guard=guard, notices=self.notices,
            codes=ScreenCodes(self.clock) if self.admission.shows_codes else None,
            pin_file=pin_file, referee=self.referee, views=self.views,
            archive=self.archive, demonstrations=self.demonstrations, pages=self.pages, version=self.version,
            urls=address.urls(), is_lan=address.is_lan, trust=address.trust_url() if self.encryption else None,
            on_pin=self.on_pin, reading=keeping.reading(), panel_quota=keeping.admission.panels, clock=self.clock,
            people=self.people, profiles=self.profiles, files=self.files, languages=self.languages,
        )  # fmt: skip


class Newest:
    """The newest snapshot on its way to the web's thread, and the tones since the last that was taken; locked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: tuple[Snapshot, int | None] | None = None
        self._tones: list[Sound] = []

    def put(self, snapshot: Snapshot, match_id: int | None, tones: tuple[Sound, ...]) -> bool:
        """Put one in the place of any that waits; tell whether none did."""
        with self._lock:
            is_first = self._snapshot is None
            self._snapshot = (snapshot, match_id)
            self._tones += tones
        return is_first

    def take(self) -> tuple[tuple[Snapshot, int | None] | None, tuple[Sound, ...]]:
        """Take what waits, None for nothing."""
        with self._lock:
            newest, self._snapshot = self._snapshot, None
            tones, self._tones = tuple(self._tones), []
        return newest, tones


async def _tick(desk: Desk) -> None:
    """Have the OLED's picture follow a game's clocks; pages count them by themselves."""
    while True:
        await asyncio.sleep(TICK_S)
        desk.hub.tick()


def _told_nobody(_pin: str) -> None:
    """Tell nobody of another PIN: there is no display for it."""


class WebServer:
    """Pages, API and WebSocket of one box.

    host, port: where it listens; port 0 takes a free one (`port` then tells which). is_lan: others may reach it.
    pin_directory: where the PIN is kept; None draws one that is kept nowhere. names: the machine's own. on_pin: called
    in the web's thread with another PIN that holds from now on. encryption: None for plain pages. help_port: plain,
    tells phones how to trust encrypted ones; 0 takes a free one.
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
        demonstrations: Demonstrations | None = None,
        far_delay_ns: int = FAR_DELAY_NS,
        clock: Callable[[], int] = time.monotonic_ns,
        pages: Pages | None = None,
        on_pin: Callable[[str], None] = _told_nobody,
        encryption: Encryption | None = None,
        help_port: int = 0,
        admission: AccessSettings | None = None,
        notices: WebNotices | None = None,
        bounds: Bounds | None = None,
        trust: PhoneTrust = USUAL_TRUST,
        people: People | None = None,
        profiles: KeptProfiles | None = None,
        files: GameFiles | None = None,
        languages: Languages | None = None,
    ) -> None:
        self.pin = pin
        self._pin_directory = pin_directory
        self._address = Address(host, port, names, is_lan=is_lan, help_port=None if encryption is None else help_port)
        self._plan = DeskPlan(
            views, referee, archive, panel_source, simulated, version, demonstrations, far_delay_ns, clock,
            pages or Pages(), on_pin, admission or AccessSettings(), notices or NoNotices(), encryption, trust, people,
            profiles, files, languages or OnlyEnglish(),
        )  # fmt: skip
        self.keeping = Keeping(bounds or Bounds(), clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: LimitedServer | None = None
        self._thread: Watched | None = None
        self._is_stopping = False
        self._is_up = threading.Event()
        self._newest = Newest()
        self.desk: Desk | None = None

    # -- life --------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take the address, and the PIN: one for this run where none can be kept. Raises Unavailable (port in use)."""
        pin_file = None if self._pin_directory is None else PinFile(self._pin_directory)
        if not self.pin:
            drawn = pin_file.take() if pin_file is not None else DrawnPin(draw_pin())
            self.pin = drawn.pin
            if drawn.why_not_kept is not None:
                LOG.warning("%s", drawn.why_not_kept)
                self._plan.notices.alarm(PIN_NOT_KEPT, drawn.why_not_kept)
        if self.encryption is not None:
            self.encryption.open()
        self._address.listen()
        self.desk = self._plan.desk(Guard(self.pin, self._plan.clock), pin_file, self._address, self.keeping)

    @property
    def encryption(self) -> Encryption | None:
        """The certificates, None for plain pages."""
        return self._plan.encryption

    @property
    def host(self) -> str:
        """What it listens on."""
        return self._address.host

    @property
    def port(self) -> int:
        """The port it listens on; before `open`, the one it is to take, 0 for a free one."""
        return self._address.port

    def urls(self) -> tuple[str, ...]:
        """Give the addresses it is reached by, the best first."""
        return self._address.urls()

    def near_url(self) -> str:
        """Give the address for a browser on this machine."""
        return self._address.near_url()

    def trust_url(self) -> str:
        """Give where a phone learns how to trust encrypted pages; empty where they are not encrypted."""
        if self.encryption is None:
            return ""
        return self._address.trust_url()

    def start(self) -> None:
        """Serve, in a thread of its own. Raises Unavailable where that does not begin."""
        self._is_stopping = False
        self._thread = Watched(self._serve_until_stop, name="web")
        self._thread.start()
        if not self._is_up.wait(START_S):
            raise Unavailable("the web server does not start")

    async def serve(self) -> None:
        """Serve in the running event loop, until `stop`. For measuring; `start` is the usual way."""
        desk, encryption = self._open_desk(), self.encryption
        trust = (
            None if encryption is None else Trust(encryption, lambda: desk.pages.find(STYLE), self.port, desk.languages)
        )
        app = application(desk, self._plan.clock, self._address.names, trust)
        config = config_of(app)
        self._server = server = LimitedServer(config, self.keeping)
        server.should_exit = self._is_stopping
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._is_up.set)
        self._loop.call_soon(self._take_up)
        tasks = [asyncio.create_task(_tick(desk))]
        sockets = self._address.sockets()
        if encryption is not None and sockets:
            keep_small()
            server.encrypted = (sockets[0], lambda: encryption.context)
            sockets = sockets[1:]
            valid = keep_valid(encryption, lambda: is_calm(desk.hub.snapshot), desk.reading)
            tasks.append(asyncio.create_task(valid))
        try:
            await server.serve(sockets=sockets)
        finally:
            for task in tasks:
                task.cancel()
            self._loop = None
            self.keeping.finish()
            self._is_up.clear()
            self._address.close()
            desk.reading.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """End; may be called from any thread but its own, and again."""
        self._is_stopping = True
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(START_S)
            self._thread = None
        elif self._server is None:
            self._address.close()  # it was opened and never served

    def publish(self, snapshot: Snapshot, match_id: int | None, tones: tuple[Sound, ...] = ()) -> None:
        """Tell everybody what there is now; from any thread, returns at once. One not taken up yet is replaced."""
        is_first = self._newest.put(snapshot, match_id, tones)
        loop = self._loop
        if is_first and loop is not None:
            try:
                loop.call_soon_threadsafe(self._take_up)
            except RuntimeError:  # it has just ended
                return

    def tell_inputs(self, inputs: tuple[LineHealth, ...]) -> None:
        """Say how each input is; from any thread. It is told to whoever asks."""
        if self.desk is not None:
            self.desk.hub.inputs = inputs

    def seats_of_phones(self) -> frozenset[Colour]:
        """Give the seats that phones play; from any thread, as it was a moment ago where that is changing just now."""
        if self.desk is not None:
            with suppress(RuntimeError):  # a phone has come while they were counted
                self.desk.hub.phone_seats = seats_of_phones(self.desk.panels)
        return frozenset() if self.desk is None else self.desk.hub.phone_seats

    def tell_switches(self, now: tuple[SwitchNow, ...]) -> None:
        """Say what each seat is offered that scans; from any thread. Its own phone alone is told, at once."""
        if self.desk is None:
            return
        self.desk.hub.switches = now
        if self._loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self.desk.hub.tell_own)

    def phones(self) -> frozenset[Colour]:
        """Give the seats that phones play now; from any thread."""
        return self.desk.hub.phones if self.desk is not None else frozenset()

    def tell_profiles(self, now: Mapping[Colour, Profile]) -> None:
        """Say who plays by a profile of their own; from any thread. Each seat's own phone alone is told of it."""
        if self.desk is None:
            return
        self.desk.hub.profiles = now
        if self._loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self._loop.call_soon_threadsafe(self.desk.hub.tell_own)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _serve_until_stop(self) -> None:
        """The thread. Begun again, it takes its port anew. Raises what ended the server, or that something did."""
        if self._thread is not None and self._thread.falls:
            if self._is_stopping:
                return  # what it listened on is closed
            self._address.close()
            self._address.listen()
            self._open_desk().reading = self.keeping.reading()
        run_politely(self.serve, self.keeping.give_way)
        if not self._is_stopping:
            raise Unavailable("the web server has stopped by itself")

    def _open_desk(self) -> Desk:
        if self.desk is None:
            raise Unavailable("the web server is not open: call open() first")
        return self.desk

    def _take_up(self) -> None:
        newest, tones = self._newest.take()
        if newest is not None:
            self._open_desk().hub.publish(*newest, tones)


def application(
    desk: Desk, clock: Callable[[], int] = time.monotonic_ns, names: tuple[str, ...] = (), trust: Trust | None = None
) -> Gate:
    """Give the whole application. names: by which it may be called beside the machine's own. trust: if it is encrypted;
    what is asked in the plain then gets no further than to how it is trusted."""
    description = describe(ENDPOINTS, desk.version)

    async def get_description(request: Request) -> Response:
        return await packed(request, answer(description), partial(in_thread, desk))

    async def get_page(request: Request) -> Response:
        path, pages, language = request.url.path, desk.pages, language_of(request, desk.languages)
        answering.set(language)
        if path.startswith(UNDER):
            words = words_at(path, desk.languages)
            file = None if words is None else file_of(words, SCRIPT)
        elif pages.takes_long(path, language):
            file = await in_thread(desk, pages.find, path, language)
        else:
            file = pages.find(path, language)
        if file is None:
            raise ApiError(404, "not_found", f"there is nothing at {request.url.path}")
        return remembering(request, send_file(request, file), language)

    async def live(websocket: WebSocket) -> None:
        await Live(desk, websocket, clock).serve()

    async def get_short(request: Request) -> Response:
        colour = request.path_params["colour"].lower()
        if colour not in tuple(Colour):
            raise ApiError(404, "not_found", f"there is nothing at {request.url.path}")
        return Response(b"", 303, {"location": f"/play#seat={colour}", "cache-control": "no-store"})

    routes = [
        *routes_of(ENDPOINTS, partial(_serve, desk), desk.languages),
        Route("/P/{colour}", get_short, methods=["GET"]),
        Route("/api/openapi.json", get_description, methods=["GET"]),
        WebSocketRoute("/ws", live),
        *(trust.routes(is_plain=False) if trust is not None else []),
        Route("/{path:path}", get_page, methods=["GET"]),
    ]
    handlers = handlers_of("box")
    app: Any = Starlette(routes=routes, exception_handlers=handlers)
    if trust is not None:
        app = Divided(app, Starlette(routes=trust.routes(is_plain=True), exception_handlers=handlers))
    return Gate(app, Hosts((socket.gethostname(), *names)))


async def _serve(desk: Desk, endpoint: Endpoint, request: Request) -> Response:
    if endpoint.needs_pin and not desk.guard.is_referee(token_of(request)):
        raise ApiError(401, "pin_needed", text("this needs the referee's PIN: open a session first"))
    return await packed(request, await endpoint.handler(desk, request), partial(in_thread, desk))


def said_of(panels: Panels) -> dict[str, Any]:
    """Give what the state document says of panels."""
    return {"phones": phones(panels), "door_open": panels.is_open}


def seats_of_phones(panels: Panels) -> frozenset[Colour]:
    """Give the seats that phones play, also those whose phone has gone: it may be back at any moment."""
    return frozenset(panel.seat for panel in panels.listed() if panel.seat is not None)


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
                "delay_ms": panels.delay_ns(is_near=panel.is_near) // MS,
            }
        )
    return out

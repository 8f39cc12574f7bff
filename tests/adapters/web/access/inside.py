"""The whole web application around a virtual box, in one event loop: no server, no thread of its own, no time of day.

What anybody may ask for is asked for, by the application's own interface, and every byte of the answers is kept with
who heard it.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.endpoints import ENDPOINTS
from companion.adapters.web.limits import protocols
from companion.adapters.web.limits.bounds import Bounds
from companion.adapters.web.limits.guests import Guest
from companion.adapters.web.pages import PAGES, STATIC
from companion.adapters.web.phones.panel_source import PanelSource
from companion.adapters.web.server import WebServer, application
from companion.core.errors import UnknownMatch
from companion.core.timing.events import MS
from companion.ports import UNTIMED, Sent
from companion.screens.web.views import Views
from companion.testing.virtual_box import LINES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from companion.core.errors import CompanionError
    from companion.core.play.commands import Command, Done
    from companion.ports import SeenCode
    from companion.testing.virtual_box import VirtualBox

HOST = "127.0.0.1:8017"
GUEST, REFEREE = ("10.0.0.9", 40_000), ("10.0.0.2", 40_000)
RACES = (1, 2)


class Heard(NamedTuple):
    """Bytes that somebody has heard. where: the request or the socket; phase: what the box was at."""

    phase: str
    where: str
    content: bytes


class Reply(NamedTuple):
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @property
    def content(self) -> bytes:
        return b"\n".join((*(name + b": " + value for name, value in self.headers), self.body))


class Page:
    """One WebSocket. heard: the messages it was sent and that were not collected yet."""

    def __init__(self, inside: Inside, name: str, query: str = "", cookie: str = "") -> None:
        self.name, self.heard = name, list[bytes]()
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._queue.put_nowait({"type": "websocket.connect"})
        cookies = [(b"cookie", cookie.encode())] if cookie else []
        scope = {
            "type": "websocket", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "ws", "path": "/ws",
            "raw_path": b"/ws", "query_string": query.encode(), "root_path": "", "subprotocols": [],
            "headers": [(b"host", HOST.encode()), *cookies], "client": GUEST, "server": ("127.0.0.1", 8017),
            "state": {protocols.GUEST: Guest(GUEST[0], lambda: None, 0, 0)},
        }  # fmt: skip
        self._task = asyncio.create_task(inside.app(scope, self._queue.get, self._take))

    async def _take(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.heard.append(message["text"].encode())

    def say(self, message: Any) -> None:
        self._queue.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def close(self) -> None:
        self._queue.put_nowait({"type": "websocket.disconnect", "code": 1000})
        with suppress(asyncio.CancelledError):
            await self._task


class Inside:
    """The application of one box. heard: everything that anybody without a session was told, in order."""

    def __init__(self, box: VirtualBox, names: tuple[str, ...], *, pin: str, folder: Path | None = None) -> None:
        self.box, self.heard = box, list[Heard]()
        self.match_id: int | None = None
        self.is_ended = False
        source = PanelSource(self.clock, LINES)
        self.server = WebServer(
            host="127.0.0.1", port=0, views=Views(box.find, names), referee=self, archive=self, panel_source=source,
            simulated=False, version="0", pin=pin, pin_directory=folder, is_lan=True, clock=self.clock,
            on_pin=box.session.change_pin, bounds=Bounds(apart_s=0),
        )  # fmt: skip
        self.server.open()
        assert self.server.desk is not None
        self.desk = self.server.desk
        self.desk.urls = (f"http://{HOST}/",)  # the port that was taken is another in each run
        self.app: Any = application(self.desk, self.clock)
        self.pages: list[Page] = []
        self._codes = list[str]()  # of phones that play
        self.phase = ""
        self.cookie = ""

    def clock(self) -> int:
        return round(self.box.now_ms * MS)

    # -- the box

    def run(self, more_ms: float) -> None:
        """Let time pass, and tell the pages what there is then."""
        self.box.run(self.box.now_ms + more_ms)
        self.tell()

    def tell(self) -> None:
        session = self.box.session
        self.match_id = 1 if session.match is not None or session.is_offering else None
        self.desk.hub.publish(session.snapshot(self.clock()), self.match_id)

    def ask(
        self, command: Command, answer: Callable[[Done | CompanionError], None], sent: Sent = UNTIMED
    ) -> None:  # fmt: skip
        answers = self.box.command(command)
        self.run(60)
        answer(answers[0])

    def scan(self, seen: SeenCode, answer: Callable[[Done | CompanionError], None]) -> None:
        raise NotImplementedError

    def matches(self) -> list[dict[str, Any]]:
        if not self.box.lines:
            return []
        return [{"id": 1, "game": self.box.table.game, "started": "", "ended": self.is_ended, "seats": [], "lines": 1}]

    def lines(self, match_id: int) -> list[bytes]:
        if match_id != 1 or not self.box.lines:
            raise UnknownMatch(f"there is no match {match_id}")
        return self.box.record()

    def evidence(self, sha256: str) -> bytes | None:
        return None

    # -- asking

    async def request(
        self, method: str, path: str, body: Any = None, *, cookie: str = "", client: tuple[str, int] = GUEST
    ) -> Reply:
        content = b"" if body is None else json.dumps(body).encode()
        headers = [(b"host", HOST.encode()), (b"content-length", str(len(content)).encode())]
        headers += [(b"content-type", b"application/json")] if body is not None else []
        headers += [(b"cookie", cookie.encode())] if cookie else []
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
            "client": client, "server": ("127.0.0.1", 8017),
        }  # fmt: skip
        waiting, sent = [{"type": "http.request", "body": content, "more_body": False}], list[Any]()

        async def receive() -> Any:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return Reply(sent[0]["status"], tuple(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:]))

    async def referee(self, method: str, path: str, body: Any) -> Reply:
        """Do what needs a session; the answer is the referee's own."""
        if not self.cookie:
            opened = await self.request("POST", "/api/session", {"pin": self.server.pin}, client=REFEREE)
            assert opened.status == 200, opened
            self.cookie = dict(opened.headers)[b"set-cookie"].decode().split(";")[0]
        reply = await self.request(method, path, body, cookie=self.cookie, client=REFEREE)
        assert reply.status == 200, (path, reply.body)
        return reply

    async def page(self, name: str, query: str = "") -> Page:
        page = Page(self, name, query)
        self.pages.append(page)
        await settled()
        return page

    async def seated(self, name: str, seat: str) -> Page:
        """A phone that the referee lets play for a seat."""
        page = await self.page(name)
        page.say({"type": "panel", "asks": seat})
        await settled()
        code = next(json.loads(raw)["code"] for raw in page.heard if b'"type":"panel"' in raw)
        await self.referee("POST", f"/api/phones/{code}", {"seat": seat})
        self._codes.append(code)
        return page

    async def unseated(self) -> None:
        """No phone plays any more."""
        for code in self._codes:
            await self.referee("POST", f"/api/phones/{code}", {"seat": None})
        self._codes.clear()

    async def look(self, phase: str = "") -> dict[str, Any]:
        """Ask for all that there is without a session, and give the state; `heard` has every byte of it."""
        self.tell()
        await settled()
        state = await self.request("GET", "/api/state")
        told: dict[str, Any] = json.loads(state.body)
        self.phase = phase or _phase_of(told)
        for method, path, body in (*READABLE, *REFUSED):
            if not (method == "POST" and path == "/api/session"):
                self._keep(f"{method} {path}", (await self.request(method, path, body)).content)
        await settled()
        for page in self.pages:
            for raw in page.heard:
                if b'"type":"sync"' not in raw:  # it comes by the time of day
                    self._keep(page.name, raw)
            page.heard.clear()
        return told

    async def look_at_files(self) -> None:
        """Ask for the pages, their files, and what is nowhere; they are the same in every phase."""
        self.phase = "files"
        paths = [page.address for page in PAGES]
        paths += [f"/{path.relative_to(STATIC).as_posix()}" for path in sorted(STATIC.rglob("*")) if path.is_file()]
        for path in (*paths, "/api/openapi.json", "/referee.pin", "/seal.key", "/../referee.pin", "/api/nothing"):
            for method in ("GET", "HEAD", "OPTIONS"):
                self._keep(f"{method} {path}", (await self.request(method, path)).content)
        for body in ({"pin": "000000"}, {"pin": 1}, {"pin": "x" * 70}):
            self._keep("POST /api/session", (await self.request("POST", "/api/session", body)).content)

    def _keep(self, where: str, content: bytes) -> None:
        self.heard.append(Heard(self.phase, where, content))


def _paths(path: str) -> list[str]:
    """Give an address with values in the places of its names: those of what there is, and of what there is not."""
    if "{race}" in path:
        return [path.format(id=1, race=race) for race in RACES]
    if "{key}" in path:
        return [path.format(game="claim", key="game", name=name) for name in ("snap.toml", "nothing")]
    if "{name}" in path:
        return [path.format(name=name) for name in ("apache", "nothing")]
    if "{colour}" in path:
        return [path.format(colour=colour) for colour in ("red", "nothing")]
    if "{which}" in path:
        return [path.format(which=which) for which in ("1", "nothing")]
    return [path.format(id=number, code="XXXX") for number in (1, 2)] if "{" in path else [path]


READABLE = tuple(
    (method, path, None)
    for endpoint in ENDPOINTS
    if endpoint.method == "GET"
    for path in _paths(endpoint.path)
    for method in ("GET", "HEAD")
)
"""What anybody may ask for."""
REFUSED: tuple[tuple[str, str, dict[str, object]], ...] = tuple(
    (endpoint.method, path, {}) for endpoint in ENDPOINTS if endpoint.method != "GET" for path in _paths(endpoint.path)
)
"""What needs a session, or more than an empty body."""


def _phase_of(state: dict[str, Any]) -> str:
    race = state["race"]
    return f"{state['phase']} {race['status']}" if race is not None and state["phase"] == "race" else state["phase"]


async def settled() -> None:
    """Let every task go as far as it comes without anything new."""
    for _ in range(30):
        await asyncio.sleep(0)


@asynccontextmanager
async def inside(
    box: VirtualBox, names: tuple[str, ...], *, pin: str, folder: Path | None = None
) -> AsyncIterator[Inside]:  # fmt: skip
    """The application of a box, all of whose sockets are closed at the end."""
    it = Inside(box, names, pin=pin, folder=folder)
    try:
        it.tell()
        yield it
    finally:
        for page in it.pages:
            await page.close()
        it.desk.reading.shutdown()
        it.server.stop()

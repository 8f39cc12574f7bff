"""What every request passes: is it meant for this box, does it come from its own pages, is it small enough.

And what every answer carries: headers that let a page load nothing from elsewhere and be framed by nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.spoken.choosing import answering
from companion.adapters.web.wire.messages import LARGEST_BODY, Problem, Refusal
from companion.core.words.encoding import encoder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from companion.adapters.web.access.hosts import Hosts

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_SAFE = {"GET", "HEAD", "OPTIONS"}
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_NO_OTHER = "microphone=(), geolocation=(), payment=(), usb=()"
CAMERAS = frozenset({"/play", "/play.html", "/referee", "/referee.html"})
"""The pages that may ask for the camera: their address, and how else they are called."""
READER = "/js/scanning/worker.js"
"""The one script that may compile WebAssembly. A worker goes by the policy of its own answer: no page may."""
_ISOLATING = (
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
)
"""By them a page may read the time finely. Browsers take them where they trust the address, and complain elsewhere."""


def isolation(host: str, scheme: str) -> tuple[tuple[bytes, bytes], ...]:
    """Give the headers that set a page apart from others, empty where no browser takes them: in the plain, from afar.

    host: as the request names it, with its port.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    is_loopback = name.startswith("127.") and name.replace(".", "").isdecimal()
    is_near = is_loopback or name in ("localhost", "[::1]")
    return _ISOLATING if scheme == "https" or is_near else ()


def permissions_policy(path: str) -> bytes:
    """Give what the page at an address may ask a person for: of pages with a scanner the camera, else nothing."""
    return f"camera=({'self' if path in CAMERAS else ''}), {_NO_OTHER}".encode()


def content_security_policy(host: str, scheme: str = "http", path: str = "") -> str:
    """Give the policy: nothing but this box's own files, and its own WebSocket (named for browsers that need it).

    path: what is asked for; the reader of codes, which is no page, may compile WebAssembly and open no WebSocket.
    """
    if path == READER:
        return (
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; "
            "form-action 'none'; frame-ancestors 'none'"
        )
    socket = "wss" if scheme == "https" else "ws"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self' {socket}://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def answer_bytes(error: ApiError) -> bytes:
    """Give a refusal's body."""
    return encoder(answering.get())(Refusal(error=Problem(code=error.code, message=error.message)))


class Gate:
    """The outermost layer of the application. largest: bytes of a request's body."""

    def __init__(self, app: Application, hosts: Hosts, largest: int = LARGEST_BODY) -> None:
        self._app, self._hosts, self._largest = app, hosts, largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a WebSocket, or refuse it."""
        headers = {name: value.decode("latin-1") for name, value in scope.get("headers", ())}
        host, scheme = headers.get(b"host", ""), scheme_of(scope)
        is_ours = self._hosts.is_good(host, scope.get("server"), scheme) and _hosts_named(scope) == 1
        refused = self._why_not(scope, headers, host) if is_ours else _not_ours(host)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refused.message})
                return
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        policy = content_security_policy(host if is_ours else "127.0.0.1", scheme, path).encode("latin-1")
        apart = isolation(host, scheme) if is_ours else ()

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = (
                    *_HEADERS,
                    *apart,
                    (b"content-security-policy", policy),
                    (b"permissions-policy", permissions_policy(path)),
                )
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        if refused is not None:
            await _refuse(refused, send_safely)
            return
        await self._app(scope, receive, send_safely)

    def _why_not(self, scope: Scope, headers: dict[bytes, str], host: str) -> ApiError | None:
        if not scope["path"].startswith("/"):
            return ApiError(400, "malformed", "this box fetches nothing for others: ask for a path, as in /api/state")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        origin = headers.get(b"origin")
        if changes and not self._hosts.is_same_site(origin, host, scheme_of(scope)):
            return ApiError(403, "wrong_origin", f"a page of {origin!r} may not do this")
        length = headers.get(b"content-length", "0")
        if length.isdecimal() and int(length) > self._largest:
            return ApiError(413, "too_large", f"the body is larger than {self._largest} bytes")
        return None


def scheme_of(scope: Scope) -> str:
    """Give "https" for a connection that is encrypted here, else "http"."""
    return "https" if scope.get("scheme") in ("https", "wss") else "http"


def _hosts_named(scope: Scope) -> int:
    return sum(name == b"host" for name, _ in scope.get("headers", ()))


def _not_ours(host: str) -> ApiError:
    return ApiError(403, "wrong_origin", f"{host!r} is no name of this box at this port: use its address")


async def _refuse(error: ApiError, send: Send) -> None:
    body = answer_bytes(error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

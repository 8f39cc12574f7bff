"""How answers are sent: packed by gzip to who takes it, and with a tag by which they can be asked for again.

The packed and the plain form are two representations with a tag each, and `Vary` says what the choice depends on, so
that nothing between the box and a browser hands out the wrong one. WebSocket messages are not packed: each would wait.
"""

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

from companion.adapters.web.spoken.weights import weight_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    Apart = Callable[[Callable[[bytes], bytes], bytes], Awaitable[bytes]]

PACKED_TYPES = frozenset(
    {"text/html", "text/css", "text/javascript", "text/plain", "application/json", "application/jsonl",
     "application/manifest+json", "application/wasm", "image/svg+xml", "image/x-icon"}
)  # fmt: skip
"""Kinds that become smaller; pictures and fonts are packed already."""
SMALLEST = 600
"""Bytes below which nothing is packed: it would go into one network packet all the same."""
LEVEL = 6
"""zlib's; 9 takes twice as long for one percent."""
MOST_AT_ONCE = 16_384
"""Bytes that are packed in the web's own thread; more would keep everybody else waiting."""
_VARY = {"vary": "accept-encoding"}


class File(NamedTuple):
    """What is sent, in its two forms. etag: of the plain one, with its quotes. packed: None where nothing is gained."""

    content: bytes
    media_type: str
    etag: str
    packed: bytes | None


def file_of(content: bytes, media_type: str) -> File:
    """Make a file that is sent as it is, and packed."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return File(content, media_type, etag, pack(content) if _can_be_packed(content, media_type) else None)


def send_file(request: Request, file: File) -> Response:
    """Answer with a file, in the form that is taken there, or by 304 that it is known there already."""
    headers = {"cache-control": "no-cache", "etag": file.etag, **_vary(file.media_type)}
    content = file.content
    if file.packed is not None and takes_gzip(request.headers.get("accept-encoding")):
        content = file.packed
        headers |= {"etag": f'{file.etag[:-1]}-gzip"', "content-encoding": "gzip"}
    if is_known(request.headers.get("if-none-match"), headers["etag"]):
        return Response(b"", 304, {name: value for name, value in headers.items() if name != "content-encoding"})
    return Response(content, 200, headers, file.media_type)


async def packed(request: Request, response: Response, apart: Apart) -> Response:
    """Pack an answer that was made for this request alone. apart: does what takes long in another thread."""
    media_type = response.headers.get("content-type", "")
    if "etag" in response.headers or not _is_text(media_type):
        return response
    response.headers.update(_VARY)
    content = bytes(response.body)
    may = request.method in ("GET", "HEAD") and response.status_code == 200
    if may and _can_be_packed(content, media_type) and takes_gzip(request.headers.get("accept-encoding")):
        response.body = await apart(pack, content) if len(content) > MOST_AT_ONCE else pack(content)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def pack(content: bytes) -> bytes:
    """Pack by gzip, the same bytes each time."""
    return gzip.compress(content, LEVEL, mtime=0)


def takes_gzip(accept_encoding: str | None) -> bool:
    """Tell from the header of that name whether gzip may be sent (RFC 9110, 12.5.3). What is not understood is a no."""
    weights = {}
    for part in (accept_encoding or "").lower().split(","):
        coding, _, parameter = part.partition(";")
        weights[coding.strip()] = weight_of(parameter.strip())
    named = [weights[coding] for coding in ("gzip", "x-gzip") if coding in weights]
    return max(named, default=weights.get("*", 0.0)) > 0


def is_known(if_none_match: str | None, etag: str) -> bool:
    """Tell from the header of that name whether a browser has this form already. Weak tags count (RFC 9110, 13.1.2)."""
    tags = [tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")]
    return etag in tags or tags == ["*"]


def _is_text(media_type: str) -> bool:
    return media_type.partition(";")[0].strip() in PACKED_TYPES


def _can_be_packed(content: bytes, media_type: str) -> bool:
    return len(content) >= SMALLEST and _is_text(media_type)


def _vary(media_type: str) -> dict[str, str]:
    return _VARY if _is_text(media_type) else {}

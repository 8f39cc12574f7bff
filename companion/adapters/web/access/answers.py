"""JSON in and out: answers in the language of whoever asks, refusals, and bodies that are read strictly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.access.gate import answer_bytes
from companion.adapters.web.spoken.choosing import answering
from companion.adapters.web.wire.messages import LARGEST_BODY
from companion.core.words.encoding import encoder

if TYPE_CHECKING:
    from starlette.requests import Request

Body = TypeVar("Body", bound=msgspec.Struct)


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Give a JSON answer, in the language of whoever asks; bytes are JSON already."""
    body = content if isinstance(content, bytes) else written(content)
    return Response(body, status, {"cache-control": "no-store", **(headers or {})}, "application/json")


def written(content: Any) -> bytes:
    """Write JSON in the language of whoever asks."""
    return encoder(answering.get())(content)


def refuse(error: ApiError) -> Response:
    """Give a refusal."""
    return answer(answer_bytes(error), error.status, error.headers)


async def read_body(request: Request, kind: type[Body], largest: int = LARGEST_BODY) -> Body:
    """Read a request's body strictly. Raises ApiError: too large, no JSON, or not of this kind."""
    raw = bytearray()
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > largest:
                raise ApiError(413, "too_large", f"the body is larger than {largest} bytes")
    except ClientDisconnect:
        raise ApiError(400, "malformed", "the body did not end") from None  # nobody is there to read it
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if raw and media_type != "application/json":
        raise ApiError(400, "malformed", "the body must be JSON: Content-Type: application/json")
    return decode(bytes(raw) or b"{}", kind)


def decode(raw: bytes, kind: type[Body]) -> Body:
    """Read JSON strictly. Raises ApiError, naming the field."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "malformed", f"{error}") from None

"""Opening a session by a PIN: what a try comes to for whoever sent it, and the cookie that hands the session over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.web.access.callers import caller_of
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.access.guard import COOKIE, SESSION_NS, Throttled, WorkNeeded
from companion.core.timing.events import SECOND
from companion.core.words.texts import text

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.adapters.web.access.guard import Guard
    from companion.adapters.web.wire.messages import Work


def session_by_pin(guard: Guard, request: Request, pin: str, work: Work | None, cookie: str = COOKIE) -> str | None:
    """Give a new session's token, None for a wrong PIN. Raises ApiError where none is looked at now.

    cookie: the name of the one that a session of this guard is in.
    """
    solved = (work.puzzle, work.number) if work is not None else None
    token = guard.log_in(caller_of(request), pin, request.cookies.get(cookie), solved)
    if isinstance(token, Throttled):
        seconds = -(-token.wait_ns // SECOND)
        headers = {"retry-after": str(seconds)}
        says = text("too many wrong PINs: wait for {seconds} seconds").format(seconds=seconds)
        raise ApiError(429, "throttled", says, headers)
    if isinstance(token, WorkNeeded):
        told = "many wrong PINs were tried of late: solve a puzzle first (GET /api/session/puzzle)"
        raise ApiError(429, "work_needed", told)
    return token


def wrong_pin() -> ApiError:
    """Give the refusal of a wrong PIN."""
    return ApiError(403, "wrong_pin", text("the PIN is wrong"))


def cookie_of(request: Request, token: str, name: str = COOKIE) -> str:
    """Give the header that hands over a session's token; an empty one ends it."""
    life = SESSION_NS // SECOND if token else 0
    return f"{name}={token}; Path=/; Max-Age={life}; HttpOnly; SameSite=Strict{_secure(request)}"


def _secure(request: Request) -> str:
    """Give what a cookie has beside the usual where it came by an encrypted connection: it never goes by another."""
    return "; Secure" if request.url.scheme == "https" else ""

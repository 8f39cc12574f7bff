"""What box and desk have in common as applications: a route for each address of a table, and what a failure answers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from starlette.exceptions import HTTPException
from starlette.routing import Route

from companion.adapters.web.access.answers import refuse
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.spoken.choosing import answering, language_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.ports import Languages

LOG = logging.getLogger("companion")
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "QUERY"]
"""All that an address answers itself, those it does not know by a 405."""


class Row(Protocol):
    """A row of the table: an address, by one method."""

    @property
    def method(self) -> str:
        """Give the method, in capitals."""

    @property
    def path(self) -> str:
        """Give the address, with its parameters as Starlette has them."""


AnyRow = TypeVar("AnyRow", bound=Row)


def routes_of(
    table: Iterable[AnyRow], serve: Callable[[AnyRow, Request], Awaitable[Response]], languages: Languages
) -> list[Route]:
    """Give one route for each path, whatever its methods, so that a wrong method is told from a wrong address.

    serve: answers a request for a row. Raises ApiError.
    """
    by_path: dict[str, dict[str, AnyRow]] = {}
    for row in table:
        by_path.setdefault(row.path, {})[row.method] = row

    def route(path: str, rows: dict[str, AnyRow]) -> Route:
        async def handle(request: Request) -> Response:
            answering.set(language_of(request, languages))
            row = rows.get("GET" if request.method == "HEAD" else request.method)
            if row is None:
                allowed = ", ".join(rows)
                raise ApiError(405, "wrong_method", f"not by {request.method}, but by {allowed}", {"allow": allowed})
            return await serve(row, request)

        return Route(path, handle, methods=METHODS)

    return [route(path, rows) for path, rows in by_path.items()]


def handlers_of(called: str) -> Any:
    """Give what Starlette does about failures: each is answered as the API refuses. called: whose log says more."""

    async def on_bug(request: Request, error: Exception) -> Response:
        LOG.error("web: %s %s: %s: %s", request.method, request.url.path, type(error).__name__, error)
        headers = {"connection": "close"}  # as the server closes it now: who asks next doesn't try it in vain
        return refuse(ApiError(500, "bug", f"this is a bug: the {called}'s log says more", headers))

    return {ApiError: _on_api_error, HTTPException: _on_http_error, Exception: on_bug}


async def _on_api_error(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as Starlette calls it
    return refuse(error if isinstance(error, ApiError) else ApiError(500, "bug", "this is a bug"))


async def _on_http_error(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    headers = dict(getattr(error, "headers", None) or {})
    if status == 405:
        return refuse(ApiError(405, "wrong_method", f"not by {request.method}: see Allow", headers))
    return refuse(ApiError(status, "not_found" if status == 404 else "malformed", str(error), headers))

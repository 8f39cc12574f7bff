"""How a phone comes to trust this box: the authority's certificate, and a page in plain words of what to do with it.

Both are at the encrypted pages, where a phone that does not trust the box yet warns of them, and at a plain port of
their own, which has nothing else. That way is not secret and need not be: whoever stands before the box compares the
certificate's fingerprint with the one on its display.

Threads: the web's.
"""

from __future__ import annotations

import ssl
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from companion.adapters.web.access.address import TRUST
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.spoken.choosing import language_of
from companion.adapters.web.spoken.script import CATALOGUE
from companion.core.words.templates import in_words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import Any, Protocol

    from starlette.requests import Request

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.ports import Languages

    class Served(Protocol):
        """As much of a file as is sent."""

        @property
        def content(self) -> bytes: ...  # noqa: D102
        @property
        def media_type(self) -> str: ...  # noqa: D102

    Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]

CERTIFICATE, STYLE = "/ca.crt", "/css/trust.css"
_TEMPLATE = Path(__file__).parents[1] / "templates" / "trust.html"
_TITLE = "Trust this box"
"""A message of the template's own, too."""
_GROUP = 8
"""Pairs of digits of the fingerprint on a line, as the box's display has them."""


class Trust:
    """What a phone needs. find_style: gives the page's style, None where it is not there. port: of encrypted pages."""

    def __init__(
        self, encryption: Encryption, find_style: Callable[[], Served | None], port: int, languages: Languages
    ) -> None:
        self._encryption, self._find_style, self._port = encryption, find_style, port
        self._languages = languages

    def routes(self, *, is_plain: bool) -> list[Route]:
        """Give the routes of the page and the certificate; with the plain port's own, page and style, if `is_plain`."""
        own = [Route("/", self._page), Route(STYLE, self._style), Route("/{path:path}", _elsewhere)] if is_plain else []
        return [Route(TRUST, self._page), Route(CERTIFICATE, self._certificate), *own]

    async def _page(self, request: Request) -> Response:
        host = request.url.hostname or "localhost"
        url = f"https://{f'[{host}]' if ':' in host else host}:{self._port}/"
        pairs = self._encryption.fingerprint.split()
        lines = [" ".join(pairs[at : at + _GROUP]) for at in range(0, len(pairs), _GROUP)]
        language = language_of(request, self._languages)
        message = partial(language.message, CATALOGUE)
        template = in_words(_TEMPLATE.read_text(encoding="utf-8"), message)
        text = Template(template.replace('<html lang="en">', f'<html lang="{language.code}">', 1)).substitute(
            certificate=CERTIFICATE,
            url=escape(url),
            fingerprint="\n".join(lines),
            title=escape(message(_TITLE)),
        )
        return Response(text, 200, {"cache-control": "no-cache"}, "text/html; charset=utf-8")

    async def _certificate(self, request: Request) -> Response:  # noqa: ARG002 - every handler has it
        der = ssl.PEM_cert_to_DER_cert(self._encryption.authority.decode("ascii"))
        headers = {"cache-control": "no-cache", "content-disposition": 'attachment; filename="table-companion.crt"'}
        return Response(der, 200, headers, "application/x-x509-ca-cert")

    async def _style(self, request: Request) -> Response:  # noqa: ARG002 - as above
        file = self._find_style()
        if file is None:
            raise ApiError(404, "not_found", f"there is nothing at {STYLE}")
        return Response(file.content, 200, {"cache-control": "no-cache"}, file.media_type)


async def _elsewhere(request: Request) -> Response:
    raise ApiError(404, "not_found", f"{request.url.path} is only at the encrypted pages: this port has {TRUST} alone")


class Divided:
    """Gives encrypted requests to one application, and the others to another."""

    def __init__(self, encrypted: Application, plain: Application) -> None:
        self._encrypted, self._plain = encrypted, plain

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Serve a request or a WebSocket."""
        is_encrypted = scope.get("scheme") in ("https", "wss")
        await (self._encrypted if is_encrypted else self._plain)(scope, receive, send)

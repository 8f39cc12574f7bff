"""Which language a request is answered in: what it asks for, what was chosen on a page, what the browser prefers.

The first of these that the program has: `?language=it` in the address, the header `language` (pages say by it what they
are in), the cookie that a choice on a page leaves, the browser's own `Accept-Language`. Else what the box speaks.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from companion.adapters.web.spoken.weights import weight_of
from companion.core.words.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import HTTPConnection
    from starlette.responses import Response

    from companion.core.words.language import Language
    from companion.ports import Languages

NAME = "language"
"""Of the parameter, the header and the cookie."""
YEAR_S = 365 * 24 * 3600
"""So long a choice is remembered."""
MOST_TAGS = 20
"""Of a header, so many are looked at."""

answering: ContextVar[Language] = ContextVar(NAME, default=ENGLISH)
"""The language of the request that is answered: set as it comes, asked for where the answer is written."""


class OnlyEnglish:
    """A box that has no other language: for tests and measuring."""

    box = ENGLISH
    all = (ENGLISH,)

    def find(self, code: str) -> Language | None:
        """Give English where it is asked for."""
        return ENGLISH if code.partition("-")[0].lower() == ENGLISH.code else None

    def page_words(self, language: Language) -> dict[str, str | list[str]]:  # noqa: ARG002 - the port's
        """Give nothing."""
        return {}


def language_of(request: HTTPConnection, languages: Languages) -> Language:
    """Give the language that a request, or a WebSocket's, is answered in."""
    found = (languages.find(code) for code in _asked(request))
    return next((language for language in found if language is not None), languages.box)


def remembering(request: HTTPConnection, response: Response, language: Language) -> Response:
    """Give a page's answer, with what makes the browser remember the language that its address asks for."""
    if NAME in request.query_params:
        response.set_cookie(NAME, language.code, max_age=YEAR_S, samesite="strict")
    return response


def _asked(request: HTTPConnection) -> Iterator[str]:
    """Give the codes that a request names, the most wanted first."""
    yield request.query_params.get(NAME, "")
    yield request.headers.get(NAME, "")
    yield request.cookies.get(NAME, "")
    yield from preferred(request.headers.get("accept-language", ""))


def preferred(accept_language: str) -> list[str]:
    """Give the codes of the header of that name (RFC 9110, 12.5.4), the most wanted first; refused ones left out."""
    weighed = []
    for tag in accept_language.split(",")[:MOST_TAGS]:
        code, _, parameter = tag.partition(";")
        weight = weight_of(parameter.strip())
        if weight > 0:
            weighed.append((weight, code.strip()))
    return [code for _, code in sorted(weighed, key=lambda one: -one[0])]

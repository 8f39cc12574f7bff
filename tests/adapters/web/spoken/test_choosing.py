"""Which language a browser is answered in: asked for, chosen on a page, preferred, or the box's."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import Response

from companion.adapters.web.spoken.choosing import OnlyEnglish, language_of, preferred, remembering
from companion.config.languages import Languages


def request(query: str = "", **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "query_string": query.encode(), "headers": raw})


@pytest.mark.parametrize(("asked", "code"), [
    (request(), "de"),
    (request(accept_language="it-CH, fr;q=0.8"), "it"),
    (request(accept_language="nl, fr;q=0.8, it;q=0.9"), "it"),
    (request(accept_language="nl"), "de"),
    (request(accept_language="en-US"), "en"),
    (request(accept_language="fr;q=0, it;q=x"), "de"),
    (request(accept_language="it", cookie="language=fr"), "fr"),
    (request(accept_language="it", cookie="language=nonsense"), "it"),
    (request(accept_language="it", cookie="language=fr", language="en"), "en"),
    (request("language=it", cookie="language=fr", language="en"), "it"),
    (request("language=../x"), "de"),
])  # fmt: skip
def test_the_language_of_a_request(asked: Request, code: str) -> None:
    assert language_of(asked, Languages("de")).code == code


def test_a_long_header_is_read_in_part_only() -> None:
    assert len(preferred(",".join(["aa"] * 1000))) == 20


def test_a_box_of_one_language() -> None:
    assert language_of(request(accept_language="it"), OnlyEnglish()).code == "en"


def test_a_choice_is_remembered_and_nothing_else_is() -> None:
    languages = Languages("en")
    for asked, is_kept in ((request("language=it"), True), (request(accept_language="it"), False)):
        response = remembering(asked, Response(), language_of(asked, languages))
        assert ("language=it; Max-Age=31536000" in response.headers.get("set-cookie", "")) == is_kept

"""Run on a copy of the program in which one entry adds the page `/scores`, beside the page's own contents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.pages import HOME, PAGES
from tests.adapters.web.served import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator

LINK = '<li><a href="/scores"{}>Scores &amp; sums</a></li>'


@pytest.fixture(scope="module")
def box() -> Iterator[Served]:
    with served() as it:
        yield it


def test_it_is_served_with_head_frame_and_contents(box: Served) -> None:
    answer = box.client.get("/scores")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Scores &amp; sums · companion</title>" in answer.text
    assert "<h1>The scores: $5</h1>" in answer.text
    assert '<a class="skip" href="#main">Skip to the scores</a>' in answer.text


def test_it_is_in_the_bar_of_every_page_and_marked_on_its_own(box: Served) -> None:
    assert any(page.address == "/scores" for page in PAGES)
    for page in PAGES:
        text = box.client.get(page.address).text
        assert LINK.format(' aria-current="page"' if page.address == "/scores" else "") in text or page.is_bare
        assert text.count("aria-current") == (1 if not page.is_bare and (page.is_in_bar or page.address == HOME) else 0)


def test_what_its_head_names_is_there(box: Served) -> None:
    named = re.findall(r'(?:src|href)="(/[^"]*)"', box.client.get("/scores").text)
    assert {"/js/scores.js", "/css/base.css", "/css/scores.css", "/favicon.svg", "/"} <= set(named)
    assert {address: box.client.get(address).status_code for address in named} == dict.fromkeys(named, 200)


def test_its_headers_are_those_of_every_page(box: Served) -> None:
    answer = box.client.get("/scores")
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    again = box.client.get("/scores", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")

"""What is sent packed: pages, scripts, styles and JSON, by gzip, to who takes it; each form has a tag of its own."""

from __future__ import annotations

import gzip
import http.client
import re
from typing import TYPE_CHECKING

import pytest

from companion.adapters.web.pages import PAGES, STATIC, Page, Pages, modules_of
from companion.adapters.web.sending import LEVEL, takes_gzip
from tests.adapters.web.served import Served, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUDGET = 150_000
"""Bytes of a page at its first load, packed, with its scripts, styles and icon."""


@pytest.fixture(scope="module")
def box() -> Iterator[Served]:
    with served() as it:
        yield it


class Sent:
    """An answer as it came by the wire."""

    def __init__(self, box: Served, address: str, method: str = "GET", **headers: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", box.server.port, timeout=30)
        try:
            connection.request(method, address, headers={name.replace("_", "-"): it for name, it in headers.items()})
            answer = connection.getresponse()
            self.status, self.headers, self.body = answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    @property
    def text(self) -> bytes:
        return gzip.decompress(self.body) if self.headers["content-encoding"] == "gzip" else self.body


@pytest.mark.parametrize("address", ["/", "/js/table.js", "/css/base.css", "/api/link.svg", "/api/openapi.json"])
def test_what_is_text_is_packed_for_who_takes_it(box: Served, address: str) -> None:
    plain, packed = Sent(box, address), Sent(box, address, accept_encoding="br, gzip;q=0.8")
    assert plain.headers["content-encoding"] is None
    assert (packed.status, packed.headers["content-encoding"]) == (200, "gzip")
    assert packed.text == plain.body
    assert len(packed.body) < len(plain.body)
    assert int(packed.headers["content-length"]) == len(packed.body)
    for answer in (plain, packed):
        assert answer.headers["vary"] == "accept-encoding"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("address", ["/", "/js/table.js", "/api/games/apache/look"])
def test_each_form_has_its_own_tag_and_is_asked_for_again_by_it(box: Served, address: str) -> None:
    plain, packed = Sent(box, address), Sent(box, address, accept_encoding="gzip")
    tags = plain.headers["etag"], packed.headers["etag"]
    assert tags[0] != tags[1]
    again = Sent(box, address, accept_encoding="gzip", if_none_match=tags[1])
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tags[1])
    assert again.headers["vary"] == "accept-encoding"
    assert Sent(box, address, accept_encoding="gzip", if_none_match=tags[0]).status == 200
    assert Sent(box, address, if_none_match=f'"other", W/{tags[0]}').status == 304
    assert Sent(box, address, if_none_match="*").status == 304


def test_what_was_asked_for_by_head_is_told_as_by_get(box: Served) -> None:
    asked, got = (Sent(box, "/js/table.js", method, accept_encoding="gzip") for method in ("HEAD", "GET"))
    names = ("content-encoding", "content-length", "etag", "vary", "content-type")
    assert [asked.headers[name] for name in names] == [got.headers[name] for name in names]
    assert asked.body == b""


def test_json_is_packed_where_it_is_large_and_says_the_same(box: Served) -> None:
    box.begin("buffalo")
    state = Sent(box, "/api/state", accept_encoding="gzip")
    assert state.headers["content-encoding"] == "gzip"
    assert state.text == Sent(box, "/api/state").body
    small = Sent(box, "/api/session", accept_encoding="gzip")
    assert (small.headers["content-encoding"], small.headers["vary"]) == (None, "accept-encoding")
    refused = Sent(box, "/api/nothing", accept_encoding="gzip")
    assert (refused.status, refused.headers["content-encoding"]) == (404, None)
    picture = Sent(box, "/api/oled.png", accept_encoding="gzip")
    assert (picture.headers["content-encoding"], picture.headers["vary"]) == (None, None)


def test_a_file_is_packed_once_and_again_only_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[bytes] = []
    real = gzip.compress

    def compress(content: bytes, level: int, *, mtime: float) -> bytes:
        packed.append(content)
        return real(content, level, mtime=mtime)

    monkeypatch.setattr(gzip, "compress", compress)
    (tmp_path / "a.js").write_text("export const a = 1;" * 100)
    (tmp_path / "small.js").write_text("1;")
    (tmp_path / "a.png").write_bytes(b"\x89PNG" * 1000)
    pages = Pages(tmp_path, ())
    assert pages.find("/a.js") is pages.find("/a.js")
    assert len(packed) == 1
    (tmp_path / "a.js").write_text("export const a = 22;" * 100)
    found = pages.find("/a.js")
    assert found is not None
    assert found.packed is not None
    assert real(found.content, LEVEL, mtime=0) == found.packed
    assert len(packed) == 2
    for small in ("/small.js", "/a.png"):
        file = pages.find(small)
        assert file is not None
        assert file.packed is None, "nothing is gained by it"


@pytest.mark.parametrize(
    ("said", "takes"),
    [
        (None, False), ("", False), ("gzip", True), ("GZIP", True), ("x-gzip", True), ("identity", False), ("*", True),
        ("br;q=1.0, gzip;q=0.5", True), ("gzip;q=0", False), ("gzip; q=0.000", False), ("*;q=0", False),
        ("gzip;q=0, *", False), ("*, gzip;q=0", False), ("gzip;q=x", False), ("gzipped", False), (";;,q=,", False),
    ],
)  # fmt: skip
def test_who_takes_gzip(said: str | None, takes: bool) -> None:
    assert takes_gzip(said) is takes


# -- the modules of a page ---------------------------------------------------------------------------------------------


def test_modules_are_followed_from_import_to_import_each_once(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "a.js").write_text(
        'import { b } from "./room/b.js";\nimport {\n  c,\n  d,\n} from "./room/c.js";\n'
        '/** @import { D } from "./room/typed.js" */\n// import "./room/commented.js";\n'
        'import("./room/later.js");\nconst text = "from \'./room/no.js\'";\n'
        'export const no = "./room/no.js";\n'
    )
    (tmp_path / "room" / "b.js").write_text('import "./c.js";\nexport * from "../room/d.js";\n')
    (tmp_path / "room" / "c.js").write_text('import { a } from "../a.js";\n')
    (tmp_path / "room" / "d.js").write_text("export {};\n")
    (tmp_path / "room" / "no.js").write_text("")
    names = [path.relative_to(tmp_path).as_posix() for path in modules_of(tmp_path / "a.js")]
    assert names == ["a.js", "room/b.js", "room/c.js", "room/d.js"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_all_its_modules_so_that_they_are_fetched_at_once(box: Served, page: Page) -> None:
    text = box.client.get(page.address).text
    named = re.findall(r'<link rel="modulepreload" href="(/[^"]+)">', text)
    scripts = re.findall(r'<script type="module" src="([^"]+)">', text)
    reached = {f"/{path.relative_to(STATIC)}" for path in modules_of(STATIC / scripts[0][1:])}
    assert len(named) == len(set(named))
    assert {*named, *scripts} == reached
    assert {box.client.get(address).status_code for address in named} == {200}


def test_a_page_is_made_anew_when_a_module_of_it_imports_another(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    for name, text in (("table", 'import "./b.js";'), ("b", ""), ("c", "")):
        (tmp_path / "js" / f"{name}.js").write_text(text)
    page = next(page for page in PAGES if page.name == "table")
    pages = Pages(tmp_path, (page,))
    first = pages.find(page.address)
    assert first is pages.find(page.address)
    (tmp_path / "js" / "b.js").write_text('import "./c.js";')
    second = pages.find(page.address)
    assert first is not None
    assert second is not None
    assert b"/js/c.js" not in first.content
    assert b"/js/c.js" in second.content
    assert first.etag != second.etag


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_small_at_its_first_load(box: Served, page: Page) -> None:
    """By the files it names; `browser_loading.py` asks the browser what it really fetched."""
    sent = Sent(box, page.address, accept_encoding="gzip")
    text = sent.text.decode()
    named = set(re.findall(r'(?:src|href)="(/(?:js|css|icons)?/?[^"]*\.\w+)"', text))
    sizes = {address: len(Sent(box, address, accept_encoding="gzip").body) for address in sorted(named)}
    assert len(sizes) >= 3
    assert len(sent.body) + sum(sizes.values()) <= BUDGET, sizes

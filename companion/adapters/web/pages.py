"""The pages, one entry each, and the files of `static/` they need. Nothing else is served.

Addresses, the head of each page and the way from each to the others are made from the table; `templates/` has what is
written for people: the frame once, and what lies within it for each page. Read once, and again when a file changes.
"""

from __future__ import annotations

import hashlib
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}


class Page(NamedTuple):
    """One page, for everybody: what needs the referee's PIN is asked of the API.

    name: of its template, script and style. title: in the browser's tab and in the bar of every page. skip_to: what the
    first link of the page leads to, for those who go by keyboard. is_bare: without bar and frame, and not in the bar.
    """

    name: str
    address: str
    title: str
    skip_to: str = ""
    is_bare: bool = False


PAGES: tuple[Page, ...] = (
    Page("table", "/", "Table", "the table"),
    Page("referee", "/referee", "Referee", "the desk"),
    Page("panel", "/panel", "Panel", "the buttons"),
    Page("matches", "/matches", "Matches", "the matches"),
    Page("overlay", "/overlay", "Overlay", is_bare=True),
)
"""In the order of the bar."""


class File(NamedTuple):
    """A file as it is sent."""

    content: bytes
    media_type: str
    etag: str


def render(page: Page, pages: Sequence[Page] = PAGES) -> str:
    """Give the whole text of a page."""
    main = _template(page.name)
    links = "".join(_link(other, is_here=other is page) for other in pages if not other.is_bare)
    body = main if page.is_bare else Template(_template("framed")).substitute(
        main=main, skip_to=escape(page.skip_to), links=links
    )  # fmt: skip
    styles = (page.name,) if page.is_bare else ("base", page.name)
    return Template(_template("page")).substitute(
        name=page.name,
        title=escape(page.title),
        scheme="normal" if page.is_bare else "light dark",
        styles="\n".join(f'<link rel="stylesheet" href="/css/{style}.css">' for style in styles),
        body=body,
    )


def _link(page: Page, *, is_here: bool) -> str:
    here = ' aria-current="page"' if is_here else ""
    return f'<li><a href="{page.address}"{here}>{escape(page.title)}</a></li>'


def _template(name: str) -> str:
    return (TEMPLATES / f"{name}.html").read_text(encoding="utf-8")


class _Source(NamedTuple):
    """Where something that is served comes from: its files, its kind, and how it is made of them."""

    files: tuple[Path, ...]
    media_type: str
    make: Callable[[], bytes]


class Pages:
    """What there is, by address: the pages, and the files under a directory. Only names found by looking are opened."""

    def __init__(self, directory: Path = STATIC, pages: Sequence[Page] = PAGES) -> None:
        self._directory = directory
        self._pages = {
            address: _Source(_files_of(page), _TYPES[".html"], partial(_bytes_of, page, pages))
            for page in pages
            for address in (page.address, f"{page.address if page.address != '/' else '/index'}.html")
        }
        self._known: dict[str, _Source] = dict(self._pages)
        self._read: dict[str, tuple[tuple[int, ...], File]] = {}

    def find(self, address: str) -> File | None:
        """Give what is at an address ("/", "/js/table.js"), None where there is nothing."""
        if address not in self._known:
            self._look()
        source = self._known.get(address)
        if source is None:
            return None
        try:
            changed_ns = tuple(file.stat().st_mtime_ns for file in source.files)
            known = self._read.get(address)
            if known is None or known[0] != changed_ns:
                content = source.make()
                etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
                known = (changed_ns, File(content, source.media_type, etag))
                self._read[address] = known
        except OSError:
            return None
        return known[1]

    def _look(self) -> None:
        found = {
            f"/{path.relative_to(self._directory).as_posix()}": _Source((path,), _TYPES[path.suffix], path.read_bytes)
            for path in self._directory.rglob("*")
            if path.suffix in _TYPES and path.is_file()
        }
        self._known = {**found, **self._pages}


def _bytes_of(page: Page, pages: Sequence[Page]) -> bytes:
    return render(page, pages).encode()


def _files_of(page: Page) -> tuple[Path, ...]:
    return tuple(TEMPLATES / f"{name}.html" for name in ("page", "framed", page.name))

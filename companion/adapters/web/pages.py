"""The pages, one entry each, and the files of `static/` they need. Nothing else is served.

Addresses, the head of each page and the way from each to the others are made from the table; `templates/` has what is
written for people: the frame once, and what lies within it for each page. Read once, and again when a file changes.
The head of a page names all its scripts and styles, found by following their imports: so they are fetched at once, and
not one after another as each is read.
"""

from __future__ import annotations

import re
from functools import partial
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.home import tiles
from companion.adapters.web.sending import File, file_of
from companion.adapters.web.spoken.script import CATALOGUE, address_of
from companion.core.words.language import ENGLISH
from companion.core.words.templates import in_words
from companion.core.words.texts import in_language, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.words.language import Language

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"
HOME = "/"
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
    ".wasm": "application/wasm",
}


class Page(NamedTuple):
    """One page, for everybody: what needs the referee's PIN is asked of the API.

    name: of its template, script and style. title: in the browser's tab and in the bar of every page. skip_to: what the
    first link of the page leads to, for those who go by keyboard. is_bare: without bar and frame, and not in the bar.
    is_in_bar: has an entry in the bar of every page; the name in the bar leads to the first page, which needs none.
    main: what lies within it as HTML, where the program has made that; None for its template. frame: the template that
    it lies in.
    """

    name: str
    address: str
    title: str
    skip_to: str = ""
    is_bare: bool = False
    is_in_bar: bool = True
    main: str | None = None
    frame: str = "framed"


class Later(NamedTuple):
    """Pages that are made when one is first asked for in a language. under: how the addresses of all of them begin."""

    under: str
    make: Callable[[Language], Sequence[Page]]


PAGES: tuple[Page, ...] = (
    Page("home", HOME, text("Home"), text("the ways in"), is_in_bar=False),
    Page("host", "/host", text("Host"), text("what a host does")),
    Page("table", "/table", text("Table"), text("the table")),
    Page("referee", "/referee", text("Referee"), text("the desk")),
    Page("panel", "/panel", text("Panel"), text("the buttons")),
    Page("matches", "/matches", text("Matches"), text("the matches")),
    Page("people", "/people", text("People"), text("the people")),
    Page("profile", "/profile", text("Profile"), text("the profile"), is_in_bar=False),
    Page("calibrate", "/calibrate", text("Calibrate"), text("the trial"), is_in_bar=False),
    Page("files", "/files", text("Files"), text("the files"), is_in_bar=False),
    Page("help", "/help", text("Help"), text("the help")),
    Page("demo", "/demo", text("Demonstration"), text("the scene"), is_in_bar=False),
    Page("try", "/try", text("Try it"), text("the buttons"), is_in_bar=False),
    Page("play", "/play", text("Play"), is_bare=True),
    Page("hall", "/hall", text("Hall screen"), is_bare=True),
    Page("overlay", "/overlay", text("Overlay"), is_bare=True),
    Page("stream", "/stream", text("Overlay’s address"), is_bare=True),
)
"""In the order of the bar."""


_IMPORTED = re.compile(r"""^(?:import|export)\b(?:[^;"'(]*\bfrom)?\s*["'](\.[^"']+)["']""", re.MULTILINE)
_STYLE_IMPORTED = re.compile(r"""^@import url\("/css/([^"]+)"\)""", re.MULTILINE)


def modules_of(script: Path) -> tuple[Path, ...]:
    """Give a module and all that it leads to by its imports, each once; what is not there is left out."""
    return _followed(script, lambda path, text: [path.parent / name for name in _IMPORTED.findall(text)])


def styles_of(style: Path) -> tuple[Path, ...]:
    """Give a style and all that it imports, each once."""
    return _followed(style, lambda path, text: [path.parent / name for name in _STYLE_IMPORTED.findall(text)])


def _followed(first: Path, leads_to: Callable[[Path, str], list[Path]]) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop(0).resolve()
        if path not in found and path.is_file():
            found[path] = None
            waiting += leads_to(path, path.read_text(encoding="utf-8"))
    return tuple(found)


class Ahead(NamedTuple):
    """Addresses of what a page needs beside its own script and style: scripts, and styles that these import."""

    scripts: Sequence[str] = ()
    styles: Sequence[str] = ()


NOTHING_AHEAD = Ahead()


def render(
    page: Page,
    pages: Sequence[Page] = PAGES,
    ahead: Ahead = NOTHING_AHEAD,
    language: Language = ENGLISH,
    languages: Sequence[Language] = (ENGLISH,),
) -> str:
    """Give the whole text of a page in a language. languages: what it may be chosen in."""
    main = _template(page.name, language) if page.main is None else page.main
    if page.name == "home":
        main = Template(main).substitute(tiles=tiles({other.address for other in pages}, language))
    links = "".join(_link(other, language, is_here=other.name == page.name) for other in pages if _is_in_bar(other))
    skip = text("Skip to {part}").format(part=page.skip_to)
    body = main if page.is_bare else Template(_template(page.frame, language)).substitute(
        main=main, skip=_said(skip, language), links=links, here=_here(is_here=page.address == HOME),
        languages="".join(_choice(other, language) for other in languages if len(languages) > 1),
    )  # fmt: skip
    styles = (page.name,) if page.is_bare else ("base", page.name)
    whole = Template(_template("page", language)).substitute(
        name=page.name,
        kind=page.name.replace("/", "-"),
        words="" if language.is_source else f'<script src="{address_of(language)}"></script>',
        title=_said(page.title, language),
        scheme="normal" if page.is_bare else "light dark",
        styles="\n".join(f'<link rel="stylesheet" href="/css/{style}.css">' for style in styles),
        ahead="\n".join(
            [f'<link rel="preload" as="style" href="{address}">' for address in ahead.styles]
            + [f'<link rel="modulepreload" href="{address}">' for address in ahead.scripts]
        ),
        body=body,
    )
    return whole.replace('<html lang="en">', f'<html lang="{language.code}">', 1)


def _is_in_bar(page: Page) -> bool:
    return page.is_in_bar and not page.is_bare


def _link(page: Page, language: Language, *, is_here: bool) -> str:
    return f'<li><a href="{page.address}"{_here(is_here=is_here)}>{_said(page.title, language)}</a></li>'


def _choice(other: Language, language: Language) -> str:
    """Give the way to the same page in a language, which is remembered from then on."""
    here = _here(is_here=other.code == language.code)
    link = f'<a href="?language={other.code}" hreflang="{other.code}"{here}>{escape(other.name)}</a>'
    return f'<li lang="{other.code}">{link}</li>'


def _said(words: str, language: Language) -> str:
    return escape(in_language(words, language))


def _here(*, is_here: bool) -> str:
    return ' aria-current="page"' if is_here else ""


def _template(name: str, language: Language) -> str:
    template = (TEMPLATES / f"{name}.html").read_text(encoding="utf-8")
    return template if language.is_source else in_words(template, partial(language.message, CATALOGUE))


class _Made(NamedTuple):
    """A file, and what it was made of: each with when it was changed, as it was before it was read."""

    file: File
    of: tuple[tuple[Path, int], ...]

    def is_new(self) -> bool:
        """Tell whether nothing it was made of has changed. Raises OSError where something has gone."""
        return all(path.stat().st_mtime_ns == changed_ns for path, changed_ns in self.of)


class Pages:
    """What there is, by address: the pages, and the files under a directory. Only names found by looking are opened."""

    def __init__(
        self,
        directory: Path = STATIC,
        pages: Sequence[Page] = PAGES,
        made: Later | None = None,
        languages: Sequence[Language] = (ENGLISH,),
    ) -> None:
        """made: pages with contents of the program's own making; one of them takes the place of any at its address.

        languages: that a page may be chosen in.
        """
        self._languages = languages
        self.directory = directory.resolve()
        self._made, self._all = made, pages
        self._pages = self._makers(pages)
        self._known = dict(self._pages)
        self._later: dict[str, dict[str, Callable[[Language], _Made]]] = {}
        self._read: dict[tuple[str, str], _Made] = {}

    def _makers(self, pages: Sequence[Page]) -> dict[str, Callable[[Language], _Made]]:
        return {
            address: partial(self._make_page, page, self._all)
            for page in pages
            for address in (page.address, f"{page.address if page.address != HOME else '/index'}.html")
        }

    def takes_long(self, address: str, language: Language = ENGLISH) -> bool:
        """Tell whether pages are to be made before it is known what is at an address."""
        return self._made is not None and address.startswith(self._made.under) and language.code not in self._later

    def find(self, address: str, language: Language = ENGLISH) -> File | None:
        """Give what is at an address ("/", "/js/table.js"), None where there is nothing. language: of the pages."""
        if self._made is not None and self.takes_long(address, language):
            self._later[language.code] = self._makers(self._made.make(language))
        if address not in self._known:
            self._look()
        make_later = self._later.get(language.code, {}).get(address)
        make = make_later or self._known.get(address)
        if make is None:
            return None
        key = (address, language.code if make_later is not None or address in self._pages else "")
        try:
            made = self._read.get(key)
            if made is None or not made.is_new():
                made = self._read[key] = make(language)
        except OSError:
            return None
        return made.file

    def _look(self) -> None:
        found = {
            self._address(path): partial(_make_file, path)
            for path in self.directory.rglob("*")
            if path.suffix in _TYPES and path.is_file()
        }
        self._known = {**found, **self._pages}

    def _make_page(self, page: Page, pages: Sequence[Page], language: Language) -> _Made:
        styles = styles_of(self.directory / "css" / f"{page.name}.css")
        scripts = modules_of(self.directory / "js" / f"{page.name}.js")
        written = ("page", page.frame, page.name) if page.main is None else ("page", page.frame)
        templates = (TEMPLATES / f"{name}.html" for name in written)
        of = tuple((path, path.stat().st_mtime_ns) for path in (*templates, *styles, *scripts))
        ahead = Ahead(*([self._address(path) for path in paths[1:]] for paths in (scripts, styles)))
        return _Made(file_of(render(page, pages, ahead, language, self._languages).encode(), _TYPES[".html"]), of)

    def _address(self, path: Path) -> str:
        return f"/{path.relative_to(self.directory).as_posix()}"


def _make_file(path: Path, _language: Language) -> _Made:
    changed_ns = path.stat().st_mtime_ns
    return _Made(file_of(path.read_bytes(), _TYPES[path.suffix]), ((path, changed_ns),))

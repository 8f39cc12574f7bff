"""Checks a built site: no link leads nowhere, no anchor is missing, and no page loads anything from elsewhere.

    python -m docs.making.links FOLDER

Exit status 1 with a line for each fault. A link that a reader may follow (`<a href="https://…">`) is not asked for: a
build must not depend on the network, and a page does not load it.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

_IN_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
_LOADED_RELS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "prefetch", "manifest"}


class Parts(HTMLParser):
    """What a page has: names that can be linked to, links for readers, and what it loads by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take note of one element."""
        have = {name: value for name, value in attributes if value}
        self.names |= {have[key] for key in ("id", "name") if key in have}
        if tag in {"a", "area"} and "href" in have:
            self.links.append(have["href"])
        elif tag == "link" and "href" in have:
            is_loaded = _LOADED_RELS & set(have.get("rel", "").lower().split())
            (self.loads if is_loaded else self.links).append(have["href"])
        self.loads += [have[key] for key in ("src", "poster", "data") if key in have]
        self.loads += [part.split()[0] for part in have.get("srcset", "").split(",") if part.strip()]
        self.loads += _in_style(have.get("style", ""))


def _in_style(text: str) -> list[str]:
    return [first or second for first, second in _IN_STYLE.findall(text)]


def is_elsewhere(address: str) -> bool:
    """Tell whether an address is on another machine."""
    return urlsplit(address).netloc != "" or address.startswith("//")


def faults(site: Path) -> Iterator[str]:
    """Give every fault of the site, one sentence each."""
    pages = {path: Parts(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: there is no page"
    for path, parts in pages.items():
        name = path.relative_to(site)
        yield from (f"{name} loads {address} from elsewhere" for address in parts.loads if is_elsewhere(address))
        for address in [*parts.links, *parts.loads]:
            if not is_elsewhere(address) and (fault := _fault(site, path, address, pages)):
                yield f"{name}: {address}: {fault}"
    for path in sorted(site.rglob("*.css")):
        for address in _in_style(path.read_text(encoding="utf-8")):
            if is_elsewhere(address):
                yield f"{path.relative_to(site)} loads {address} from elsewhere"


def _fault(site: Path, page: Path, address: str, pages: dict[Path, Parts]) -> str | None:
    parts = urlsplit(address)
    if parts.scheme:  # mailto:, data:
        return None
    target = page
    if parts.path:
        start = site if parts.path.startswith("/") else page.parent
        target = (start / unquote(parts.path).lstrip("/")).resolve()
        target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return "there is no such file"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
        return "that page has no such heading"
    return None


def main(arguments: list[str]) -> int:
    """Check the site in the folder named; give the exit status."""
    (folder,) = arguments
    found = list(faults(Path(folder).resolve()))
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

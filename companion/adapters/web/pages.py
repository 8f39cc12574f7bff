"""The files of `static/`, pages and what they need: read once, and again when they change. Nothing else is served."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

STATIC = Path(__file__).parent / "static"
PAGES = {"/": "index.html", "/referee": "referee.html", "/panel": "panel.html", "/matches": "matches.html",
         "/overlay": "overlay.html"}  # fmt: skip
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


class File(NamedTuple):
    """A file as it is sent."""

    content: bytes
    media_type: str
    etag: str


class Pages:
    """What there is under a directory, by address. Only names found by looking are ever opened."""

    def __init__(self, directory: Path = STATIC) -> None:
        self._directory = directory
        self._known: dict[str, Path] = {}
        self._read: dict[Path, tuple[int, File]] = {}

    def find(self, address: str) -> File | None:
        """Give the file at an address ("/", "/js/table.js"), None where there is none."""
        if address not in self._known:
            self._look()
        path = self._known.get(address)
        if path is None:
            return None
        try:
            changed_ns = path.stat().st_mtime_ns
            known = self._read.get(path)
            if known is None or known[0] != changed_ns:
                content = path.read_bytes()
                etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
                known = (changed_ns, File(content, _TYPES[path.suffix], etag))
                self._read[path] = known
        except OSError:
            return None
        return known[1]

    def _look(self) -> None:
        found = {
            f"/{path.relative_to(self._directory).as_posix()}": path
            for path in self._directory.rglob("*")
            if path.suffix in _TYPES and path.is_file()
        }
        pages = {address: found[f"/{name}"] for address, name in PAGES.items() if f"/{name}" in found}
        self._known = {**found, **pages}

"""Which line of a TOML text each key and each element of a list stands on, which TOML's reader does not tell. Pure.

Only given text that has been read without an error, so that nothing is checked here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Path = tuple[str | int, ...]
"""From the top: keys, and places in lists."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SIMPLE = re.compile(r"[^,\]}#\n]+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL)
_LONG = {
    '"""': re.compile(r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})', re.DOTALL),
    "'''": re.compile(r"'''.*?'''(?:'{0,2})", re.DOTALL),
}
_ESCAPED = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class Lines(NamedTuple):
    """The lines of a text's parts."""

    found: dict[Path, int]

    def of(self, path: Path) -> int | None:
        """Give the line of a key or element; of one that is missing the line of what it would stand in."""
        while path and path not in self.found:
            path = path[:-1]
        return self.found.get(path)


def lines_of(text: str) -> Lines:
    """Give where everything stands in a text that is TOML."""
    scanner = _Scanner(text)
    scanner.document()
    return Lines(scanner.found)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self.blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.blank()

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def tell(self, path: Path, at: int) -> None:
        self.found.setdefault(path, self.text.count("\n", 0, at) + 1)

    def header(self) -> Path:
        start = self.at
        is_list = self.text.startswith("[[", start)
        self.at += 1 + is_list
        keys = self.keys()
        self.at += 1 + is_list
        path: Path = ()
        for key in keys[:-1]:
            path = self.newest((*path, key))
            self.tell(path, start)
        path = (*path, keys[-1])
        self.tell(path, start)
        if is_list:
            self.counts[path] = self.counts.get(path, -1) + 1
            path = (*path, self.counts[path])
            self.tell(path, start)
        return path

    def newest(self, path: Path) -> Path:
        return (*path, self.counts[path]) if path in self.counts else path

    def keys(self) -> list[str]:
        found = []
        while True:
            self.blank()
            found.append(self.key())
            self.blank()
            if self.text[self.at] != ".":
                return found
            self.at += 1

    def key(self) -> str:
        match = _STRING.match(self.text, self.at) or _BARE.match(self.text, self.at)
        if match is None:
            raise ValueError("no key where one was read before")
        self.at = match.end()
        key = match[0]
        if key[0] == "'":
            return key[1:-1]
        return _ESCAPED.sub(_unescaped, key[1:-1]) if key[0] == '"' else key

    def pair(self, table: Path) -> None:
        start = self.at
        path = table
        for key in self.keys():
            path = (*path, key)
            self.tell(path, start)
        self.at += 1  # the sign =
        self.value(path)

    def value(self, path: Path) -> None:
        self.blank()
        first = self.text[self.at]
        if first == "[":
            self.array(path)
        elif first == "{":
            self.inline(path)
        elif long := _LONG.get(self.text[self.at : self.at + 3]):
            self.skip(long)
        elif first in "\"'":
            self.skip(_STRING)
        else:
            self.skip(_SIMPLE)

    def skip(self, what: re.Pattern[str]) -> None:
        match = what.match(self.text, self.at)
        if match is None:
            raise ValueError("no value where one was read before")
        self.at = match.end()

    def array(self, path: Path) -> None:
        self.at += 1
        index = 0
        self.blank()
        while self.text[self.at] != "]":
            self.tell((*path, index), self.at)
            self.value((*path, index))
            index += 1
            self.comma()
        self.at += 1

    def inline(self, path: Path) -> None:
        self.at += 1
        self.blank()
        while self.text[self.at] != "}":
            self.pair(path)
            self.comma()
        self.at += 1

    def comma(self) -> None:
        self.blank()
        if self.text[self.at] == ",":
            self.at += 1
        self.blank()


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what[1:], 16)) if what[0] in "uU" else _ESCAPES.get(what, what)

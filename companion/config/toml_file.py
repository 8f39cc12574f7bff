"""TOML files as people edit them: where a key stands, and how a value is written. Knows no setting."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, Malformed
from companion.files.reading import MIB, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Key = tuple[str, ...]
"""The way to a value: ("timing", "window_s")."""

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(rf"\s*({_DOTTED})\s*=")
_LONGEST_VALUE = 60
MOST_BYTES = MIB
"""The settings with every comment are 20 kB."""


class WrongOption(Malformed):
    """A setting that is wrong was given on the command line."""


class TomlFile:
    """A file's table, with the line each key stands in. Raises Unavailable, or Malformed where it is no TOML."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            text = read_text(path, MOST_BYTES).replace("\r\n", "\n")
            self.table: dict[str, Any] = tomllib.loads(text)
        except CompanionError:
            raise
        except (ValueError, RecursionError) as error:  # ValueError: also for a number without end
            raise Malformed(f"{path}: not TOML: {error}") from error
        self._lines = _lines_of_keys(text)

    def line_of(self, key: Key) -> int | None:
        """Give the line (1, 2, …) of a key, else of the nearest table it is in; None where even that is not there."""
        for length in range(len(key), 0, -1):
            if key[:length] in self._lines:
                return self._lines[key[:length]]
        return None


class Origins:
    """Where each setting comes from, so that an error can say so: the command line, the file, or built in."""

    def __init__(self, file: TomlFile | None, flags: Mapping[Key, str] | None = None) -> None:
        """flags: the options of the command line that gave a setting ("--window")."""
        self._file = file
        self._flags = flags or {}

    def place(self, key: Key) -> str:
        """Say where a key was given: "--window", "box.toml, line 3", "built in"."""
        if key in self._flags:
            return self._flags[key]
        line = self._file.line_of(key) if self._file is not None else None
        return f"{self._file.path}, line {line}" if self._file is not None and line is not None else "built in"

    def wrong(self, key: Key, text: str, *value: object) -> Malformed:
        """Give the error that a setting is wrong: where it is, what it is called, its value if given, and `text`."""
        shown = f" = {_shorten(toml_value(value[0]))}" if value else ""
        if key in self._flags:
            return WrongOption(f"{self._flags[key]}{shown.replace(' =', '')}: {text}")
        return Malformed(f"{self.place(key)}: {dotted(key)}{shown}: {text}")


def dotted(key: Key) -> str:
    """Write a key as TOML does: `pins."red first"`."""
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else json.dumps(part) for part in key)


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """Give "; did you mean …? allowed: …" for a word that is none of those allowed."""
    words = list(allowed)
    near = difflib.get_close_matches(word, words, n=1)
    guess = f"did you mean {near[0]}? " if near else ""
    return f"{guess}allowed: {', '.join(words)}"


def toml_value(value: object) -> str:
    """Write a value as TOML does; what TOML cannot say comes as Python shows it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{dotted((key,))} = {toml_value(item)}' for key, item in value.items())}}}"
    return str(value)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def _lines_of_keys(text: str) -> dict[Key, int]:
    """Find each key's first line. tomllib says no lines; it has accepted the text, so a rough reading is enough."""
    lines: dict[Key, int] = {}
    table: Key = ()
    quote = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quote:  # within a text of several lines nothing is a key
            quote = "" if quote in line else quote
            continue
        if header := _HEADER.match(line):
            table = _parts(header[1])
            _note(lines, table, number)
        elif entry := _ENTRY.match(line):
            _note(lines, table + _parts(entry[1]), number)
        quote = next((mark for mark in ('"""', "'''") if line.count(mark) % 2), "")
    return lines


def _note(lines: dict[Key, int], key: Key, number: int) -> None:
    for length in range(1, len(key) + 1):
        lines.setdefault(key[:length], number)


def _parts(text: str) -> Key:
    return tuple(json.loads(part) if part.startswith('"') else part.strip("'") for part in re.findall(_PART, text))

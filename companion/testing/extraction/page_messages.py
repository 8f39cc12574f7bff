"""Finds what the pages say: Babel reads their scripts (`say`, `sayMany`), a method of our own their templates."""

from __future__ import annotations

import re
from importlib import resources
from typing import IO, TYPE_CHECKING, Any

from babel.messages.extract import extract

from companion.core.words.templates import messages as template_messages
from companion.testing.extraction.messages import Message, NotLiteral

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from importlib.resources.abc import Traversable

PACKAGE = "companion.adapters.web"
KEYWORDS = {"say": None, "sayMany": (1, 2)}
_IMPORTED = re.compile(r"""\bfrom ["'][./]+(?:frame/)?say\.js["']""")
_SAID = re.compile(r"(?<![\w.#])(say|sayMany)\(")
_COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|(?<![:"'])//[^\n]*""", re.DOTALL)


def page_messages() -> Iterator[Message]:
    """Give every message of the pages, file by file. Raises NotLiteral for one that is no literal text."""
    folder = resources.files(PACKAGE)
    for name, file in _files(folder, PACKAGE.replace(".", "/")):
        if name.endswith(".js"):
            yield from _of_script(name, file)
        elif name.endswith(".html"):
            yield from _found(name, file, templates, {"message": None})


def templates(
    fileobj: IO[bytes],
    keywords: Mapping[str, Any],  # noqa: ARG001 - Babel's way of calling
    comment_tags: Collection[str],  # noqa: ARG001
    options: Mapping[str, Any],  # noqa: ARG001
) -> Iterator[tuple[int, str, str, list[str]]]:
    """Extract a template's messages: a method of Babel's, which gives line, keyword, message and comments."""
    for line, says in template_messages(fileobj.read().decode()):
        yield line, "message", says, []


def _of_script(name: str, file: Traversable) -> Iterator[Message]:
    source = _COMMENT.sub(lambda found: found[1] or "", file.read_text("utf-8"))  # "text/*" begins none
    if not _IMPORTED.search(source):
        return  # what it calls `say` is something else
    found = list(_found(name, file, "javascript", KEYWORDS))
    called = len(_SAID.findall(source))
    if called != len(found):
        raise NotLiteral(
            f"{name}: {called} calls of say and sayMany, {len(found)} with literal texts; one within another counts as"
            " none: give what it says a name first"
        )
    yield from found


def _found(name: str, file: Traversable, method: Any, keywords: Mapping[str, Any]) -> Iterator[Message]:
    with file.open("rb") as opened:
        for _line, said, _comments, _context in extract(method, opened, keywords=keywords):
            one, many = said if isinstance(said, tuple) else (said, "")
            yield Message(one, many, name, "", None)


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name)):
        if entry.is_dir():
            yield from _files(entry, f"{path}/{entry.name}")
        elif entry.name.endswith((".js", ".html")):
            yield f"{path}/{entry.name}", entry

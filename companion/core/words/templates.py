"""The templates of the pages in another language: what people read in them is found, and put into words. Pure.

A message is what stands between two tags that begin or end a part of the page, with white space as one blank, and each
attribute that is read out or shown. Marks within a sentence (`<b>`, `<a href="…">`) are part of its message. What
follows a tag with `translate="no"` is a name, the same in all languages. What Babel extracts and what is said go by the
same reading, so that every message that is looked up is in the catalogue.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TAG = re.compile(r"(<!--.*?-->|</?[a-zA-Z!][^>]*>)", re.DOTALL)
_NAME = re.compile(r"</?([a-zA-Z0-9]+)")
_WITHIN = frozenset(("a", "abbr", "b", "br", "cite", "code", "em", "i", "kbd", "small", "strong", "sub", "sup"))
"""Tags that stand within a sentence."""
_SHOWN = re.compile(r'(\s(?:alt|aria-label|placeholder|title)=")([^"]*)(")')
_NEVER = 'translate="no"'
_LEADING = re.compile(r"(?:\s*</\w+>)+")
_TRAILING = re.compile(r"\s*</(\w+)>\s*$")
_LETTER = re.compile(r"[^\W\d_]")
_FILLED = re.compile(r"\$\w+|\$\{\w+\}")


class Message(NamedTuple):
    """A message of a template. line: where it begins, from 1."""

    line: int
    says: str


class Name(str):
    """What is the same in all languages."""

    __slots__ = ()


def messages(template: str) -> Iterator[Message]:
    """Give every message of a template, as a translator gets it."""
    found: list[Message] = []
    line = 1

    def note(says: str) -> str:
        found.append(Message(line, says))
        return says

    for part in _parts(template):
        _said(part, note)
        line += part.count("\n")
    yield from found


def in_words(template: str, message: Callable[[str], str]) -> str:
    """Give a template with its messages said by `message`."""
    return "".join(_said(part, message) for part in _parts(template))


def _parts(template: str) -> Iterator[str]:
    """Give a template in pieces: tags that divide it, and what stands between two of these."""
    run, is_name = "", False
    for piece in _TAG.split(template):
        if is_name:
            yield Name(piece)
            is_name = False
        elif _divides(piece):
            yield from (*_balanced(run), piece)
            run, is_name = "", _is_of_name(piece)
        else:
            run += piece
    yield from _balanced(run)


def _is_of_name(tag: str) -> bool:
    """Tell whether what follows a tag is no message: a name, or the title that is filled in as a whole."""
    return _NEVER in tag or tag == "<title>"


def _divides(piece: str) -> bool:
    """Tell whether a piece is a tag that does not stand within a sentence."""
    if not piece.startswith("<"):
        return False
    name = _NAME.match(piece)
    return _NEVER in piece or name is None or name[1].lower() not in _WITHIN


def _balanced(run: str) -> Iterator[str]:
    """Give what stands between two dividing tags, apart from the ends of marks that began before."""
    leading = _LEADING.match(run)
    if leading is not None:
        yield leading[0]
        run = run[leading.end() :]
    trailing = _TRAILING.search(run)
    if trailing is not None and f"<{trailing[1]}" not in run:
        yield from (run[: trailing.start()], trailing[0])
    else:
        yield run


def _said(part: str, message: Callable[[str], str]) -> str:
    if isinstance(part, Name):
        return part
    if _TAG.fullmatch(part):
        return _SHOWN.sub(lambda found: f"{found[1]}{_shown(found[2], message)}{found[3]}", part)
    if not _is_said(_TAG.sub("", part)):
        return part
    words = _unwrapped(part, message)
    if words is not None:
        return words
    before, says, after = _within_blanks(part)
    return f"{before}{message(' '.join(says.split()))}{after}"


def _unwrapped(part: str, message: Callable[[str], str]) -> str | None:
    """Say one by one what lies in tags of its own, with nothing said between these; None where it is one sentence."""
    pieces = re.split(r"(<(\w+)\b[^>]*>[^<]*</\2>)", part)
    between, marked = pieces[0::3], pieces[1::3]
    if not marked or any(_is_said(_TAG.sub("", piece)) for piece in between):
        return None
    told = []
    for piece in marked:
        opened, says, closed = re.split(r"(?<=>)([^<]*)(?=<)", piece, maxsplit=1)
        told.append(f"{_said(opened, message)}{_within(says, message)}{closed}")
    return "".join(piece for pair in zip(between, [*told, ""], strict=True) for piece in pair)


def _within(says: str, message: Callable[[str], str]) -> str:
    if not _is_said(says):
        return says
    before, words, after = _within_blanks(says)
    return f"{before}{message(' '.join(words.split()))}{after}"


def _within_blanks(part: str) -> tuple[str, str, str]:
    says = part.strip()
    before, _, after = part.partition(says)
    return before, says, after


def _shown(value: str, message: Callable[[str], str]) -> str:
    words = unescape(value)
    return escape(message(words)) if _is_said(words) else value


def _is_said(words: str) -> bool:
    """Tell whether there is a letter in it that is not of something filled in or an entity."""
    return _LETTER.search(unescape(_FILLED.sub("", words))) is not None

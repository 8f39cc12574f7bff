"""What a large picture is made of: a heading, facts that are never cut, and the knob's item at the bottom. Pure.

The theory: nothing is left out for want of room, there are more pictures instead. `pages` breaks facts into lines and
lays as many of them onto each page as there is room for; a fact that is short enough is never parted. Heading and the
knob's item stand on every page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.screens.oled.typefaces.typeface import Typeface

BETWEEN = 6
"""Pixels that stay free between a left and a right text."""


@dataclass(frozen=True, slots=True)
class Row:
    """A text at the left and one at the right; of several, the first that there is room for.

    Where both do not fit beside each other, the right one stands below: neither is cut.
    """

    left: tuple[str, ...]
    right: tuple[str, ...] = ()
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A text over as many lines as it takes."""

    text: str
    inverse: bool = False


Fact = tuple[Row | Words, ...]
"""What is told together."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a row of pages is about. foot: what the knob would pick. code: what a QR code at the left says, or ""."""

    head: Row | None
    facts: tuple[Fact, ...]
    foot: Row | None = None
    code: str = ""


class Written(NamedTuple):
    """A line of a picture, with what fits of it."""

    left: str
    right: str = ""
    inverse: bool = False


class Laid(NamedTuple):
    """A picture's lines from the top, and those at its bottom; what is between them stays empty."""

    lines: tuple[Written, ...]
    foot: tuple[Written, ...] = ()
    code: str = ""


class _Block(NamedTuple):
    """A fact's lines. is_headed: the first says what the others are about."""

    lines: tuple[Written, ...]
    is_headed: bool


def pages(subject: Subject, face: Typeface, room: tuple[int, int]) -> list[Laid]:
    """Lay a subject onto pages; at least one. room: the width in pixels, and how many lines a page has."""
    width, lines = room
    head = [] if subject.head is None else _beside(subject.head, face, width)[:1]
    foot = [] if subject.foot is None else _beside(subject.foot, face, width)
    free = max(1, lines - len(head) - len(foot))
    blocks = [_block(fact, face, width) for fact in subject.facts]
    shared = list(_shared(blocks, free)) or [()]
    found = []
    for number, body in enumerate(shared, start=1):
        top = [_numbered(one, number, len(shared), face, width) for one in head]
        found.append(Laid((*top, *body), tuple(foot), subject.code))
    return found


def _block(fact: Fact, face: Typeface, width: int) -> _Block:
    return _Block(tuple(_lines(fact, face, width)), len(fact) > 1 and isinstance(fact[0], Row))


def _lines(fact: Fact, face: Typeface, width: int) -> Iterator[Written]:
    for part in fact:
        if isinstance(part, Row):
            yield from _beside(part, face, width)
        else:
            room = width - 2 if part.inverse else width
            yield from (Written(text, inverse=part.inverse) for text in broken(part.text, face, room))


def broken(text: str, face: Typeface, room: int) -> list[str]:
    """Break a text into lines, at its spaces; too long a word within it, so that nothing is lost."""
    found: list[str] = []
    for word in filter(None, text.split(" ")):
        joined = f"{found[-1]} {word}" if found else word
        if found and face.width(joined) <= room:
            found[-1] = joined
        else:
            found += _pieces(word, face, room)
    return found


def _pieces(word: str, face: Typeface, room: int) -> list[str]:
    """Break a word that is wider than a line: after a mark within it where that can be, else anywhere."""
    found = []
    while face.width(word) > room:
        most = next(n for n in range(len(word), 0, -1) if n == 1 or face.width(word[:n]) <= room)
        mark = max(word.rfind(sign, 0, most) for sign in ".:-/") + 1
        cut = mark or most
        found.append(word[:cut])
        word = word[cut:]
    return [*found, word] if word else found


def _beside(row: Row, face: Typeface, width: int) -> list[Written]:
    """Give a row's line: the shortest left text is never cut for the right one, which else stands on its own."""
    room = width - 2 if row.inverse else width
    for right in row.right:
        rest = room - face.width(right) - BETWEEN
        if found := next((left for left in row.left if face.width(left) <= rest), ""):
            return [Written(found, right, row.inverse)]
    lefts = next(([text] for text in row.left if face.width(text) <= room), None) or broken(row.left[-1], face, room)
    below = [Written("", face.best(row.right, room), row.inverse)] if row.right else []
    return [*(Written(text, inverse=row.inverse) for text in lefts), *below]


def _numbered(head: Written, number: int, pages_: int, face: Typeface, width: int) -> Written:
    """Say in the heading which page this is, where nothing else stands there and there is room."""
    if pages_ == 1 or head.right:
        return head
    room = width - (2 if head.inverse else 0)
    place = f"{number}/{pages_}"
    return head._replace(right=place) if face.width(head.left) + BETWEEN + face.width(place) <= room else head


def _shared(blocks: Sequence[_Block], free: int) -> Iterator[tuple[Written, ...]]:
    """Share blocks out among pages of `free` lines. What is longer is parted, with its first line on each page."""
    page: tuple[Written, ...] = ()
    for lines, is_headed in blocks:
        if page and len(page) + len(lines) > free:
            yield page
            page = ()
        page += lines
        again = lines[:1] if is_headed and free > 1 else ()
        while len(page) > free:
            yield page[:free]
            page = (*again, *page[free:])
    if page:
        yield page

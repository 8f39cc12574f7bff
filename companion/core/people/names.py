"""Names of people: when two are the same, and changing one in a record. Pure; knows no file.

A record has names nowhere but in its `names` lines, which decide nothing and which no seal covers. So one of them may
be given other names, as long as it stays the line that it is: other lines are numbered after it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.errors import Malformed
from companion.core.record.lines import as_names, dump_line
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NAME_LENGTH = 12
"""Longest name of a player, in characters: what the smallest display has room for."""


def tidy(name: str) -> str:
    """Give a name without blanks around it or doubled ones in it. Raises Malformed where it is none."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if not plain or len(plain) > NAME_LENGTH or not plain.isprintable():
        says = text("{name} is no name of a player: 1 to {most} characters that can be shown")
        raise Malformed(says.format(name=repr(name[:40]), most=NAME_LENGTH))
    return plain


@lru_cache(maxsize=2000)
def key_of(name: str) -> str:
    """Give what two spellings of one name have in common: capitals, blanks and ways to write a letter do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_same(one: str, other: str) -> bool:
    """Tell whether two names are one person's."""
    return key_of(one) == key_of(other)


def with_name(raw: bytes, old: str, new: str) -> bytes:
    """Give a line of a record with `new` wherever it calls somebody `old`; any line but one of names as it is.

    new: empty to take the name out; its seat then has none, whatever an earlier line called it.
    """
    line = as_names(raw)
    if line is None or not any(is_same(name, old) for name in line.names.values()):
        return raw
    names = {colour: new if is_same(name, old) else name for colour, name in line.names.items()}
    return dump_line(msgspec.structs.replace(line, names=names))


def names_in(lines: Iterable[bytes]) -> Iterator[str]:
    """Give every name that a record has ever had, one after another."""
    for raw in lines:
        line = as_names(raw)
        if line is not None:
            yield from (name for name in line.names.values() if name)


def mentions(lines: Iterable[bytes], name: str) -> list[int]:
    """Give the numbers (1 is the setup) of the lines that have a name as a word of their text, `names` lines left out.

    Seals cover them, so they stay: whoever deletes a person is told of them.
    """
    word = re.compile(rf"(?<!\w){re.escape(key_of(name))}(?!\w)")
    return [
        number
        for number, raw in enumerate(lines, 1)
        if as_names(raw) is None and any(word.search(key_of(text)) for text in _texts_of(raw))
    ]


_WRITTEN_BY_PEOPLE = ("text", "by", "reason")
"""The fields of standard lines that somebody types."""


def _texts_of(raw: bytes) -> list[str]:
    try:
        found: Any = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict):
        return []
    return [found[field] for field in _WRITTEN_BY_PEOPLE if isinstance(found.get(field), str)]

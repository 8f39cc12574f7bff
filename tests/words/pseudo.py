"""A language that nobody speaks: every letter has a sign above it, each message stands in marks and is a third longer.

Colours in three letters stay as short as they are. So what was never translated has letters of ours, and what is put
together of translated halves has marks in its midst.
"""

from __future__ import annotations

import re
from gettext import NullTranslations

from companion.core.words.language import Language, Signs

OPEN, CLOSE = "⟦", "⟧"
LONGER = 0.35
"""As much as German or Italian needs more than English."""
_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "àƀçđéƒĝĥîĵķľɱñòþɋŕšţùṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĽṀÑÒÞɊŔŠŢÙṼŴẊÝŽ",
)
_PLACES = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&\w+;|\$\w+|%[sd]|%\([^)]*\)[sd])")
_WORD = re.compile(r"[A-Za-z]{2,}")
UNITS = frozenset(("ms", "min", "ns"))
"""Written alike in the languages that there are."""


def pseudo(message: str) -> str:
    """Give a message in that language; what is filled in, and marks of HTML, stay as they are."""
    told = "".join(part if _PLACES.fullmatch(part) else part.translate(_LETTERS) for part in _PLACES.split(message))
    letters = sum(map(str.isalpha, _PLACES.sub("", message)))
    if letters == len(message) == 3 and message.isupper():
        return told  # three letters for a colour are three in every language
    return f"{OPEN}{told}{'·' * round(letters * LONGER)}{CLOSE}"


class Pseudo(NullTranslations):
    """Speaks it."""

    def gettext(self, message: str) -> str:
        """Give a message."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Give the message for this number."""
        return pseudo(msgid1 if n == 1 else msgid2)


SPOKEN = Pseudo()
PSEUDO = Language("xx", pseudo("Pseudo"), lambda package: SPOKEN, Signs(",", "’"))
"""As a language of the program."""


def ours(said: str, *, known: frozenset[str] = frozenset()) -> list[str]:
    """Give the words of a text that nobody translated, but for those `known` (in small letters)."""
    return [word for word in _WORD.findall(said) if word.lower() not in known | UNITS]

"""A pattern's words, numbers, texts and signs, each with its place (`docs/games/claim.md`, Patterns). Pure."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST, DEEPEST = 1_000, 20
"""Characters of a pattern; brackets and prefixes within each other."""
RESERVED = frozenset(
    {
        "and", "or", "not", "any", "every", "seat", "other", "others", "all", "yes", "no", "count", "sum", "kinds",
        "highest", "lowest", "top", "newest", "size", "points", "players", "reveals", "taken", "place", "me", "it",
        "of", "hand", "table", "pot", "out", "won", "stock", "pile",
    }
)  # fmt: skip
"""Words with a meaning."""

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+)|(?P<word>[A-Za-z][A-Za-z0-9_]*)|"(?P<double>[^"\n]*)"|'(?P<single>[^'\n]*)'"""
    r"""|(?P<sign>==|!=|<=|>=|[=<>+\-*():;]))"""
)
_MOST_DIGITS = 4
_WRITTEN = {"&": "and", "|": "or", "!": "not"}
"""What other languages write so."""


class PatternError(ValueError):
    """A pattern that cannot be read or means nothing. position: of the character, from 1."""

    def __init__(self, position: int, says: str) -> None:
        super().__init__(f"at character {position}: {says}")
        self.position = position
        self.says = says


class Token(NamedTuple):
    """kind: "number", "word", "text", "sign" or "end". position: of its first character, from 1."""

    kind: str
    text: str
    position: int

    @property
    def says(self) -> str:
        """What stands there, for people."""
        return "the end" if self.kind == "end" else repr(self.text)


def tokens(pattern: str) -> list[Token]:
    """Give the parts of a pattern and an end. Raises PatternError for a character that means nothing."""
    if len(pattern) > LONGEST:
        raise PatternError(LONGEST, f"a pattern has at most {LONGEST} characters")
    found: list[Token] = []
    at, end = 0, len(pattern.rstrip())
    while at < end:
        match = _TOKEN.match(pattern, at)
        if match is None:
            at += len(pattern[at:]) - len(pattern[at:].lstrip())
            raise PatternError(at + 1, f"{pattern[at]!r} means nothing here{_hint(pattern[at])}")
        found.append(_token(match))
        at = match.end()
    return [*found, Token("end", "", end + 1)]


def _token(match: re.Match[str]) -> Token:
    kind = str(match.lastgroup)
    position = match.start(kind) + 1
    if kind in {"double", "single"}:
        return Token("text", match[kind], position - 1)
    if kind == "number" and len(match[kind]) > _MOST_DIGITS:
        raise PatternError(position, f"a number has at most {_MOST_DIGITS} digits")
    return Token(kind, match[kind], position)


def _hint(character: str) -> str:
    if character in _WRITTEN:
        return f"; write `{_WRITTEN[character]}`"
    return "; a text stands between two quotes on one line" if character in "\"'" else ""


class TokenReader:
    """Goes through the tokens of a pattern."""

    def __init__(self, pattern: str) -> None:
        self.tokens = tokens(pattern)
        self.at, self.depth = 0, 0

    @property
    def token(self) -> Token:
        """The next one."""
        return self.tokens[self.at]

    def take(self, *texts: str) -> Token | None:
        """Go on and give the token where it is one of these words or signs."""
        token = self.token
        if token.kind in {"word", "sign"} and token.text in texts:
            self.at += 1
            return token
        return None

    def demand(self, text: str) -> Token:
        """Go on over a word or sign that must stand here."""
        found = self.take(text)
        if found is None:
            raise PatternError(self.token.position, f"{text!r} is missing before {self.token.says}")
        return found

    def deeper(self) -> None:
        """Go one bracket deeper; whoever calls comes up again."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError(self.token.position, f"more than {DEEPEST} brackets within each other")

    def finish(self) -> None:
        """See that nothing is left."""
        if self.token.kind != "end":
            raise PatternError(self.token.position, f"{self.token.says} is too much here")


def nearest(word: object, words: Iterable[object]) -> str:
    """Give "; did you mean …?" for a word that is none of `words`; empty where nothing is near."""
    found = get_close_matches(str(word), [str(one) for one in words], n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


def listed(words: Iterable[str]) -> str:
    """Give "; there are: …" with all words, in the order of letters."""
    return f"; there are: {', '.join(sorted(words))}"

"""Patterns of `claim` read and answered a second time, from docs/games/claim.md alone; no code of the package is here.

A pattern becomes a function of a `Seen`: the table, who presses, and whom or what `it` is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.games.claim.plain_table import PlainTable

    Answer = Callable[["Seen"], Any]
    Fits = Callable[["Seen", str], bool]

Read = TypeVar("Read")
TOKEN = re.compile(r"""\s*(?:(\d{1,4})|("[^"\n]*"|'[^'\n]*')|([A-Za-z_][A-Za-z0-9_]*)|(==|!=|<=|>=|[=<>()+\-*;:]))""")
COMPARED = {
    "=": lambda a, b: a == b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
SUMS = {
    "+": lambda a, b: None if a is None or b is None else a + b,
    "-": lambda a, b: None if a is None or b is None else a - b,
    "*": lambda a, b: None if a is None or b is None else a * b,
}
OVER = ("count", "sum", "kinds", "highest", "lowest")


@dataclass(frozen=True)
class Seen:
    """What a pattern is asked about. it: the value or seat of the nearest quantifier, or the rival."""

    table: PlainTable
    me: str
    hand: str = ""
    it: Any = None
    taken: int = 0
    place: int = 1


class Unread(Exception):
    """A text is no pattern."""


class Pattern:
    """Reads one text by the grammar of the page."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, Any]] = []
        at = 0
        text = text.strip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise Unread(text[at:])
            number, quoted, word, sign = found.groups()
            kinds = (("number", number and int(number)), ("text", quoted and quoted[1:-1]), ("word", word), ("", sign))
            self.tokens.append(next((kind, value) for kind, value in kinds if value is not None))
            at = found.end()
        self.at = 0

    def condition(self) -> Answer:
        """Read all of it as a condition."""
        return self.whole(self.any_of)

    def filter(self) -> Fits:
        """Read all of it as a filter."""
        return self.whole(self.filters)

    def whole(self, part: Callable[[], Read]) -> Read:
        answer = part()
        if self.at != len(self.tokens):
            raise Unread(str(self.tokens[self.at :]))
        return answer

    # -- tokens

    def peek(self, ahead: int = 0) -> Any:
        """Give the next word or sign; a text in quotes is neither."""
        if self.at + ahead >= len(self.tokens):
            return None
        kind, value = self.tokens[self.at + ahead]
        return value if kind in {"word", ""} else None

    def takes(self, *values: str) -> str | None:
        if self.peek() in values:
            self.at += 1
            return str(self.tokens[self.at - 1][1])
        return None

    def needs(self, *values: str) -> str:
        found = self.takes(*values)
        if found is None:
            raise Unread(f"{values} at {self.tokens[self.at :]}")
        return found

    def name(self) -> str:
        kind, value = self.tokens[self.at]
        if kind != "word":
            raise Unread(str(value))
        self.at += 1
        return str(value)

    # -- conditions

    def any_of(self) -> Answer:
        parts = [self.all_of()]
        while self.takes("or"):
            parts.append(self.all_of())
        return lambda seen: any(part(seen) for part in parts)

    def all_of(self) -> Answer:
        parts = [self.plain()]
        while self.takes("and"):
            parts.append(self.plain())
        return lambda seen: all(part(seen) for part in parts)

    def plain(self) -> Answer:
        if self.takes("not"):
            inner = self.plain()
            return lambda seen: not inner(seen)
        if self.peek() in {"any", "every"}:
            return self.quantified()
        if self.peek() in {"yes", "no"}:
            is_yes = self.name() == "yes"
            return lambda _: is_yes
        start = self.at
        try:
            return self.comparison()
        except (Unread, IndexError):
            self.at = start
        self.needs("(")
        inner = self.any_of()
        self.needs(")")
        return inner

    def quantified(self) -> Answer:
        each, over = self.needs("any", "every"), self.name()
        self.needs(":")
        inner = self.plain()
        test = any if each == "any" else every

        def answer(seen: Seen) -> bool:
            if over in {"seat", "other"}:
                of = [c for c in seen.table.colours if over == "seat" or c != seen.me]
            else:
                of = seen.table.values_of(over)
            return bool(test(inner(replace(seen, it=one)) for one in of))

        return answer

    def comparison(self) -> Answer:
        left = self.sum()
        compare = COMPARED[self.needs(*COMPARED)]
        right = self.sum()

        def answer(seen: Seen) -> bool:
            a, b = left(seen), right(seen)
            return a is not None and b is not None and bool(compare(a, b))

        return answer

    def sum(self) -> Answer:
        answer = self.term()
        while sign := self.takes("+", "-"):
            answer = both(SUMS[sign], answer, self.term())
        return answer

    def term(self) -> Answer:
        answer = self.factor()
        while self.takes("*"):
            answer = both(SUMS["*"], answer, self.factor())
        return answer

    def factor(self) -> Answer:
        if self.takes("("):
            inner = self.sum()
            self.needs(")")
            return inner
        if self.peek() in OVER:
            return self.over_cards(self.name())
        if self.takes("size"):
            return self.size()
        if self.takes("points"):
            self.needs("of")
            who = self.one_seat()
            return lambda seen: seen.table.points[who(seen)]
        found = self.takes("players", "reveals", "taken", "place")
        if found:
            return {
                "players": lambda seen: len(seen.table.colours), "reveals": lambda seen: seen.table.reveals,
                "taken": lambda seen: seen.taken, "place": lambda seen: seen.place,
            }[found]  # fmt: skip
        return self.value()

    def value(self) -> Answer:
        is_negative = bool(self.takes("-"))
        kind, value = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            return lambda _: -value if is_negative else value
        if is_negative:
            raise Unread("-")
        if kind == "text":
            self.at += 1
            return lambda _: value
        if self.takes("top"):
            self.needs("(")
            attribute, depth = self.name(), 1
            if self.takes(";"):
                depth = int(self.tokens[self.at][1])
                self.at += 1
            self.needs(")")
            if not self.takes("of"):
                return lambda seen: seen.table.value(seen.table.from_top(depth), attribute)
            who = self.one_seat()
            return lambda seen: seen.table.value(seen.table.top_of(who(seen)), attribute)
        if self.takes("newest"):
            attribute = self.in_brackets()
            return lambda seen: seen.table.value(seen.table.newest, attribute)
        if kind != "word":
            raise Unread(str(value))
        self.at += 1
        named = {"me": lambda seen: seen.me, "hand": lambda seen: seen.hand, "it": lambda seen: seen.it}
        return named.get(value, lambda _: value)

    def in_brackets(self) -> str:
        self.needs("(")
        name = self.name()
        self.needs(")")
        return name

    def one_seat(self) -> Callable[[Seen], str]:
        return (lambda seen: seen.me) if self.needs("me", "it") == "me" else (lambda seen: str(seen.it))

    def over_cards(self, what: str) -> Answer:
        self.needs("(")
        attribute = "" if what == "count" else self.name()
        fits: Fits = lambda _, __: True  # noqa: E731
        if (what == "count" and self.peek() != ")") or (what != "count" and self.takes(";")):
            fits = self.filters()
        self.needs(")")
        whose = self.needs("me", "it", "others", "all") if self.takes("of") else ""

        def answer(seen: Seen) -> Any:
            found = [card for card in seen.table.visible(whose, seen) if fits(seen, card)]
            if what == "count":
                return len(found)
            values = [v for v in (seen.table.value(card, attribute) for card in found) if v is not None]
            if what == "sum":
                return sum(values)
            if what == "kinds":
                return len(set(values))
            return (max if what == "highest" else min)(values, default=None)

        return answer

    def size(self) -> Answer:
        self.needs("(")
        place = self.needs("table", "pot", "out", "won", "stock", "pile")
        if place in {"table", "pot", "out"}:
            self.needs(")")
            return lambda seen: seen.table.size(place, "")
        self.needs("of")
        who = self.one_seat()
        self.needs(")")
        return lambda seen: seen.table.size(place, who(seen))

    # -- filters

    def filters(self) -> Fits:
        parts = [self.filter_both()]
        while self.takes("or"):
            parts.append(self.filter_both())
        return lambda seen, card: any(part(seen, card) for part in parts)

    def filter_both(self) -> Fits:
        parts = [self.filter_plain()]
        while self.takes("and"):
            parts.append(self.filter_plain())
        return lambda seen, card: all(part(seen, card) for part in parts)

    def filter_plain(self) -> Fits:
        if self.takes("not"):
            inner = self.filter_plain()
            return lambda seen, card: not inner(seen, card)
        if self.takes("("):
            inner = self.filters()
            self.needs(")")
            return inner
        if self.peek() in {"yes", "no"} and self.peek(1) not in COMPARED:
            is_yes = self.name() == "yes"
            return lambda _, __: is_yes
        attribute = self.name()
        compare = COMPARED[self.needs(*COMPARED)]
        value = self.factor()

        def fits(seen: Seen, card: str) -> bool:
            a, b = seen.table.value(card, attribute), value(seen)
            return a is not None and b is not None and bool(compare(a, b))

        return fits


def every(answers: Any) -> bool:
    return all(answers)


def both(sign: Callable[[Any, Any], Any], one: Answer, other: Answer) -> Answer:
    return lambda seen: sign(one(seen), other(seen))

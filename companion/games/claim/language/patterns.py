"""Reading patterns: from a text to what looks at a state (`docs/games/claim.md`, Patterns). Pure.

A reader goes once through the tokens and makes of each part a function of a `Sight`, with its sort ("yes-no", "number",
"text"), so that what means nothing is told with its place before anything is played.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.claim.language.counting import Filter, Test, aggregate, seen_by
from companion.games.claim.language.sight import Sight, Value
from companion.games.claim.language.tokens import RESERVED, PatternError, Token, TokenReader, nearest

if TYPE_CHECKING:
    from companion.games.claim.language.sight import Known

Look = Callable[[Sight], Value | None]

DEEPEST_SEEN = 99
"""Of the cards on a common table, counted from its top."""
YES_NO, NUMBER, TEXT = "yes-no", "number", "text"
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
_REMARKS = {YES_NO: "a condition", NUMBER: "a number", TEXT: "a text"}


class Part(NamedTuple):
    """What was read: its sort, the function; the attribute whose value it is; the text itself where it is written."""

    sort: str
    look: Look
    attribute: str = ""
    literal: str | None = None
    position: int = 0


class Scope(NamedTuple):
    """What `it` is: "" nothing, "seat", or "value" of an attribute."""

    sort: str = ""
    attribute: str = ""


NOWHERE, SEAT = Scope(), Scope("seat")


def read_condition(pattern: str, known: Known, scope: Scope = NOWHERE) -> Callable[[Sight], bool]:
    """Give what tells whether a condition holds. Raises PatternError."""
    return _Reader(pattern, known, scope).whole_condition()


def read_filter(pattern: str, known: Known, scope: Scope = NOWHERE) -> Filter:
    """Give which cards a filter lets through. Raises PatternError."""
    return _Reader(pattern, known, scope).whole_filter()


class _Parts(TokenReader):
    """What is read everywhere: attributes, whose it is; and where it may not stand."""

    def __init__(self, pattern: str, known: Known, scope: Scope) -> None:
        super().__init__(pattern)
        self.known, self.scope = known, scope

    def condition(self) -> Part:
        """Read a condition; the last of these classes does."""
        raise NotImplementedError

    def filter(self) -> Filter:
        """Read a filter; so."""
        raise NotImplementedError

    def attribute(self, *, of_numbers: bool = False) -> str:
        token = self.token
        if token.kind != "word" or token.text not in self.known.orders:
            hint = nearest(token.text, self.known.orders) or f"; there are: {', '.join(self.known.orders) or 'none'}"
            raise PatternError(token.position, f"{token.says} is no attribute of the cards{hint}")
        if of_numbers and not self.known.is_number(token.text):
            raise PatternError(token.position, f"the values of `{token.text}` are texts; numbers are wanted")
        self.at += 1
        return token.text

    def seat(self, *, only: tuple[str, ...] = ("me", "it")) -> str:
        """Read whose it is after `of`."""
        token = self.take(*only)
        if token is None:
            raise PatternError(self.token.position, f"whose? One of {', '.join(only)} is missing after `of`")
        if token.text == "it" and self.scope.sort != "seat":
            raise PatternError(token.position, "`it` is no seat here: it is one within `any seat:` or `any other:`")
        return token.text

    def verify_tops(self, token: Token) -> None:
        if not self.known.tops:
            raise PatternError(token.position, 'there are no piles: they belong to shows = "tops"')

    def verify_cards(self, token: Token) -> None:
        if not self.known.names:
            raise PatternError(token.position, "this game has no cards")

    def bracketed_attribute(self) -> str:
        self.demand("(")
        attribute = self.attribute()
        self.demand(")")
        return attribute

    def of_attribute(self, attribute: str, look: Look, token: Token) -> Part:
        return Part(NUMBER if self.known.is_number(attribute) else TEXT, look, attribute, position=token.position)


class _Words(_Parts):
    """The words with a meaning, each read once its own token has been taken."""

    def counted(self, token: Token) -> Part:
        self.verify_cards(token)
        self.demand("(")
        attribute = "" if token.text == "count" else self.attribute(of_numbers=token.text != "kinds")
        has_filter = self.token.text != ")" if token.text == "count" else bool(self.take(";"))
        chosen = self.filter() if has_filter else None
        self.demand(")")
        whose = ""
        if of := self.take("of"):
            self.verify_tops(of)
            whose = self.seat(only=("me", "it", "others", "all"))
        return Part(NUMBER, aggregate(token.text, attribute, chosen, seen_by(whose)), position=token.position)

    def top(self, token: Token) -> Part:
        self.verify_cards(token)
        self.demand("(")
        attribute = self.attribute()
        depth = self.depth_on_table() if self.take(";") else 0
        self.demand(")")
        if not self.known.tops:
            return self.top_of_table(attribute, depth or 1, token)
        self.demand("of")
        is_me = self.seat() == "me"
        if depth:
            raise PatternError(token.position, 'only the top of a pile is seen; a depth belongs to shows = "all"')

        def top(sight: Sight) -> Value | None:
            cards = sight.top(sight.me if is_me else int(sight.it))
            return sight.known.values[cards[0]].get(attribute) if cards else None

        return self.of_attribute(attribute, top, token)

    def depth_on_table(self) -> int:
        """Read which card from the top is meant, from 1."""
        token = self.token
        if token.kind != "number" or not 1 <= int(token.text) <= DEEPEST_SEEN:
            says = f"{token.says} is no place from 1 to {DEEPEST_SEEN}, counted from the top"
            raise PatternError(token.position, says)
        self.at += 1
        return int(token.text)

    def top_of_table(self, attribute: str, depth: int, token: Token) -> Part:
        if self.token.text == "of":
            self.verify_tops(self.token)

        def top(sight: Sight) -> Value | None:
            cards = sight.cards.table
            return sight.known.values[cards[-depth]].get(attribute) if len(cards) >= depth else None

        return self.of_attribute(attribute, top, token)

    def newest(self, token: Token) -> Part:
        self.verify_cards(token)
        attribute = self.bracketed_attribute()

        def newest(sight: Sight) -> Value | None:
            card = sight.counted.newest
            return None if card is None else sight.known.values[card].get(attribute)

        return self.of_attribute(attribute, newest, token)

    def size(self, token: Token) -> Part:
        self.demand("(")
        place = self.take("table", "pot", "out", "won", "stock", "pile")
        if place is None:
            raise PatternError(self.token.position, f"{self.token.says} is no place that has a size")
        if place.text == "pile":
            self.verify_tops(place)
        if place.text in {"table", "pot", "out"}:
            look = _SIZES[place.text]
        else:
            self.demand("of")
            look = _size_of(place.text, is_me=self.seat() == "me")
        self.demand(")")
        return Part(NUMBER, look, position=token.position)

    def points(self, token: Token) -> Part:
        self.demand("of")
        is_me = self.seat() == "me"
        return Part(
            NUMBER, lambda sight: sight.counted.points[sight.me if is_me else int(sight.it)], position=token.position
        )

    def number(self, token: Token) -> Part:
        return Part(NUMBER, _NUMBERS[token.text], position=token.position)

    def me(self, token: Token) -> Part:
        return Part(TEXT, lambda sight: sight.colours[sight.me], position=token.position)

    def hand(self, token: Token) -> Part:
        return Part(TEXT, lambda sight: sight.hand, position=token.position)

    def it(self, token: Token) -> Part:
        if not self.scope.sort:
            raise PatternError(token.position, "`it` means nothing here: it belongs to `any` and `every`")
        if self.scope.sort == "seat":
            return Part(TEXT, lambda sight: sight.colours[int(sight.it)], position=token.position)
        return self.of_attribute(self.scope.attribute, lambda sight: sight.it, token)


class _Sums(_Words):
    """Sums of what words give, and comparing them."""

    def sum(self) -> Part:
        return self.chain(("+", "-"), lambda: self.chain(("*",), self.factor))

    def chain(self, signs: tuple[str, ...], read: Callable[[], Part]) -> Part:
        left = read()
        while sign := self.take(*signs):
            right = read()
            for part in (left, right):
                if part.sort != NUMBER:
                    raise PatternError(part.position, f"{sign.text!r} is for numbers, not {_REMARKS[part.sort]}")
            left = Part(NUMBER, _reckoned(sign.text, left.look, right.look), position=left.position)
        return left

    def factor(self) -> Part:
        token = self.token
        if self.take("("):
            self.deeper()
            part = self.condition()
            self.demand(")")
            self.depth -= 1
            return part._replace(position=token.position)
        if token.kind in {"number", "text"} or token.text == "-":
            return self.written()
        if token.kind != "word":
            raise PatternError(token.position, f"{token.says} stands where a number, a text or a count is expected")
        read = _WORDS.get(token.text)
        if read is not None:
            self.at += 1
            return read(self, token)
        if token.text not in RESERVED and self.tokens[self.at + 1].text == "(":
            hint = nearest(token.text, _WORDS)
            raise PatternError(token.position, f"{token.text!r} is no word that is followed by brackets{hint}")
        return self.written()

    def written(self) -> Part:
        """Read a number or a text as it stands."""
        token = self.token
        self.at += 1
        if token.text == "-" and token.kind == "sign":
            number = self.token
            if number.kind != "number":
                raise PatternError(number.position, f"a number is missing before {number.says}")
            self.at += 1
            return _fixed(NUMBER, -int(number.text), token.position)
        if token.kind == "number":
            return _fixed(NUMBER, int(token.text), token.position)
        if token.kind == "word" and token.text in RESERVED:
            raise PatternError(token.position, f"{token.text!r} has no meaning here; as a text it stands in quotes")
        return _fixed(TEXT, token.text, token.position)._replace(literal=token.text)

    def compared(self, left: Part, sign: Token, right: Part) -> Look:
        self.verify_comparison(left, sign, right)
        compare, one, other = _COMPARED[sign.text], left.look, right.look

        def compared(sight: Sight) -> bool:
            first, second = one(sight), other(sight)
            return first is not None and second is not None and compare(first, second)

        return compared

    def verify_comparison(self, left: Part, sign: Token, right: Part) -> None:
        for part in (left, right):
            if part.sort == YES_NO:
                raise PatternError(part.position, "a condition cannot be compared")
        if left.sort != right.sort:
            says = f"{_REMARKS[left.sort]} is compared with {_REMARKS[right.sort]}"
            raise PatternError(sign.position, says)
        if left.sort == TEXT and sign.text not in {"=", "==", "!="}:
            raise PatternError(sign.position, "texts are compared with = and != alone")
        if left.literal is not None and right.literal is not None:
            says = "two texts are compared; what a card is, is asked within count( )"
            raise PatternError(left.position, says)
        for part, other in ((left, right), (right, left)):
            self.verify_text(part, other.attribute)

    def verify_text(self, part: Part, attribute: str) -> None:
        """Refuse a written text that no card has for the attribute it is compared with."""
        if part.literal is None or not attribute or part.literal in self.known.orders[attribute]:
            return
        hint = nearest(part.literal, self.known.orders[attribute])
        raise PatternError(part.position, f"no card has {part.literal!r} for `{attribute}`{hint}")


class _Filters(_Sums):
    """What is asked of one card."""

    def whole_filter(self) -> Filter:
        found = self.filter()
        self.finish()
        return found

    def filter(self) -> Filter:
        looks: list[Look] = []
        test = self.filter_joined(looks)
        return Filter(tuple(looks), test)

    def filter_joined(self, looks: list[Look]) -> Test:
        either = [self.filter_both(looks)]
        while self.take("or"):
            either.append(self.filter_both(looks))
        return either[0] if len(either) == 1 else lambda card, given: any(test(card, given) for test in either)

    def filter_both(self, looks: list[Look]) -> Test:
        both = [self.filter_plain(looks)]
        while self.take("and"):
            both.append(self.filter_plain(looks))
        return both[0] if len(both) == 1 else lambda card, given: all(test(card, given) for test in both)

    def filter_plain(self, looks: list[Look]) -> Test:
        self.deeper()
        if self.take("not"):
            test = self.filter_plain(looks)
            found: Test = lambda card, given: not test(card, given)  # noqa: E731 - as all of them
        elif self.take("("):
            found = self.filter_joined(looks)
            self.demand(")")
        elif word := self.take("yes", "no"):
            is_yes = word.text == "yes"
            found = lambda _card, _given: is_yes  # noqa: E731
        else:
            found = self.filter_comparison(looks)
        self.depth -= 1
        return found

    def filter_comparison(self, looks: list[Look]) -> Test:
        position = self.token.position
        attribute = self.attribute()
        sign = self.take(*_COMPARED)
        if sign is None:
            raise PatternError(self.token.position, f"= or another comparison is missing after `{attribute}`")
        value = self.factor()
        sort = NUMBER if self.known.is_number(attribute) else TEXT
        self.verify_comparison(Part(sort, value.look, attribute, position=position), sign, value)
        compare, index = _COMPARED[sign.text], len(looks)
        looks.append(value.look)

        def compared(card: dict[str, Value], given: tuple[Value | None, ...]) -> bool:
            own, other = card.get(attribute), given[index]
            return own is not None and other is not None and compare(own, other)

        return compared


class _Reader(_Filters):
    """What is asked of a state."""

    def whole_condition(self) -> Callable[[Sight], bool]:
        part = self.condition()
        self.finish()
        look = self.yes_no(part)
        return lambda sight: bool(look(sight))

    def condition(self) -> Part:
        return self.joined("or", lambda: self.joined("and", self.plain, all), any)

    def joined(self, word: str, read: Callable[[], Part], join: Callable[[list[bool]], bool]) -> Part:
        parts = [read()]
        while self.take(word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        looks = [self.yes_no(part) for part in parts]
        if join is any:
            return Part(YES_NO, lambda sight: any(look(sight) for look in looks), position=parts[0].position)
        return Part(YES_NO, lambda sight: all(look(sight) for look in looks), position=parts[0].position)

    def yes_no(self, part: Part) -> Look:
        if part.sort != YES_NO:
            raise PatternError(part.position, f"a condition belongs here, not {_REMARKS[part.sort]}: compare it")
        return part.look

    def plain(self) -> Part:
        self.deeper()
        position = self.token.position
        if self.take("not"):
            look = self.yes_no(self.plain())
            found = Part(YES_NO, lambda sight: not look(sight), position=position)
        elif self.token.text in {"any", "every"} and self.token.kind == "word":
            found = self.quantified()
        elif self.take("yes"):
            found = Part(YES_NO, lambda _: True, position=position)
        elif self.take("no"):
            found = Part(YES_NO, lambda _: False, position=position)
        else:
            found = self.comparison()
        self.depth -= 1
        return found

    def quantified(self) -> Part:
        word = self.take("any", "every")
        position = word.position if word else 0
        join = any if word and word.text == "any" else all
        scope, values = self.reach()
        self.demand(":")
        outer, self.scope = self.scope, scope
        look = self.yes_no(self.plain())
        self.scope = outer

        def quantified(sight: Sight) -> bool:
            kept = sight.it
            result = join(_with(sight, value, look) for value in values(sight))
            sight.it = kept
            return result

        return Part(YES_NO, quantified, position=position)

    def reach(self) -> tuple[Scope, Callable[[Sight], tuple[Value, ...]]]:
        if self.take("seat"):
            return SEAT, lambda sight: tuple(range(len(sight.colours)))
        if self.take("other"):
            return SEAT, lambda sight: sight.others()
        attribute = self.attribute()
        order = self.known.orders[attribute]
        return Scope("value", attribute), lambda _: order

    def comparison(self) -> Part:
        left = self.sum()
        sign = self.take(*_COMPARED)
        if sign is None:
            return left
        right = self.sum()
        return Part(YES_NO, self.compared(left, sign, right), position=left.position)


def _with(sight: Sight, value: Value, look: Look) -> bool:
    sight.it = value
    return bool(look(sight))


def _fixed(sort: str, value: Value, position: int) -> Part:
    return Part(sort, lambda _: value, position=position)


def _reckoned(sign: str, one: Look, other: Look) -> Look:
    reckon = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]

    def reckoned(sight: Sight) -> Value | None:
        first, second = one(sight), other(sight)
        return None if first is None or second is None else reckon(first, second)

    return reckoned


def _size_of(place: str, *, is_me: bool) -> Look:
    def size(sight: Sight) -> int:
        seat = sight.me if is_me else int(sight.it)
        if place == "stock":
            return sight.cards.stocks[seat]
        return len((sight.cards.won if place == "won" else sight.cards.piles)[seat])

    return size


_SIZES: dict[str, Look] = {
    "table": lambda sight: len(sight.cards.table),
    "pot": lambda sight: len(sight.cards.pot),
    "out": lambda sight: len(sight.cards.out) + sight.cards.buried,
}
_NUMBERS: dict[str, Look] = {
    "players": lambda sight: len(sight.colours),
    "reveals": lambda sight: sight.counted.reveals,
    "taken": lambda sight: sight.taken,
    "place": lambda sight: sight.place,
}
_COUNTING = ("count", "sum", "kinds", "highest", "lowest")
_WORDS: dict[str, Callable[[Any, Token], Part]] = {
    **dict.fromkeys(_COUNTING, _Words.counted),
    **dict.fromkeys(_NUMBERS, _Words.number),
    "top": _Words.top,
    "newest": _Words.newest,
    "size": _Words.size,
    "points": _Words.points,
    "me": _Words.me,
    "hand": _Words.hand,
    "it": _Words.it,
}

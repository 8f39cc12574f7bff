"""Counting visible cards: which of them a filter lets through, and what is made of them. Pure."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.claim.language.sight import Card, Sight, Value

Given = tuple[Value | None, ...]
Test = Callable[[dict[str, Value], Given], bool]
"""Whether a card with these values passes, with what the filter compares them with."""
Seen = Callable[[Sight], tuple[Card, ...]]


class Filter:
    """Which cards pass. What a filter compares with changes little, so that the sets it gives are kept.

    looks: give what is compared with; test: of one card.
    """

    __slots__ = ("_kept", "_looks", "_test")

    def __init__(self, looks: tuple[Callable[[Sight], Value | None], ...], test: Test) -> None:
        self._looks, self._test = looks, test
        self._kept: dict[Given, frozenset[Card]] = {}

    def passing(self, sight: Sight) -> frozenset[Card]:
        """Give the cards, by number, that pass."""
        given = tuple([look(sight) for look in self._looks])
        found = self._kept.get(given)
        if found is None:
            values = sight.known.values
            found = frozenset(card for card in range(len(values)) if self._test(values[card], given))
            self._kept[given] = found
        return found


def seen_by(whose: str) -> Seen:
    """Give which visible cards are counted: "" or "all" all, "me", "it", "others" the tops of those seats."""
    if whose in {"", "all"}:
        return lambda sight: sight.visible
    if whose == "me":
        return lambda sight: sight.top(sight.me)
    if whose == "it":
        return lambda sight: sight.top(int(sight.it))
    return lambda sight: tuple(card for seat in sight.others() for card in sight.top(seat))


def aggregate(word: str, attribute: str, chosen: Filter | None, seen: Seen) -> Callable[[Sight], Value | None]:
    """Give what counts, sums, or finds the kinds, the highest or lowest of the cards that pass."""
    if word == "count":
        return _count(chosen, seen)
    reduce = _REDUCED[word]

    def look(sight: Sight) -> Value | None:
        cards = seen(sight)
        if chosen is not None:
            passing = chosen.passing(sight)
            cards = tuple(card for card in cards if card in passing)
        known = sight.known.values
        return reduce([known[card][attribute] for card in cards if attribute in known[card]])

    return look


def _count(chosen: Filter | None, seen: Seen) -> Callable[[Sight], int]:
    if chosen is None:
        return lambda sight: len(seen(sight))

    def count(sight: Sight) -> int:
        passing = chosen.passing(sight)
        return sum([card in passing for card in seen(sight)])

    return count


def _sum(values: list[Value]) -> Value:
    return sum(int(value) for value in values)


_REDUCED: dict[str, Callable[[list[Value]], Value | None]] = {
    "sum": _sum,
    "kinds": lambda values: len(set(values)),
    "highest": lambda values: max(map(int, values), default=None),
    "lowest": lambda values: min(map(int, values), default=None),
}

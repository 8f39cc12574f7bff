"""Reading `[[card]]`: which cards there are, with their attributes and their looks (`docs/games/claim.md`). Pure."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.panel import Colour
from companion.core.ruling.looks import Card as LookCard
from companion.games.claim.language.sight import Known, Value
from companion.games.claim.language.tables import Table, is_number
from companion.games.claim.language.tokens import RESERVED, listed, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_NAMES, MOST_CARDS, MOST_COPIES = 200, 400, 99
TEXT = 20
_VALUE = 999
_ATTRIBUTE = re.compile(r"[a-z_]{1,20}")
_BRACED = re.compile(r"\{([^{}]*)\}")
Values = dict[str, Value]


class CardSet(NamedTuple):
    """What was read: the cards for patterns, the copies of each, the cards for displays."""

    known: Known
    copies: tuple[int, ...]
    deck: tuple[LookCard, ...]


class _One(NamedTuple):
    table: Table
    values: Values
    look: LookCard


def read_cards(tables: list[Table], *, tops: bool, symbols: frozenset[str]) -> CardSet:
    """Give all cards; what is wrong is told to the tables' faults. symbols: the drawings that there are."""
    cards = [one for table in tables for one in _cards(table, symbols)]
    _verify_names(cards)
    _verify_looks(cards)
    _verify_sorts(cards)
    if len(cards) > MOST_NAMES or sum(one.look.copies for one in cards) > MOST_CARDS:
        says = f"more than {MOST_NAMES} different cards, or more than {MOST_CARDS} in all"
        cards[-1].table.faults.add(cards[-1].table.path, says)
    orders: dict[str, tuple[Value, ...]] = {}
    for one in cards:
        for attribute, value in one.values.items():
            orders[attribute] = tuple(dict.fromkeys((*orders.get(attribute, ()), value)))
    known = Known(tuple(one.look.name for one in cards), tuple(one.values for one in cards), orders, tops)
    return CardSet(known, tuple(one.look.copies for one in cards), tuple(one.look for one in cards))


def _cards(table: Table, symbols: frozenset[str]) -> Iterator[_One]:
    name, plural = table.text("name", 80), table.text("plural", 80, "")
    copies = table.number("copies", 1, MOST_COPIES, 1)
    symbol = table.text("symbol", 80, "")
    lists = _each(table)
    same = _same(table, lists)
    table.finish()
    sizes = 1
    for values in lists.values():
        sizes *= len(values)
    if sizes > MOST_NAMES:
        table.fault("each", f"that is {sizes} different cards; there are at most {MOST_NAMES}")
        return
    for combined in product(*lists.values()):
        found: Values = {**dict(zip(lists, combined, strict=True)), **same}
        look = LookCard(
            name=_filled(table, "name", name, found),
            plural=_filled(table, "plural", plural, found),
            copies=copies,
            colour=_colour(found.get("colour")),
            symbol=_symbol(table, _filled(table, "symbol", symbol, found), symbols),
        )
        yield _One(table, found, look)


def _each(table: Table) -> dict[str, list[Value]]:
    lists: dict[str, list[Value]] = {}
    for attribute, values in _attributes(table, "each"):
        if not isinstance(values, list) or not values or not all(map(_is_value, values)):
            table.fault("each", f"`{attribute}` is a list of texts or numbers: {_VALUES}")
        elif len(set(values)) < len(values):
            table.fault("each", f"`{attribute}` has a value twice")
        else:
            lists[attribute] = values
    return lists


def _same(table: Table, lists: dict[str, list[Value]]) -> Values:
    same: Values = {}
    for attribute, value in _attributes(table, "is"):
        if not _is_value(value):
            table.fault("is", f"`{attribute}`: {_VALUES}")
        elif attribute in lists:
            table.fault("is", f"`{attribute}` stands in `each` as well")
        else:
            same[attribute] = value
    return same


def _attributes(table: Table, key: str) -> Iterator[tuple[str, Any]]:
    values = table.raw(key)
    if values is None:
        return
    if not isinstance(values, dict):
        table.fault(key, "this is a table: { attribute = … }")
        return
    for attribute, value in values.items():
        if attribute in RESERVED:
            table.fault(key, f"{attribute!r} has a meaning in patterns; call it otherwise")
        elif not _ATTRIBUTE.fullmatch(attribute):
            table.fault(key, f"{attribute!r} is no word of small letters and _, at most 20")
        yield attribute, value


_VALUES = f"a text of 1 to {TEXT} characters, or a whole number from -{_VALUE} to {_VALUE}"


def _is_value(value: object) -> bool:
    if isinstance(value, str):
        return 0 < len(value) <= TEXT and value.isprintable()
    return is_number(value) and isinstance(value, int) and -_VALUE <= value <= _VALUE


def _filled(table: Table, key: str, shape: str, values: Values) -> str:
    """Put a card's values into the braces of a text."""
    for attribute in _BRACED.findall(shape):
        if attribute not in values:
            table.fault(key, f"the cards have no {attribute!r}{nearest(attribute, values)}")
            return "?"
    text = _BRACED.sub(lambda match: str(values[match[1]]), shape)
    if len(text) > TEXT:
        table.fault(key, f"{text!r} has more than {TEXT} characters")
        return text[:TEXT]
    return text


def _symbol(table: Table, name: str, symbols: frozenset[str]) -> str:
    if name and name not in symbols:
        table.fault("symbol", f"there is no drawing {name!r}{nearest(name, symbols) or listed(symbols)}")
        return ""
    return name


def _colour(value: Value | None) -> Colour | None:
    return Colour(value) if isinstance(value, str) and value in set(Colour) else None


def _verify_names(cards: list[_One]) -> None:
    seen: set[str] = set()
    for one in cards:
        if one.look.name in seen:
            one.table.fault("name", f"two cards are called {one.look.name!r}; say how many by `copies`")
        seen.add(one.look.name)


def _verify_looks(cards: list[_One]) -> None:
    """Refuse one drawing for two cards: displays show it in the place of the name."""
    seen: dict[tuple[str, Colour | None], str] = {}
    for one in cards:
        other = seen.setdefault((one.look.symbol, one.look.colour), one.look.name)
        if one.look.symbol and other != one.look.name:
            says = f"{other!r} has the same drawing, and would look like {one.look.name!r}; leave it out"
            one.table.fault("symbol", says)


def _verify_sorts(cards: list[_One]) -> None:
    sorts: dict[str, type] = {}
    for one in cards:
        for attribute, value in one.values.items():
            if sorts.setdefault(attribute, type(value)) is not type(value):
                key = "is" if attribute in (one.table.values.get("is") or {}) else "each"
                one.table.fault(key, f"`{attribute}` has texts and numbers; all its values are of one sort")

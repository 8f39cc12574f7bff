"""Reading a whole game file: the game it describes, or all that is wrong with it, line by line. Pure."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from companion.core.ruling.parameters import FileFault
from companion.games.claim.language.card_tables import CardSet, read_cards
from companion.games.claim.language.description import Cost, Description, Ends, Hand, Take
from companion.games.claim.language.drawings import COMING_ALONG, read_symbols
from companion.games.claim.language.hand_tables import Parts, read_cost, read_hands, read_takes
from companion.games.claim.language.move_tables import Around
from companion.games.claim.language.rule_tables import read_called, read_ends
from companion.games.claim.language.tables import Faults, Table
from companion.games.claim.language.toml_lines import lines_of

if TYPE_CHECKING:
    from companion.core.ruling.looks import Symbol

MOST_BYTES = 32_768
_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")

_TWICE = "; what is there several times stands in double brackets: [[hand]]"
_HINTS = {"twice": _TWICE, "overwrite": _TWICE, "Invalid value": "; a text stands in quotes"}
"""What is usually meant where the reader of TOML says so."""


class ReadFile(NamedTuple):
    """What came of a file: the game, None where there are faults."""

    game: Description | None
    faults: tuple[FileFault, ...]


@lru_cache(maxsize=64)
def read_file(text: str) -> ReadFile:
    """Give the game that a text describes, or its faults in the order of their lines."""
    if len(text.encode(errors="replace")) > MOST_BYTES:
        return ReadFile(None, (FileFault(None, f"the file has more than {MOST_BYTES} bytes"),))
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return ReadFile(None, (_no_toml(text, str(error)),))
    faults = Faults()
    game = _game(Table(faults, (), values))
    if not faults.found:
        return ReadFile(game, ())
    lines = lines_of(text)
    told = [FileFault(lines.of(path) or 1, says) for path, says in faults.found]
    return ReadFile(None, tuple(sorted(dict.fromkeys(told), key=lambda fault: fault.line or 0)))


def _no_toml(text: str, says: str) -> FileFault:
    match = _AT_LINE.search(says)
    hint = next((hint for word, hint in _HINTS.items() if word in says), "")
    if match is None:
        return FileFault(text.count("\n") + 1, f"this is no TOML: {says.removesuffix(' (at end of document)')}{hint}")
    return FileFault(int(match[1]), f"this is no TOML: {says[: match.start()]}, at character {match[2]}{hint}")


def _game(top: Table) -> Description:
    called = read_called(top.table("game"))
    symbols = {**COMING_ALONG, **read_symbols(top.table("symbols"))}
    tops = _shows_tops(top)
    cards = read_cards(top.tables("card"), tops=tops, symbols=frozenset(symbols))
    ends = read_ends(top, sum(cards.copies), called.players, tops=tops)
    parts = Parts(Around(cards.known, bool(ends.deal), takes=False, rival=False), frozenset(symbols))
    takes = read_takes(top, parts)
    hands = read_hands(top, parts, takes)
    wrong, last = read_cost(top, "wrong", parts), read_cost(top, "last", parts)
    top.finish()
    return Description(
        called, cards.known, cards.copies, cards.deck, hands, takes, wrong, last if top.has("last") else None, ends,
        _used(symbols, cards, hands), _has_points(ends, takes, wrong, last),
    )  # fmt: skip


def _shows_tops(top: Table) -> bool:
    table = top.table("table")
    shows = table.choice("shows", ("all", "tops"), "all")
    table.finish()
    return shows == "tops"


def _used(symbols: dict[str, Symbol], cards: CardSet, hands: tuple[Hand, ...]) -> dict[str, Symbol]:
    """Give the drawings that a card or a hand names."""
    named = {card.symbol for card in cards.deck} | {hand.symbol for hand in hands}
    return {name: symbol for name, symbol in symbols.items() if name in named}


def _has_points(ends: Ends, takes: tuple[Take, ...], wrong: Cost, last: Cost) -> bool:
    given = any(take.points for take in takes) or wrong.points or last.points
    return bool(given or ends.points or ends.counts == "points")

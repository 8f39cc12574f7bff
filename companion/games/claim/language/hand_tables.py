"""Reading `[[hand]]`, `[[take]]`, `[wrong]` and `[last]`: when a press is right, and what follows. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from companion.games.claim.language.description import Cost, Hand, Need, Take
from companion.games.claim.language.move_tables import Around, read_moves
from companion.games.claim.language.patterns import SEAT
from companion.games.claim.language.tokens import listed, nearest

if TYPE_CHECKING:
    from companion.games.claim.language.tables import Table

MOST_HANDS, MOST_TAKES = 4, 20
POINTS = 999
NOTHING, WRONG = "nothing to take", "not right"
_NAME = re.compile(r"[a-z0-9][a-z0-9 -]*")
_SHORT, _LABEL, _WHY = 12, 18, 40


class Parts(NamedTuple):
    """What the rest of a file refers to: what moves stand in, and which drawings there are."""

    around: Around
    drawings: frozenset[str]


def read_takes(top: Table, parts: Parts) -> tuple[Take, ...]:
    """Give all that may be taken, in the order of the file."""
    names = [hand.get("name") for hand in top.values.get("hand") or () if isinstance(hand, dict)]
    hands = tuple(name for name in names if isinstance(name, str))
    takes = tuple(_take(table, parts, hands) for table in _some(top, "take", MOST_TAKES))
    _verify_takes(top, takes)
    return takes


def read_hands(top: Table, parts: Parts, takes: tuple[Take, ...]) -> tuple[Hand, ...]:
    """Give the hands, in the order of a seat's buttons."""
    hands = tuple(_hand(table, parts, takes) for table in _some(top, "hand", MOST_HANDS))
    _verify_different(top, "hand", [hand.name for hand in hands])
    return hands


def read_cost(top: Table, key: str, parts: Parts) -> Cost:
    """Give what it costs to be wrong, or last; nothing where the table is left out."""
    table = top.table(key)
    who = table.choice("who", ("last", "missing", "slowest"), "slowest") if key == "last" else ""
    cost = Cost(read_moves(table, parts.around), table.number("points", -POINTS, POINTS, 0), who)
    table.finish()
    return cost


def _some(top: Table, key: str, most: int) -> list[Table]:
    tables = top.tables(key)
    if not 1 <= len(tables) <= most:
        top.faults.add((key,), f"there are 1 to {most} [[{key}]], not {len(tables)}")
    return tables


def _verify_different(top: Table, key: str, names: list[str]) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            top.faults.add((key, index, "name"), f"`name`: there is another [[{key}]] {name!r}")


def _verify_takes(top: Table, takes: tuple[Take, ...]) -> None:
    """Refuse two choices of one hand by one name."""
    for index, take in enumerate(takes):
        for other in takes[:index]:
            if other.name == take.name and set(other.hands) & set(take.hands):
                says = f"`name`: the same hand has another [[take]] {take.name!r}"
                top.faults.add(("take", index, "name"), says)


def _take(table: Table, parts: Parts, hands: tuple[str, ...]) -> Take:
    name = table.text("name", _SHORT, shape=_NAME)
    known = parts.around.known
    around = parts.around._replace(takes=True, rival=table.has("rival"))
    take = Take(
        name,
        table.text("label", _LABEL, name),
        _hands(table, hands),
        table.condition("when", known),
        table.condition("rival", known, SEAT),
        read_moves(table, around),
        table.number("points", -POINTS, POINTS, 0),
    )
    table.finish()
    return take


def _hands(table: Table, hands: tuple[str, ...]) -> tuple[str, ...]:
    named = table.raw("hands")
    if named is None:
        return hands
    if not isinstance(named, list) or not named:
        table.fault("hands", "this is a list of names of hands")
        return hands
    for index, name in enumerate(named):
        if name not in hands:
            hint = nearest(name, hands)
            table.faults.add((*table.path, "hands", index), f"`hands`: there is no [[hand]] {name!r}{hint}")
    return tuple(map(str, named))


def _hand(table: Table, parts: Parts, takes: tuple[Take, ...]) -> Hand:
    name = table.text("name", _SHORT, shape=_NAME)
    symbol = table.text("symbol", 20, "")
    if symbol and symbol not in parts.drawings:
        table.fault(
            "symbol", f"there is no drawing {symbol!r}{nearest(symbol, parts.drawings) or listed(parts.drawings)}"
        )
    own = tuple(take for take in takes if name in take.hands)
    if not own and takes:
        table.faults.add(table.path, f"no [[take]] is for the hand {name!r}: a press of it could never be right")
    hand = Hand(
        name,
        table.text("label", _SHORT, name),
        symbol,
        tuple(_need(one, parts) for one in table.tables("needs")),
        table.text("why", _WHY, NOTHING),
        table.text("short", _SHORT, WRONG),
        own,
    )
    table.finish()
    return hand


def _need(table: Table, parts: Parts) -> Need:
    if not table.has("that"):
        table.faults.add(table.path, "`that` is missing: what must hold")
    holds = table.condition("that", parts.around.known)
    need = Need(holds or (lambda _: True), table.text("why", _WHY), table.text("short", _SHORT, WRONG))
    table.finish()
    return need

"""Reading moves of cards: from where, to where, which and how many (`docs/games/claim.md`, Moves). Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from companion.games.claim.language.description import ALL, SEVERAL, Move, Place
from companion.games.claim.language.patterns import NOWHERE, SEAT
from companion.games.claim.language.tokens import nearest

if TYPE_CHECKING:
    from companion.games.claim.language.sight import Known
    from companion.games.claim.language.tables import Table

COMMON, OF_SEATS = ("table", "pot", "out"), ("pile", "won", "stock")
WHO = ("me", "others", "all", "next", "previous", "rival", "winner", "wrong")
_PLACE = re.compile(r"(\S+)(?:\s+of\s+(\S+))?")
_MOST = 99


class Around(NamedTuple):
    """What a move stands in. dealt: there are stocks. takes: it is something to take, with a rival or without."""

    known: Known
    dealt: bool
    takes: bool
    rival: bool


def read_moves(table: Table, around: Around) -> tuple[Move, ...]:
    """Give the moves of a table, in order."""
    tables = table.tables("move")
    if tables and not around.known.names:
        table.fault("move", "this game has no cards")
        return ()
    moves = tuple(_move(one, around) for one in tables)
    if sum(move.picks for move in moves) > 1:
        table.fault("move", "one card is picked at most: two of these have `pick`")
    return moves


def _move(table: Table, around: Around) -> Move:
    source, target = _place(table, "from", around), _place(table, "to", around)
    _verify_places(table, source, target)
    scope = SEAT if around.rival else NOWHERE
    cards = table.filter("cards", around.known, scope)
    number = table.number_or_all("number", _MOST, ALL, ALL)
    least = table.number("least", 0, _MOST, 0)
    move = Move(
        source,
        target,
        cards,
        number,
        least,
        picks=table.flag("pick"),
        from_bottom=table.choice("end", ("top", "bottom"), "top") == "bottom",
        on_bottom=table.choice("on", ("top", "bottom"), "top") == "bottom",
        where=table.condition("where", around.known, SEAT),
    )
    table.finish()
    _verify_numbers(table, move, around)
    _verify_pick(table, move, around)
    return move


def _place(table: Table, key: str, around: Around) -> Place:
    text = table.text(key, 40)
    match = _PLACE.fullmatch(text)
    name, whose = (match[1], match[2] or "") if match else (text, "")
    if name not in COMMON + OF_SEATS:
        if text != "?":
            table.fault(key, f"{text!r} is no place; there are: {', '.join(COMMON)}, {', '.join(_OF_EXAMPLES)}")
        return Place("?")
    if why := _why_no_place(name, whose, around):
        table.fault(key, why)
    return Place(name, whose)


_OF_EXAMPLES = tuple(f"{name} of …" for name in OF_SEATS)


def _why_no_place(name: str, whose: str, around: Around) -> str:
    if name in COMMON and whose:
        return f"the {name} is everybody's: it is of nobody"
    if name in OF_SEATS and whose not in WHO:
        return f"whose {name}? `{name} of` one of {', '.join(WHO)}{nearest(whose, WHO) if whose else ''}"
    if name == "stock" and not around.dealt:
        return "there are no stocks: they belong to [deal]"
    if name == ("table" if around.known.tops else "pile"):
        return f'there is no {name} with shows = "{"tops" if around.known.tops else "all"}"'
    if whose == "rival" and not around.rival:
        return "there is no rival: it belongs to a [[take]] with `rival`"
    return ""


def _verify_places(table: Table, source: Place, target: Place) -> None:
    if source.name == "out":
        table.fault("from", "what is out of the game stays there")
    if target.name in {"table", "pile"}:
        table.fault("to", "only a card that is turned comes there; what is put aside goes to the pot, or out")
    if source.name == "stock" and target.name in {"won", "pot"}:
        table.fault("to", "nobody knows what lies in a stock: from there cards go to a stock, or out")
    if source.whose in SEVERAL and target.whose in SEVERAL:
        table.fault("to", "from several places cards go to one, and to several from one")


def _verify_numbers(table: Table, move: Move, around: Around) -> None:
    if move.target.whose in SEVERAL and move.number == ALL and not move.picks:
        table.fault("to", "how many go to each? `number` is missing")
    if move.least > move.number:
        table.fault("least", f"that is more than `number`, which is {move.number}")
    if table.has("least") and not around.takes:
        table.fault("least", "this belongs to a [[take]]")
    if table.has("where") and not {move.source.whose, move.target.whose} & SEVERAL:
        table.fault("where", "there are not several seats to look at: it belongs to others, all, wrong")
    if move.source.name == "stock" and table.has("cards"):
        table.fault("cards", "nobody knows what lies in a stock")


def _verify_pick(table: Table, move: Move, around: Around) -> None:
    if not move.picks:
        return
    if not around.takes:
        table.fault("pick", "this belongs to a [[take]]")
    for key in ("number", "least", "end"):
        if table.has(key):
            table.fault(key, "what is picked is one card, from anywhere in its place")
    if move.source.name == "stock" or move.source.whose in SEVERAL or move.target.whose in SEVERAL:
        table.fault("pick", "a card is picked from one place that is seen, for one place")

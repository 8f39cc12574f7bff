"""Reading `[game]`, `[deal]`, `[turn]`, `[end]` and `[score]`: names, and what belongs to the whole game. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.claim.language.description import ALL, Called, Ends
from companion.games.claim.language.tables import is_number

if TYPE_CHECKING:
    from companion.games.claim.language.tables import Table

_FEWEST, _MOST = 2, 5
_TEXT, _SHORT, _LONG = 20, 12, 400
_DEALT, _REVEALS, _POINTS = 99, 9_999, 999
_WITH_CARDS = ("table", "deal", "turn")
"""Tables of a game with cards alone."""


def read_called(table: Table) -> Called:
    """Give what `[game]` says."""
    if table.raw("format") != 1 or table.values["format"] is True:
        table.faults.add((*table.path, "format"), "`format`: this reads format = 1")
    title, race = table.text("title", _TEXT), table.text("race", _SHORT, "Race")
    players, text = _players(table), table.text("text", _LONG, "")
    table.finish()
    return Called(title, race, players, text)


def _players(table: Table) -> tuple[int, int]:
    value = table.raw("players")
    if value is None:
        return _FEWEST, _MOST
    if isinstance(value, list) and len(value) == 2 and all(map(is_number, value)):
        fewest, most = value
        if _FEWEST <= fewest <= most <= _MOST:
            return fewest, most
    table.fault("players", f"{value!r} is not [fewest, most], each from {_FEWEST} to {_MOST}")
    return _FEWEST, _MOST


def read_ends(top: Table, cards: int, players: tuple[int, int], *, tops: bool) -> Ends:
    """Give what is dealt, who turns next, when it is over, what counts. cards: how many there are."""
    if not cards:
        for key in (key for key in _WITH_CARDS if top.has(key)):
            top.faults.add((key,), f"[{key}] belongs to a game with cards: there is no [[card]]")
    deal, refill = _deal(top, cards, players[1], tops=tops)
    places = ("won", "cards", *(("stock",) if deal else ()))
    turn, end, score = top.table("turn"), top.table("end"), top.table("score")
    ends = Ends(
        deal,
        refill,
        turn.choice("after", ("last", "winner", "next"), "last"),
        end.number("reveals", 1, _REVEALS, ALL),
        end.choice("empty", (*places, *(("pile",) if tops else ())), ""),
        end.choice("who", ("one", "others"), "one"),
        end.number("points", 1, _POINTS, 0),
        score.choice("counts", (*places, "points"), "won"),
        score.choice("best", ("most", "fewest"), "most") == "fewest",
    )
    if not cards and (end.has("reveals") or end.has("empty")):
        top.faults.add(end.path, "[end] of a game without cards has `points` alone")
    if end.has("who") and not end.has("empty"):
        end.fault("who", "`who` says of whom `empty` is: that is missing")
    for table in (turn, end, score):
        table.finish()
    return ends


def _deal(top: Table, cards: int, most: int, *, tops: bool) -> tuple[int, bool]:
    table = top.table("deal")
    if not top.has("deal"):
        return 0, False
    each, refill = table.number_or_all("each", _DEALT, ALL, ALL), table.flag("refill")
    table.finish()
    if each != ALL and each * most > cards:
        table.fault("each", f"{most} players want {each * most} cards; there are {cards}: fewer `players`?")
    if refill and not tops:
        table.fault("refill", 'there are no piles to turn over: they belong to shows = "tops"')
    return each, refill

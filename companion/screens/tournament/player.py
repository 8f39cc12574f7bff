"""One player's way through an event: each round with table, opponents, points, and how they came about. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.screens.tournament.standings import explained_document
from companion.screens.tournament.tables import seated
from companion.tournament.event.stages import Stage

if TYPE_CHECKING:
    from companion.screens.tournament.standings import Basis
    from companion.screens.tournament.words import Document
    from companion.tournament.event.event import Event
    from companion.tournament.standings.standings import Standing


def about_player(event: Event, number: int) -> Document:
    """Give what the event has of a player. Raises Illegal where there is none of this number."""
    player = event.players[number]
    return {
        "player": player.number,
        "name": player.name,
        "club": player.club,
        "is_there": player.is_there,
        "is_over": event.stage is Stage.ENDED,
        "now": sits_at(event, number),
    }


def player_document(about: Document, basis: Basis, found: tuple[Standing, ...], number: int) -> Document:
    """Give a player's way. about: of the same player. The standing is None for who has not checked in."""
    try:
        standing: Document | None = explained_document(basis, found, number)
    except Illegal:
        standing = None
    return {**about, "standing": standing, "of": len(found)}


def sits_at(event: Event, number: int) -> Document | None:
    """Give where a player sits in the newest round: table None for a bye. None: not in it, or the event is over."""
    newest = event.rounds[-1] if event.rounds else None
    if newest is None or event.stage is Stage.ENDED or number not in newest.seated():
        return None
    table = next((one for one in newest.tables.values() if number in one.players), None)
    return {
        "round": newest.number,
        "table": None if table is None else table.number,
        "players": [] if table is None else seated(event, table.players),
    }

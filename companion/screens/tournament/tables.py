"""The tables of a round as rows: who sits there, where it stands, what its box shows, what came of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.tournament.words import TABLE_KEYS, TABLES
from companion.tournament.event.results import result_of
from companion.tournament.standings.points import points_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import Round, TableState

MOST_ROWS = 6
"""So much of what a box shows is passed on, in rows."""


def tables_document(desk: Desk) -> Document:
    """Give all tables of the newest round."""
    newest = desk.event.rounds[-1] if desk.event.rounds else None
    if newest is None:
        return {"round": None, "rows": [], "byes": []}
    return {
        "round": newest.number,
        "rows": [row_of(desk, table) for table in newest.tables.values()],
        "byes": seated(desk.event, newest.byes),
    }


def rows_document(desk: Desk, places: Iterable[tuple[int, int]]) -> list[Document]:
    """Give those tables of the newest round that are among the places, by round and number."""
    newest = desk.event.rounds[-1] if desk.event.rounds else None
    if newest is None:
        return []
    numbers = sorted(table for number, table in places if number == newest.number and table in newest.tables)
    return [row_of(desk, newest.tables[number]) for number in numbers]


def row_of(desk: Desk, table: TableState) -> Document:
    """Give one table."""
    standing = None if table.box is None else desk.boxes.by_name.get(table.box)
    return {
        "round": table.round,
        "table": table.number,
        "stage": TABLE_KEYS[table.stage],
        "says": TABLES[table.stage],
        "players": seated(desk.event, table.players),
        "box": table.box,
        "is_there": standing is not None and standing.is_there,
        "shown": [] if table.is_final else shown_at(desk, table),
        "result": result_document(desk, table),
        "by_hand": table.by_hand is not None,
        "reason": None if table.by_hand is None else table.by_hand.reason,
    }


def shown_at(desk: Desk, table: TableState) -> list[str]:
    """Give what the box of a table shows of its match; nothing where it shows none of this table."""
    standing = None if table.box is None else desk.boxes.by_name.get(table.box)
    if standing is None or standing.shown is None:
        return []
    held = desk.records.held.get((standing.name, standing.shown.match))
    if held is None or held.place != (table.round, table.number):
        return []
    return list(standing.shown.rows[:MOST_ROWS])


def result_document(desk: Desk, table: TableState) -> list[Document] | None:
    """Give what a table came to, in the order of the places; None while it has no result."""
    result = result_of(table, desk.find)
    if result is None:
        return None
    points = points_of(result)
    return [
        {"player": place.player, "rank": place.rank, "cards": place.cards, "punished": place.punished,
         "points": points[place.player]}
        for place in sorted(result.places, key=lambda place: place.rank)
    ]  # fmt: skip


def seated(event: Event, players: Iterable[int]) -> list[Document]:
    """Give players as a table has them, in the order given."""
    return [{"player": number, "name": event.players[number].name} for number in players]


def pairings_document(event: Event, found: Round | None) -> Document:
    """Give who sits where in a round: by table, and by name."""
    if found is None:
        return {"round": None, "rounds": len(event.rounds), "tables": [], "byes": []}
    return {
        "round": found.number,
        "rounds": len(event.rounds),
        "sheet": found.line.sheet,
        "tables": [
            {
                "table": table.number,
                "players": [
                    {"player": number, "name": event.players[number].name, "club": event.players[number].club}
                    for number in table.players
                ],
            }
            for table in found.tables.values()
        ],
        "byes": [
            {"player": number, "name": event.players[number].name, "club": event.players[number].club}
            for number in found.byes
        ],
    }

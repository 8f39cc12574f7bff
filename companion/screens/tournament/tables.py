"""The tables of a round as rows: who sits there, where it stands, what its box shows, what came of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour
from companion.core.shown.scene import Row
from companion.core.words.texts import joined, text
from companion.screens.text.wording import gap
from companion.screens.tournament.words import TABLE_KEYS
from companion.tournament.event.results import result_of
from companion.tournament.standings.points import points_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import Round, TableState
    from companion.tournament.wire import Shown, ShownPlace, ShownRace

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
        "says": table.stage.value,
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
    return rows_shown(standing.shown, [desk.event.players[player].name for player in table.players])


def rows_shown(shown: Shown, names: Sequence[str]) -> list[str]:
    """Give what a box shows as rows for people who are not at its table. names: in the order of the seats."""
    race, scores = shown.race, shown.scores
    is_fit = len(scores) in (0, len(names)) and (race is None or all(one.seat < len(names) for one in race.places))
    if not is_fit or (race is None and not scores):
        return list(shown.rows[:MOST_ROWS])
    found = [] if race is None else [_race_says(race), *(_place_says(one, names[one.seat]) for one in race.places)]
    return [*found, *([_scores_say(scores, names)] if scores else [])]


def _race_says(race: ShownRace) -> str:
    says = text("race {number}") if race.is_final else text("race {number}: under way")
    return says.format(number=race.number)


def _place_says(one: ShownPlace, name: str) -> str:
    behind = gap(Row(one.place, Colour.RED, "", one.gap_ns, one.error_ns, dead_heat=one.is_tied))
    said = [joined((str(one.place), name, *([behind] if one.gap_ns or one.is_tied else [])), " ")]
    return joined([*said, *([text("punished")] if one.is_punished else [])])


def _scores_say(scores: Sequence[int], names: Sequence[str]) -> str:
    each = joined((joined((name, str(score)), " ") for name, score in zip(names, scores, strict=True)), ", ")
    return text("so far: {scores}").format(scores=each)


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

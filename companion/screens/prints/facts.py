"""What is printed of an event, as plain values: worked out of its log and results, in no language yet. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.tournament.standings.explaining import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tournament.event.event import Event
    from companion.tournament.event.players import Player
    from companion.tournament.standings.standings import Standing


class Sitter(NamedTuple):
    """A player at a table. seat: from 1; 0 for a bye."""

    player: int
    name: str
    club: str
    seat: int


class TablePrinted(NamedTuple):
    """A table of a round, its players in the order of their seats."""

    number: int
    sitters: tuple[Sitter, ...]


class RoundPrinted(NamedTuple):
    """A round as it is printed. sheet: the hash of its pairings; head: of the log when they were printed.

    changed: the drawing was changed by hand.
    """

    event: str
    id: str
    number: int
    tables: tuple[TablePrinted, ...]
    byes: tuple[Sitter, ...]
    sheet: str
    head: str
    changed: bool


class StandingPrinted(NamedTuple):
    """A row of the standings. values: of the tie-breaks, as pages have them; rounds: the points of each, "–" where none
    are."""

    place: int
    name: str
    club: str
    points: int
    values: tuple[str, ...]
    rounds: tuple[str, ...]


class StandingsPrinted(NamedTuple):
    """The standings as they are printed. after: how many rounds they are of. waiting: tables without a result."""

    event: str
    after: int
    tie_breaks: tuple[str, ...]
    rows: tuple[StandingPrinted, ...]
    is_final: bool
    head: str


def printed_round(event: Event, number: int, head: str) -> RoundPrinted:
    """Give a round's pairings. head: the hash of the log's newest line. Raises Illegal where it is not drawn."""
    found = event.round(number)
    tables = tuple(
        TablePrinted(
            table.number,
            tuple(_sitter(event.players[player], seat) for seat, player in enumerate(table.players, start=1)),
        )
        for table in found.tables.values()
    )
    byes = tuple(_sitter(event.players[player], 0) for player in sorted(found.byes))
    is_changed = found.line is not found.drawn
    line = event.line
    return RoundPrinted(line.name, line.event, number, tables, byes, found.line.sheet, head, is_changed)


def _sitter(player: Player, seat: int) -> Sitter:
    return Sitter(player.number, player.name, player.club, seat)


def printed_standings(event: Event, standing: Sequence[Standing], head: str) -> StandingsPrinted:
    """Give the standings as they are. standing: all players, the first first."""
    rounds = len(event.rounds)
    rows = tuple(
        StandingPrinted(
            one.place,
            event.players[one.player].name,
            event.players[one.player].club,
            one.points,
            tuple(figure(value) for value in one.values[1:-1]),
            _of_rounds(one, rounds),
        )
        for one in standing
    )
    is_final = bool(standing) and all(one.is_final for one in standing)
    return StandingsPrinted(event.line.name, rounds, event.line.tie_breaks[1:-1], rows, is_final, head)


def _of_rounds(standing: Standing, count: int) -> tuple[str, ...]:
    points = {one.round: one.points for one in standing.rounds}
    found = (points.get(number) for number in range(1, count + 1))
    return tuple("–" if one is None else str(one) for one in found)

"""What a drawing costs: the three aims of `Cost`, counted plainly, for a drawing of any hand."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from companion.tournament.drawing.wanted import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.tournament.drawing.wanted import Entrant, Wanted
    from companion.tournament.log.lines import TableDrawn


def cost_of(wanted: Wanted, tables: Iterable[TableDrawn]) -> Cost:
    """Give what these tables cost after what was played. Who sits at them has to be among the entrants."""
    entrants = {entrant.player: entrant for entrant in wanted.entrants}
    seated = [[entrants[player] for player in table.players] for table in tables]
    return Cost(
        sum(_meetings(wanted.meetings, table) for table in seated),
        sum(_spread(table) for table in seated),
        sum(times_in(entrant.seats, seat) for table in seated for seat, entrant in enumerate(table)),
    )


def times_in(seats: Sequence[int], seat: int) -> int:
    """Give how often a player has had a seat, counted from 0, of what is known of all seats."""
    return seats[seat] if seat < len(seats) else 0


def _meetings(meetings: Mapping[tuple[int, int], int], table: Iterable[Entrant]) -> int:
    players = sorted(entrant.player for entrant in table)
    return sum(meetings.get(pair, 0) ** 2 for pair in combinations(players, 2))


def _spread(table: Iterable[Entrant]) -> int:
    scores = [entrant.score for entrant in table]
    return max(scores, default=0) - min(scores, default=0)

"""Points of a table, as `docs/standings.md` has them: how many of the others a player has beaten, whatever the table's
size. Pure; knows no round.

24 × (players beaten + half of those tied) / (seats − 1) is a whole number for every table of two to five: the seats
less one are 1, 2, 3 or 4, and each of them divides 12. Over a table's players it is always 12 on average.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal

if TYPE_CHECKING:
    from companion.tournament.results import TableResult

WHOLE = 24
"""Points of somebody who beat everybody at a table."""
BYE = 12
"""Points of a round without a table: what a table gives on average."""
MISSED = 0
FEWEST_SEATS, MOST_SEATS = 2, 5


class Score(NamedTuple):
    """How a player came off against the others of a table. seats: of the table, the player's own included."""

    beaten: int
    tied: int
    seats: int

    @property
    def points(self) -> int:
        """From 0 to 24."""
        return WHOLE * (2 * self.beaten + self.tied) // (2 * (self.seats - 1))


def scores_of(result: TableResult) -> dict[int, Score]:
    """Give each player's score, in the order of the seats. Raises Illegal: a table of 1 or 6, somebody twice at it."""
    seats, where = len(result.places), f"round {result.round}, table {result.table}"
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise Illegal(f"{where}: {seats} players; a table has {FEWEST_SEATS} to {MOST_SEATS}")
    ranks = Counter(place.rank for place in result.places)
    scores = {
        place.player: Score(sum(ranks[rank] for rank in ranks if rank > place.rank), ranks[place.rank] - 1, seats)
        for place in result.places
    }
    if len(scores) < seats:
        raise Illegal(f"{where}: somebody is at it twice; each player has one place")
    return scores


def points_of(result: TableResult) -> dict[int, int]:
    """Give each player's points of a table, in the order of the seats. Raises Illegal as `scores_of`."""
    return {player: score.points for player, score in scores_of(result).items()}

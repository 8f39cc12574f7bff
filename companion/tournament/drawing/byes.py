"""Who has a bye, where the boxes have no seat for all: those who had the fewest, then the lowest score, then by lot."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from companion.tournament.drawing.sizes import byes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.tournament.drawing.lots import Lots
    from companion.tournament.drawing.wanted import Entrant, Wanted

CHOICES = 40
"""So many sets of players are tried where those of the lowest score leave others at a table who must not meet."""


def byes(wanted: Wanted, lots: Lots) -> Iterator[tuple[Entrant, ...]]:
    """Give who has a bye, the fair choice first; then, for where it leaves no drawing, others.

    None of these has anybody with more byes than another who has none in this round; only the scores are passed over.
    Raises Illegal where there is nothing to draw (`sizes.byes_of`).
    """
    count = byes_of(len(wanted.entrants), wanted.boxes)
    order = sorted(lots.shuffled(sorted(wanted.entrants, key=_player)), key=_claim)
    if not count:
        return iter([()])
    last = order[count - 1].byes
    sure = [entrant for entrant in order if entrant.byes < last]
    equal = [entrant for entrant in order if entrant.byes == last]
    return ((*sure, *chosen) for chosen in islice(combinations(equal, count - len(sure)), CHOICES))


def _claim(entrant: Entrant) -> tuple[int, int]:
    return entrant.byes, entrant.score


def _player(entrant: Entrant) -> int:
    return entrant.player

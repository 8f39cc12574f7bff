"""In which order a table's players sit: so that as few as possible have a seat that they had before; else by lot."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from companion.tournament.drawing.cost import times_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.drawing.lots import Lots
    from companion.tournament.drawing.wanted import Entrant


def seated(table: Iterable[Entrant], lots: Lots) -> tuple[int, ...]:
    """Give a table's players as they sit: in the first order of those that repeat least, counted from a drawn one."""
    order = lots.shuffled(table)
    best, least = tuple(order), -1
    for tried in permutations(order):
        repeated = sum(times_in(entrant.seats, seat) for seat, entrant in enumerate(tried))
        if least < 0 or repeated < least:
            best, least = tried, repeated
        if not least:
            break
    return tuple(entrant.player for entrant in best)

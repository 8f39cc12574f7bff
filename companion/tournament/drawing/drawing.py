"""Draws a round: a pure function of what is wanted, the same on every machine.

Nothing in it depends on the order of entrants, of a dict or of a set: players are taken in the order of their numbers,
and all chance is the lots of the seed and the round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.tournament.drawing.byes import byes
from companion.tournament.drawing.checking import check
from companion.tournament.drawing.field import Field, check_entrants
from companion.tournament.drawing.lots import Lots
from companion.tournament.drawing.placing import place
from companion.tournament.drawing.searching import search
from companion.tournament.drawing.seating import seated
from companion.tournament.drawing.wanted import Drawing
from companion.tournament.log.lines import TableDrawn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.drawing.field import Tables
    from companion.tournament.drawing.placing import Placed
    from companion.tournament.drawing.wanted import Wanted

__all__ = ["check", "draw"]


def draw(wanted: Wanted) -> Drawing:
    """Draw a round.

    Raises Illegal where no drawing is allowed, or none is found that is, naming who is in the way.
    """
    check_entrants(wanted)
    lots = Lots(wanted.seed, wanted.round)
    field, placed = _placed(wanted, lots)
    tables = placed.tables if wanted.round == 1 else search(field, placed, lots)
    drawn = [
        TableDrawn(table=number, players=seated([field.entrants[one] for one in table], lots))
        for number, table in _numbered(field, tables)
    ]
    drawing = Drawing(tuple(drawn), tuple(sorted({one.player for one in wanted.entrants} - set(field.players))))
    check(wanted, drawing.tables, drawing.byes)
    return drawing


def _placed(wanted: Wanted, lots: Lots) -> tuple[Field, Placed]:
    """Give those who are seated, and a drawing of them that is allowed. Raises Illegal where none is found."""
    refused: Illegal | None = None
    for chosen in byes(wanted, lots):
        field = Field(wanted, (entrant for entrant in wanted.entrants if entrant not in chosen))
        try:
            return field, place(field, wanted.boxes, lots)
        except Illegal as error:
            refused = refused or error
    assert refused is not None  # noqa: S101
    raise refused


def _numbered(field: Field, tables: Tables) -> Iterable[tuple[int, list[int]]]:
    """Give each table its number: that of the players who always sit there, else the lowest free, best scores first."""
    fixed, others = field.numbers, tables[len(field.numbers) :]
    free = (number for number in range(1, len(tables) + len(fixed) + 1) if number not in set(fixed))
    by_score = sorted(others, key=lambda table: sorted(-field.scores[one] for one in table))
    return sorted([*zip(fixed, tables, strict=False), *zip(free, by_score, strict=False)])

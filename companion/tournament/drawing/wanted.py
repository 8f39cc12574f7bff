"""What a round is drawn from, and what a drawing is. Pure data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.tournament.log.lines import TableDrawn


class Entrant(NamedTuple):
    """A player who is to be drawn. score: points so far. fixed: the table that they always sit at, None: any.

    byes: so far. seats: how often in each place of a table, the first begins; () for never anywhere.
    """

    player: int
    score: int = 0
    fixed: int | None = None
    byes: int = 0
    seats: tuple[int, ...] = ()


class Wanted(NamedTuple):
    """What a round is drawn from. round: its number, from 1. seed: hex digits. entrants: in any order.

    meetings: how often two have met, by (lower, higher) number. apart: pairs that must not meet, likewise.
    boxes: no more tables than that; None: as many as are wanted.
    """

    round: int
    seed: str
    entrants: tuple[Entrant, ...]
    meetings: Mapping[tuple[int, int], int]
    apart: frozenset[tuple[int, int]] = frozenset()
    boxes: int | None = None


class Drawing(NamedTuple):
    """A round as drawn. byes: players without a table, by number."""

    tables: tuple[TableDrawn, ...]
    byes: tuple[int, ...] = ()

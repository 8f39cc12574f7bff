"""What a drawing is made from, what it is, and what it costs: plain values, which know no log and no page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.tournament.log.lines import TableDrawn


class Entrant(NamedTuple):
    """A player who is there for the round.

    score: points so far, all rounds together. fixed: the table that the player always sits at, None: any. byes: so
    far. seats: how often the player has begun, sat second, … (what is left out is 0).
    """

    player: int
    score: int = 0
    fixed: int | None = None
    byes: int = 0
    seats: tuple[int, ...] = ()


class Wanted(NamedTuple):
    """All that a drawing depends on. round: from 1, which is drawn by the seed alone. seed: of the event, in hex.

    entrants: in any order, which changes nothing. meetings: how often two players have met, by the lower and the
    higher number; who is not named has not. apart: who must not meet, likewise. boxes: there are no more tables than
    that; None: as many as are wanted.
    """

    round: int
    seed: str
    entrants: tuple[Entrant, ...]
    meetings: Mapping[tuple[int, int], int]
    apart: frozenset[tuple[int, int]]
    boxes: int | None = None


class Drawing(NamedTuple):
    """A round as drawn. tables: by number, each with its players as they sit. byes: by number."""

    tables: tuple[TableDrawn, ...]
    byes: tuple[int, ...]


class Cost(NamedTuple):
    """What a drawing costs: three aims, each of which counts only where those before it are equal.

    meetings: the sum of squares of earlier meetings over all pairs seated together. spread: the sum over tables of
    highest less lowest score. seats: how often, over all players, each has had the seat already.
    """

    meetings: int
    spread: int
    seats: int

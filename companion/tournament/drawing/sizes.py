"""How many tables of which size: as few as possible that are not of four, and of two only where nothing else is left.

With t tables for p players, 4t − p seats of fours stay empty: as many tables of three take them up. Where that is below
0, tables of five do. Tables of two are for the case that t tables of three have room for more players than there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST, USUAL, FEWEST = 5, 4, 2
"""Players at a table."""


class Layout(NamedTuple):
    """How many tables there are of each size."""

    fives: int
    fours: int
    threes: int
    twos: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of each table, the largest first."""
        return (5,) * self.fives + (4,) * self.fours + (3,) * self.threes + (2,) * self.twos

    @property
    def tables(self) -> int:
        """How many there are."""
        return sum(self)

    @property
    def merit(self) -> tuple[int, int, int]:
        """Less is better: tables of two, tables not of four, and rather two threes than two fives."""
        return self.twos, self.fives + self.threes + self.twos, -self.tables


def sizes(players: int, boxes: int | None) -> tuple[tuple[int, ...], int]:
    """Give the sizes of the tables, the largest first, and how many byes there are.

    boxes: no more tables than that, five seats each; None: as many as wanted. Raises Illegal for fewer than two
    players, and where there is no box.
    """
    byes = byes_of(players, boxes)
    return layouts(players - byes, boxes)[0].sizes, byes


def byes_of(players: int, boxes: int | None) -> int:
    """Give how many players the boxes have no seat for. Raises Illegal for fewer than two players or no box."""
    if players < FEWEST:
        raise Illegal(text("too few players to draw, {players}: a table takes at least {fewest}").format(
            players=players, fewest=FEWEST
        ))  # fmt: skip
    if boxes is not None and boxes < 1:
        raise Illegal(text("a drawing needs at least one box"))
    return 0 if boxes is None else max(0, players - MOST * boxes)


def layouts(players: int, boxes: int | None, fixed: Sequence[int] = ()) -> list[Layout]:
    """Give what tables there can be, the one that the rule wants first, and one for each number of tables.

    players: without those who have a bye. fixed: of each table that somebody always sits at, how many do; all these
    tables are there, and large enough. Empty where no number of tables will do.
    """
    fewest = max(len(fixed), -(-players // MOST))
    most = players // FEWEST if boxes is None else min(boxes, players // FEWEST)
    found = (_layout(players, tables, fixed) for tables in range(fewest, most + 1))
    return sorted((layout for layout in found if layout is not None), key=_merit)


def _layout(players: int, tables: int, fixed: Sequence[int]) -> Layout | None:
    """Give the best layout of so many tables, None where there is none."""
    empty = USUAL * tables - players
    large = sum(count >= USUAL for count in fixed)
    least = max(sum(count == MOST for count in fixed), -empty)
    for fives in range(least, least + 3):
        twos = max(0, empty + 2 * fives - tables, empty + fives + large - tables)
        threes = empty + fives - 2 * twos
        fours = tables - fives - threes - twos
        if min(threes, fours) >= 0 and tables - twos >= sum(count > FEWEST for count in fixed):
            return Layout(fives, fours, threes, twos)
    return None


def _merit(layout: Layout) -> tuple[int, int, int]:
    return layout.merit

"""The frozen state of a match. Knows no rule beyond what follows from its own fields."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from companion.core.panel import Colour
from companion.games.once_we_moved.judging.pools import (
    APACHE_POOLS,
    MX_LEADERS,
    MX_POOLS,
    NOTHING,
    US_LEADERS,
    US_POOLS,
    Pool,
    Stickers,
)
from companion.games.once_we_moved.judging.terrain import Terrain

if TYPE_CHECKING:
    from collections.abc import Iterable

APACHE, ARMY = 0, 1
"""The two sides: places in every pair of a state."""
Pair = tuple[int, int]


class Stage(StrEnum):
    """Where in a turn a match stands, in this order."""

    PROVOCATION = "provocation"
    PICK = "pick"
    DEPLOY_APACHE = "deploy-apache"
    DEPLOY_ARMY = "deploy-army"
    MOVE_1_APACHE = "move-1-apache"
    LIMIT_1_APACHE = "limit-1-apache"
    MOVE_1_ARMY = "move-1-army"
    LIMIT_1_ARMY = "limit-1-army"
    RUMOURS_1 = "rumours-1"
    REINFORCE = "reinforce"
    MOVE_2_APACHE = "move-2-apache"
    LIMIT_2_APACHE = "limit-2-apache"
    MOVE_2_ARMY = "move-2-army"
    LIMIT_2_ARMY = "limit-2-army"
    RUMOURS_2 = "rumours-2"
    COMBAT = "combat"
    COUNT = "count"
    END = "end"
    OVER = "over"


_ORDER = tuple(Stage)
NEXT = dict(pairwise(_ORDER))
DEPLOYING = frozenset({Stage.DEPLOY_APACHE, Stage.DEPLOY_ARMY})
MOVING = frozenset({Stage.MOVE_1_APACHE, Stage.MOVE_1_ARMY, Stage.MOVE_2_APACHE, Stage.MOVE_2_ARMY})
LIMITING = frozenset({Stage.LIMIT_1_APACHE, Stage.LIMIT_1_ARMY, Stage.LIMIT_2_APACHE, Stage.LIMIT_2_ARMY})
UNMASKING = frozenset({Stage.RUMOURS_1, Stage.RUMOURS_2})
SIDE = {
    stage: ARMY if stage.value.endswith("army") else APACHE
    for stage in _ORDER
    if stage.value.endswith(("-apache", "-army"))
}
"""Whose stage it is, of those that are one side's."""


class Terms(msgspec.Struct, frozen=True):
    """What the setup fixed. colours: of the Apache and of the Army. mountain: what one costs the Army, 0: not known."""

    colours: tuple[Colour, Colour]
    turns: int
    mountain: int
    terrain: Terrain
    stickers: Stickers


class Marks(msgspec.Struct, frozen=True):
    """The markers on the tracks. level: of provocation, the last one until the die. crossed: in this turn."""

    turn: int = 1
    level: int = 0
    incursion: bool = False
    crossed: bool = False
    levels: Pair = (0, 0)


class Hand(msgspec.Struct, frozen=True):
    """What a side drew unseen: of which pool, by which roll, how many, and how many blocks had gone by then."""

    pool: int
    n: int
    count: int
    gone: int


class Forces(msgspec.Struct, frozen=True):
    """The blocks of the turn. out: by pool. off: what was taken off each side. gone: out of the match, in order."""

    out: tuple[int, ...] = NOTHING
    off: Pair = (0, 0)
    gone: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()


class Entry(msgspec.Struct, frozen=True):
    """One entry of the turn's account: whose points, for what, how many of it, how many points."""

    side: int
    toll: str
    tally: int
    points: int


class Past(msgspec.Struct, frozen=True):
    """A turn that is over. gains: the side that gained a level, None where nobody did."""

    turn: int
    level: int
    entries: tuple[Entry, ...]
    gains: int | None


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands.

    at: the place in what a stage asks one after the other. stacks: blocks of both sides by area; () without a board.
    sheet: the turn's account. past: the turns that are over.
    """

    terms: Terms
    marks: Marks = Marks()
    stage: Stage = Stage.PROVOCATION
    at: int = 0
    forces: Forces = Forces()
    stacks: tuple[Pair, ...] = ()
    sheet: tuple[Entry, ...] = ()
    past: tuple[Past, ...] = ()

    @property
    def has_board(self) -> bool:
        """Tell whether areas are counted."""
        return bool(self.stacks)

    @property
    def points(self) -> Pair:
        """Give what both sides have in this turn."""
        of_army = sum(entry.points for entry in self.sheet if entry.side)
        return sum(entry.points for entry in self.sheet) - of_army, of_army

    def out(self, *pools: Pool) -> int:
        """Count the blocks out of some pools."""
        return sum(map(self.forces.out.__getitem__, pools))

    def blocks(self, side: int) -> int:
        """Count the blocks out of a side."""
        return self.out(*(US_POOLS + MX_POOLS if side else APACHE_POOLS))

    def leaders(self, side: int) -> int:
        """Count the leaders out of a side."""
        return self.out(*(US_LEADERS + MX_LEADERS if side else (Pool.LEADERS,)))

    def aside(self, side: int) -> int:
        """Count the blocks that are out and neither in an area nor taken off."""
        return max(0, self.blocks(side) - sum([pair[side] for pair in self.stacks]) - self.forces.off[side])

    def stacked(self, side: int, places: Iterable[int]) -> int:
        """Count a side's blocks in some areas."""
        stacks = self.stacks
        return sum([stacks[place][side] for place in places])

    def entered(self, toll: str) -> int:
        """Sum up what was entered of something in this turn."""
        return sum([entry.tally for entry in self.sheet if entry.toll == toll])

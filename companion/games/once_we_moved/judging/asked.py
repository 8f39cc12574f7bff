"""What is asked at each place of a turn, and within which range (The course of a turn). Changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.once_we_moved.judging.pools import (
    BAND_STRENGTH,
    CHART,
    MX_POOLS,
    REINFORCED,
    SIZES,
    US_POOLS,
    Pool,
)
from companion.games.once_we_moved.judging.state import (
    APACHE,
    ARMY,
    DEPLOYING,
    LIMITING,
    MOVING,
    SIDE,
    UNMASKING,
    Stage,
)

if TYPE_CHECKING:
    from companion.games.once_we_moved.judging.state import State

MOST_AT_ONCE = 20
"""So many blocks at most by one line, as many as one step of a menu has values."""
MOST_ENTERED = 99
TOLLS = ("apache-lost", "army-lost", "captured", "forced", "kept", "edge")
"""What `count` asks, in this order."""
WORTH = {
    "rumours": (ARMY, 1), "reinforced": (ARMY, 1), "apache-lost": (ARMY, 3), "army-lost": (APACHE, 2),
    "captured": (ARMY, 1), "forced": (ARMY, 2), "kept": (APACHE, 1),
}  # fmt: skip
"""Whose victory points a number is, and how many each; blocks at the edge are counted by threes."""
BLOCKS_A_POINT = 3
_BY_LINE = frozenset({Stage.PROVOCATION, Stage.COMBAT, Stage.END}) | DEPLOYING | MOVING
"""Stages that a line of their own ends."""
_NOT_DRAWN = frozenset({Pool.LEADERS, Pool.SCOUT, Pool.SETTLER})


def places(state: State) -> int:
    """Tell how many things a stage asks one after the other; 0 where it is done by a line of its own."""
    match state.stage:
        case Stage.PICK:
            return len(SIZES)
        case Stage.COUNT:
            return len(TOLLS)
        case Stage.REINFORCE:
            return 1
    if state.stage in LIMITING:
        return len(state.stacks)
    return max(1, len(state.stacks)) if state.stage in UNMASKING else 0


def is_asked(state: State) -> bool:
    """Tell whether something is to be asked where the match stands."""
    stage, at = state.stage, state.at
    if stage in _BY_LINE:
        return True
    if stage is Stage.PICK:
        if at == Pool.LEADERS:
            low, high = leaders_range(state)
            return low < high
        return at < len(SIZES) and at not in _NOT_DRAWN and draw(state, at) > 0
    if stage is Stage.COUNT:
        return at < len(TOLLS) and most_tolled(state) > 0
    if stage is Stage.REINFORCE:
        return at == 0 and most_strength(state) > 0
    return at < places(state) and is_asked_of(state, at)


def is_asked_of(state: State, place: int) -> bool:
    """Tell whether a stage that goes from area to area asks about this one."""
    if state.stage in LIMITING:
        side = SIDE[state.stage]
        return state.stacks[place][side] > state.terms.terrain.limits[side][place]
    return most_rumours(state, place) > 0


def draw(state: State, pool: int) -> int:
    """Tell how many blocks of a pool the chart gives now; never more than are left of it."""
    marks = state.marks
    if pool in MX_POOLS and not (marks.incursion or marks.turn == state.terms.turns):
        return 0
    count = CHART[marks.level][pool]
    return min(count, len(state.terms.stickers.left(pool, state.forces.gone)))


def leaders_range(state: State) -> tuple[int, int]:
    """Tell how many Apache leaders are out this turn, at least and at most."""
    return state.terms.stickers.leaders(state.marks.turn, state.forces.gone)


def most_rumours(state: State, place: int) -> int:
    """Tell how many rumours can be shown, with a board in an area."""
    left = max(0, state.out(Pool.RUMOURS) - state.entered("rumours"))
    if not state.has_board:
        return max(0, min(left, state.out(Pool.BANDS, Pool.RUMOURS) - state.forces.off[APACHE]))
    apache, army = state.stacks[place]
    return min(left, apache) if army else 0


def most_strength(state: State) -> int:
    """Tell how much strength can be gained: one by each US unit and the scout, in towns where somebody leads."""
    units = state.out(*REINFORCED)
    if not state.has_board:
        return units
    terrain = state.terms.terrain
    beside = sum(
        max(0, pair[ARMY] - 1)
        for place, pair in enumerate(state.stacks)
        if pair[ARMY] and place not in terrain.mexico and "town" in terrain.grounds[place].flags
    )
    return min(units, beside)


def most_tolled(state: State) -> int:
    """Tell how large the number can be that `count` asks."""
    strength = state.out(Pool.BANDS) * BAND_STRENGTH[state.marks.level]
    match TOLLS[state.at]:
        case "apache-lost":
            return strength
        case "army-lost":
            return MOST_ENTERED
        case "captured":
            return MOST_ENTERED if state.out(Pool.LEADERS) else 0
        case "forced":
            return max(0, strength - state.entered("apache-lost"))
        case "kept":
            return max(0, strength - state.entered("apache-lost") - state.entered("forced"))
    return 0 if state.has_board else max(0, state.blocks(APACHE) - state.forces.off[APACHE])


def most_deployed(state: State, side: int, place: int) -> int:
    """Tell how many blocks of a side can be set up in an area by one line."""
    terrain, aside = state.terms.terrain, state.aside(side)
    most = min(MOST_AT_ONCE, aside)
    if side == APACHE:
        if place in terrain.dry:
            most = min(most, state.out(Pool.LEADERS) - state.stacked(APACHE, terrain.dry))
        return max(0, most)
    if place in terrain.us:
        most = min(most, state.out(*US_POOLS) - state.stacked(ARMY, terrain.us))
    elif place in terrain.mexico:
        most = min(most, state.out(*MX_POOLS) - state.stacked(ARMY, terrain.mexico))
    if "town" not in terrain.grounds[place].flags and state.out(Pool.SETTLER) and not _has_town(state):
        most = min(most, aside - 1)
    return max(0, most)


def _has_town(state: State) -> bool:
    """Tell whether an Army block stands in any town, which may be the settler."""
    grounds = state.terms.terrain.grounds
    return any(pair[ARMY] and "town" in ground.flags for pair, ground in zip(state.stacks, grounds, strict=True))


def most_across(state: State, side: int, whence: int, whither: int) -> int:
    """Tell how many blocks can go from one area to the next, as far as nations forbid it; whole armies otherwise."""
    terrain = state.terms.terrain
    here = state.stacks[whence][side]
    if side == APACHE:
        return here
    if whither in terrain.us and whence not in terrain.us:
        return max(0, min(here, state.out(*US_POOLS) - state.stacked(ARMY, terrain.us)))
    if whither in terrain.mexico and whence not in terrain.mexico and not state.out(Pool.US_SENIOR):
        return max(0, min(here, state.out(*MX_POOLS) - state.stacked(ARMY, terrain.mexico)))
    return here

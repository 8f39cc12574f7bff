"""Blocks on the map, where the setup has a board: setting up, going over a border, taking off. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.games.once_we_moved.judging.asked import MOST_AT_ONCE, most_across, most_deployed
from companion.games.once_we_moved.judging.lines import Cost
from companion.games.once_we_moved.judging.state import APACHE, ARMY, DEPLOYING, MOVING, SIDE, Stage
from companion.games.once_we_moved.judging.terrain import APACHE_COST, ARMY_COST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.ruling.rulings import Ruling
    from companion.games.once_we_moved.judging.lines import Deploy, Trek
    from companion.games.once_we_moved.judging.state import State


def whose(state: State, colour: Colour) -> int:
    """Give the side of a colour, where it may act at this stage. Raises Illegal (W2)."""
    colours = state.terms.colours
    wanted = SIDE.get(state.stage)
    if colour not in colours or (wanted is not None and colour is not colours[wanted]):
        raise Illegal(f"rule W2: it is not for {colour} to act now")
    return colours.index(colour)


def verify_range(value: int, low: int, high: int) -> None:
    """Raise Illegal (W3) for a number out of its range."""
    if not low <= value <= high:
        raise Illegal(f"rule W3: {value} is not from {low} to {high}")


def shifted(state: State, side: int, changes: Mapping[int, int]) -> State:
    """Give the state with more (or fewer) blocks of a side in some areas."""
    stacks = list(state.stacks)
    for place, change in changes.items():
        apache, army = stacks[place]
        stacks[place] = (apache, army + change) if side else (apache + change, army)
    return replace(state, stacks=tuple(stacks))


def taken_off(state: State, side: int, count: int) -> State:
    """Give the state with so many more blocks of a side taken off this turn."""
    apache, army = state.forces.off
    off = (apache, army + count) if side else (apache + count, army)
    return replace(state, forces=replace(state.forces, off=off))


def cost(state: State, side: int, whence: int, whither: int) -> int | None:
    """Tell what a block pays for the border between two neighbours; None where that is not known."""
    kind = state.terms.terrain.borders[whence, whither]
    if side == ARMY:
        return ARMY_COST.get(kind, state.terms.mountain or None)
    return APACHE_COST[kind] + (state.stacks[whither][ARMY] > 0)


def deploy(state: State, line: Deploy, _rulings: list[Ruling]) -> State:
    """Set blocks up. Raises Malformed or Illegal."""
    if state.stage not in DEPLOYING:
        raise Illegal("rule W1: nothing is set up now")
    side = whose(state, line.colour)
    place = _place(state, line.area)
    if side == ARMY and not state.terms.terrain.grounds[place].is_base:
        raise Illegal(f"rule W6: there is neither town nor fort in {line.area}")
    verify_range(line.tally, 1, most_deployed(state, side, place))
    return shifted(state, side, {place: line.tally})


def trek(state: State, line: Trek, rulings: list[Ruling]) -> State:
    """Move blocks over one border, and tell what that costs each of them. Raises Malformed or Illegal."""
    if state.stage not in MOVING and state.stage is not Stage.COMBAT:
        raise Illegal("rule W1: nobody moves now")
    side = whose(state, line.colour)
    whence, whither = _place(state, line.whence), _place(state, line.whither)
    verify_range(line.tally, 1, min(MOST_AT_ONCE, state.stacks[whence][side]))
    terrain = state.terms.terrain
    if (whence, whither) not in terrain.borders:
        raise Illegal(f"rule W7: {line.whence} and {line.whither} have no border")
    if line.tally > most_across(state, side, whence, whither):
        raise Illegal(f"rule W8: more blocks would be in {line.whither} than may go there")
    is_crossing = side == APACHE and whence not in terrain.mexico and whither in terrain.mexico
    points = cost(state, side, whence, whither)
    rulings.append(
        Cost(
            colour=line.colour, whence=line.whence, whither=line.whither, tally=line.tally, points=points,
            crossing=is_crossing,
        )
    )  # fmt: skip
    after = shifted(state, side, {whence: -line.tally, whither: line.tally})
    return replace(after, marks=replace(after.marks, incursion=True, crossed=True)) if is_crossing else after


def _place(state: State, area: str) -> int:
    if not state.has_board:
        raise Illegal("rule W5: without a board nobody knows what stands in an area")
    place = state.terms.terrain.at.get(area)
    if place is None:
        raise Malformed(f"rule W4: there is no area {area!r}")
    return place

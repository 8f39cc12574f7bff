"""Blocks on the map, where the setup has a board: setting up, going over a border, taking off. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.words.texts import text
from companion.games.once_we_moved.judging.asked import MOST_AT_ONCE, most_across, most_deployed
from companion.games.once_we_moved.judging.lines import Cost
from companion.games.once_we_moved.judging.state import APACHE, ARMY, DEPLOYING, MOVING, SIDE, Stage
from companion.games.once_we_moved.judging.terrain import APACHE_COST, ARMY_COST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.ruling.rulings import Ruling
    from companion.core.words.texts import Text
    from companion.games.once_we_moved.judging.lines import Deploy, Trek
    from companion.games.once_we_moved.judging.state import State

CATALOGUE = "companion.games.once_we_moved"


def by_rule(rule: str, why: str) -> Text:
    """Say why something is refused, with the rule's number on the page."""
    return text("rule {rule}: {why}", CATALOGUE).format(rule=rule, why=why)


def refusal(rule: str, why: str) -> Illegal:
    """Give the refusal of what a rule forbids."""
    return Illegal(by_rule(rule, why))


def whose(state: State, colour: Colour) -> int:
    """Give the side of a colour, where it may act at this stage. Raises Illegal (W2)."""
    colours = state.terms.colours
    wanted = SIDE.get(state.stage)
    if colour not in colours or (wanted is not None and colour is not colours[wanted]):
        raise refusal("W2", text("it is not for {colour} to act now", CATALOGUE).format(colour=colour))
    return colours.index(colour)


def verify_range(value: int, low: int, high: int) -> None:
    """Raise Illegal (W3) for a number out of its range."""
    if not low <= value <= high:
        says = text("{value} is not from {low} to {high}", CATALOGUE)
        raise refusal("W3", says.format(value=value, low=low, high=high))


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
        raise refusal("W1", text("nothing is set up now", CATALOGUE))
    side = whose(state, line.colour)
    place = _place(state, line.area)
    if side == ARMY and not state.terms.terrain.grounds[place].is_base:
        raise refusal("W6", text("there is neither town nor fort in {area}", CATALOGUE).format(area=line.area))
    verify_range(line.tally, 1, most_deployed(state, side, place))
    return shifted(state, side, {place: line.tally})


def trek(state: State, line: Trek, rulings: list[Ruling]) -> State:
    """Move blocks over one border, and tell what that costs each of them. Raises Malformed or Illegal."""
    if state.stage not in MOVING and state.stage is not Stage.COMBAT:
        raise refusal("W1", text("nobody moves now", CATALOGUE))
    side = whose(state, line.colour)
    whence, whither = _place(state, line.whence), _place(state, line.whither)
    verify_range(line.tally, 1, min(MOST_AT_ONCE, state.stacks[whence][side]))
    terrain = state.terms.terrain
    if (whence, whither) not in terrain.borders:
        says = text("{whence} and {whither} have no border", CATALOGUE)
        raise refusal("W7", says.format(whence=line.whence, whither=line.whither))
    if line.tally > most_across(state, side, whence, whither):
        says = text("more blocks would be in {area} than may go there", CATALOGUE)
        raise refusal("W8", says.format(area=line.whither))
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
        raise refusal("W5", text("without a board nobody knows what stands in an area", CATALOGUE))
    place = state.terms.terrain.at.get(area)
    if place is None:
        raise Malformed(by_rule("W4", text("there is no area {area}", CATALOGUE).format(area=repr(area))))
    return place

"""What follows by itself: stages where nothing is to be asked pass, turns end, levels are gained. Pure.

Theory of operation. A line does what it says, and `settled` then looks at what is asked where the match stands. As long
as nothing is, the place goes on by one; after the last the next stage begins, and after `count` the turn ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.once_we_moved.judging.asked import (
    BLOCKS_A_POINT,
    TOLLS,
    WORTH,
    draw,
    is_asked,
    is_asked_of,
    leaders_range,
    places,
)
from companion.games.once_we_moved.judging.lines import Earned, Forces, TurnRuling
from companion.games.once_we_moved.judging.pools import KEYS, LEVELS, Pool
from companion.games.once_we_moved.judging.state import APACHE, ARMY, LIMITING, NEXT, UNMASKING, Entry, Past, Stage
from companion.games.once_we_moved.judging.state import Forces as Blocks

if TYPE_CHECKING:
    from companion.core.ruling.rulings import Ruling
    from companion.games.once_we_moved.judging.state import Pair, State, Terms

HIGHEST_LEVEL = 9


def settled(state: State, rulings: list[Ruling]) -> State:
    """Give the state in which something is asked again; what follows on the way is added to `rulings`."""
    while not is_asked(state):
        state = _onward(state, rulings)
    return state


def answered(state: State) -> State:
    """Give the state at the next place of what a stage asks one after the other."""
    return replace(state, at=state.at + 1)


def next_stage(state: State) -> State:
    """Give the state at the beginning of the next stage."""
    return replace(state, stage=NEXT[state.stage], at=0)


def earned(state: State, toll: str, tally: int, rulings: list[Ruling]) -> State:
    """Give the state in which a number is in the turn's account; nothing is for 0."""
    if not tally:
        return state
    side, points = (ARMY, tally // BLOCKS_A_POINT) if toll == "edge" else (WORTH[toll][0], WORTH[toll][1] * tally)
    rulings.append(Earned(colour=state.terms.colours[side], toll=toll, tally=tally, points=points))
    return replace(state, sheet=(*state.sheet, Entry(side, toll, tally, points)))


def by_side(terms: Terms, pair: Pair) -> dict[str, int]:
    """Give a pair of numbers by colours, the Apache's first."""
    return {str(colour): number for colour, number in zip(terms.colours, pair, strict=True)}


def with_out(state: State, pool: int, count: int) -> State:
    """Give the state with so many blocks out of a pool."""
    out = state.forces.out
    return replace(state, forces=replace(state.forces, out=(*out[:pool], count, *out[pool + 1 :])))


def _onward(state: State, rulings: list[Ruling]) -> State:
    """Pass over a place where nothing is asked, or end the stage."""
    if state.stage in LIMITING or state.stage in UNMASKING:
        later = range(state.at + 1, places(state))
        found = next((place for place in later if is_asked_of(state, place)), None)
        return next_stage(state) if found is None else replace(state, at=found)
    if state.at < places(state):
        return answered(_passed(state, rulings))
    if state.stage is Stage.COUNT:
        return turn_ended(state, rulings)
    if state.stage is Stage.PICK:
        out = dict(zip(KEYS, state.forces.out, strict=True))
        rulings.append(Forces(turn=state.marks.turn, out=out))
    return next_stage(state)


def _passed(state: State, rulings: list[Ruling]) -> State:
    """Do what is done at a place where nobody is asked: set out the scout and the like, count blocks at the edge."""
    if state.stage is Stage.PICK:
        if state.at in {Pool.SCOUT, Pool.SETTLER}:
            return with_out(state, state.at, draw(state, state.at))
        return with_out(state, state.at, leaders_range(state)[0]) if state.at == Pool.LEADERS else state
    if state.stage is Stage.COUNT and TOLLS[state.at] == "edge" and state.has_board:
        grounds = state.terms.terrain.grounds
        edge = [place for place, ground in enumerate(grounds) if "edge" in ground.flags]
        return earned(state, "edge", state.stacked(APACHE, edge), rulings)
    return state


def turn_ended(state: State, rulings: list[Ruling]) -> State:
    """Give the state after a turn: a level for who has more points; the next turn, or the end."""
    marks, terms = state.marks, state.terms
    points = state.points
    gains = None if points[APACHE] == points[ARMY] else (ARMY if points[ARMY] > points[APACHE] else APACHE)
    levels = (
        min(HIGHEST_LEVEL, marks.levels[APACHE] + (gains == APACHE)),
        min(HIGHEST_LEVEL, marks.levels[ARMY] + (gains == ARMY)),
    )
    incursion = marks.crossed if marks.level else marks.incursion
    rulings.append(
        TurnRuling(
            turn=marks.turn, level=LEVELS[marks.level], points=by_side(terms, points),
            gains=None if gains is None else terms.colours[gains], levels=by_side(terms, levels), incursion=incursion,
        )
    )  # fmt: skip
    past = (*state.past, Past(marks.turn, marks.level, state.sheet, gains))
    marks = replace(marks, levels=levels, incursion=incursion)
    if marks.turn >= terms.turns:
        return replace(state, marks=marks, past=past, stage=Stage.END, at=0)
    return replace(
        state, marks=replace(marks, turn=marks.turn + 1, crossed=False), past=past, stage=Stage.PROVOCATION, at=0,
        forces=Blocks(gone=state.forces.gone), stacks=((0, 0),) * len(state.stacks), sheet=(),
    )  # fmt: skip

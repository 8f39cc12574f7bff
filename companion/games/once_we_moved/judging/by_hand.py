"""What the referee may set by hand, so that nothing the box cannot know blocks a match (By hand). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.once_we_moved.judging.course import HIGHEST_LEVEL, with_out
from companion.games.once_we_moved.judging.pools import KEYS, LEVELS, SIZES
from companion.games.once_we_moved.judging.state import APACHE, ARMY, Entry, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.once_we_moved.judging.state import State

BY_HAND = "by-hand"
"""What an entry of the account is for that nobody earned."""
MOST_POINTS, MOST_STACKED = 999, 40
_SIDES = (("apache", APACHE), ("army", ARMY))
_BEFORE_MOVES = frozenset({Stage.PROVOCATION, Stage.PICK})


def settable(state: State) -> Iterator[tuple[str, int, int, int]]:
    """Give key, range and value of each thing that can be set now."""
    if state.stage is Stage.OVER:
        return
    levels = [(f"level-{name}", 0, HIGHEST_LEVEL, state.marks.levels[side]) for name, side in _SIDES]
    if state.stage is Stage.END:
        yield from levels
        return
    marks = state.marks
    yield from ((f"points-{name}", 0, MOST_POINTS, state.points[side]) for name, side in _SIDES)
    yield from levels
    yield "incursion", 0, 1, int(marks.incursion)
    yield "turn", 1, state.terms.turns, marks.turn
    yield "provocation", int(state.stage is not Stage.PROVOCATION), len(LEVELS) - 1, marks.level
    for key, size, out in zip(KEYS, SIZES, state.forces.out, strict=True):
        yield f"out-{key}", 0, size, out
    for ground, pair in zip(state.terms.terrain.grounds, state.stacks, strict=True):
        for name, side in _SIDES:
            yield f"{name}-{ground.name}", 0, MOST_STACKED, pair[side]


def set_by_hand(state: State, key: str, value: int) -> State:
    """Give the state with something set; the judge has checked key and range."""
    marks = state.marks
    match key:
        case "incursion":
            crossed = marks.crossed if state.stage in _BEFORE_MOVES else value == 1
            return replace(state, marks=replace(marks, incursion=value == 1, crossed=crossed))
        case "turn":
            return replace(state, marks=replace(marks, turn=value))
        case "provocation":
            return replace(state, marks=replace(marks, level=value))
    what, _, name = key.partition("-")
    if what == "out":
        return with_out(state, KEYS.index(name), value)
    if what in {"points", "level"}:
        return _of_side(state, what, dict(_SIDES)[name], value)
    side, place = dict(_SIDES)[what], state.terms.terrain.at[name]
    stacks = list(state.stacks)
    apache, army = stacks[place]
    stacks[place] = (apache, value) if side else (value, army)
    return replace(state, stacks=tuple(stacks))


def _of_side(state: State, what: str, side: int, value: int) -> State:
    """Set a side's points, by an entry of the difference, or its level."""
    apache, army = state.marks.levels
    if what == "level":
        return replace(state, marks=replace(state.marks, levels=(apache, value) if side else (value, army)))
    change = value - state.points[side]
    return replace(state, sheet=(*state.sheet, Entry(side, BY_HAND, change, change))) if change else state

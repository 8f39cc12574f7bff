"""What each line does and which rule forbids it (Lines in). Pure; the numbers of rules are those of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.core.errors import Malformed
from companion.core.record.lines import ByHand, ChanceLine, End, Open
from companion.core.words.texts import text
from companion.games.once_we_moved.judging import asked
from companion.games.once_we_moved.judging.by_hand import set_by_hand
from companion.games.once_we_moved.judging.course import answered, earned, next_stage, settled, turn_ended, with_out
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Crossed,
    Deploy,
    Excess,
    ProvocationRuling,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    Undisclosed,
    Unmasked,
)
from companion.games.once_we_moved.judging.map_moves import (
    CATALOGUE,
    by_rule,
    deploy,
    refusal,
    shifted,
    taken_off,
    trek,
    verify_range,
    whose,
)
from companion.games.once_we_moved.judging.pools import ARMY_UNITS, KEYS, LEVELS, Pool
from companion.games.once_we_moved.judging.state import APACHE, DEPLOYING, LIMITING, MOVING, UNMASKING, Hand, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling
    from companion.games.once_we_moved.judging.state import State

_MODIFIERS = (1, 1, 1, 0, -1, -1)
_LEVELS = (0, 1, 1, 2, 2, 3, 4, 5)
"""Of a turn by its level, of a level by die and modifier."""
_CROSSING = frozenset({Stage.MOVE_1_APACHE, Stage.MOVE_2_APACHE})


def apply(state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
    """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
    rulings: list[Ruling] = []
    if state.stage is Stage.OVER:
        raise refusal("W1", text("the match is over", CATALOGUE))
    if isinstance(line, End):
        return replace(state, stage=Stage.OVER), ()
    if isinstance(line, Open):
        return state, ()
    does = _DOES.get(type(line))
    if does is None:
        says = text("there is no `{line}` in this game", CATALOGUE)
        raise refusal("W1", says.format(line=line.__struct_config__.tag))
    after = settled(does(state, line, rulings), rulings)
    return after, tuple(rulings)


def modifier(state: State) -> int:
    """Give what is added to the die of provocation."""
    return 0 if state.marks.turn == 1 else _MODIFIERS[state.marks.level]


def most_surplus(state: State, side: int) -> int:
    """Tell how many blocks of a side can have been taken off for being over a limit, at most."""
    out = state.out(*(ARMY_UNITS if side else (Pool.BANDS, Pool.RUMOURS)))
    return max(0, min(asked.MOST_AT_ONCE, out - state.forces.off[side]))


def _demand(found: object, why: str) -> None:
    if not found:
        raise refusal("W1", why)


def _chance(state: State, line: ChanceLine, rulings: list[Ruling]) -> State:
    if state.stage is Stage.PROVOCATION and line.name == "provocation" and line.result:
        return _provoked(state, int(line.result[0]), rulings)
    is_draw = state.stage is Stage.PICK and state.at != Pool.LEADERS
    _demand(
        is_draw and line.name == KEYS[state.at],
        text("no {name} is rolled or drawn now", CATALOGUE).format(name=line.name),
    )
    count = asked.draw(state, state.at)
    after = with_out(state, state.at, count)
    hand = Hand(state.at, line.n, count, len(state.forces.gone))
    return answered(replace(after, forces=replace(after.forces, hands=(*after.forces.hands, hand))))


def _provoked(state: State, die: int, rulings: list[Ruling]) -> State:
    added = modifier(state)
    level = _LEVELS[die + added]
    rulings.append(ProvocationRuling(turn=state.marks.turn, die=die, modifier=added, level=LEVELS[level]))
    after = replace(state, marks=replace(state.marks, level=level))
    return next_stage(after) if level else turn_ended(after, rulings)


def _undisclosed(state: State, _line: Undisclosed, _rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.PICK and state.at != Pool.LEADERS, text("nothing is drawn now", CATALOGUE))
    return answered(with_out(state, state.at, asked.draw(state, state.at)))


def _chieftains(state: State, line: Chieftains, _rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.PICK and state.at == Pool.LEADERS, text("no leaders are counted now", CATALOGUE))
    low, high = asked.leaders_range(state)
    verify_range(line.tally, low, high)
    return answered(with_out(state, Pool.LEADERS, line.tally))


def _segment(state: State, line: Segment, rulings: list[Ruling]) -> State:
    stage = state.stage
    _demand(
        stage in DEPLOYING or stage in MOVING or stage is Stage.COMBAT,
        text("nobody is asked whether that is all", CATALOGUE),
    )
    whose(state, line.colour)
    if not line.crossed:
        return next_stage(state)
    _demand(stage in _CROSSING, text("only the Apache cross the border, while they move", CATALOGUE))
    if state.has_board:
        raise refusal("W5", text("with a board the moves tell who crosses the border", CATALOGUE))
    rulings.append(Crossed(colour=line.colour))
    return next_stage(replace(state, marks=replace(state.marks, incursion=True, crossed=True)))


def _surplus(state: State, line: Surplus, rulings: list[Ruling]) -> State:
    _demand(state.stage in MOVING, text("nobody is over a limit now", CATALOGUE))
    side = whose(state, line.colour)
    if state.has_board:
        raise refusal("W5", text("with a board the box counts what is over a limit", CATALOGUE))
    verify_range(line.tally, 1, most_surplus(state, side))
    rulings.append(Excess(colour=line.colour, area=None, tally=line.tally))
    return taken_off(state, side, line.tally)


def _stacked(state: State, line: Stacked, rulings: list[Ruling]) -> State:
    _demand(state.stage in LIMITING, text("no area is over its limit", CATALOGUE))
    side = whose(state, line.colour)
    _verify_asked(state, line.area)
    here = state.stacks[state.at][side]
    verify_range(line.tally, 0, min(here, state.leaders(side)))
    excess = here - line.tally - state.terms.terrain.limits[side][state.at]
    if excess > 0:
        rulings.append(Excess(colour=line.colour, area=line.area, tally=excess))
        state = taken_off(shifted(state, side, {state.at: -excess}), side, excess)
    return answered(state)


def _verify_asked(state: State, area: str) -> None:
    place = state.terms.terrain.at.get(area)
    if place is None:
        raise Malformed(by_rule("W4", text("there is no area {area}", CATALOGUE).format(area=repr(area))))
    _demand(place == state.at, text("the area {area} is not what is asked about", CATALOGUE).format(area=area))


def _unmasked(state: State, line: Unmasked, rulings: list[Ruling]) -> State:
    _demand(state.stage in UNMASKING, text("no rumours are shown now", CATALOGUE))
    if (line.area is not None) is not state.has_board:
        raise refusal("W5", text("rumours are told by area with a board, and all at once without", CATALOGUE))
    if line.area is not None:
        _verify_asked(state, line.area)
    verify_range(line.tally, 0, asked.most_rumours(state, state.at))
    after = taken_off(state, APACHE, line.tally)
    if line.area is not None:
        after = shifted(after, APACHE, {state.at: -line.tally})
    return answered(earned(after, "rumours", line.tally, rulings))


def _reinforced(state: State, line: Reinforced, rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.REINFORCE, text("no strength is gained now", CATALOGUE))
    verify_range(line.tally, 0, asked.most_strength(state))
    return answered(earned(state, "reinforced", line.tally, rulings))


def why_not_removed(state: State, sticker: str) -> str:
    """Say why a block cannot go out of the match now; empty where it can. Raises Malformed for one there is not."""
    stickers = state.terms.stickers
    pool = stickers.pools.get(sticker)
    if pool is None:
        raise Malformed(by_rule("W4", text("there is no block {block}", CATALOGUE).format(block=repr(sticker))))
    if sticker in state.forces.gone:
        return text("{block} is gone already", CATALOGUE).format(block=sticker)
    is_away = pool is Pool.LEADERS and stickers.availability(sticker, state.marks.turn) is False
    is_in = is_away or not state.out(pool)
    return text("{block} is not out this turn", CATALOGUE).format(block=sticker) if is_in else ""


def _removed(state: State, line: Removed, _rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.COMBAT, text("nothing is taken for good now", CATALOGUE))
    if why := why_not_removed(state, line.sticker):
        raise refusal("W9", why)
    return replace(state, forces=replace(state.forces, gone=(*state.forces.gone, line.sticker)))


def _casualties(state: State, line: Casualties, _rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.COMBAT, text("there is no combat now", CATALOGUE))
    side = whose(state, line.colour)
    if not state.has_board:
        raise refusal("W5", text("without a board nobody knows what stands in an area", CATALOGUE))
    place = state.terms.terrain.at.get(line.area)
    if place is None:
        raise Malformed(by_rule("W4", text("there is no area {area}", CATALOGUE).format(area=repr(line.area))))
    verify_range(line.tally, 1, min(asked.MOST_AT_ONCE, state.stacks[place][side]))
    return taken_off(shifted(state, side, {place: -line.tally}), side, line.tally)


def _reckoning(state: State, line: Reckoning, rulings: list[Ruling]) -> State:
    _demand(state.stage is Stage.COUNT, text("nothing is counted now", CATALOGUE))
    if line.toll not in asked.TOLLS:
        says = text("{toll} is nothing that is counted; there are: {tolls}", CATALOGUE)
        raise Malformed(by_rule("W4", says.format(toll=repr(line.toll), tolls=", ".join(asked.TOLLS))))
    _demand(line.toll == asked.TOLLS[state.at], text("something else is asked now", CATALOGUE))
    verify_range(line.tally, 0, asked.most_tolled(state))
    return answered(earned(state, line.toll, line.tally, rulings))


def _by_hand(state: State, line: ByHand, _rulings: list[Ruling]) -> State:
    return set_by_hand(state, line.set, line.value)


_DOES: dict[type[Line], Callable[[State, Any, list[Ruling]], State]] = {
    ChanceLine: _chance,
    Undisclosed: _undisclosed,
    Chieftains: _chieftains,
    Segment: _segment,
    Deploy: deploy,
    Trek: trek,
    Surplus: _surplus,
    Stacked: _stacked,
    Unmasked: _unmasked,
    Reinforced: _reinforced,
    Removed: _removed,
    Casualties: _casualties,
    Reckoning: _reckoning,
    ByHand: _by_hand,
}

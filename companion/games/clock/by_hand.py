"""What the referee may set while the clocks stand, and what that does (`docs/games/clock.md`, By hand). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.game import Adjustable
from companion.core.timing.events import SECOND
from companion.games.clock.falling import fall
from companion.games.clock.lines import MOST_POINTS
from companion.games.clock.state import Mode, Phase, Turns, with_clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.record.lines import ByHand
    from companion.core.ruling.rulings import Ruling
    from companion.games.clock.state import State

DAY = 86_400
MOST_MOVES = 999


def adjustable(state: State, text: Callable[[str], str]) -> tuple[Adjustable, ...]:
    """Give what may be set now: nothing while the clocks run."""
    if state.phase is Phase.RUNNING or state.is_over:
        return ()
    return (*_of_seats(state, text), *_of_game(state, text))


def _of_seats(state: State, text: Callable[[str], str]) -> Iterator[Adjustable]:
    low = 0 if state.terms.is_out else -DAY
    for colour, clock in zip(state.terms.colours, state.seats, strict=True):
        short = colour.short
        seconds = max(low, min(DAY, clock.left // SECOND))
        yield Adjustable(f"{colour}_seconds", text("{seat} seconds").format(seat=short), low, DAY, seconds)
        yield Adjustable(f"{colour}_moves", text("{seat} moves").format(seat=short), 0, MOST_MOVES, clock.moves)
        label = text("{seat} points").format(seat=short)
        yield Adjustable(f"{colour}_score", label, -MOST_POINTS, MOST_POINTS, clock.score or 0)


def _of_game(state: State, text: Callable[[str], str]) -> Iterator[Adjustable]:
    if state.terms.turns is not Turns.ALL:
        yield Adjustable("turn", text("turn of seat"), 1, len(state.seats), state.turn + 1)
    if state.terms.turns is not Turns.ONE:
        yield Adjustable("round", text("round"), 1, MOST_MOVES, state.round)


def set_by_hand(state: State, line: ByHand, rulings: list[Ruling]) -> State:
    """Give the state with a value set that is on the list, within its range."""
    if line.set == "turn":
        return _turn_to(state, line.value - 1)
    if line.set == "round":
        return replace(state, round=line.value)
    colour, what = line.set.rsplit("_", 1)
    seat = next(index for index, one in enumerate(state.terms.colours) if one == colour)
    if what == "moves":
        return with_clock(state, seat, moves=line.value)
    if what == "score":
        return with_clock(state, seat, score=line.value)
    return with_time(state, seat, line.value * SECOND, rulings)


def with_time(state: State, seat: int, left: int, rulings: list[Ruling]) -> State:
    """Give a seat so much time; its flag goes up or falls with it."""
    terms, was_down = state.terms, state.seats[seat].is_down
    state = with_clock(state, seat, left=left)
    if left <= 0:
        return state if was_down else fall(state, seat, None, rulings)
    if not was_down:
        return state
    delay = terms.extra_ns if terms.mode is Mode.DELAY else 0
    fallen = tuple(other for other in state.fallen if other != seat)
    return with_clock(replace(state, fallen=fallen), seat, is_down=False, delay=delay)


def _turn_to(state: State, seat: int) -> State:
    before, terms = state.turn, state.terms
    ended = tuple(other for other in state.ended if other != seat)
    if before != seat:
        clock = state.seats[before]
        if not clock.is_down:
            delay = terms.extra_ns if terms.mode is Mode.DELAY else clock.delay
            left = terms.main_ns if terms.mode is Mode.MOVE else clock.left
            clock = replace(clock, delay=delay, left=left)
        state = with_clock(state, before, turn=0, left=clock.left, delay=clock.delay)
    return replace(state, turn=seat, ended=ended)

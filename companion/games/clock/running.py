"""Running the clocks: what a stretch of time takes and gives, and when a flag falls. Exact in nanoseconds; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.clock.falling import fall
from companion.games.clock.state import Mode, clockwise, running, those_in

if TYPE_CHECKING:
    from companion.core.ruling.rulings import Ruling
    from companion.games.clock.state import SeatClock, State


def run_to(state: State, t_ns: int, rulings: list[Ruling]) -> State:
    """Run the clocks to an instant, with every fall up to it. Nothing where they do not run."""
    while True:
        found = next_fall(state)
        if found is None or found[1] > t_ns:
            break
        state = fall_at(state, *found, rulings)
    if running(state):
        state = _stretched(state, 0 if state.now is None else t_ns - state.now)
        state = replace(state, now=t_ns)
    return state


def fall_at(state: State, seat: int, fall_ns: int, rulings: list[Ruling]) -> State:
    """Run the clocks up to the next fall, and have it."""
    state = replace(_stretched(state, fall_ns - (state.now or 0)), now=fall_ns)
    return fall(state, seat, fall_ns, rulings)


def next_fall(state: State) -> tuple[int, int] | None:
    """Give whose flag falls next, and when, if everything runs on; None where none does, or it is not known when."""
    if state.now is None:
        return None
    runs = running(state)
    if len(runs) == 1:
        left = falls_in(state, runs[0])
        return None if left is None else (runs[0], state.now + left)
    count, first = len(state.seats), state.terms.first
    found = [(left, (seat - first) % count, seat) for seat in runs if (left := falls_in(state, seat)) is not None]
    if not found:
        return None
    left, _, seat = min(found)
    return seat, state.now + left


def falls_in(state: State, seat: int) -> int | None:
    """Give in how many nanoseconds a running clock's flag falls, None where it never does."""
    clock = state.seats[seat]
    if clock.is_down:
        return None
    if state.terms.mode is not Mode.HOURGLASS:
        return clock.delay + clock.left
    return _emptied(clock.left, *_received(state, seat))


def _received(state: State, seat: int) -> tuple[list[int], int]:
    """Give how many others come before a running seat as each other running one gives, and to how many that gives."""
    others = [giver for giver in running(state) if giver != seat]
    return [clockwise(state, giver).index(seat) for giver in others], len(those_in(state)) - 1


def _emptied(left: int, places: list[int], sharing: int) -> int | None:
    """Give after how many nanoseconds a clock is empty that gives one in each, and receives.

    In each `sharing` nanoseconds it receives one from each other running clock, in the nanosecond that `places` says;
    so within them it never rises, and loses `lost` by their end.
    """
    lost = sharing - len(places)
    if lost <= 0:
        return None
    cycles = (left - 1) // lost
    left -= cycles * lost
    step = next(step for step in range(1, sharing + 1) if left - step + sum(place < step for place in places) <= 0)
    return cycles * sharing + step


def _stretched(state: State, length: int) -> State:
    """Give the state after so many nanoseconds in which nothing falls but at the end."""
    runs = running(state)
    if not length or not runs:
        return state
    seats = list(state.seats)
    for seat in runs:
        seats[seat] = _spent(seats[seat], length)
    if state.terms.mode is Mode.HOURGLASS:
        for seat in runs:
            others = clockwise(state, seat)
            share, rest = divmod(length, len(others))
            for place, other in enumerate(others):
                seats[other] = replace(seats[other], left=seats[other].left + share + (place < rest))
    return replace(state, seats=tuple(seats))


def _spent(clock: SeatClock, length: int) -> SeatClock:
    delayed = min(length, clock.delay)
    return replace(
        clock,
        left=clock.left - (length - delayed),
        delay=clock.delay - delayed,
        turn=clock.turn + length,
        spent=clock.spent + length,
        over=clock.over + (length if clock.is_down else 0),
    )

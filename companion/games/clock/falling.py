"""What a flag that falls brings, who moves next, and the end of a round. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.clock.lines import Flag, RoundOver, Stopped
from companion.games.clock.state import KEPT_MOVES, Move, Phase, Turns, clockwise, is_in, those_in, with_clock

if TYPE_CHECKING:
    from companion.core.ruling.rulings import Ruling
    from companion.games.clock.state import State


def fall(state: State, seat: int, t_ns: int | None, rulings: list[Ruling]) -> State:
    """Let a flag fall. t_ns: None by hand, which gives no mark and leaves the phase as it is."""
    terms, phase = state.terms, state.phase
    order = state.fallen if seat in state.fallen else (*state.fallen, seat)
    state = with_clock(replace(state, fallen=order), seat, is_down=True, fell_ns=t_ns)
    rulings.append(Flag(colour=terms.colours[seat], t_ns=t_ns, place=order.index(seat) + 1, out=terms.is_out))
    if not terms.is_out:
        return state
    state = _out(state, seat, rulings)
    if t_ns is None:
        return replace(state, phase=phase)
    return replace(state, marks=(*state.marks, (seat, t_ns)))


def _out(state: State, seat: int, rulings: list[Ruling]) -> State:
    """A seat is out: its turn ends, and the next one's begins."""
    clock = state.seats[seat]
    if clock.turn:
        state = with_move(state, seat, "flag")
    state = with_clock(state, seat, longest=max(clock.longest, clock.turn), turn=0, delay=0, fell_ns=None)
    left = those_in(state)
    if len(left) < 2:
        return _stopped(state, seat, left, rulings)
    if state.terms.turns is Turns.ALL:
        state = replace(state, ended=(*state.ended, seat))
        return round_over(state, rulings) if set(state.ended).issuperset(left) else state
    if state.terms.turns is Turns.PASS and set(state.ended).issuperset(left):
        return round_over(state, rulings)
    return replace(state, turn=next_seat(state, seat)) if state.turn == seat else state


def _stopped(state: State, seat: int, left: list[int], rulings: list[Ruling]) -> State:
    rulings.append(Stopped(left=tuple(state.terms.colours[other] for other in left)))
    if state.terms.turns is not Turns.ALL and state.turn == seat and left:
        state = replace(state, turn=clockwise(state, seat)[0])
    return replace(state, phase=Phase.PAUSED if state.phase is Phase.RUNNING else state.phase)


def next_seat(state: State, seat: int) -> int:
    """Give the next seat clockwise that is in and has not passed; the same one where it is the only one."""
    return next((other for other in clockwise(state, seat) if other not in state.ended), seat)


def round_over(state: State, rulings: list[Ruling]) -> State:
    """End the round: the next one's first is who passed first, of those who are in."""
    terms = state.terms
    is_all = terms.turns is Turns.ALL
    turn = state.turn if is_all else next(seat for seat in state.ended if is_in(state, seat))
    rulings.append(RoundOver(round=state.round, first=None if is_all else terms.colours[turn]))
    stops = terms.stops and state.phase is Phase.RUNNING
    return replace(
        state,
        turn=turn,
        ended=(),
        round=state.round + 1,
        phase=Phase.READY if stops else state.phase,
    )


def with_move(state: State, seat: int, how: str) -> State:
    """Give the state with a turn that has ended in the account."""
    clock = state.seats[seat]
    return replace(state, moves=(*state.moves, Move(seat, how, clock.turn, clock.left))[-KEPT_MOVES:])

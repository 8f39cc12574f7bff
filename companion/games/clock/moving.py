"""A press that ends a turn: a completed move, or one that came too late. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from companion.games.clock.falling import next_seat, round_over, with_move
from companion.games.clock.lines import Pass, TooLate, TurnOver
from companion.games.clock.running import falls_in, run_to
from companion.games.clock.state import Mode, Turns, running, those_in

if TYPE_CHECKING:
    from companion.core.ruling.rulings import Ruling
    from companion.games.clock.lines import Done, Late
    from companion.games.clock.state import SeatClock, State, Terms


def turn_ended(state: State, line: Done | Pass, seat: int, rulings: list[Ruling], *, was_known: bool) -> State:
    """Let a seat end its turn, where its clock still runs at that instant.

    was_known: whether it is known how long the clocks have run before it.
    """
    if line.t_ns is not None:
        state = run_to(state, line.t_ns, rulings)
    if seat not in running(state):
        mark = dict(state.marks).get(seat, state.now)
        rulings.append(_too_late(line, mark if was_known else None))
        return without_mark(state, seat)
    how: Literal["done", "pass"] = "pass" if isinstance(line, Pass) else "done"
    close = was_known and line.t_ns is not None and _is_close(state, seat, line.t_ns, line.error_ns)
    before = state.seats[seat]
    state = with_move(state, seat, how)
    after, added = _completed(before, state.terms)
    state = replace(state, seats=(*state.seats[:seat], after, *state.seats[seat + 1 :]))
    rulings.append(
        TurnOver(
            colour=state.terms.colours[seat],
            how=how,
            t_ns=line.t_ns,
            spent_ns=before.turn,
            left_ns=after.left,
            added_ns=added,
            moves=after.moves,
            close=close,
        )
    )
    return _turned(state, seat, rulings, passes=how == "pass")


def pressed_late(state: State, line: Late, seat: int, rulings: list[Ruling]) -> State:
    """Note how long after its flag a seat pressed."""
    rulings.append(_too_late(line, dict(state.marks)[seat]))
    return without_mark(state, seat)


def without_mark(state: State, seat: int) -> State:
    """Take a seat's mark away."""
    return replace(state, marks=tuple(mark for mark in state.marks if mark[0] != seat)) if state.marks else state


def _too_late(line: Done | Pass | Late, stopped_ns: int | None) -> TooLate:
    if line.t_ns is None or stopped_ns is None:
        return TooLate(colour=line.colour, t_ns=line.t_ns, behind_ns=None, close=False)
    close = line.t_ns - line.error_ns < stopped_ns
    return TooLate(colour=line.colour, t_ns=line.t_ns, behind_ns=line.t_ns - stopped_ns, close=close)


def _is_close(state: State, seat: int, t_ns: int, error_ns: int) -> bool:
    """Tell whether the press may have been on the other side of the flag's instant."""
    clock = state.seats[seat]
    if clock.is_down:
        return clock.fell_ns is not None and t_ns - error_ns < clock.fell_ns
    left = falls_in(state, seat)
    return left is not None and left <= error_ns


def _completed(clock: SeatClock, terms: Terms) -> tuple[SeatClock, int]:
    """Give a seat's clock for its next move, and how much was added to its time."""
    moves, added, left, delay, is_down = clock.moves + 1, 0, clock.left, 0, clock.is_down
    if terms.mode is Mode.MOVE:
        left, is_down = terms.main_ns, False
    elif not is_down:
        added += terms.extra_ns if terms.mode is Mode.INCREMENT else 0
        added += terms.more_ns if terms.after and moves == terms.after else 0
        delay = terms.extra_ns if terms.mode is Mode.DELAY else 0
    after = replace(
        clock,
        left=left + added,
        delay=delay,
        turn=0,
        longest=max(clock.longest, clock.turn),
        moves=moves,
        is_down=is_down,
        fell_ns=None,
    )
    return after, added


def _turned(state: State, seat: int, rulings: list[Ruling], *, passes: bool) -> State:
    """Give the turn on."""
    turns = state.terms.turns
    if turns is Turns.ONE:
        return replace(state, turn=next_seat(state, seat))
    if turns is Turns.ALL:
        state = replace(state, ended=(*state.ended, seat))
        return round_over(state, rulings) if set(state.ended).issuperset(those_in(state)) else state
    if passes and seat not in state.ended:
        state = replace(state, ended=(*state.ended, seat))
    if set(state.ended).issuperset(those_in(state)):
        return round_over(state, rulings)
    return replace(state, turn=next_seat(state, seat))

"""Where a match stands: everybody's clock, whose turn it is, what runs. Frozen; pure."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.panel import Colour

if TYPE_CHECKING:
    from typing import Any


class Mode(StrEnum):
    """How time is given and spent."""

    INCREMENT = "increment"
    DELAY = "delay"
    MOVE = "move"
    HOURGLASS = "hourglass"

    @property
    def has_extra(self) -> bool:
        """Whether something is added to a main time that is for the whole game."""
        return self is Mode.INCREMENT or self is Mode.DELAY


class Turns(StrEnum):
    """Who moves when."""

    ONE = "one"
    ALL = "all"
    PASS = "pass"  # noqa: S105 - no password


class Phase(Enum):
    """Whether the clocks run."""

    READY = "ready"  # before the first move, or between rounds
    RUNNING = "running"
    PAUSED = "paused"


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What the setup says. colours: clockwise. first: an index of them. low_ns: 0 for never."""

    colours: tuple[Colour, ...]
    first: int
    mode: Mode
    turns: Turns
    main_ns: int
    extra_ns: int
    after: int
    more_ns: int
    stops: bool
    is_out: bool
    low_ns: int


class SeatClock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's. All in nanoseconds but `moves`, `score` (None: not entered) and `scored`, how often it was entered.

    left: may be below 0. delay: what is left of the delay of its present or next move. turn: spent in the turn under
    way. over: spent while the flag was down. fell_ns: when the flag fell in this turn, None where it did not.
    """

    left: int
    delay: int = 0
    turn: int = 0
    spent: int = 0
    longest: int = 0
    over: int = 0
    moves: int = 0
    score: int | None = None
    scored: int = 0
    is_down: bool = False
    fell_ns: int | None = None


class Move(msgspec.Struct, frozen=True):
    """A turn that has ended, for the account: whose, how ("done", "pass", "flag"), how long it took, what was left."""

    seat: int
    how: str
    spent_ns: int
    left_ns: int


class Back(msgspec.Struct, frozen=True):
    """How the newest line is taken back. pauses: with a new pause. t_ns: its instant; None: that of the last pause."""

    pauses: bool = False
    t_ns: int | None = None
    is_same: bool = False


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands. Seats are indices of `terms.colours`.

    now: the instant up to which the clocks have been run, None where it is not known. ended: who has finished or passed
    this round, in that order. fallen: in the order in which flags fell. marks: who fell by time just now, and
    when. moves: the newest turns that have ended.
    """

    terms: Terms
    seats: tuple[SeatClock, ...]
    turn: int
    phase: Phase = Phase.READY
    now: int | None = None
    ended: tuple[int, ...] = ()
    round: int = 1
    fallen: tuple[int, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    moves: tuple[Move, ...] = ()
    back: Back = Back()
    is_over: bool = False


KEPT_MOVES = 20
"""So many of the newest turns are in the account."""


def begun(terms: Terms) -> State:
    """Give the state before the first move: what is added before each move is there for the first."""
    added = terms.extra_ns if terms.mode is Mode.INCREMENT else 0
    delay = terms.extra_ns if terms.mode is Mode.DELAY else 0
    clock = SeatClock(left=terms.main_ns + added, delay=delay)
    return State(terms=terms, seats=(clock,) * len(terms.colours), turn=terms.first)


def is_in(state: State, seat: int) -> bool:
    """Tell whether a seat plays on."""
    return not (state.terms.is_out and state.seats[seat].is_down)


def clockwise(state: State, seat: int) -> list[int]:
    """Give the other seats that are in, clockwise from the next."""
    count = len(state.seats)
    return [other for step in range(1, count) if is_in(state, other := (seat + step) % count)]


def those_in(state: State) -> list[int]:
    """Give the seats that are in, in the setup's order."""
    if not state.fallen or not state.terms.is_out:
        return list(range(len(state.seats)))
    return [seat for seat in range(len(state.seats)) if is_in(state, seat)]


def unfinished(state: State) -> tuple[int, ...]:
    """Give whose clocks run as soon as the game does."""
    if state.terms.turns is not Turns.ALL:
        return (state.turn,) if is_in(state, state.turn) else ()
    return tuple(seat for seat in those_in(state) if seat not in state.ended)


def running(state: State) -> tuple[int, ...]:
    """Give whose clocks run now."""
    return unfinished(state) if state.phase is Phase.RUNNING else ()


def with_clock(state: State, seat: int, **changes: Any) -> State:
    """Give the state with a seat's clock changed."""
    clock = replace(state.seats[seat], **changes)
    return replace(state, seats=(*state.seats[:seat], clock, *state.seats[seat + 1 :]))

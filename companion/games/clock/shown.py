"""What displays show of a clock, and its accounts: what each seat has used, and the newest turns. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.view import Area, Cell, Clock, Ledger, LedgerRow, View
from companion.games.clock.choices import is_first
from companion.games.clock.state import Mode, Phase, Turns, clockwise, is_in, running, those_in
from companion.games.clock.wording import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.clock.state import SeatClock, State

NONE = "–"


def view_of(state: State, text: Callable[[str], str]) -> View:
    """Give what everybody may see, which is everything."""
    terms = state.terms
    is_turn = terms.turns is not Turns.ALL and not state.is_over and is_in(state, state.turn)
    return View(
        scores=tuple((colour, clock.score or 0) for colour, clock in zip(terms.colours, state.seats, strict=True)),
        score_label=text("points"),
        turn=terms.colours[state.turn] if is_turn else None,
        phase=_phase(state, text),
        round=None if terms.turns is Turns.ONE else state.round,
        areas=tuple(_areas(state, text)),
        clocks=tuple(_clock(state, seat, text) for seat in range(len(state.seats))),
        hints=_hints(state, text),
    )


def _hints(state: State, text: Callable[[str], str]) -> tuple[str, ...]:
    """Tell what makes the clocks run: between rounds only the fourth button does, the others enter points."""
    if state.phase is not Phase.READY or state.is_over or len(those_in(state)) < 2:
        return ()
    return (text("any button starts") if is_first(state) else text("fourth button: start"),)


def _phase(state: State, text: Callable[[str], str]) -> str:
    if state.is_over:
        return text("the end")
    if len(those_in(state)) < 2:
        return text("time is over")
    if state.phase is Phase.READY:
        return text("ready")
    return text("running") if state.phase is Phase.RUNNING else text("paused")


def _areas(state: State, text: Callable[[str], str]) -> list[Area]:
    colours = state.terms.colours
    cells = tuple(Cell(str(clock.moves), colour) for colour, clock in zip(colours, state.seats, strict=True))
    areas = [Area(text("moves"), cells)]
    if state.terms.turns is Turns.PASS and state.ended:
        areas.append(Area(text("passed"), tuple(Cell(str(n), colours[s]) for n, s in enumerate(state.ended, 1))))
    if state.terms.turns is Turns.ALL and state.ended:
        done = (colour for seat, colour in enumerate(colours) if seat in state.ended and is_in(state, seat))
        areas.append(Area(text("done"), tuple(Cell("", colour) for colour in done)))
    return areas


def _clock(state: State, seat: int, text: Callable[[str], str]) -> Clock:
    clock, terms, runs = state.seats[seat], state.terms, seat in running(state)
    return Clock(
        label=text("time left"),
        seat=terms.colours[seat],
        left_ns=clock.left,
        at_ns=state.now or 0,
        is_running=runs,
        held_ns=clock.delay,
        pace=_pace(state, seat) if state.now is not None else (0, 1),
        flag=state.fallen.index(seat) + 1 if seat in state.fallen else None,
        low_ns=terms.low_ns,
    )


def _pace(state: State, seat: int) -> tuple[int, int]:
    """Give how many nanoseconds of a clock are spent in how many that pass; fewer than 0: it receives."""
    runs = running(state)
    if state.terms.mode is not Mode.HOURGLASS:
        return (int(seat in runs), 1)
    if not is_in(state, seat) or not runs:
        return (0, 1)
    sharing = len(clockwise(state, seat))
    receives = sum(other != seat for other in runs)
    return (sharing * (seat in runs) - receives, sharing)


def ledgers(state: State, text: Callable[[str], str]) -> tuple[Ledger, ...]:
    """Give the account of everybody's time, and that of the newest turns once there is one."""
    first = _of_seats(state, text)
    return (first, _of_turns(state, text)) if state.moves else (first,)


def _of_seats(state: State, text: Callable[[str], str]) -> Ledger:
    rows = tuple(
        LedgerRow(colour.says, colour, _used(state, seat, clock))
        for seat, (colour, clock) in enumerate(zip(state.terms.colours, state.seats, strict=True))
    )
    columns = (
        text("moves"), text("used"), text("longest"), text("average"), text("left"), text("overtime"), text("flag"),
        text("points"),
    )  # fmt: skip
    return Ledger("times", text("Time used"), columns, rows)


def _used(state: State, seat: int, clock: SeatClock) -> tuple[str, ...]:
    turns = clock.moves + (state.terms.is_out and clock.is_down)
    return (
        str(clock.moves),
        said(clock.spent),
        said(clock.longest),
        said((clock.spent - clock.turn) // turns) if turns else NONE,
        said(clock.left),
        said(clock.over) if clock.over else NONE,
        str(state.fallen.index(seat) + 1) if seat in state.fallen else NONE,
        NONE if clock.score is None else str(clock.score),
    )


def _of_turns(state: State, text: Callable[[str], str]) -> Ledger:
    how = {"done": text("moved"), "pass": text("passed"), "flag": text("time over")}
    rows = tuple(
        LedgerRow(state.terms.colours[move.seat].says, state.terms.colours[move.seat],
                  (how[move.how], said(move.spent_ns), said(move.left_ns)))
        for move in reversed(state.moves)
    )  # fmt: skip
    columns = (text("how"), text("took"), text("then left"))
    return Ledger(
        "turns", text("Newest turns"), columns, rows, text("The newest first; what was left is before what was added.")
    )

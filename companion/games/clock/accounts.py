"""The accounts of a clock: what each seat has used, and the newest turns. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.view import Ledger, LedgerRow
from companion.games.clock.spans import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.clock.state import SeatClock, State

NONE = "–"


def ledgers(state: State, text: Callable[[str], str]) -> tuple[Ledger, ...]:
    """Give the account of everybody's time, and that of the newest turns once there is one."""
    first = _of_seats(state, text)
    return (first, _of_turns(state, text)) if state.moves else (first,)


def _of_seats(state: State, text: Callable[[str], str]) -> Ledger:
    rows = tuple(
        LedgerRow(colour, colour, _used(state, seat, clock))
        for seat, (colour, clock) in enumerate(zip(state.terms.colours, state.seats, strict=True))
    )
    columns = (
        text("moves"), text("used"), text("longest"), text("average"), text("left"), text("overtime"), text("flag"),
        text("points"),
    )  # fmt: skip
    return Ledger("times", text("Time used"), columns, rows)


def _used(state: State, seat: int, clock: SeatClock) -> tuple[str, ...]:
    ended = clock.spent - clock.turn
    return (
        str(clock.moves),
        said(clock.spent),
        said(clock.longest),
        said(ended // clock.moves) if clock.moves else NONE,
        said(clock.left),
        said(clock.over) if clock.over else NONE,
        str(state.fallen.index(seat) + 1) if seat in state.fallen else NONE,
        NONE if clock.score is None else str(clock.score),
    )


def _of_turns(state: State, text: Callable[[str], str]) -> Ledger:
    how = {"done": text("moved"), "pass": text("passed"), "flag": text("time over")}
    rows = tuple(
        LedgerRow(state.terms.colours[move.seat], state.terms.colours[move.seat],
                  (how[move.how], said(move.spent_ns), said(move.left_ns)))
        for move in reversed(state.moves)
    )  # fmt: skip
    columns = (text("how"), text("took"), text("then left"))
    return Ledger(
        "turns", text("Newest turns"), columns, rows, text("The newest first; what was left is before what was added.")
    )

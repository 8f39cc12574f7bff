"""What the account of a clock says of its rulings, where no number says it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Colour
from companion.core.ruling.rulings import Fault
from companion.games.clock.lines import ClockOutcome, Flag, RoundOver, Stopped, Times, TooLate, TurnOver
from tests.games.clock.table import CLOCK, MS, S

RED, YELLOW, *_ = Colour
CLOSE = "Too close to call: the press may have been on the other side of the flag."


def turn(how: str, *, close: bool = False) -> TurnOver:
    return TurnOver(colour=RED, how=how, t_ns=8 * S, spent_ns=8 * S, left_ns=62 * S, added_ns=0, moves=1, close=close)  # type: ignore[arg-type]  # one of the two words


@pytest.mark.parametrize(
    ("ruling", "says"),
    [
        (turn("done"), ["red ends the turn after 0:08.0; 1:02.0 left."]),
        (turn("pass"), ["red passes after 0:08.0; 1:02.0 left."]),
        (turn("done", close=True), ["red ends the turn after 0:08.0; 1:02.0 left.", CLOSE]),
        (Flag(colour=RED, t_ns=None, place=2, out=False), ["red's time is over (flag 2)."]),
        (Flag(colour=RED, t_ns=None, place=2, out=True), ["red's time is over (flag 2): red is out."]),
        (TooLate(colour=RED, t_ns=None, behind_ns=None, close=False), ["red pressed too late."]),
        (TooLate(colour=RED, t_ns=9 * S, behind_ns=12 * MS + 34_000, close=False), ["red pressed 12.034 ms too late."]),
        (TooLate(colour=RED, t_ns=9 * S, behind_ns=MS, close=True), ["red pressed 1.000 ms too late.", CLOSE]),
        (Stopped(left=()), ["The clocks stop. Still in: nobody."]),
        (Stopped(left=(RED,)), ["The clocks stop. Still in: red."]),
        (RoundOver(round=3, first=None), ["Round 3 is over."]),
        (RoundOver(round=3, first=YELLOW), ["Round 3 is over; yellow begins the next."]),
    ],
)
def test_a_ruling_is_told_in_the_account(ruling: Any, says: list[str]) -> None:
    assert [str(one) for one in CLOCK.sentences(ruling)] == says


def test_the_outcome_tells_each_clock_and_points_and_flags_only_where_there_are_any() -> None:
    times = {"red": Times(left_ns=S, spent_ns=2 * S, longest_ns=S, over_ns=0, moves=3)}
    plain = ClockOutcome(over=True, times=times, fallen=(), rounds=1, scores={}, leaders=())
    (clock,) = CLOCK.sentences(plain)
    assert str(clock).startswith("red: moves 3, used ")
    full = ClockOutcome(over=True, times=times, fallen=(RED,), rounds=1, scores={"red": 7}, leaders=(RED,))
    assert [str(one) for one in CLOCK.sentences(full)[1:]] == [
        "Points: red 7.", "Flags, in the order they fell: red.",
    ]  # fmt: skip


def test_what_no_ruling_of_a_clock_is_has_the_general_words() -> None:
    assert CLOCK.sentences(Fault(line=3, kind="illegal", message="no such line")) is None

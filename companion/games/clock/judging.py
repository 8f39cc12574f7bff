"""One line judged: what it does, and which rule refuses it (`docs/games/clock.md`, What is refused). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import ByHand, End
from companion.core.timing.events import SECOND
from companion.core.words.texts import text
from companion.games.clock.by_hand import set_by_hand, with_time
from companion.games.clock.lines import MOST_POINTS, Adjust, Done, Fall, Late, Pass, Pause, Score, Start
from companion.games.clock.moving import pressed_late, turn_ended
from companion.games.clock.running import fall_at, next_fall, run_to
from companion.games.clock.state import Back, Phase, Turns, clockwise, is_in, running, those_in, unfinished, with_clock

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling
    from companion.games.clock.state import State

CATALOGUE = "companion.games.clock"
_RUNNERS = (Pause, Done, Pass, Fall)
"""What runs the clocks."""


def apply(state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
    """Give the state after a line and what follows from it. Raises Illegal."""
    rulings: list[Ruling] = []
    match line:
        case Start() | Pause() | Done() | Pass() | Fall():
            after = _timed(state, line, rulings)
        case Late():
            after = _late(state, line, rulings)
        case Score() | Adjust():
            after = _entered(state, line, rulings)
        case ByHand():
            after = replace(set_by_hand(replace(state, marks=()), line, rulings), back=Back())
        case End():
            if state.phase is Phase.RUNNING:
                raise _illegal(11, text("the clocks run: pause them, and then the game may end", CATALOGUE))
            after = replace(state, is_over=True, marks=(), back=Back())
        case _:
            says = text("the game `clock` has no `{line}`", CATALOGUE)
            raise _illegal(1, says.format(line=line.__struct_config__.tag))
    return after, tuple(rulings)


def _illegal(rule: int, why: str) -> Illegal:
    return Illegal(text("{why} (rule {rule})", CATALOGUE).format(why=why, rule=rule))


def _seat(state: State, colour: Colour) -> int:
    if colour not in state.terms.colours:
        raise _illegal(2, text("field `colour`: {colour} has no seat", CATALOGUE).format(colour=colour))
    return state.terms.colours.index(colour)


def _timed(state: State, line: Start | Pause | Done | Pass | Fall, rulings: list[Ruling]) -> State:
    seat = None if line.colour is None else _seat(state, line.colour)
    if isinstance(line, Start):
        return _started(state, line)
    _verify(state, line, seat)
    back = Back(pauses=True, t_ns=_before_the_flag(state, line))
    known = replace(state, marks=(), now=line.t_ns if state.now is None else state.now)
    match line:
        case Pause():
            after = known if line.t_ns is None else run_to(known, line.t_ns, rulings)
            stays = after.phase is not Phase.RUNNING
            return replace(after, phase=after.phase if stays else Phase.PAUSED, back=state.back)
        case Fall():
            after = fall_at(known, *_next(known), rulings)
        case Done() | Pass():
            after = turn_ended(known, line, seat or 0, rulings, was_known=state.now is not None)
    return replace(after, back=back)


def _verify(state: State, line: Pause | Done | Pass | Fall, seat: int | None) -> None:
    """Raise Illegal for what runs the clocks and may not."""
    if state.phase is not Phase.RUNNING:
        raise _illegal(5, text("the clocks do not run", CATALOGUE))
    if isinstance(line, Pass) and state.terms.turns is not Turns.PASS:
        raise _illegal(6, text("nobody passes here; a turn ends by `done`", CATALOGUE))
    if isinstance(line, (Done, Pass)) and seat not in running(state):
        raise _illegal(7, text("the clock of {colour} does not run", CATALOGUE).format(colour=line.colour))
    if line.t_ns is not None and state.now is not None and line.t_ns < state.now:
        says = text("field `t_ns`: the clocks have been run to {t_ns} already", CATALOGUE)
        raise _illegal(8, says.format(t_ns=state.now))
    if isinstance(line, Fall) and (seat, line.t_ns) != next_fall(state):
        raise _illegal(9, text("no flag of that seat falls then", CATALOGUE))


def _next(state: State) -> tuple[int, int]:
    found = next_fall(state)
    if found is None:
        raise _illegal(9, text("no flag falls", CATALOGUE))
    return found


def _before_the_flag(state: State, line: Pause | Done | Pass | Fall) -> int | None:
    """Give as of when the clocks stand once this line has been taken back: before a flag that fell by then.

    None: as they stood before it.
    """
    found = next_fall(state)
    if line.t_ns is None or found is None or line.t_ns < found[1]:
        return line.t_ns
    return found[1] - 1 if found[1] - 1 >= (state.now or 0) else None


def _started(state: State, line: Start) -> State:
    if state.phase is Phase.RUNNING:
        raise _illegal(3, text("the clocks run already", CATALOGUE))
    if len(those_in(state)) < 2:
        raise _illegal(4, text("fewer than two are in: set a time by hand, or end the game", CATALOGUE))
    if any(clock.fell_ns is not None for clock in state.seats):
        state = replace(state, seats=tuple(replace(clock, fell_ns=None) for clock in state.seats))
    ended = () if state.terms.turns is Turns.ALL and not unfinished(state) else state.ended
    turn = state.turn if is_in(state, state.turn) else clockwise(state, state.turn)[0]
    return replace(state, phase=Phase.RUNNING, now=line.t_ns, turn=turn, ended=ended, marks=(), back=Back())


def _late(state: State, line: Late, rulings: list[Ruling]) -> State:
    seat = _seat(state, line.colour)
    mark = dict(state.marks).get(seat)
    if mark is None or (line.t_ns is not None and line.t_ns < mark):
        says = text("{colour}'s flag has not just fallen, or fell after that", CATALOGUE)
        raise _illegal(10, says.format(colour=line.colour))
    runs = state.phase is Phase.RUNNING
    return replace(pressed_late(state, line, seat, rulings), back=Back(pauses=runs, is_same=runs))


def _entered(state: State, line: Score | Adjust, rulings: list[Ruling]) -> State:
    seat = _seat(state, line.colour)
    if state.phase is Phase.RUNNING:
        raise _illegal(12, text("the clocks run: pause them, and then that may be entered", CATALOGUE))
    if isinstance(line, Score):
        if abs(line.value) > MOST_POINTS:
            says = text("field `value`: {value} is not from {least} to {most}", CATALOGUE)
            raise Malformed(says.format(value=line.value, least=-MOST_POINTS, most=MOST_POINTS))
        scored = state.seats[seat].scored + 1
        return replace(with_clock(state, seat, score=line.value, scored=scored), back=Back())
    left = state.seats[seat].left
    if state.terms.is_out and line.seconds < 0 and left <= 0:
        says = text("{colour} has no time that could be taken", CATALOGUE)
        raise _illegal(13, says.format(colour=line.colour))
    after = left + line.seconds * SECOND
    state = replace(state, marks=(), back=Back())
    return with_time(state, seat, max(0, after) if state.terms.is_out else after, rulings)

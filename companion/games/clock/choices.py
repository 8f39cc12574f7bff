"""What may be decided now, and what each button of a seat does (`docs/games/clock.md`, Buttons). Pure.

Whoever leans on any of the first three buttons ends the own turn: nobody has to look for the right one. The fourth
stops the clocks, for everybody, at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.core.panel import POSITIONS, Button
from companion.core.ruling.looks import ButtonFace
from companion.core.ruling.offers import NumberEntry, Offer, Option
from companion.core.words.texts import joined
from companion.games.clock.lines import MOST_POINTS, Adjust, Done, Late, Pass, Pause, Score, Start
from companion.games.clock.state import Phase, Turns, running, those_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.games.clock.state import State

FIRST, MIDDLE, THIRD, FOURTH = range(4)
CORRECTIONS: tuple[Literal[-300, -120, -60, -10, -1, 1, 10, 60, 120, 300], ...] = (
    60,
    120,
    300,
    10,
    1,
    -60,
    -120,
    -300,
    -10,
    -1,
)
"""Seconds that are given or taken at the box; two minutes and one are what chess gives for an illegal move."""


def offers(state: State, text: Callable[[str], str]) -> tuple[Offer, ...]:
    """Give every decision that may be made now; none must be."""
    if state.is_over:
        return ()
    seats = tuple(offer for seat in range(len(state.seats)) if (offer := _of_seat(state, seat, text)) is not None)
    if state.phase is Phase.RUNNING:
        return (_of_all(text("pause"), Pause()), *seats)
    return (*_starting(state, text), *seats, *_standing(state, text))


def buttons(state: State | None, seat: int | None, text: Callable[[str], str]) -> tuple[ButtonFace, ...]:
    """Give what the four buttons of a seat do; seat None: of whose turn it is. state None: before a match."""
    if state is None:
        return (*(ButtonFace(text("end turn"), "turn"),) * 3, ButtonFace(text("pause"), "pause"))
    if seat is None:
        seat = next(iter(running(state)), state.turn)
    stands = state.phase is not Phase.RUNNING and not state.is_over
    idle = ButtonFace(text("points"), "points") if stands else ButtonFace(text("wait"), "wait")
    faces = [idle] * len(POSITIONS)
    for line, label, places in _by_button(state, seat, text):
        for place in places:
            faces[place] = ButtonFace(label, _SYMBOLS[type(line)])
    return tuple(faces)


_SYMBOLS: dict[type[Line], str] = {
    Done: "turn", Late: "turn", Pass: "pass", Pause: "pause", Start: "start",
}  # fmt: skip


def _offer(kind: str, prompt: str, options: list[Option]) -> Offer:
    return Offer(kind, None, prompt, tuple(options), required=False)


def _of_seat(state: State, seat: int, text: Callable[[str], str]) -> Offer | None:
    """Give what the buttons of a seat do, as one choice; None where they do nothing."""
    colour = state.terms.colours[seat]
    options = []
    for line, label, places in _by_button(state, seat, text):
        first, *also = (Button(colour, POSITIONS[place]) for place in places)
        options.append(Option(label, line, button=first, also=tuple(also)))
    if not options:
        return None
    return Offer("turn", colour, text("{seat}'s buttons").format(seat=colour.short), tuple(options), required=False,
                 at_once=True)  # fmt: skip


def _by_button(state: State, seat: int, text: Callable[[str], str]) -> Iterator[tuple[Line, str, tuple[int, ...]]]:
    """Give the lines that a seat's buttons write, with words and the places of those buttons, the main one first."""
    if state.is_over:
        return
    colour = state.terms.colours[seat]
    if state.phase is Phase.RUNNING:
        if seat in running(state):
            passes = state.terms.turns is Turns.PASS
            yield Done(colour=colour), text("end turn"), (FIRST, MIDDLE) if passes else (FIRST, MIDDLE, THIRD)
            if passes:
                yield Pass(colour=colour), text("pass"), (THIRD,)
        elif any(mark == seat for mark, _ in state.marks):
            yield Late(colour=colour), text("too late"), (FIRST, MIDDLE, THIRD)
        yield Pause(colour=colour), text("pause"), (FOURTH,)
        return
    yield from _standing_buttons(state, seat, text)


def _standing_buttons(
    state: State, seat: int, text: Callable[[str], str]
) -> Iterator[tuple[Line, str, tuple[int, ...]]]:
    """Give what the buttons do while the clocks stand."""
    colour = state.terms.colours[seat]
    others = (FIRST, MIDDLE, THIRD)
    can_start = len(those_in(state)) > 1
    if any(mark == seat for mark, _ in state.marks):
        yield Late(colour=colour), text("too late"), others
    elif can_start and is_first(state):
        yield Start(colour=colour), text("start"), (FIRST, MIDDLE, THIRD, FOURTH)
        return
    if can_start:
        yield Start(colour=colour), _start_label(state, text), (FOURTH,)


def is_first(state: State) -> bool:
    """Tell whether the clocks have not run yet: then any button of anybody starts them."""
    return state.phase is Phase.READY and state.round == 1


def _start_label(state: State, text: Callable[[str], str]) -> str:
    return text("start") if state.phase is Phase.READY else text("go on")


def _starting(state: State, text: Callable[[str], str]) -> tuple[Offer, ...]:
    if len(those_in(state)) < 2:
        return ()
    return (_of_all(_start_label(state, text), Start()),)


def _of_all(label: str, line: Line) -> Offer:
    """Give what anybody may do to all clocks, by knob or page, at once."""
    return Offer("clocks", None, label, (Option(label, line),), required=False, at_once=True)


def _standing(state: State, text: Callable[[str], str]) -> Iterator[Offer]:
    """Give what may be done while the clocks stand: correct times, enter points."""
    for colour, clock in zip(state.terms.colours, state.seats, strict=True):
        steps = [step for step in CORRECTIONS if step > 0 or clock.left > 0 or not state.terms.is_out]
        options = [Option(_correction(step, text), Adjust(colour=colour, seconds=step)) for step in steps]
        yield _offer(f"time {colour}", text("{seat}: time").format(seat=colour.short), options)
    for colour, clock in zip(state.terms.colours, state.seats, strict=True):
        entry = NumberEntry(-MOST_POINTS, MOST_POINTS, _scoring(colour), clock.score or 0)
        prompt = text("{seat}: points").format(seat=colour.short)
        yield Offer("points", colour, prompt, number=entry, required=False)


def _scoring(colour: Colour) -> Callable[[int], Line]:
    return lambda value: Score(colour=colour, value=value)


def _correction(seconds: int, text: Callable[[str], str]) -> str:
    sign, amount = ("+" if seconds > 0 else "−"), abs(seconds)
    if amount % 60:
        return joined((sign, text("{count} s").format(count=amount)), "")
    return joined((sign, text("{count} min").format(count=amount // 60)), "")

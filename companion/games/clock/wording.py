"""A clock's own words: what a line says, the sentences of the readable account. Pure; knows no state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour, colours_say, each_with
from companion.core.record.words import line_words
from companion.core.timing.events import SECOND
from companion.core.words.texts import number
from companion.games.clock.lines import (
    Adjust,
    ClockOutcome,
    Done,
    Fall,
    Flag,
    Late,
    Pass,
    Pause,
    RoundOver,
    Score,
    Start,
    Stopped,
    TooLate,
    TurnOver,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling

    Text = Callable[[str], str]


TENTH = SECOND // 10


def said(length_ns: int) -> str:
    """Say how long something took, in tenths of a second, none begun counted ("0:04.2", "1:02:00.0", "−0:03.1")."""
    sign, tenths = ("−" if length_ns < 0 else ""), abs(length_ns) // TENTH
    seconds, tenth = divmod(tenths, 10)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return number(f"{sign}{whole}.{tenth}")


def describe(line: Line, text: Text) -> str:
    """Say what a line is in a few words."""
    if isinstance(line, (Start, Pause)) and line.colour is None:
        return text("the clocks run") if isinstance(line, Start) else text("the clocks stop")
    if isinstance(line, Score):
        return text("{seat} has {points} points").format(seat=line.colour, points=line.value)
    if isinstance(line, Adjust):
        seconds = f"{'+' if line.seconds > 0 else '−'}{abs(line.seconds)}"
        return text("the referee gives {seat} {seconds} s").format(seat=line.colour, seconds=seconds)
    message = {
        Start: text("{seat} starts the clocks"),
        Pause: text("{seat} stops the clocks"),
        Done: text("{seat} ends the turn"),
        Pass: text("{seat} passes"),
        Fall: text("{seat}'s time is over"),
        Late: text("{seat} pressed too late"),
    }.get(type(line))
    return line_words(line) if message is None else message.format(seat=getattr(line, "colour", ""))


def sentences(ruling: Ruling, text: Text) -> tuple[str, ...] | None:
    """Give what the account says of a ruling; None where the general words do."""
    match ruling:
        case TurnOver():
            return _turn(ruling, text)
        case TooLate():
            return _late(ruling, text)
        case ClockOutcome():
            return _outcome(ruling, text)
        case Flag():
            return (_flag(ruling, text),)
        case Stopped() | RoundOver():
            return (_halted(ruling, text),)
    return None


def _halted(ruling: Stopped | RoundOver, text: Text) -> str:
    if isinstance(ruling, Stopped):
        return text("The clocks stop. Still in: {seats}.").format(seats=_listed(ruling.left, text))
    if ruling.first is None:
        return text("Round {round} is over.").format(round=ruling.round)
    says = text("Round {round} is over; {seat} begins the next.")
    return says.format(round=ruling.round, seat=ruling.first)


def _listed(seats: tuple[Colour, ...], text: Text) -> str:
    return colours_say(seats) or text("nobody")


def _turn(ruling: TurnOver, text: Text) -> tuple[str, ...]:
    passes, ends = (
        text("{seat} passes after {spent}; {left} left."),
        text("{seat} ends the turn after {spent}; {left} left."),
    )
    how = passes if ruling.how == "pass" else ends
    first = how.format(seat=ruling.colour, spent=said(ruling.spent_ns), left=said(ruling.left_ns))
    close = text("Too close to call: the press may have been on the other side of the flag.")
    return (first, close) if ruling.close else (first,)


def _flag(ruling: Flag, text: Text) -> str:
    if ruling.out:
        return text("{seat}'s time is over (flag {place}): {seat} is out.").format(
            seat=ruling.colour, place=ruling.place
        )
    return text("{seat}'s time is over (flag {place}).").format(seat=ruling.colour, place=ruling.place)


def _late(ruling: TooLate, text: Text) -> tuple[str, ...]:
    if ruling.behind_ns is None:
        return (text("{seat} pressed too late.").format(seat=ruling.colour),)
    first = text("{seat} pressed {ms} ms too late.").format(
        seat=ruling.colour, ms=number(f"{ruling.behind_ns // 1_000_000:,}.{ruling.behind_ns // 1_000 % 1_000:03}")
    )
    close = text("Too close to call: the press may have been on the other side of the flag.")
    return (first, close) if ruling.close else (first,)


def _outcome(ruling: ClockOutcome, text: Text) -> tuple[str, ...]:
    told = [
        text("{seat}: moves {moves}, used {spent}, left {left}.").format(
            seat=Colour(seat), moves=times.moves, spent=said(times.spent_ns), left=said(times.left_ns)
        )
        for seat, times in ruling.times.items()
    ]
    if ruling.scores:
        told.append(text("Points: {points}.").format(points=each_with(ruling.scores)))
    if ruling.fallen:
        told.append(text("Flags, in the order they fell: {seats}.").format(seats=_listed(ruling.fallen, text)))
    return tuple(told)

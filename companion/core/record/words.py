"""What a line of a record is, in a few words. Knows the standard lines; a game says its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import Colour, place_says
from companion.core.record.lines import (
    Answer,
    ByHand,
    ChanceLine,
    Close,
    End,
    Evidence,
    JudgeLine,
    Moved,
    Names,
    Open,
    PressLine,
    Protest,
    Remark,
    Restart,
    Reveal,
    Seal,
    Setup,
    Sign,
    Undo,
)
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Line


_KNOB = text("knob")


def line_words(line: Line) -> str:
    """Say what a standard line is; any other is told by its type."""
    say = _SAY.get(type(line))
    return str(line.__struct_config__.tag) if say is None else say(line)


def _setup(line: Setup) -> str:
    return text("the match begins: {seats}").format(seats=joined(seat.colour.says for seat in line.seats))


def _chance(line: ChanceLine) -> str:
    by_hand, result = line.by == "hand", joined(line.result or ())
    if line.result:
        says = text("{name} by hand: {result}") if by_hand else text("{name} by the box: {result}")
        return says.format(name=line.name, result=result)
    says = text("{name} by hand, in secret") if by_hand else text("{name} by the box, in secret")
    return says.format(name=line.name)


def _by_hand(line: ByHand) -> str:
    if line.by:
        says = text("{what} is set to {value} by {by}: {reason}")
        return says.format(what=line.set, value=line.value, by=by_says(line.by), reason=line.reason)
    return text("{what} is set to {value}: {reason}").format(what=line.set, value=line.value, reason=line.reason)


def _remark(line: Remark) -> str:
    return joined((line.source, line.text), ": ") if line.source else line.text


def _names(line: Names) -> str:
    seats = joined(_seat(Colour(colour), name) for colour, name in line.names.items())
    return text("the players: {seats}").format(seats=seats) if line.names else text("the players: no names")


def _protest(line: Protest) -> str:
    if line.race:
        says = text("{colour} protests against race {race}").format(colour=line.colour, race=line.race)
    else:
        says = text("{colour} protests").format(colour=line.colour)
    return joined((says, line.text), ": ") if line.text else says


def _answer(line: Answer) -> str:
    if line.by:
        says = (
            text("the protest of line {line} is answered by {by}, the ruling stands: {text}")
            if line.stands
            else text("the protest of line {line} is answered by {by}, the ruling does not stand: {text}")
        )
        return says.format(line=line.protest, by=by_says(line.by), text=line.text)
    says = (
        text("the protest of line {line} is answered, the ruling stands: {text}")
        if line.stands
        else text("the protest of line {line} is answered, the ruling does not stand: {text}")
    )
    return says.format(line=line.protest, text=line.text)


def by_says(by: str) -> str:
    """Give who did something: a person by the name that was typed, the box's knob as what it is."""
    return _KNOB if by == "knob" else by


def _undo(line: Undo) -> str:
    says = text("taken back by {by}").format(by=by_says(line.by)) if line.by else text("taken back")
    return joined((says, line.reason), ": ") if line.reason else says


_SAY: dict[type[Line], Callable[[Any], str]] = {
    Setup: _setup,
    Reveal: lambda line: text("revealed: {card}").format(card=line.card),
    PressLine: lambda line: text("{colour} plays {role}").format(colour=line.colour, role=place_says(line.role)),
    Close: lambda _line: text("no more presses are taken"),
    JudgeLine: lambda _line: text("judged"),
    End: lambda _line: text("the game is ended"),
    ChanceLine: _chance,
    Open: lambda _line: text("the seed is shown"),
    ByHand: _by_hand,
    Names: _names,
    Restart: lambda _line: text("a new clock begins"),
    Remark: _remark,
    Evidence: lambda line: text("the evidence of race {race} is kept: {edges} edges").format(
        race=line.race, edges=line.edges
    ),
    Protest: _protest,
    Answer: _answer,
    Sign: lambda line: text("{colour} accepts the result").format(colour=line.colour),
    Moved: lambda line: text("the match goes on on the box {box}").format(box=line.box),
    Seal: lambda _line: text("the box seals the record up to here"),
    Undo: _undo,
}


def _seat(colour: Colour, name: str | None) -> str:
    return text("{colour} ({name})").format(colour=colour, name=name) if name else colour.says

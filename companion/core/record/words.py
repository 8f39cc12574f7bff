"""What a line of a record is, in a few words. Knows the standard lines; a game says its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.lines import Line


def line_words(line: Line) -> str:
    """Say what a standard line is; any other is told by its type."""
    say = _SAY.get(type(line))
    return str(line.__struct_config__.tag) if say is None else say(line)


def _setup(line: Setup) -> str:
    return f"the match begins: {', '.join(seat.colour for seat in line.seats)}"


def _chance(line: ChanceLine) -> str:
    how = f"{line.name} {'by hand' if line.by == 'hand' else 'by the box'}"
    return f"{how}: {', '.join(line.result)}" if line.result else f"{how}, in secret"


def _by_hand(line: ByHand) -> str:
    return f"{line.set} is set to {line.value}{_by(line.by)}: {line.reason}"


def _remark(line: Remark) -> str:
    return f"{line.source}: {line.text}" if line.source else line.text


def _names(line: Names) -> str:
    return f"the players: {', '.join(_seat(colour, name) for colour, name in line.names.items()) or 'no names'}"


def _protest(line: Protest) -> str:
    against = f" against race {line.race}" if line.race else ""
    return f"{line.colour} protests{against}" + (f": {line.text}" if line.text else "")


def _answer(line: Answer) -> str:
    stands = "the ruling stands" if line.stands else "the ruling does not stand"
    return f"the protest of line {line.protest} is answered{_by(line.by)}, {stands}: {line.text}"


def _undo(line: Undo) -> str:
    return f"taken back{_by(line.by)}" + (f": {line.reason}" if line.reason else "")


def _by(who: str | None) -> str:
    return f" by {who}" if who else ""


_SAY: dict[type[Line], Callable[[Any], str]] = {
    Setup: _setup,
    Reveal: lambda line: f"revealed: {line.card}",
    PressLine: lambda line: f"{line.colour} plays {line.role}",
    Close: lambda _line: "no more presses are taken",
    JudgeLine: lambda _line: "judged",
    End: lambda _line: "the game is ended",
    ChanceLine: _chance,
    Open: lambda _line: "the seed is shown",
    ByHand: _by_hand,
    Names: _names,
    Restart: lambda _line: "a new clock begins",
    Remark: _remark,
    Evidence: lambda line: f"the evidence of race {line.race} is kept: {line.edges} edges",
    Protest: _protest,
    Answer: _answer,
    Sign: lambda line: f"{line.colour} accepts the result",
    Moved: lambda line: f"the match goes on on the box {line.box}",
    Seal: lambda _line: "the box seals the record up to here",
    Undo: _undo,
}


def _seat(colour: str, name: str | None) -> str:
    return f"{colour} ({name})" if name else colour

"""What a line of a record is, in a few words. Knows the standard lines; a game says its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.record.lines import (
    ByHand,
    ChanceLine,
    Close,
    End,
    JudgeLine,
    Open,
    PressLine,
    Remark,
    Reveal,
    Setup,
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
    return f"the match begins: {', '.join(_seat(seat.colour, seat.name) for seat in line.seats)}"


def _chance(line: ChanceLine) -> str:
    how = f"{line.name} {'by hand' if line.by == 'hand' else 'by the box'}"
    return f"{how}: {', '.join(line.result)}" if line.result else f"{how}, in secret"


def _by_hand(line: ByHand) -> str:
    return f"{line.set} is set to {line.value}{_by(line.by)}: {line.reason}"


def _remark(line: Remark) -> str:
    return f"{line.source}: {line.text}" if line.source else line.text


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
    Remark: _remark,
    Undo: _undo,
}


def _seat(colour: str, name: str | None) -> str:
    return f"{colour} ({name})" if name else colour

"""What a line of a record is, in a few words. Knows the standard lines; a game says its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.lines import Close, End, JudgeLine, PressLine, Remark, Reveal, Setup, Undo

if TYPE_CHECKING:
    from companion.core.record.lines import Line


def line_words(line: Line) -> str:
    """Say what a standard line is; any other is told by its type."""
    match line:
        case Setup():
            return f"the match begins: {', '.join(_seat(seat.colour, seat.name) for seat in line.seats)}"
        case Reveal():
            return f"revealed: {line.card}"
        case PressLine():
            return f"{line.colour} plays {line.role}"
        case Remark():
            return f"{line.source}: {line.text}" if line.source else line.text
        case Undo():
            return "taken back" + (f" by {line.by}" if line.by else "") + (f": {line.reason}" if line.reason else "")
    words = {Close: "no more presses are taken", JudgeLine: "judged", End: "the game is ended"}
    return words.get(type(line), str(line.__struct_config__.tag))


def _seat(colour: str, name: str | None) -> str:
    return f"{colour} ({name})" if name else colour

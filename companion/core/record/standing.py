"""What stands of a record, read line by line and not judged: of any game, whether it is installed or not. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.lines import NOTES, Line, MalformedLine, Setup, Undo, parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable


def standing_lines(record: Iterable[bytes], extra_lines: tuple[type[Line], ...] = ()) -> tuple[Line, ...]:
    """Give the setup and each later line that decides something and was not taken back, the oldest first.

    extra_lines: types that the record's game has beyond the standard ones. Lines of types that nobody knows here are
    left out. Raises MalformedLine where the first line is no setup.
    """
    stands: list[Line | None] = []
    for number, raw in enumerate(record, start=1):
        line = _read(raw, number, extra_lines)
        if isinstance(line, Undo):
            if len(stands) > 1:
                stands.pop()
        elif not isinstance(line, NOTES):
            stands.append(line)
    return tuple(line for line in stands if line is not None)


def _read(raw: bytes, number: int, extra_lines: tuple[type[Line], ...]) -> Line | None:
    """Give a line, None for one of another game's own; the setup is everybody's."""
    try:
        line = parse_line(raw, number, extra_lines)
    except MalformedLine:
        if number == 1:
            raise
        return None
    if number == 1 and not isinstance(line, Setup):
        raise MalformedLine(1, "a record begins with its `setup`")
    return line

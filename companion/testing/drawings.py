"""What is wrong with a drawing: a symbol's bitmap for small displays, its strokes in SVG's path language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.core.ruling.looks import BITMAP_HEIGHT, BITMAP_WIDTH, SYMBOL_SIZE

if TYPE_CHECKING:
    from companion.core.ruling.looks import Symbol

NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
"""How many numbers each command of a path takes, once or again and again."""
_PART = re.compile(r"\s*,?\s*([A-Za-z]|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")


def faults(symbol: Symbol) -> list[str]:
    """Say what is wrong with a symbol; () where nothing is."""
    found = [] if len(symbol.bitmap) == BITMAP_HEIGHT else [f"{len(symbol.bitmap)} rows, not {BITMAP_HEIGHT}"]
    widths = {len(row) for row in symbol.bitmap}
    if len(widths) != 1 or not 1 <= max(widths) <= BITMAP_WIDTH:
        found.append(f"rows of {sorted(widths)} pixels: all of one width, at most {BITMAP_WIDTH}")
    if not any("#" in row for row in symbol.bitmap):
        found.append("no pixel is lit: a lit one is #")
    if not symbol.strokes:
        found.append("no strokes for pages")
    return found + [fault for stroke in symbol.strokes if (fault := path_fault(stroke.path))]


def path_fault(path: str) -> str:
    """Say what is wrong with a path; empty where nothing is."""
    parts, position = [], 0
    while position < len(path.rstrip()):
        match = _PART.match(path, position)
        if match is None:
            return f"{path!r}: what is {path[position : position + 10]!r}?"
        parts.append(match[1])
        position = match.end()
    if not parts or parts[0] not in {"M", "m"}:
        return f"{path!r} does not begin with M"
    return _counted(path, parts)


def _counted(path: str, parts: list[str]) -> str:
    """Check that every command has the numbers it takes, and that none is far outside the square."""
    command, numbers = parts[0], 0
    for part in [*parts[1:], "Z"]:
        if part.isalpha():
            takes = NUMBERS_OF.get(command.upper())
            if takes is None or (numbers == 0) != (takes == 0) or (takes and numbers % takes):
                return f"{path!r}: {command} with {numbers} numbers"
            command, numbers = part, 0
        elif abs(float(part)) > 2 * SYMBOL_SIZE:
            return f"{path!r}: {part} is outside the square of {SYMBOL_SIZE}"
        else:
            numbers += 1
    return ""

"""Why lines were taken back, told after it was done: one tap takes back, the reason may follow as a remark. Pure.

The record's `undo` may go without a reason. What is told later is a remark that names the lines by their numbers, so
that whoever reads the record finds it, and the box knows what it need not ask for any more.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.record.lines import Remark, Undo
from companion.core.ruling.rulings import Undone
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.match.match import Match
    from companion.core.ruling.history import History

LOOKED_BACK = 40
"""A reason is asked for as long as no more lines have followed: a race or two, in which it is still remembered."""
_TOLD = re.compile(r"why (?:line|lines) ([0-9]+(?:, [0-9]+)*) (?:was|were) taken back: ")


def unexplained(history: History) -> tuple[int, ...]:
    """Give the lines that were taken back of late without a reason, oldest first; none that has been told since."""
    told: set[int] = set()
    found: list[int] = []
    for entry in islice(reversed(history), LOOKED_BACK):
        if isinstance(entry.line, Remark):
            told.update(_lines_of(entry.line.text))
        elif isinstance(entry.line, Undo) and entry.line.reason is None:
            found += [ruling.line for ruling in entry.rulings if isinstance(ruling, Undone)]
    return tuple(sorted({line for line in found if line not in told}))


def explain(match: Match, lines: Sequence[int], reason: str, by: str | None) -> None:
    """Note why these lines were taken back. Raises Illegal for one that was not, or of which it is known."""
    missing = unexplained(match.history)
    for line in lines:
        if line not in missing:
            raise Illegal(text("line {line} was not taken back of late, or its reason is known").format(line=line))
    match.remark(reason_told(sorted(set(lines)), reason), by)


def reason_told(lines: Sequence[int], reason: str) -> str:
    """Say why lines were taken back, as the record has it."""
    numbers = ", ".join(str(line) for line in lines)
    which, were = ("line", "was") if len(lines) == 1 else ("lines", "were")
    return f"why {which} {numbers} {were} taken back: {reason}"


def _lines_of(text: str) -> tuple[int, ...]:
    found = _TOLD.match(text)
    return tuple(int(number) for number in found[1].split(", ")) if found else ()

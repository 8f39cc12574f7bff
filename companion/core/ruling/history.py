"""The course of a match: each line of its record with what was ruled on it, and which lines still stand.

Pure values; knows no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.record.lines import Remark, Setup, Undo
from companion.core.ruling.rulings import Undone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling


class Told(NamedTuple):
    """Line `number` of a record (1 is the setup) and what followed from it when it was judged."""

    number: int
    line: Line
    rulings: tuple[Ruling, ...]


def taken_back(course: Iterable[Told]) -> dict[int, int]:
    """Give the numbers of the lines that were taken back, each with the number of the `undo` that did it."""
    return {
        ruling.line: told.number for told in course for ruling in told.rulings if isinstance(ruling, Undone)
    }  # fmt: skip


def standing(course: Sequence[Told]) -> list[Told]:
    """Give what stands and could be taken back, oldest first: no setup, no remark, no undo, nothing taken back."""
    gone = taken_back(course)
    return [told for told in course if told.number not in gone and not isinstance(told.line, (Setup, Remark, Undo))]

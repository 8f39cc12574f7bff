"""Puts a record together that goes on on this box, from the parts in which the desk sends it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.record.lines import LONGEST_LINE, Setup, parse_line

if TYPE_CHECKING:
    from companion.tournament.wire import TakeOver

MOST_LINES = 100_000
"""Of a record that is taken over; a long match has some thousands."""


class Arriving:
    """The lines of one record that have come, in whatever order; one that comes twice changes nothing."""

    def __init__(self, match: str, total: int) -> None:
        self.match, self.total = match, total
        self._lines: dict[int, bytes] = {}

    def take(self, part: TakeOver) -> tuple[bytes, ...] | None:
        """Take a part; give the whole record where it is the last one that was missing.

        Raises Malformed where it is no part of such a record; nothing of it is kept then.
        """
        if part.total != self.total or part.total > MOST_LINES or part.first + len(part.lines) - 1 > part.total:
            raise Malformed(f"match {self.match}: these are no lines of a record of {self.total:,}")
        lines = {part.first + place: line.encode() for place, line in enumerate(part.lines)}
        if any(len(line) > LONGEST_LINE or b"\n" in line for line in lines.values()):
            raise Malformed(f"match {self.match}: a line of the record is none")
        if 1 in lines:
            _verify_setup(self.match, lines[1])
        self._lines |= lines
        if len(self._lines) < self.total:
            return None
        return tuple(self._lines[number] for number in range(1, self.total + 1))


def _verify_setup(match: str, raw: bytes) -> None:
    setup = parse_line(raw, 1)
    if not isinstance(setup, Setup) or setup.match != match:
        raise Malformed(f"match {match}: its record begins with another line than its setup")

"""Takes a match up that was begun on another box: into the journal, to be offered, with the line that says so.

A match is moved between races (`record.md`): where the record ends within one, the line `moved` is written as soon as
that race is settled here, and before an end. A box's first seal stands only after that line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, Illegal
from companion.core.match.match_maker import Unfinished
from companion.core.record.lines import Line, Moved, Seal, Setup, dump_line, parse_line
from companion.core.record.seals import digest_of
from companion.core.ruling.judge import Judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.match.match import Match
    from companion.core.ruling.game import AnyGame
    from companion.ports import Journal
    from companion.tournament.box.effects import TakeUp
    from companion.tournament.box.kept import Who


class Moving:
    """Has a match say that it goes on here where it was begun elsewhere. Used in the box's loop."""

    def __init__(self, who: Who, journal: Journal, find_game: Callable[[str], AnyGame]) -> None:
        self._who, self._journal, self._find = who, journal, find_game

    def begin(self, wanted: TakeUp) -> Unfinished:
        """Put the record into the journal, and give what is to be offered.

        Raises CompanionError where it cannot be judged, or is over; nothing has changed then.
        """
        judge, lines = Judge(self._find), list[Line]()
        for number, raw in enumerate(wanted.lines, start=1):
            line = parse_line(raw, number, judge.extra_lines)
            judge.feed(line)
            lines.append(line)
        if judge.is_over():
            raise Illegal("it is over: nothing is left to be played")
        setup = lines[0]
        if not isinstance(setup, Setup):
            raise Illegal("its record begins with another line than its setup")
        raws, moved = list(wanted.lines), self._moved(wanted.lines)
        try:
            judge.feed(moved)
        except CompanionError:
            match_id = self._journal.begin(setup.game, raws, None)
            return Unfinished(match_id, tuple(lines), same_clock=False, moves=self._moved())
        match_id = self._journal.begin(setup.game, [*raws, dump_line(moved)], None)
        return Unfinished(match_id, (*lines, moved), same_clock=False)

    def see(self, match: Match) -> None:
        """Look at a match that has just been taken up: one whose newest seal is another box's still lacks the line."""
        keys = (told.line.key for told in reversed(match.history) if isinstance(told.line, (Seal, Moved)))
        if match.moves is None and next(keys, self._who.key) != self._who.key:
            match.moves = self._moved()

    def _moved(self, lines: Sequence[bytes] = ()) -> Moved:
        """Return the line. lines: those before it; none where the line is given to a match, which stores it later."""
        return Moved(box=self._who.box, key=self._who.key, previous=digest_of(lines))

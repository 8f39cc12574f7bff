"""The records of an event, each judged once, and what it had come to at each line count that the log names. Pure."""

from __future__ import annotations

from base64 import b64decode
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed
from companion.core.record.lines import Event as Where
from companion.core.record.lines import Setup, parse_line
from companion.tournament.log.lines import RecordLine
from companion.tournament.tables.expected import Expected, foreign_key
from companion.tournament.tables.judged import TableJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import TableState
    from companion.tournament.log.lines import AnyEntry
    from companion.tournament.results import Place
    from companion.tournament.tables.judged import Judged
    from companion.tournament.verifying.contents import Contents

Key = tuple[str, str, int, int]
"""Box, match, round, table."""


def place_of(box: str, match: str) -> str:
    """Name a record as the event's file does."""
    return f"records/{box}/{match}.jsonl"


class At(NamedTuple):
    """What a record comes to at one of its lines. sha256: of all lines up to it but names."""

    judged: Judged
    sha256: str


class Played(NamedTuple):
    """A record, judged for one table. lines: how many it has. at: by how many of its lines. whole: all of it."""

    lines: int
    at: dict[int, At]
    whole: Judged


class Records:
    """All records of an event."""

    def __init__(
        self, contents: Contents, entries: Iterable[AnyEntry], find_game: Callable[[str], Game[Any]], check: Check
    ) -> None:
        """entries: of the log: at which lines of which records something is wanted."""
        self._contents, self._find_game, self._check = contents, find_game, check
        self.there = frozenset(contents.records())
        self._wanted: dict[tuple[str, str], set[int]] = defaultdict(set)
        for entry in entries:
            if isinstance(entry, RecordLine):
                self._wanted[entry.box, entry.match].add(entry.lines)
        self._played: dict[Key, Played] = {}
        self._came_to: dict[tuple[str, str, int], tuple[Place, ...]] = {}

    @property
    def judged(self) -> int:
        """How many have been judged."""
        return len(self._played)

    def lines(self, box: str, match: str) -> Sequence[bytes]:
        """Give a record's lines. Raises Malformed."""
        return self._contents.record(box, match)

    def setup(self, box: str, match: str) -> Setup:
        """Give a record's setup. Raises Malformed where it has none that can be read, or is of another match."""
        setup = parse_line(self.lines(box, match)[0], 1)
        if not isinstance(setup, Setup):
            raise Malformed("it does not begin with a setup")
        if setup.match != match:
            raise Malformed(f"its setup names the match {setup.match}")
        return setup

    def played(self, event: Event, box: str, match: str, table: TableState) -> Played:
        """Judge a record for a table, or give what was found before. Raises Malformed."""
        key = (box, match, table.round, table.number)
        if key not in self._played:
            self._played[key] = self._judge(event, box, match, table)
        return self._played[key]

    def _judge(self, event: Event, box: str, match: str, table: TableState) -> Played:
        judging = TableJudge(table.players, self._find_game, self._check, expected_of(event, table))
        wanted, found = self._wanted[box, match], {}
        for raw in self.lines(box, match):
            judging.feed(raw)
            if judging.lines in wanted:
                found[judging.lines] = At(judging.judged, judging.sha256)
        return Played(judging.lines, found, judging.judged)

    def accept(self, line: RecordLine, places: tuple[Place, ...]) -> None:
        """Have an official record count, by its places."""
        self._came_to[line.box, line.match, line.lines] = places

    def find(self, line: RecordLine) -> tuple[Place, ...] | None:
        """Give the places of a record that counts, None for any other."""
        return self._came_to.get((line.box, line.match, line.lines))


def expected_of(event: Event, table: TableState) -> Expected:
    """Give what the record of a table has to be of."""
    line = event.line
    where = Where(line.event, table.round, table.number, event.round(table.round).line.sheet)
    return Expected(where, line.game, line.variants, line.parameters, line.dead_heat)


def against(event: Event, line: RecordLine, found: Played) -> str | None:
    """Say why a record does not hold what the log says of it, None where it does."""
    at = found.at.get(line.lines)
    if at is None:
        return found.whole.fault or f"the log made {line.lines} lines of it official, and it has {found.lines}"
    judged = at.judged
    if judged.fault is not None:
        return judged.fault
    if at.sha256 != line.sha256:
        return f"its first {line.lines} lines are others than those that the log made official: another SHA-256"
    if judged.lines != line.lines:
        return f"line {line.lines}, up to which the log made it official, is no seal"
    return _unfit(line, judged) or sealed_by_others(event, line.box, judged, is_newest=True)


def _unfit(line: RecordLine, judged: Judged) -> str | None:
    if judged.match != line.match:
        return f"its setup names the match {judged.match}"
    return "the log made it official, and it is not over" if judged.places is None else None


def sealed_by_others(event: Event, box: str, judged: Judged, *, is_newest: bool = False) -> str | None:
    """Say which seals are by a key that no box of the event has had, or the last not by `box`'s; None for none.

    is_newest: the last has to be by the key that the box has now, and not by one that it had before.
    """
    enrolled = {b64decode(key) for one in event.boxes.values() for key in one.keys}
    own = event.boxes.get(box)
    if own is None:
        return f"{box} is no box of the event"
    own_keys = [b64decode(key) for key in own.keys]
    last = judged.keys[-1] if not is_newest and judged.keys[-1:] and judged.keys[-1] in own_keys else own_keys[-1]
    return foreign_key(judged.uses, enrolled, last)

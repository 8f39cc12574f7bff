"""The state of an event, which is what its log says and nothing else. Pure.

Theory: one line after the other is fed; each is checked against what stands, and changes it or raises and changes
nothing. Whoever has the log has the event. What records came to is not known here: `results` asks for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.event.players import Players
from companion.tournament.event.rounds import listed
from companion.tournament.event.stages import Stage
from companion.tournament.event.taking import TAKES
from companion.tournament.log import lines
from companion.tournament.log.chain import sheet_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.event.rounds import Round, TableState
    from companion.tournament.event.stages import BoxAt
    from companion.tournament.log.lines import AnyEntry, DrawnLine, EventLine, RedrawnLine


class Event:
    """An event, from its first line on."""

    def __init__(self, first: AnyEntry) -> None:
        """Begin with the log's first line. Raises Illegal where that is of another kind, or names no way to play."""
        if not isinstance(first, lines.EventLine):
            raise Illegal("a log begins with the event's line")
        if first.log != lines.LOG_VERSION:
            raise Illegal(f"this log is of version {first.log}; this program reads version {lines.LOG_VERSION}")
        _check_tie_breaks(first)
        self.line = first
        self.stage = Stage.ENTERING
        self.players: Players = Players()
        self.rounds: list[Round] = []
        self.boxes: dict[str, BoxAt] = {}
        self.box_of_key: dict[bytes, str] = {}
        """Every key that any box was ever enrolled with."""
        self.seed: str | None = None
        self.announcements: list[str] = []
        self.had: dict[str, list[tuple[int, int]]] = {}
        """The tables that each box was ever given, by round and number, in order."""

    def feed(self, entry: AnyEntry) -> None:
        """Take the next line. Raises Illegal where it cannot be now; then nothing has changed."""
        if self.stage is Stage.ENDED:
            raise Illegal(text("the event has ended: nothing follows"))
        TAKES[type(entry)](self, entry)

    def round(self, number: int) -> Round:
        """Give a round. Raises Illegal where it is not drawn."""
        if not 1 <= number <= len(self.rounds):
            raise Illegal(text("round {round} is not drawn yet").format(round=number))
        return self.rounds[number - 1]

    def table(self, number: int, table: int) -> TableState:
        """Give a table of a round. Raises Illegal."""
        return self.round(number)[table]

    def boxes_in(self) -> tuple[str, ...]:
        """Give the names of the boxes that take part, in order of their names."""
        return tuple(sorted(box.name for box in self.boxes.values() if box.is_in))

    def check_drawn(self, line: DrawnLine | RedrawnLine) -> None:
        """See that tables and byes seat everybody who is there, once. Raises Illegal."""
        seated = [player for table in line.tables for player in table.players] + list(line.byes)
        twice = sorted({player for player in seated if seated.count(player) > 1}) if _has_twice(seated) else []
        if twice:
            raise Illegal(f"players {listed(twice)} are drawn twice")
        there = {player.number for player in self.players.there()}
        if there != set(seated):
            raise Illegal(f"not the players who are there: {listed(sorted(there ^ set(seated)))} should be otherwise")
        numbers = [table.table for table in line.tables]
        if _has_twice(numbers) or not all(2 <= len(table.players) <= 5 for table in line.tables):
            raise Illegal("tables have numbers of their own, and two to five players")
        if line.sheet != sheet_of(line.tables, line.byes, self.line.event, line.round):
            raise Illegal(f"the hash of the pairings of round {line.round} is not theirs")


def event_of(entries: Iterable[AnyEntry]) -> Event:
    """Give an event from its whole log. Raises Illegal with the line's number; also where there is no line."""
    event: Event | None = None
    for entry in entries:
        try:
            if event is None:
                event = Event(entry)
            else:
                event.feed(entry)
        except Illegal as error:
            raise Illegal(f"line {entry.n} of the log: {error}") from error
    if event is None:
        raise Illegal("the log is empty")
    return event


def _has_twice(numbers: list[int]) -> bool:
    return len(set(numbers)) != len(numbers)


def _check_tie_breaks(line: EventLine) -> None:
    """Raises Illegal where the order is not one from points to lots, each once."""
    order = line.tie_breaks
    if len(set(order)) != len(order) or order[:1] != ("points",) or order[-1:] != ("lots",):
        raise Illegal(f"tie-breaks begin with points and end with lots, each once; not {', '.join(order)}")

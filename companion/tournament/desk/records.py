"""The records that boxes push, as far as the desk has them: how many lines, by which hash, and what they come to. Pure.

Lines are held without a gap: one that comes before those in front of it is stored, but is not here until they are. So
what a box is told (`Have`) is exactly what can be judged again. The lines themselves are the store's; here is what is
worked out of them, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.record.lines import Answer, Event, Protest, Setup, parse_line
from companion.core.record.seals import SealedHash
from companion.tournament.tables.expected import Expected
from companion.tournament.tables.judged import TableJudge
from companion.tournament.wire import Have

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game
    from companion.tournament.event.event import Event as EventNow
    from companion.tournament.results import Place
    from companion.tournament.tables.judged import Judged


@dataclass(slots=True)
class Held:
    """A match as a box has pushed it so far. place: round and table that its setup names, None: none of this event's.

    early: lines that came before those in front of them, by number. judge: None for a match that is not of the event.
    is_contradicted: the box has sent another line in the place of one that is stored. refused: why it is not judged.
    came_to: the places that the match had come to, by how many lines were sealed then.
    told: reasons that the organiser has been told already.
    """

    box: str
    match: str
    count: int = 0
    place: tuple[int, int] | None = None
    judge: TableJudge | None = None
    early: dict[int, bytes] = field(default_factory=dict)
    is_contradicted: bool = False
    refused: str | None = None
    hash: SealedHash = field(default_factory=SealedHash)
    came_to: dict[int, tuple[Place, ...]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    @property
    def judged(self) -> Judged | None:
        """Give what its sealed lines come to; None where nothing of it is judged."""
        return None if self.judge is None else self.judge.judged

    def have(self) -> Have:
        """Say how far the desk has it."""
        return Have(match=self.match, lines=self.count, sha256=self.hash.digest().hex())


class Records:
    """All matches of an event's boxes. find_game, check: as the judge of records wants them."""

    def __init__(self, find_game: Callable[[str], Game[Any]], check: Check) -> None:
        self._find_game, self._check = find_game, check
        self.held: dict[tuple[str, str], Held] = {}
        self.at: dict[tuple[int, int], list[Held]] = {}

    def of(self, box: str, match: str) -> Held:
        """Give a match of a box, begun where nothing of it is there."""
        key = (box, match)
        if key not in self.held:
            self.held[key] = Held(box, match)
        return self.held[key]

    def add(self, event: EventNow, box: str, match: str, number: int, raw: bytes) -> list[tuple[int, bytes]]:
        """Take a stored line; give the lines that can be read now, with their numbers, none for one that is known."""
        held = self.of(box, match)
        if number <= held.count:
            return []
        held.early[number] = raw
        ready: list[tuple[int, bytes]] = []
        while (following := held.early.pop(held.count + 1, None)) is not None:
            held.count += 1
            held.hash.take(following)
            if held.count == 1:
                self._place(event, held, following)
            if held.judge is not None:
                _judge(held, held.judge, following)
            ready.append((held.count, following))
        return ready

    def newest_at(self, place: tuple[int, int], box: str) -> Held | None:
        """Give the newest match that a box has begun at a table; None where there is none."""
        return next((held for held in reversed(self.at.get(place, [])) if held.box == box), None)

    def _place(self, event: EventNow, held: Held, first: bytes) -> None:
        """See where a match belongs, by its setup; what belongs nowhere is not judged, and says why."""
        try:
            setup = parse_line(first, 1)
        except CompanionError as error:
            held.refused = str(error)
            return
        where = setup.event if isinstance(setup, Setup) else None
        if not isinstance(setup, Setup) or where is None or where.id != event.line.event:
            held.refused = "it is no match of this event"
            return
        if setup.match != held.match:
            held.refused = f"its setup names the match {setup.match}"
            return
        try:
            table = event.table(where.round, where.table)
        except CompanionError as error:
            held.refused = str(error)
            return
        held.place = (where.round, where.table)
        expected = expected_at(event, where.round, where.table)
        held.judge = TableJudge(table.players, self._find_game, self._check, expected)
        self.at.setdefault(held.place, []).append(held)


def _judge(held: Held, judge: TableJudge, raw: bytes) -> None:
    judged = judge.feed(raw)
    if judged is not None and judged.places is not None and judged.fault is None:
        held.came_to[judged.lines] = judged.places


def expected_at(event: EventNow, number: int, table: int) -> Expected:
    """Give what the record of a table has to be of."""
    line = event.line
    where = Event(line.event, number, table, event.round(number).line.sheet)
    return Expected(where, line.game, line.variants, line.parameters, line.dead_heat)


def dispute_in(raw: bytes, number: int) -> Protest | Answer | None:
    """Give the protest or answer that a line is; None for every other."""
    if b'"protest"' not in raw and b'"answer"' not in raw:
        return None
    try:
        line = parse_line(raw, number)
    except CompanionError:
        return None
    return line if isinstance(line, (Protest, Answer)) else None

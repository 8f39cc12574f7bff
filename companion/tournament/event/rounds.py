"""The rounds of an event: tables as drawn, on which box each is played, and what has come of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.log.lines import (
        AnswerLine,
        AssignedLine,
        ByHandLine,
        ClockLine,
        DrawnLine,
        FinalLine,
        ProtestLine,
        RecordLine,
        RedrawnLine,
    )


class TableStage(Enum):
    """Where a table stands; the value is what a page says."""

    DRAWN = text("no box yet")
    PLAYING = text("on a box")
    DISPUTED = text("disputed")
    OPEN = text("not final yet")
    FINAL = text("final result")


class ProtestAt(NamedTuple):
    """A protest in line `line` of a match's record, and its answer, None while it waits for one."""

    match: str
    line: int
    answer: AnswerLine | None = None


@dataclass(slots=True)
class TableState:
    """A table of a round. box: on which it is played now; boxes: on which it ever was, in order.

    record: the newest that is official. by_hand: the result that was entered, which goes before any record.
    recorded: how many lines of each match, by box, have been official.
    """

    round: int
    number: int
    players: tuple[int, ...]
    boxes: list[str] = field(default_factory=list)
    record: RecordLine | None = None
    by_hand: ByHandLine | None = None
    protests: list[ProtestAt] = field(default_factory=list)
    final: FinalLine | None = None
    recorded: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def box(self) -> str | None:
        """Give the box on which it is played, None where none is assigned yet."""
        return self.boxes[-1] if self.boxes else None

    @property
    def is_final(self) -> bool:
        """Tell whether its result changes no more but by hand."""
        return self.final is not None or self.by_hand is not None

    @property
    def is_disputed(self) -> bool:
        """Tell whether a protest waits for its answer."""
        return self.by_hand is None and any(protest.answer is None for protest in self.protests)

    @property
    def has_result(self) -> bool:
        """Tell whether it has a result that counts now."""
        return self.by_hand is not None or (self.record is not None and not self.is_disputed)

    @property
    def stage(self) -> TableStage:
        """Tell where it stands."""
        if self.is_final:
            return TableStage.FINAL
        if self.is_disputed:
            return TableStage.DISPUTED
        if self.record is not None:
            return TableStage.OPEN
        return TableStage.PLAYING if self.boxes else TableStage.DRAWN

    def called(self) -> str:
        """Name it for people."""
        return text("table {table} of round {round}").format(table=self.number, round=self.round)

    def assign(self, line: AssignedLine) -> None:
        """Have it played on a box. Raises Illegal."""
        self._not_final()
        if self.box == line.box:
            raise Illegal(text("{table} is on {box} already").format(table=self.called(), box=line.box))
        self.boxes.append(line.box)

    def take_record(self, line: RecordLine) -> None:
        """Take a record as official. Raises Illegal."""
        self._not_final()
        if line.box not in self.boxes:
            raise Illegal(f"{self.called()} is not played on {line.box}")
        before = self.record
        if before is not None and before.match == line.match and line.lines <= before.lines:
            raise Illegal(f"{self.called()} has {before.lines} lines of this match already: {line.lines} are not more")
        self.record = line
        self.recorded[line.box, line.match] = line.lines

    def protest(self, line: ProtestLine) -> None:
        """Take a protest. Raises Illegal."""
        self._not_final()
        if any((protest.match, protest.line) == (line.match, line.line) for protest in self.protests):
            raise Illegal(f"the protest in line {line.line} of {self.called()} is known already")
        self.protests.append(ProtestAt(line.match, line.line))

    def answer(self, line: AnswerLine) -> None:
        """Take the answer to a protest. Raises Illegal."""
        for place, protest in enumerate(self.protests):
            if (protest.match, protest.line) == (line.match, line.line) and protest.answer is None:
                self.protests[place] = protest._replace(answer=line)
                return
        says = text("{table}: line {line} is no protest that waits for an answer")
        raise Illegal(says.format(line=line.line, table=self.called()))

    def finish(self, line: FinalLine) -> None:
        """Make its result final. Raises Illegal."""
        self._not_final()
        if self.record is None:
            raise Illegal(text("{table} has no result yet").format(table=self.called()))
        if self.is_disputed:
            raise Illegal(text("{table}: a protest waits for its answer").format(table=self.called()))
        self.final = line

    def enter(self, line: ByHandLine) -> None:
        """Take a result by hand, whatever was there. Raises Illegal."""
        if sorted(place.player for place in line.places) != sorted(self.players):
            says = text("{table}: players {players} sit there, and each has one place")
            raise Illegal(says.format(table=self.called(), players=listed(self.players)))
        for place in line.places:
            ahead = sum(other.rank < place.rank for other in line.places)
            if place.rank != ahead + 1:
                says = text("player {player} cannot be number {rank}: {ahead} are ahead (1, 2, 2, 4)")
                raise Illegal(says.format(player=place.player, rank=place.rank, ahead=ahead))
        self.by_hand = line

    def _not_final(self) -> None:
        if self.is_final:
            says = text("{table}: the result is final, and only a result by hand changes it")
            raise Illegal(says.format(table=self.called()))


class ClockNow(NamedTuple):
    """The round's clock after a line: how much is left, whether it runs, and when that was said (RFC 3339)."""

    left_s: int
    is_running: bool
    wall: str | None


class Round:
    """A round as drawn, or as changed by hand since."""

    def __init__(self, line: DrawnLine) -> None:
        self.number, self.drawn = line.round, line
        self.clock: ClockNow | None = None
        self.given: dict[int, int] = {}
        self.line: DrawnLine | RedrawnLine = line
        self.tables: dict[int, TableState] = {}
        self.lay(line)

    def lay(self, line: DrawnLine | RedrawnLine) -> None:
        """Have the tables be as a line says; those that stay as they are keep their boxes."""
        before = self.tables
        self.line = line
        self.tables = {
            drawn.table: TableState(line.round, drawn.table, drawn.players)
            for drawn in sorted(line.tables, key=lambda one: one.table)
        }
        for number, table in before.items():
            if number in self.tables:
                self.tables[number].boxes = table.boxes

    def __getitem__(self, number: int) -> TableState:
        """Give a table. Raises Illegal where the round has none of this number."""
        if number not in self.tables:
            raise Illegal(text("round {round} has no table {table}").format(round=self.number, table=number))
        return self.tables[number]

    @property
    def byes(self) -> tuple[int, ...]:
        """Give the players without a table."""
        return self.line.byes

    @property
    def has_begun(self) -> bool:
        """Tell whether anything of it has been played, so that its drawing stays."""
        return self.clock is not None or any(
            table.record or table.by_hand or table.protests for table in self.tables.values()
        )

    def seated(self) -> frozenset[int]:
        """Give all who are drawn, with a table or a bye."""
        return frozenset(player for table in self.tables.values() for player in table.players) | set(self.byes)

    def tick(self, line: ClockLine) -> None:
        """Take what was done to the clock. Raises Illegal."""
        runs = self.clock is not None and self.clock.is_running
        if line.action in {"start", "resume"} and runs:
            raise Illegal(text("the clock of round {round} runs already").format(round=self.number))
        if line.action == "pause" and not runs:
            raise Illegal(text("the clock of round {round} does not run").format(round=self.number))
        if line.action == "resume" and self.clock is None:
            raise Illegal(text("the clock of round {round} has not been started").format(round=self.number))
        self.clock = ClockNow(line.left_s, line.action in {"start", "resume"}, line.wall)


def listed(players: Iterable[int]) -> str:
    """Name players by number, for people."""
    return ", ".join(map(str, players))

"""Whole events for the tests of their verification: a log, records sealed by the boxes' own keys, and the keys."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.adapters.keys.ed25519 import check
from companion.core.record.seals import in_base64
from companion.games import registry
from companion.tournament.drawing.sizes import sizes
from companion.tournament.drawing.wanted import Drawing
from companion.tournament.event.results import points_so_far, results_of, wanted_of
from companion.tournament.log import lines
from companion.tournament.log.chain import hash_of, sheet_of
from companion.tournament.log.lines import TableDrawn, parse_entry, write_entry
from companion.tournament.tables.judged import judge_table
from tests.tournament.logs import Log
from tests.tournament.tables.sealing import COLOURS, box_key, line, played, sealed, setup, with_seal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.tournament.drawing.wanted import Wanted
    from companion.tournament.log.lines import AnyEntry, RecordLine
    from companion.tournament.results import Place

EVENT = "cup"
ANSWERED, DEADLINE = "2026-05-01T12:00:00+00:00", "2026-05-01T12:10:00+00:00"
RACES: tuple[Mapping[str, float], ...] = ({"red": 1, "green": 3}, {"red": 1}, {"blue": 2, "red": 5})


class Built:
    """An event in memory, as its file has it; tests change what they like."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.held: dict[tuple[str, str], list[bytes]] = {}
        self.boxes: dict[str, list[str]] = {}

    def log(self) -> list[bytes]:
        return self.raw

    def keys(self) -> dict[str, list[str]]:
        return self.boxes

    def records(self) -> list[tuple[str, str]]:
        return sorted(self.held)

    def record(self, box: str, match: str) -> list[bytes]:
        return self.held[box, match]

    # -- for tests

    def copy(self) -> Built:
        other = Built()
        other.raw, other.boxes = list(self.raw), {box: list(keys) for box, keys in self.boxes.items()}
        other.held = {key: list(record) for key, record in self.held.items()}
        return other

    def entries(self) -> list[AnyEntry]:
        return [parse_entry(raw, number) for number, raw in enumerate(self.raw, start=1)]

    def line_of(self, kind: type[Any], number: int = 0) -> int:
        """Give the place, from 0, of the log's line `number`, from 0, of a kind."""
        return [place for place, entry in enumerate(self.entries()) if isinstance(entry, kind)][number]

    def chained(self) -> None:
        """Write the log's chain anew, as somebody would who wants his changes to hold."""
        written, head = [], lines.GENESIS
        for number, raw in enumerate(self.raw, start=1):
            fields = {**json.loads(raw), "n": number, "prev": head}
            written.append(write_entry(parse_entry(json.dumps(fields).encode(), number)))
            head = hash_of(written[-1])
        self.raw = written

    def change(self, place: int, **fields: Any) -> None:
        """Change fields of a line of the log, and no other line."""
        self.raw[place] = json.dumps({**json.loads(self.raw[place]), **fields}).encode()

    def head(self, place: int = -1) -> str:
        return hash_of(self.raw[place])


def by_score(wanted: Wanted) -> Drawing:
    """Draw in the order of scores, then of numbers: so that what a test changes shows, whatever the real drawing is."""
    entrants = sorted(wanted.entrants, key=lambda one: (-one.score, one.player))
    players = [one.player for one in entrants]
    counts, byes = sizes(len(players), wanted.boxes)
    tables = []
    for number, count in enumerate(counts, start=1):
        tables.append(TableDrawn(number, tuple(players[:count])))
        del players[:count]
    assert len(players) == byes
    return Drawing(tuple(tables), tuple(sorted(players)))


class Building:
    """An event that is played: what the desk and the boxes would have written. draw: how its rounds are drawn."""

    def __init__(
        self, boxes: int, players: int, game: str = "order", draw: Callable[[Wanted], Drawing] = by_score, **event: Any
    ) -> None:  # fmt: skip
        self.log = Log(game=game, **event)
        self.game, self.built, self.drawn_by = game, Built(), draw
        self.came_to: dict[tuple[str, str, int], tuple[Place, ...] | None] = {}
        for number in range(1, boxes + 1):
            key = box_key(number).key
            self.log.box(f"box-{number}", key)
            self.built.boxes[f"box-{number}"] = [in_base64(key)]
        self.log.players(players)

    @property
    def event(self):
        return self.log.event

    def find(self, record: RecordLine) -> tuple[Place, ...] | None:
        return self.came_to[record.box, record.match, record.lines]

    def draw(self) -> None:
        """Draw a round as the desk does, and give table t the box t."""
        number = len(self.event.rounds) + 1
        drawing = self.drawn_by(wanted_of(self.event, points_so_far(results_of(self.event, self.find))))
        sheet = sheet_of(drawing.tables, drawing.byes, EVENT, number)
        self.log.add(lines.DrawnLine, round=number, tables=drawing.tables, byes=drawing.byes, sheet=sheet)
        for table in drawing.tables:
            self.log.add(lines.AssignedLine, round=number, table=table.table, box=f"box-{table.table}")

    def redraw(
        self, change: Callable[[Sequence[TableDrawn]], tuple[TableDrawn, ...]], byes: tuple[int, ...] = (), **worse: int
    ) -> None:  # fmt: skip
        newest = self.event.rounds[-1]
        tables = change(newest.line.tables)
        sheet = sheet_of(tables, byes, EVENT, newest.number)
        self.log.add(
            lines.RedrawnLine, round=newest.number, tables=tables, sheet=sheet, byes=byes, reason="a step", by="Ann",
            **{"meetings": 0, "spread": 0, "seats": 0, **worse},
        )  # fmt: skip

    def match(self, number: int, table: int) -> str:
        return f"{number * 100 + table:032x}"

    def setup(self, number: int, table: int, **more: Any) -> bytes:
        where = {"id": EVENT, "round": number, "table": table, "sheet": self.event.round(number).line.sheet}
        seats = len(self.event.table(number, table).players)
        return setup(seats, self.game, where, number * 100 + table, **more)

    def play(
        self, number: int, table: int, races: Sequence[Mapping[str, float]] = RACES, *, signed: bool = True,
        more: Sequence[bytes] = (), box: int = 0,
    ) -> list[bytes]:  # fmt: skip
        """Have a table played, its record kept, and made official."""
        seats = len(self.event.table(number, table).players)
        signs = [line("sign", colour=colour) for colour in COLOURS[:seats]] if signed else []
        record = sealed(
            [self.setup(number, table), *played(*races, game=self.game), *more, line("end"), *signs], box or table
        )
        self.keep(number, table, record, box or table)
        if signed:
            self.log.add(lines.FinalLine, round=number, table=table, why="signed")
        return record

    def keep(self, number: int, table: int, record: list[bytes], box: int) -> None:
        """Keep a record, and make it official."""
        name, match = f"box-{box}", self.match(number, table)
        self.built.held[name, match] = record
        judged = judge_table(record, self.event.table(number, table).players, registry.find, check)
        self.came_to[name, match, judged.lines] = judged.places
        self.log.add(
            lines.RecordLine, round=number, table=table, box=name, match=match, lines=judged.lines,
            sha256=judged.sha256,
        )  # fmt: skip

    def done(self) -> Built:
        self.built.raw = list(self.log.raw)
        return self.built


def cup(draw: Callable[[Wanted], Drawing] = by_score) -> Built:
    """Two rounds of three boxes and ten players: a protest, a result by hand, points of the organiser's, a box that
    was replaced, an event that has ended."""
    it = Building(3, 10, draw=draw)
    it.draw()
    it.play(1, 1)
    protest = [line("protest", colour="yellow", race=2, text="I was first")]
    begun = [it.setup(1, 2), *played(*RACES), *protest]
    number, match = len(begun), it.match(1, 2)
    it.log.add(lines.ProtestLine, round=1, table=2, match=match, line=number)
    it.log.add(
        lines.AnswerLine, wall=ANSWERED, round=1, table=2, match=match, line=number, text="No.", by="Ann", stands=True
    )  # fmt: skip
    answer = line("answer", protest=number, text="No.", stands=True)
    it.keep(1, 2, sealed([*begun, answer, line("end")], 2), 2)
    it.log.add(lines.FinalLine, round=1, table=2, why="deadline", wall=DEADLINE)
    it.play(1, 3, ({"green": 1}, {"green": 2}, {"yellow": 2}))
    it.log.add(lines.PointsLine, round=1, player=4, points=10, reason="came late", by="Ann")
    it.draw()
    it.play(2, 1, ({"yellow": 1},))
    moved(it, 2, 2)
    by_hand(it, 2, 3)
    it.log.add(lines.EndedLine)
    return it.done()


def moved(it: Building, number: int, table: int) -> None:
    """Have a table begin on its own box, and go on on box 1."""
    begun = with_seal([it.setup(number, table), *played(*RACES)], table)
    name, match = f"box-{table}", it.match(number, table)
    it.built.held[name, match] = begun
    it.log.add(lines.AssignedLine, round=number, table=table, box="box-1")
    over = line("moved", box="box-1", key=in_base64(box_key(1).key), previous=hash_all(begun))
    seats = len(it.event.table(number, table).players)
    signs = [line("sign", colour=colour) for colour in COLOURS[:seats]]
    it.keep(number, table, sealed([over, line("restart"), line("end"), *signs], 1, begun), 1)
    it.log.add(lines.FinalLine, round=number, table=table, why="signed")


def by_hand(it: Building, number: int, table: int) -> None:
    players = it.event.table(number, table).players
    places = tuple(lines.PlaceByHand(player, rank) for rank, player in enumerate(players, start=1))
    it.log.add(lines.ByHandLine, round=number, table=table, places=places, reason="the box broke", by="Ann")


def hash_all(record: Sequence[bytes]) -> str:
    return sha256(b"".join(raw + b"\n" for raw in record)).hexdigest()


def apaches(draw: Callable[[Wanted], Drawing] = by_score) -> Built:
    """One round of one box and four players at Apache, not ended; every press is punished."""
    it = Building(1, 4, "apache", draw, variants=("wedding",))
    it.setup = lambda number, table, **more: Building.setup(it, number, table, variants=["wedding"], **more)  # type: ignore[method-assign]
    it.draw()
    it.play(1, 1, ({"red": 1, "yellow": 2}, {"red": 3}))
    return it.done()

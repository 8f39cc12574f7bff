"""A desk with boxes for tests: everything passes through bytes and a store in memory, as it would through a broker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from companion.adapters.keys.ed25519 import check
from companion.core.record.seals import in_base64
from companion.games import registry
from companion.tournament.desk.desk import Desk
from companion.tournament.desk.outcome import Outcome
from companion.tournament.fingerprint import fingerprint
from companion.tournament.log import lines
from companion.tournament.wire import (
    FromBox,
    Held,
    Here,
    Message,
    RecordPart,
    line_topic,
    read_up,
    up_topic,
    write_message,
)
from tests.tournament.logs import SEED, Log
from tests.tournament.tables.sealing import box_key, line, played, sealed, setup

BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)
RACES = ({"red": 1, "green": 3}, {"red": 1}, {"blue": 2, "red": 5})


class Hall:
    """A desk, its store, and what boxes were told. boxes have keys of their own, by number: box-1, box-2, …"""

    def __init__(self, **event: Any) -> None:
        log = Log(event="spring", **event)
        self.log = list(log.raw)
        self.stored: dict[tuple[str, str, int], bytes] = {}
        self.told: dict[str, list[Message]] = {}
        self.notes: list[str] = []
        self.seconds = 0
        self.desk = Desk(self.log, registry.find, check)

    @property
    def wall(self) -> str:
        return self.now.isoformat()

    @property
    def now(self) -> datetime:
        return BEGAN + timedelta(seconds=self.seconds)

    @property
    def event(self):
        return self.desk.event

    def done(self, outcome: Outcome) -> Outcome:
        """Carry an outcome out."""
        parts, against = outcome.parts, []
        for box, part in parts:
            there = self.stored.setdefault((box, part.match, part.number), part.raw)
            if there != part.raw:
                against.append((box, part))
        self.log += [raw for _, raw in outcome.entries]
        for box, message in outcome.sends:
            self.told.setdefault(box, []).append(message)
        self.notes += outcome.notes
        if parts:
            outcome.add(self.done(self.desk.kept(parts, against, self.wall)))
        return outcome

    def act(self, kind, **fields) -> Outcome:
        return self.done(self.desk.act(kind, self.wall, **fields))

    def says(self, number: int, message: FromBox, name: str = "") -> Outcome:
        """Have a box say something."""
        name = name or f"box-{number}"
        up = read_up(up_topic("spring", name), write_message(message))
        return self.done(self.desk.arrived(up))

    def here(self, number: int, *matches: Held, key: int = 0, name: str = "") -> Outcome:
        """Have a box say how it stands."""
        said = Here(key=in_base64(box_key(key or number).key), software="test", matches=matches)
        return self.says(number, said, name)

    def pushes(
        self, number: int, record: list[bytes], first: int = 1, *, name: str = "", event: str = "spring"
    ) -> None:
        """Have a box push lines of a record, from line `first` on."""
        match = record[0].split(b'"match": "')[1][:32].decode()
        for place, raw in enumerate(record[first - 1 :], start=first):
            topic = line_topic(event, name or f"box-{number}", match, place)
            self.done(self.desk.arrived(read_up(topic, raw)))

    def enrol(self, *numbers: int) -> None:
        for number in numbers:
            self.here(number)
            self.done(self.desk.enrol(fingerprint(box_key(number).key), self.wall))

    def players(self, count: int) -> None:
        """Have so many players be there, and check-in closed."""
        for number in range(1, count + 1):
            self.act(lines.PlayerLine, player=number, name=f"Player {number}")
        self.act(lines.CheckInOpenedLine)
        for number in range(1, count + 1):
            self.act(lines.CheckedInLine, player=number)
        self.act(lines.CheckInClosedLine, seed=SEED)

    def record(
        self, table: int, *races, number: int = 1, match: int = 0, box: int = 1, more=(), signed=()
    ) -> list[bytes]:
        """Give a sealed record of a table that is over."""
        state = self.event.table(number, table)
        where = {"id": "spring", "round": number, "table": table, "sheet": self.event.round(number).line.sheet}
        begun = setup(len(state.players), event=where, match=match or number * 100 + table)
        signs = [line("sign", colour=colour) for colour in signed]
        return sealed([begun, *played(*(races or RACES)), *more, line("end"), *signs], box)

    def kinds(self) -> list[str]:
        """Give the types of the log's lines."""
        return [str(lines.parse_entry(raw, 1).__struct_config__.tag) for raw in self.log]

    def again(self) -> Desk:
        """Give the desk that a program would have that begins anew with what is stored."""
        desk = Desk(self.log, registry.find, check)
        parts = [(box, part) for box, part in stored_parts(self.stored)]
        desk.kept(parts, [], self.wall)
        return desk


def stored_parts(stored):
    return [(box, RecordPart(match, number, raw)) for (box, match, number), raw in sorted(stored.items())]

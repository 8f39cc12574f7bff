"""Logs for tests: a chain that is written line by line, and a small event."""

from __future__ import annotations

from hashlib import sha256

from companion.tournament.event.event import event_of
from companion.tournament.log import lines
from companion.tournament.log.chain import Chain, sheet_of
from companion.tournament.log.lines import TableDrawn, write_entry

SEED = "5eed"
SEED_SHA256 = sha256(SEED.encode()).hexdigest()


class Log:
    """A log as it grows: its lines as stored, and the event that they make."""

    def __init__(self, **fields) -> None:
        self.chain, self.raw = Chain(), list[bytes]()
        first = {"log": 1, "event": "cup", "name": "Cup", "game": "order", "seed_sha256": SEED_SHA256, **fields}
        entry = self.chain.next(lines.EventLine, **first)
        self.event = event_of([entry])
        self._keep(entry)

    def add(self, kind, **fields):
        """Add a line, or raise and change nothing; give it."""
        entry = self.chain.next(kind, **fields)
        self.event.feed(entry)
        self._keep(entry)
        return entry

    def _keep(self, entry) -> None:
        raw = write_entry(entry)
        self.raw.append(raw)
        self.chain.add(raw)

    def players(self, count: int) -> None:
        """Enter so many players, check them in and close the check-in."""
        for number in range(1, count + 1):
            self.add(lines.PlayerLine, player=number, name=f"Player {number}")
        self.add(lines.CheckInOpenedLine)
        for number in range(1, count + 1):
            self.add(lines.CheckedInLine, player=number)
        self.add(lines.CheckInClosedLine, seed=SEED)

    def draw(self, *tables: tuple[int, ...], byes: tuple[int, ...] = (), kind=lines.DrawnLine, **fields):
        """Draw the next round: each tuple is a table, numbered from 1."""
        drawn = tuple(TableDrawn(number, players) for number, players in enumerate(tables, start=1))
        number = fields.pop("round", len(self.event.rounds) + 1)
        sheet = fields.pop("sheet", sheet_of(drawn, byes, self.event.line.event, number))
        return self.add(kind, round=number, tables=drawn, byes=byes, sheet=sheet, **fields)

    def box(self, name: str, key: bytes = b"") -> None:
        """Enrol a box."""
        self.add(lines.BoxLine, box=name, key=in_base64(key or sha256(name.encode()).digest()))

    def record(self, table: int, count: int = 10, *, number: int = 1, box: str = "box-1", match: str = "0" * 32):
        """Make a record official."""
        return self.add(lines.RecordLine, round=number, table=table, box=box, match=match, lines=count, sha256="0" * 64)


def in_base64(octets: bytes) -> str:
    from companion.core.record.seals import in_base64 as given

    return given(octets)


def started(count: int = 8, boxes: int = 2) -> Log:
    """Give an event in which everybody is there and round 1 is drawn, on boxes of their own."""
    log = Log()
    for number in range(1, boxes + 1):
        log.box(f"box-{number}")
    log.players(count)
    players = list(range(1, count + 1))
    tables = [tuple(players[first : first + 4]) for first in range(0, count, 4)]
    log.draw(*tables)
    for number in range(1, min(boxes, len(tables)) + 1):
        log.add(lines.AssignedLine, round=1, table=number, box=f"box-{number}")
    return log

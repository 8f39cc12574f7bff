"""The records of boxes in the database: their lines, which come in any order and more than once, and their number.

What is stored of each record, in numbers alone, is also kept in memory: by that a line is known to be new without
asking the database. It is true for as long as this desk alone writes, which the store's lock sees to, and is read again
whenever the store connects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, insert, select, update

from companion.adapters.event_store.tables import CONTRADICTION, LINE, RECORD
from companion.core.errors import Illegal, Unavailable
from companion.tournament.wire import is_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from companion.tournament.wire import RecordPart

    Key = tuple[str, str]
    """A box and a match."""
    Numbered = dict[int, bytes]
    """Lines of a record by their numbers."""
    Against = dict[tuple[Key, int], bytes]
    """Lines that contradict stored ones, by record and number."""


class Stored(NamedTuple):
    """What is there of a record. id: in the database. held: lines without a gap. beyond: numbers after a gap."""

    id: int
    held: int = 0
    beyond: frozenset[int] = frozenset()

    def has(self, number: int) -> bool:
        """Tell whether the line of this number is there."""
        return number <= self.held or number in self.beyond

    def plus(self, numbers: Iterable[int]) -> Stored:
        """Give what is there when lines of these numbers are too."""
        held, beyond = self.held, set(self.beyond).union(numbers)
        while held + 1 in beyond:
            held += 1
            beyond.remove(held)
        return Stored(self.id, held, frozenset(beyond))


class RecordRows:
    """The records of one event."""

    def __init__(self, event: str) -> None:
        self._event = event
        self._stored: dict[Key, Stored] = {}
        self._against: set[tuple[Key, int]] = set()  # the places in which another line is known to have come

    def load(self, connection: Connection) -> None:
        """Read what is stored, in numbers."""
        query = select(RECORD.c.id, RECORD.c.box, RECORD.c.match, RECORD.c.held).where(RECORD.c.event == self._event)
        rows = connection.execute(query.order_by(RECORD.c.id)).all()
        beyond = select(LINE.c.record, LINE.c.number).join(RECORD).where(RECORD.c.event == self._event)
        by_record: dict[int, list[int]] = {}
        for record, number in connection.execute(beyond.where(LINE.c.number > RECORD.c.held)):
            by_record.setdefault(record, []).append(number)
        self._stored = {
            (row.box, row.match): Stored(row.id, row.held, frozenset(by_record.get(row.id, ()))) for row in rows
        }
        keys = {row.id: (row.box, row.match) for row in rows}
        others = select(CONTRADICTION.c.record, CONTRADICTION.c.number).join(RECORD)
        found = connection.execute(others.where(RECORD.c.event == self._event))
        self._against = {(keys[record], number) for record, number in found}

    def held(self) -> dict[Key, int]:
        """Give of each record how many lines are there without a gap, in the order in which they were begun."""
        return {key: stored.held for key, stored in self._stored.items()}

    def contradicted(self) -> set[Key]:
        """Give the records of which another line came than the one that is stored."""
        return {key for key, _ in self._against}

    def read(self, connection: Connection, key: Key) -> list[bytes]:
        """Give a record's lines without a gap. Raises Unavailable where one is missing."""
        stored = self._stored.get(key)
        if stored is None:
            return []
        lines = self._between(connection, stored, 1, stored.held)
        if len(lines) != stored.held:
            raise Unavailable(f"the record {key[1]} of {key[0]} has lost lines in the store: take the newest backup")
        return [lines[number] for number in sorted(lines)]

    def sort(
        self, connection: Connection, parts: Sequence[tuple[str, RecordPart]]
    ) -> tuple[dict[Key, Numbered], list[tuple[str, RecordPart]]]:
        """Give of these lines those that are new, by record, and those that contradict what is there.

        Raises Illegal for a number that no line has.
        """
        new: dict[Key, Numbered] = {}
        known: dict[Key, list[RecordPart]] = {}
        for box, part in parts:
            if part.number < 1:
                raise Illegal(f"{box} has no line {part.number} of {part.match}: they are numbered from 1")
            key = (box, part.match)
            stored = self._stored.get(key)
            if stored is not None and stored.has(part.number):
                known.setdefault(key, []).append(part)
            else:
                new.setdefault(key, {}).setdefault(part.number, part.raw)
        there = {key: self._there(connection, key, again) for key, again in known.items()}
        return new, [(box, part) for box, part in parts if not is_same(_first(there, new, box, part), part.raw)]

    def put(self, connection: Connection, new: Mapping[Key, Numbered]) -> dict[Key, Stored]:
        """Store new lines; give what is there then of their records, which counts when it is handed to `take`."""
        before = self._begun(connection, new)
        rows = [
            {"record": before[key].id, "number": number, "raw": raw}
            for key, lines in new.items()
            for number, raw in lines.items()
        ]
        connection.execute(insert(LINE), rows)
        after = {key: before[key].plus(lines) for key, lines in new.items()}
        grown = [{"of": one.id, "now": one.held} for key, one in after.items() if one.held != before[key].held]
        if grown:
            connection.execute(_GROW, grown)
        return after

    def unknown(self, contradicting: Iterable[tuple[str, RecordPart]]) -> Against:
        """Give of lines that contradict the first in each place, where none is stored yet."""
        found: Against = {}
        for box, part in contradicting:
            place = ((box, part.match), part.number)
            if place not in self._against:
                found.setdefault(place, part.raw)
        return found

    def put_contradictions(self, connection: Connection, against: Against, after: Mapping[Key, Stored]) -> None:
        """Store lines that contradict. after: what `put` has given of records that may have begun just now."""
        rows = [
            {"record": (after.get(key) or self._stored[key]).id, "number": number, "raw": raw}
            for (key, number), raw in against.items()
        ]
        connection.execute(insert(CONTRADICTION), rows)

    def take(self, after: Mapping[Key, Stored], against: Iterable[tuple[Key, int]] = ()) -> None:
        """Take note of what is stored now."""
        self._stored.update(after)
        self._against.update(against)

    def _begun(self, connection: Connection, new: Iterable[Key]) -> dict[Key, Stored]:
        """Give what is there of these records, each of which has a row then."""
        missing = [
            {"event": self._event, "box": box, "match": match, "held": 0}
            for box, match in new
            if (box, match) not in self._stored
        ]
        begun: dict[Key, Stored] = {}
        if missing:
            inserting = insert(RECORD).returning(RECORD.c.id, RECORD.c.box, RECORD.c.match)
            begun = {(row.box, row.match): Stored(row.id) for row in connection.execute(inserting, missing)}
        return {key: begun.get(key) or self._stored[key] for key in new}

    def _there(self, connection: Connection, key: Key, again: Sequence[RecordPart]) -> Numbered:
        """Give the lines that are stored under the numbers of those that came again, and others between them."""
        numbers = [part.number for part in again]
        return self._between(connection, self._stored[key], min(numbers), max(numbers))

    @staticmethod
    def _between(connection: Connection, stored: Stored, first: int, last: int) -> Numbered:
        of_record = (LINE.c.record == stored.id) & LINE.c.number.between(first, last)
        query = select(LINE.c.number, LINE.c.raw).where(of_record)
        return {number: bytes(raw) for number, raw in connection.execute(query)}


_GROW = update(RECORD).where(RECORD.c.id == bindparam("of")).values(held=bindparam("now"))


def _first(there: dict[Key, Numbered], new: dict[Key, Numbered], box: str, part: RecordPart) -> bytes:
    """Give what was the first under a line's number, be it stored or new."""
    key = (box, part.match)
    first = there.get(key, {}).get(part.number)
    return new[key][part.number] if first is None else first

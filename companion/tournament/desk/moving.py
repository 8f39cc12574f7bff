"""Records that a box should take over and does not have: of tables that were played on another box before. Pure.

That a table has gone to another box is in the log; that this box has got the record is not. So it is worked out from
what the box says that it holds, each time that it says so, and a box that was away, or a desk that was started again
meanwhile, comes to the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.tournament.wire import TakeOver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.tournament.desk.desk import Desk
    from companion.tournament.desk.records import Held
    from companion.tournament.event.rounds import TableState
    from companion.tournament.wire import Here


LINES_AT_ONCE = 50
"""So many lines of a record go in one message to the box that takes it over."""


class Owed(NamedTuple):
    """A record to be taken over. box: where it was played so far."""

    round: int
    table: int
    box: str
    match: str


def owed_records(desk: Desk, box: str, here: Here) -> Iterator[Owed]:
    """Give the records that a box should take over. here: what it says that it has."""
    enrolled = desk.event.boxes.get(box)
    if not desk.event.rounds or enrolled is None or not enrolled.is_in or enrolled.keys[-1] != here.key:
        return
    there = {match.match for match in here.matches}
    for table in desk.event.rounds[-1].tables.values():
        if table.box == box and not table.is_final and not desk.records.newest_at((table.round, table.number), box):
            found = record_before(desk, table)
            if found is not None and found.match not in there:
                yield Owed(table.round, table.number, found.box, found.match)


def record_before(desk: Desk, table: TableState) -> Held | None:
    """Give the newest record of a table on an earlier box with which its present one goes on; None where none is."""
    for earlier in reversed(table.boxes[:-1]):
        held = desk.records.newest_at((table.round, table.number), earlier)
        if held is not None:
            return held if held.judged is None or not held.judged.is_over else None
    return None


def take_over(number: int, table: int, match: str, record: Sequence[bytes]) -> Iterator[TakeOver]:
    """Give a record in the parts in which a box is told it."""
    for first in range(0, len(record), LINES_AT_ONCE):
        part = tuple(raw.decode() for raw in record[first : first + LINES_AT_ONCE])
        yield TakeOver(match=match, round=number, table=table, first=first + 1, total=len(record), lines=part)

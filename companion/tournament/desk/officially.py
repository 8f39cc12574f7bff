"""What of a record becomes official: when a sealed result enters the log, and when it is final. Pure.

A record counts for a table only up to its last seal, by the key of the box that has the table, and when the match is
over. A box whose table has gone to another counts only as long as that one has not begun a record of its own.
"""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.tournament.event.times import due_at
from companion.tournament.log import lines
from companion.tournament.tables.expected import foreign_key
from companion.tournament.tables.judged import NOT_SEALED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from companion.tournament.desk.records import Held, Records
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import TableState
    from companion.tournament.tables.judged import Judged


class Officially(NamedTuple):
    """A line that the log should get; or, with a note, why it gets none."""

    kind: type[Any]
    fields: dict[str, Any]
    note: str = ""


def official_entries(event: Event, records: Records, held: Held) -> Iterator[Officially]:
    """Give what a record that has grown leads to, each to be taken before the next is asked for."""
    judged = held.judged
    if held.place is None or judged is None or judged.fault == NOT_SEALED:
        return
    table = event.table(*held.place)
    if table.is_final:
        return
    if table.recorded.get((held.box, held.match)) == judged.lines:
        return  # also of a match that another has followed: a desk that begins anew sees the older one first
    if not judged.is_over and judged.fault is None:
        return
    why = unofficial(event, records, held, judged, table)
    if why is not None:
        if why not in held.told:
            held.told.add(why)
            yield Officially(lines.RecordLine, {}, f"{table.called()}: the record of {held.box} does not count: {why}")
        return
    where = {"round": table.round, "table": table.number}
    yield Officially(
        lines.RecordLine,
        {**where, "box": held.box, "match": held.match, "lines": judged.lines, "sha256": judged.sha256},
    )
    if is_signed(table, judged):
        yield Officially(lines.FinalLine, {**where, "why": "signed"})


def due_entries(event: Event, now: datetime) -> list[Officially]:
    """Give what is final by its deadline. now: with its offset."""
    return [
        Officially(lines.FinalLine, {"round": table.round, "table": table.number, "why": "deadline"})
        for one in event.rounds
        for table in one.tables.values()
        if not table.is_final and table.has_result and due_at(event, table) <= now
    ]


def unofficial(event: Event, records: Records, held: Held, judged: Judged, table: TableState) -> str | None:
    """Say why a record does not count for a table, None where it does."""
    if held.is_contradicted:
        return "the box has sent two different lines in one place"
    if judged.fault is not None:
        return judged.fault
    if held.box not in table.boxes:
        return f"the table is not played on {held.box}"
    if table.box is not None and held.box != table.box and records.newest_at(held.place or (0, 0), table.box):
        return f"the table has gone to {table.box}, which has a record of it"
    return foreign_key(judged.uses, event.box_of_key, b64decode(event.boxes[held.box].keys[-1]))


def is_signed(table: TableState, judged: Judged) -> bool:
    """Tell whether everybody at a table has signed its result, and no protest waits."""
    return not table.is_disputed and set(judged.signed) == set(table.players)

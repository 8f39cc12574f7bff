"""What is in an event's file and no line of the log has named: keys, records, what follows in records, protests. Pure.

A match that was begun and given up leaves a record that never counted, and a box may seal more once a result is final.
So not everything that is left over is a fault: it is one where it cannot be of this event, and where the log would have
named it, had it gone on: then the log is older than the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.record.lines import Protest, parse_line
from companion.tournament.verifying.findings import Finding, Severity
from companion.tournament.verifying.records import place_of, sealed_by_others

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import Round, TableState
    from companion.tournament.verifying.records import Records

OLDER = "the log is older than the records"


def leftovers(
    event: Event, keys: Mapping[str, Sequence[str]], records: Records, tell: Callable[[int], None]
) -> Iterator[Finding]:
    """Give what is wrong with what the whole log leaves over. tell: told how many records have been looked at."""
    yield from _keys(event, keys)
    official = _official(event)
    for done, (box, match) in enumerate(sorted(records.there)):
        tell(done)
        yield from _record(event, records, box, match, official.get((box, match)))
    for one in event.rounds:
        for table in one.tables.values():
            yield from _protests(event, records, table)


def _official(event: Event) -> dict[tuple[str, str], TableState]:
    """Give the records that tables have now, by box and match."""
    tables = [table for one in event.rounds for table in one.tables.values()]
    return {(table.record.box, table.record.match): table for table in tables if table.record is not None}


def _keys(event: Event, keys: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Hold the keys in the file against those that boxes were enrolled with."""
    for box in sorted(event.boxes.keys() | keys.keys()):
        place = f"keys/{box}.pub"
        if box not in event.boxes:
            yield _broken(place, "the log knows no such box")
        elif box not in keys:
            yield _broken(place, "the box was enrolled, and its keys are not in the file")
        elif tuple(keys[box]) != event.boxes[box].keys:
            yield _broken(place, "it has other keys than those that the box was enrolled with")


def _record(event: Event, records: Records, box: str, match: str, table: TableState | None) -> Iterator[Finding]:
    place = place_of(box, match)
    try:
        if table is None:
            table, why = _where(event, records, box, match)
            if table is None:
                yield why._replace(place=place)
                return
        found = records.played(event, box, match, table)
    except Malformed as error:
        yield _broken(place, str(error))
        return
    whole, official = found.whole, table.record
    is_official = official is not None and (official.box, official.match) == (box, match)
    counted = official.lines if official is not None and is_official else 0
    if whole.lines <= counted and whole.fault is None:
        return
    if whole.uses and (foreign := sealed_by_others(event, box, whole)) is not None and not is_official:
        yield _broken(place, foreign)
    elif whole.fault is not None:
        yield _faulty(place, whole.fault, is_official=is_official)
    elif whole.is_over and not table.is_final and table.box == box and (official is None or is_official):
        more = f"its lines up to {whole.lines} are sealed, and the log has made {counted} of them official"
        yield _broken(place, f"{more}: {OLDER}")
    elif not is_official and not _goes_on(records, table, box, match, whole.lines):
        yield Finding(Severity.NOTE, place, f"it did not count: {table.called()} has its result otherwise, or none")


def _goes_on(records: Records, table: TableState, box: str, match: str, count: int) -> bool:
    """Tell whether a record is the beginning of one that counts: the match was moved to another box."""
    official = table.record
    if official is None or official.match != match or (official.box, match) not in records.there:
        return False
    return list(records.lines(box, match)[:count]) == list(records.lines(official.box, match)[:count])


def _faulty(place: str, fault: str, *, is_official: bool) -> Finding:
    """Give a fault that does not touch what is official: a broken seal is one in any case."""
    if "seal does not hold" in fault:
        return _broken(place, fault)
    what = "what follows its official lines" if is_official else "it"
    return Finding(Severity.NOTE, place, f"{what} did not count: {fault}")


def _where(event: Event, records: Records, box: str, match: str) -> tuple[TableState | None, Finding]:
    """Give the table that a record without a line in the log is of; or what is to be said of one that is of none."""
    where = records.setup(box, match).event
    if where is None or where.id != event.line.event:
        what = f"it is of {'no event' if where is None else f'the event {where.id}'}, not of {event.line.event}"
        return None, _broken("", what)
    named = f"its setup names table {where.table} of round {where.round}"
    try:
        table = event.table(where.round, where.table)
    except Illegal as error:
        if where.round <= len(event.rounds) and _was_drawn(event.round(where.round), where.table):
            return None, Finding(Severity.NOTE, "", f"it did not count: {named}, which a change by hand has taken away")
        return None, _broken("", f"{named}: {error}; {OLDER}, or is another")
    return (table if box in table.boxes else None), _broken("", f"{named}, which was never played on {box}")


def _was_drawn(found: Round, table: int) -> bool:
    return any(one.table == table for one in found.drawn.tables)


def _protests(event: Event, records: Records, table: TableState) -> Iterator[Finding]:
    """Hold the protests that the log names against the records, and its answers against the boxes'."""
    for protest in table.protests:
        box = next((box for box in reversed(table.boxes) if (box, protest.match) in records.there), None)
        place = f"{table.called()}, protest in line {protest.line} of match {protest.match}"
        if box is None:
            yield Finding(Severity.NOTE, place, "its record is not in the file")
            continue
        lines = records.lines(box, protest.match)
        if len(lines) < protest.line or not _is_protest(lines[protest.line - 1], protest.line):
            yield _broken(place, f"{place_of(box, protest.match)} has none there")
            continue
        whole = records.played(event, box, protest.match, table).whole
        said = next((one.stands for one in whole.protests if one.line == protest.line), None)
        if protest.answer is not None and said is not None and said != protest.answer.stands:
            # Two referees who answer at the same time, at the desk and at the box, are no forgers; a head tells more.
            yield Finding(Severity.NOTE, place, "the log has another answer to it than the record")


def _is_protest(raw: bytes, number: int) -> bool:
    try:
        return isinstance(parse_line(raw, number), Protest)
    except CompanionError:
        return False


def _broken(place: str, what: str) -> Finding:
    return Finding(Severity.BROKEN, place, what)

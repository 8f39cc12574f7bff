"""What must hold at the end, read from the files that boxes and desk have left: none of it asks a process.

- every line of each box's journal is in the desk's store once, under its number, with the same bytes, and nothing else;
- the event's log and every official record hold, as anybody may verify from the event's file and the printed head;
- drawings, results and standings are those of an event of the same seed at which nothing went wrong.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.event_archive.reader import opened_archive
from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.ed25519 import check
from companion.adapters.sqlite_journal import NothingStored, export_first_lines, export_lines
from companion.app.event.keeping import setup_of
from companion.app.tournament.driver import DeskDriver
from companion.app.tournament.files import event_file
from companion.games import registry
from companion.tournament.standings.standings import standings
from companion.tournament.verifying.findings import Verdict
from companion.tournament.verifying.means import Means
from companion.tournament.verifying.verifying import verify_event
from tests.chaos.given import EVENT, box_folder, store_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from companion.tournament.desk.desk import Desk

Key = tuple[str, str]
"""Box and match."""
PROTEST, ANSWER = b'"type":"protest"', b'"type":"answer"'
SEAL, RESTART, IN_RACE = b'"type":"seal"', b'"type":"restart"', b"was restarted within a race"
BAD_NOTES = ("sent another line", "the desk has been restored", "does not count", "set aside", "was left out")
"""What a desk says where something came to it that no box at this event should have sent."""
LINES = (
    "SELECT box, match, number, raw FROM event_record JOIN event_line ON event_line.record = event_record.id"
    " ORDER BY event_record.id, number"
)
COUNT = "SELECT (SELECT count(*) FROM event_log) + (SELECT count(*) FROM event_line)"


class CameTo(NamedTuple):
    """What an event came to, in plain values. drawings: by round, tables and byes. results: by round and table."""

    rounds: int
    drawings: tuple[Any, ...]
    results: tuple[Any, ...]
    standings: tuple[Any, ...]


class Ended(NamedTuple):
    """An event that is over. wrong: what does not hold. lines: that are sealed. resumed: how often a match was gone on
    with after a kill; in_race: of that, within a race. protests, answers: that are sealed. why: by what results became
    final, counted.
    """

    came_to: CameTo
    wrong: tuple[str, ...]
    lines: int
    resumed: int
    in_race: int
    protests: int
    answers: int
    why: Mapping[str, int]


def journals_of(folder: Path, boxes: Iterable[str]) -> dict[Key, list[bytes]]:
    """Give every match of the event in the boxes' journals. Raises CompanionError where one cannot be read."""
    found: dict[Key, list[bytes]] = {}
    for box in boxes:
        state = box_folder(folder, box)
        try:
            first_lines = export_first_lines(state)
        except NothingStored:
            continue
        for number, first in first_lines.items():
            setup = setup_of(first)
            if setup.event is not None and setup.event.id == EVENT:
                found[box, setup.match] = export_lines(state, number)
    return found


def stored_in(file: Path) -> dict[Key, list[tuple[int, bytes]]]:
    """Give all lines of records in the desk's store, with their numbers, past the program that keeps it."""
    found: dict[Key, list[tuple[int, bytes]]] = {}
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=60)) as database:
        for box, match, number, raw in database.execute(LINES):
            found.setdefault((box, match), []).append((number, bytes(raw)))
    return found


def lines_in(file: Path) -> int:
    """Give how many lines the desk's store has, of log and records; 0 while it cannot be read."""
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=60)) as database:
            return int(database.execute(COUNT).fetchone()[0])
    except sqlite3.Error:
        return 0


def differences(
    journals: Mapping[Key, Sequence[bytes]], stored: Mapping[Key, Sequence[tuple[int, bytes]]]
) -> list[str]:
    """Say what of the journals is not in the store once, in order and with the same bytes, or is there besides."""
    wrong = [f"{box} has no match {match}, and the store has" for box, match in stored.keys() - journals.keys()]
    for key, lines in journals.items():
        wanted, there = list(enumerate(lines, 1)), list(stored.get(key, ()))
        if wanted != there:
            wrong.append(f"match {key[1]} of {key[0]}: {_difference(wanted, there)}")
    return sorted(wrong)


def _difference(wanted: list[tuple[int, bytes]], there: list[tuple[int, bytes]]) -> str:
    numbers = [number for number, _ in there]
    missing = sorted({number for number, _ in wanted} - set(numbers))
    if missing:
        return f"lines {missing} are not in the store"
    if len(numbers) != len(set(numbers)):
        return "lines are in the store twice"
    others = [number for number, raw in there if (number, raw) not in wanted]
    return f"lines {others} are others in the store" if others else "lines are in another order in the store"


def sealed_lines(lines: Sequence[bytes]) -> int:
    """Give how many lines a record has up to its last seal, and it."""
    return max((number for number, line in enumerate(lines, 1) if SEAL in line), default=0)


def unsealed(journals: Mapping[Key, Sequence[bytes]]) -> list[str]:
    """Name the records that are over and whose end nobody has sealed."""
    return [
        f"match {match} of {box} is over and its end is not sealed"
        for (box, match), lines in journals.items()
        if any(b'"type":"end"' in line for line in lines[sealed_lines(lines) :])
    ]


def bad_notes(notes: Iterable[str]) -> list[str]:
    """Give what the desk has noted that it should never have had to."""
    return sorted({f"the desk: {note.strip()}" for note in notes if any(bad in note for bad in BAD_NOTES)})


def told_faults(folder: Path, names: Iterable[str]) -> list[str]:
    """Give the errors that programs have logged: nothing that comes from outside should be one."""
    return [
        f"{name} has logged: {line.strip()}"
        for name in names
        for line in (folder / f"{name}.log").read_text(errors="replace").splitlines()
        if any(sign in line for sign in (" ERROR ", " CRITICAL ", "Traceback"))
    ]


def unlike(one: CameTo, other: CameTo) -> list[str]:
    """Say in what an event differs from the undisturbed one."""
    named = zip(CameTo._fields, one, other, strict=True)
    return [f"{name} are others than those of the undisturbed event: {_first(a, b)}" for name, a, b in named if a != b]


def _first(one: Any, other: Any) -> str:
    if not isinstance(one, tuple) or len(one) != len(other):
        return f"{one} and {other}"
    return next(f"{a} and {b}" for a, b in zip(one, other, strict=True) if a != b)


def ended(folder: Path, boxes: Sequence[str]) -> Ended:
    """Look at an event that is over, and whose processes have ended."""
    journals = journals_of(folder, boxes)
    wrong = differences(journals, stored_in(store_file(folder))) + unsealed(journals)
    came_to, why, worked = asyncio.run(_worked(folder))
    wrong += [f"verify: {finding}" for finding in worked.broken]
    tables = sum(len(tables) for _, tables, _ in came_to.drawings)
    if worked.verdict is not Verdict.AUTHENTICATED:
        wrong.append(f"verify: the event is {worked.verdict.value}")
    if (worked.official, worked.drawings) != (tables, came_to.rounds):
        wrong.append(f"verify: {worked.official} of {tables} records, {worked.drawings} of {came_to.rounds} drawings")
    lines = [line for lines in journals.values() for line in lines[: sealed_lines(lines)]]
    resumed, in_race, protests, answers = (
        sum(sign in line for line in lines) for sign in (RESTART, IN_RACE, PROTEST, ANSWER)
    )
    return Ended(came_to, tuple(wrong), len(lines), resumed, in_race, protests, answers, why)


async def _worked(folder: Path) -> tuple[CameTo, Mapping[str, int], Any]:
    driver = DeskDriver(SqlEventStore(url_of_file(store_file(folder)), EVENT), registry.find, check)
    await driver.open()
    try:
        came_to, why, head = await driver.look(_look)
        file = folder / "EVENT.zip"
        file.write_bytes(await event_file(driver))
    finally:
        await driver.close()
    with opened_archive(file) as archive:
        return came_to, why, verify_event(archive, Means(registry.find, check), head)


def _look(desk: Desk) -> tuple[CameTo, Mapping[str, int], str]:
    event, results = desk.event, desk.results()
    drawings = tuple(
        (one.number, tuple((table.number, table.players) for table in one.tables.values()), one.byes)
        for one in event.rounds
    )
    places = tuple((one.number, table.table, table.places) for one in results for table in one.results)
    found = standings(results, event.players.ever(), event.line.tie_breaks, event.seed or "", event.line.event)
    standing = tuple((one.place, one.player, one.points, one.values) for one in found)
    finals = [table.final.why for one in event.rounds for table in one.tables.values() if table.final is not None]
    why: dict[str, int] = {one: finals.count(one) for one in sorted(set(finals))}
    return CameTo(len(event.rounds), drawings, places, standing), why, desk.chain.head

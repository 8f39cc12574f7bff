"""Matches that a box finds when it starts: evenings of known people, written into its journal beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.sqlite_journal import SqliteJournal
from tests.core.people.records import Race, record

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = {"red": "Ann", "yellow": "Bob", "green": "Cleo", "blue": "Zoë", "purple": "Maximilian K"}
EVENINGS = ("2025-03-01T19:30:00+01:00", "2025-03-01T21:05:00+01:00", "2025-03-08T20:00:00+01:00")


def races(evening: int) -> list[Race]:
    """Seven races of five, in which everybody is a little different each time."""
    return [
        {
            colour: 260 + 37 * seat + (seat * 13 + number * 29 + evening * 17) % 120
            for seat, colour in enumerate(PEOPLE)
            if (number + seat) % 6
        }
        for number in range(1, 8)
    ]


def store_evenings(folder: Path) -> None:
    """Store three matches on two evenings in a state directory that no box has open."""
    started = iter(EVENINGS)
    journal = SqliteJournal(folder, wall_time=lambda: next(started))
    journal.open(lambda *_: None, lambda text: None)
    for evening, game in enumerate(("apache", "order", "apache")):
        match = journal.begin(game, record(*races(evening), names=PEOPLE, game=game), None)
        journal.finish(match)
    journal.close()

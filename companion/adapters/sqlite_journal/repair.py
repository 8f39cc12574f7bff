"""Puts what can be read of damaged databases into the one that the box uses: what `companion doctor --repair` does.

The damaged files stay as they are. A match keeps its number; where that is another's, it gets the next free one. Each
match is one transaction, and one that is there already is left alone: so the repair may be cut off, and made again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.sqlite_journal.faults import Damaged
from companion.adapters.sqlite_journal.numbers import keep_number
from companion.adapters.sqlite_journal.salvage import SHELL, salvage
from companion.adapters.sqlite_journal.store import MatchRow, Store
from companion.core.errors import UnknownMatch
from companion.files.aside import asides_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from companion.adapters.sqlite_journal.salvage import Salvaged


class Outcome(StrEnum):
    """What became of a match that was read."""

    PUT_BACK = "put back"
    LONGER = "made longer"
    THERE = "there already"


class RepairedMatch(NamedTuple):
    """A match of a damaged file. id: its number now; was: its number there. cut, beyond, mended: as `Salvaged` has."""

    file: Path
    was: int
    id: int
    outcome: Outcome
    lines: tuple[bytes, ...]
    cut: int | None
    beyond: int
    mended: tuple[int, ...]


def repair(directory: Path, shell: str | None = SHELL) -> Iterator[RepairedMatch | str]:
    """Repair a state directory; give each match as it is done, and a sentence for each file that is set aside now.

    shell: SQLite's, None for none. Raises InUse where the box is running, NewerVersion, OSError, sqlite3.Error.
    """
    store = Store(directory)
    try:
        store.open()
        _look_at_all_lines(store)
        yield from store.set_aside
        for file in asides_of(store.path):
            for found in salvage(file, shell):
                yield _put_back(store, file, found)
    finally:
        store.close()


def _look_at_all_lines(store: Store) -> None:
    """Set the database aside where any match in it is damaged: at the box's start only the newest is looked at."""
    try:
        for match in store.matches():
            store.lines(match.id)
    except Damaged as error:
        store.put_aside(error)
        store.open()


def _put_back(store: Store, file: Path, found: Salvaged) -> RepairedMatch:
    number, stored = _place_of(store, found)
    kept = len(stored)
    outcome = Outcome.THERE if kept >= len(found.lines) else Outcome.LONGER if kept else Outcome.PUT_BACK
    if outcome is not Outcome.THERE:
        _write(store, number, stored, found)
    return RepairedMatch(file, found.row.id, number, outcome, *found[1:])


def _write(store: Store, number: int, stored: Sequence[bytes], found: Salvaged) -> None:
    row = found.row
    keep_number(store.directory, number)
    with store.transaction():
        if not stored:
            store.put_match(MatchRow(number, row.game, row.started, row.boot_id, row.finished or found.cut is not None))
        store.put_more(number, stored, found.lines[len(stored) :])


def _place_of(store: Store, found: Salvaged) -> tuple[int, Sequence[bytes]]:
    """Give the number that a match has or gets, and which of its lines are stored."""
    own = _stored(store, found.row.id)
    shared = min(len(own), len(found.lines))
    if own[:shared] == list(found.lines[:shared]):
        return found.row.id, own
    for match in store.matches():  # put there by an earlier repair
        if (stored := _stored(store, match.id)) == list(found.lines):
            return match.id, stored
    return store.last_number() + 1, ()


def _stored(store: Store, number: int) -> list[bytes]:
    try:
        return store.lines(number)
    except UnknownMatch:
        return []

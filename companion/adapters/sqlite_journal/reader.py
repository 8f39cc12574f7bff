"""What the command line asks of the stored matches, also while the box is running. Writes nothing and takes no lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.adapters.sqlite_journal import store
from companion.core.errors import Unavailable
from companion.core.record.lines import Names, Seat
from companion.files.aside import asides_of

if TYPE_CHECKING:
    from pathlib import Path


class StoredMatch(NamedTuple):
    """A match as a list shows it.

    started: wall time (RFC 3339). ended: it was played to its end, or given up.
    seats: clockwise, as the setup has them; () where the first line cannot be read. names: of those who have any, by
    the line after it. lines: their number.
    """

    id: int
    game: str
    started: str
    ended: bool
    seats: tuple[Seat, ...]
    names: dict[str, str]
    lines: int


class _Setup(msgspec.Struct):
    """No more of the setup line than the list needs, so that a game's own fields do not matter here."""

    game: str = ""
    seats: tuple[Seat, ...] = ()


def list_matches(directory: Path) -> list[StoredMatch]:
    """Give all matches of a state directory, the oldest first.

    Raises Unavailable (nothing stored, no permission, written by a newer version), Malformed (damaged).
    """
    with store.reading(directory) as database:
        counts = store.count_lines(database)
        setups = store.lines_numbered(database, 1)
        seconds = store.lines_numbered(database, 2)
        rows = store.read_matches(database)
        read = {row.id: _setup(setups.get(row.id, b"")) for row in rows}
    return [
        StoredMatch(
            id=row.id,
            game=read[row.id].game or row.game,
            started=row.started,
            ended=row.finished,
            seats=read[row.id].seats,
            names=_names(seconds.get(row.id, b"")),
            lines=counts.get(row.id, 0),
        )
        for row in rows
    ]


def export_lines(directory: Path, match_id: int) -> list[bytes]:
    """Give the record of one match, its lines without line ends.

    Raises UnknownMatch, and what `list_matches` raises; Malformed also where a line is not as it was written.
    """
    with store.reading(directory) as database:
        return store.read_lines(database, match_id, directory / store.FILE_NAME)


def export_first_lines(directory: Path) -> dict[int, bytes]:
    """Give the first line of each match, by its number. None stored gives none; raises what `list_matches` raises."""
    if not (directory / store.FILE_NAME).exists():
        return {}
    with store.reading(directory) as database:
        return store.lines_numbered(database, 1)


def export_notes(directory: Path) -> list[list[bytes]]:
    """Give, match by match, the lines of all records in which evidence or protests are named. None stored gives none.

    Raises what `list_matches` raises, Unavailable too where a damaged database was set aside: it may name some; OSError
    where the directory cannot be read.
    """
    if asides_of(directory / store.FILE_NAME):
        raise Unavailable(f"a damaged database lies in {directory}: what it named is not known")
    if not (directory / store.FILE_NAME).exists():
        return []
    with store.reading(directory) as database:
        return store.lines_with(database, (b'"evidence"', b'"protest"'))


def _setup(line: bytes) -> _Setup:
    try:
        return msgspec.json.decode(line, type=_Setup)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):  # `replay` judges it, not a list
        return _Setup()


def _names(line: bytes) -> dict[str, str]:
    """Give the names of a line of names; none where it is another."""
    try:
        return {str(colour): name for colour, name in _DECODE_NAMES(line).names.items() if name}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):
        return {}


_DECODE_NAMES = msgspec.json.Decoder(Names).decode

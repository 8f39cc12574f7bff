"""Which evidence may be deleted: old, and of no race that any line of its record protests. Decides; deletes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DAY_S = 86_400


class StoredFile(NamedTuple):
    """Evidence that is stored: its name, and when it was written, in seconds of the wall clock."""

    sha256: str
    written_s: float


class _Told(msgspec.Struct):
    """No more of a line than this needs, so that a game's own fields do not matter here."""

    type: str
    race: int | None = None
    sha256: str | None = None


def may_be_deleted(
    stored: Iterable[StoredFile], records: Callable[[], Iterable[Iterable[bytes]]], days: int, now_s: float
) -> list[str]:
    """Give the evidence that may be deleted, the oldest first.

    records: gives the lines of every match of the box (their `evidence` and `protest` lines are enough); it is asked
    only where something is old enough. days: how old; 0 keeps all. Evidence that no record names is deleted for its
    age too. Whatever `records` raises goes through: what is not known to be idle is kept.
    """
    old = [file for file in sorted(stored, key=_age) if days and now_s - file.written_s > days * DAY_S]
    if not old:
        return []
    disputed = {sha256 for lines in records() for sha256 in _disputed(lines)}
    return [file.sha256 for file in old if file.sha256 not in disputed]


def named_evidence(record: Iterable[bytes]) -> list[str]:
    """Give the hashes of the evidence that a record names, each once, in its order."""
    told = [line for line in map(_read, record) if line is not None and line.type == "evidence"]
    return list(dict.fromkeys(line.sha256 for line in told if line.sha256))


def _age(file: StoredFile) -> float:
    return file.written_s


def _disputed(lines: Iterable[bytes]) -> set[str]:
    """Give the evidence of one record's protested races; a protest that names no race is of all of them."""
    told = [line for line in map(_read, lines) if line is not None]
    races = {line.race for line in told if line.type == "protest"}
    return {
        line.sha256
        for line in told
        if line.type == "evidence" and line.sha256 and (line.race in races or None in races)
    }


def _read(line: bytes) -> _Told | None:
    if b"evidence" not in line and b"protest" not in line:
        return None
    try:
        return msgspec.json.decode(line, type=_Told)
    except msgspec.DecodeError:  # the record is judged by `replay`, not here
        return None

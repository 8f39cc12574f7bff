"""The chain of the event's log: each line names the hash of the line before it, so that one hash vouches for all. Pure.

Whoever has the *head*, the hash of the newest line, which is printed on each round's pairings, can tell whether a log
that he is given later still begins with what the print vouched for.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.tournament.log.lines import GENESIS, AnyEntry, MalformedEntry, parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.tournament.log.lines import TableDrawn


def hash_of(raw: bytes) -> str:
    """Give the hash of a line, 64 hex digits. raw: without its end of line, which is hashed too."""
    return sha256(raw + b"\n").hexdigest()


class Chain:
    """The end of a log: what its next line has to name. n: how many lines it has. head: the hash of the newest."""

    def __init__(self, n: int = 0, head: str = GENESIS) -> None:
        self.n, self.head = n, head

    def next(self, kind: type[Any], wall: str | None = None, **fields: Any) -> AnyEntry:
        """Give the next line, of a kind of `log.lines`; it is not added yet."""
        entry: AnyEntry = kind(n=self.n + 1, prev=self.head, wall=wall, **fields)
        return entry

    def add(self, raw: bytes) -> AnyEntry:
        """Take the next line as stored. Raises MalformedEntry where it is none, or does not follow; nothing changes."""
        entry = parse_entry(raw, self.n + 1)
        if entry.n != self.n + 1:
            raise MalformedEntry(self.n + 1, f"it says that it is line {entry.n}")
        if entry.prev != self.head:
            raise MalformedEntry(self.n + 1, f"the line before it has the hash {self.head}, it names {entry.prev}")
        self.n, self.head = entry.n, hash_of(raw)
        return entry


def read_log(raw_lines: Iterable[bytes]) -> Iterator[AnyEntry]:
    """Give the lines of a log, each checked to follow from those before it. Raises MalformedEntry."""
    chain = Chain()
    for raw in raw_lines:
        yield chain.add(raw)


def heads_of(raw_lines: Iterable[bytes]) -> tuple[str, ...]:
    """Give the head of a log after each of its lines, whatever is in them."""
    return tuple(hash_of(raw) for raw in raw_lines)


def sheet_of(tables: Iterable[TableDrawn], byes: Iterable[int], event: str, number: int) -> str:
    """Give the hash of a round's pairings, which a record's setup names: of one line a table, then one for the byes."""
    lines = [f"{event} {number}"]
    lines += [f"{table.table}: {' '.join(map(str, table.players))}" for table in sorted(tables, key=_number)]
    lines.append(f"byes: {' '.join(map(str, sorted(byes)))}")
    return sha256("\n".join(lines).encode()).hexdigest()


def _number(table: TableDrawn) -> int:
    return table.table

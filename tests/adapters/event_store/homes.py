"""Places where a test's store lies, so that it can be opened again, and lines to put there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.event_store import SqlEventStore
from companion.adapters.simulated.memory_event_store import MemoryEventStore
from companion.tournament.wire import RecordPart

if TYPE_CHECKING:
    from companion.ports import EventStore

MATCH, OTHER_MATCH = "a" * 32, "b" * 32


def parts(box: str, match: str, *numbers: int, words: str = "line") -> list[tuple[str, RecordPart]]:
    """Give lines of a record with these numbers."""
    return [(box, RecordPart(match, number, raw(number, words))) for number in numbers]


def raw(number: int, words: str = "line") -> bytes:
    return f'{{"{words}":{number}}}'.encode()


class MemoryHome:
    """One object, which keeps what it has when it is closed."""

    def __init__(self) -> None:
        self._store = MemoryEventStore()

    def store(self) -> EventStore:
        return self._store


class SqlHome(NamedTuple):
    """A URL and an event, for any number of stores one after the other."""

    url: str
    event: str

    def store(self) -> EventStore:
        return SqlEventStore(self.url, self.event)

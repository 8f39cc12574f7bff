"""What follows from something that the desk was told. Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.tournament.log.lines import AnyEntry
    from companion.tournament.wire import RecordPart, ToBox


@dataclass(slots=True)
class Outcome:
    """What is to be done, in this order: store `parts`, add `entries` to the log, and send `sends` once that is safe.

    parts: lines of records by box, which are then given to `Desk.kept`. entries: with the bytes to be stored. sends: by
    box. notes: what the organiser should know. changed: tables whose standing has changed, by round and number.
    """

    parts: list[tuple[str, RecordPart]] = field(default_factory=list)
    entries: list[tuple[AnyEntry, bytes]] = field(default_factory=list)
    sends: list[tuple[str, ToBox]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    changed: set[tuple[int, int]] = field(default_factory=set)

    def add(self, other: Outcome) -> None:
        """Have the other's follow."""
        self.parts += other.parts
        self.entries += other.entries
        self.sends += other.sends
        self.notes += other.notes
        self.changed |= other.changed

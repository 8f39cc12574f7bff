"""An event's store that ends with the process: for tests, and to show what the port `EventStore` promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal, Unavailable
from companion.tournament.wire import is_same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tournament.wire import RecordPart


class MemoryEventStore:
    """The log and the records of one event in memory; what is stored outlives `close`, as on a disk.

    fault: set it to a sentence, and every call raises Unavailable with it and changes nothing, until it is None again.
    """

    def __init__(self) -> None:
        self.fault: str | None = None
        self._is_open = False
        self._log: list[bytes] = []
        self._lines: dict[tuple[str, str], dict[int, bytes]] = {}
        self._held: dict[tuple[str, str], int] = {}
        self._contradicted: set[tuple[str, str]] = set()

    def open(self) -> None:
        """Be ready. Raises Unavailable."""
        self._is_open = True
        try:
            self._look()
        except Unavailable:
            self._is_open = False
            raise

    def entries(self) -> list[bytes]:
        """Give the event's log. Raises Unavailable."""
        self._look()
        return list(self._log)

    def append(self, first: int, lines: Sequence[bytes]) -> None:
        """Add lines to the log, all or none. Raises Illegal, Unavailable."""
        self._look()
        if first != len(self._log) + 1:
            raise Illegal(f"the log has {len(self._log)} lines: the next is number {len(self._log) + 1}, not {first}")
        self._log += lines

    def keep(self, parts: Sequence[tuple[str, RecordPart]]) -> list[tuple[str, RecordPart]]:
        """Store lines of records once, and give those that contradict what is there. Raises Illegal, Unavailable."""
        self._look()
        for box, part in parts:
            if part.number < 1:
                raise Illegal(f"{box} has no line {part.number} of {part.match}: they are numbered from 1")
        against = [(box, part) for box, part in parts if not self._keep(box, part)]
        self._contradicted |= {(box, part.match) for box, part in against}
        return against

    def contradicted(self) -> set[tuple[str, str]]:
        """Give by box and match the records of which ever another line came than is stored. Raises Unavailable."""
        self._look()
        return set(self._contradicted)

    def held(self) -> dict[tuple[str, str], int]:
        """Give by box and match how many lines are there without a gap; 0 where only later ones are."""
        self._look()
        return dict(self._held)

    def record(self, box: str, match: str) -> list[bytes]:
        """Give a record's lines without a gap. Raises Unavailable."""
        self._look()
        lines = self._lines.get((box, match), {})
        return [lines[number] for number in range(1, self._held.get((box, match), 0) + 1)]

    def close(self) -> None:
        """Let go of it; may be called again."""
        self._is_open = False

    def _keep(self, box: str, part: RecordPart) -> bool:
        """Store a line; tell whether it is there now, but for names."""
        key = (box, part.match)
        lines = self._lines.setdefault(key, {})
        held = self._held.setdefault(key, 0)
        is_kept = is_same(lines.setdefault(part.number, part.raw), part.raw)
        while held + 1 in lines:
            held += 1
        self._held[key] = held
        return is_kept

    def _look(self) -> None:
        if not self._is_open:
            raise Unavailable("the store in memory is not open")
        if self.fault is not None:
            raise Unavailable(self.fault)

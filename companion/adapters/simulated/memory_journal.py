"""A journal that ends with the process: for tests, and to show what the `Journal` port promises. Knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(slots=True)
class _Match:
    game: str
    boot_id: str | None
    lines: list[bytes]
    told: int = 0
    finished: bool = False


class MemoryJournal:
    """Match records in memory; everything is "durable" at once, unless `fault` says that the disk is broken.

    fault: set it to a sentence and nothing is stored until it is None again and something is appended or retried.
    Matches outlive `close`, so that one object can stand for a disk that is opened again.
    """

    def __init__(self) -> None:
        self.fault: str | None = None
        self._told_fault: str | None = None
        self._matches: list[_Match] = []
        self._on_durable: Callable[[int, int], None] | None = None
        self._on_fault: Callable[[str], None] | None = None

    def open(self, on_durable: Callable[[int, int], None], on_fault: Callable[[str], None]) -> None:
        """Take the callbacks; they are called by the methods themselves, in the caller's thread."""
        self._on_durable, self._on_fault = on_durable, on_fault
        self._told_fault = None

    def begin(self, game: str, lines: Sequence[bytes], boot_id: str | None) -> int:
        """Start a new match and give its id."""
        self._matches.append(_Match(game, boot_id, list(lines)))
        self.retry()
        return len(self._matches)

    def append(self, match_id: int, line: bytes, *, boot_id: str | None = None) -> None:
        """Add a line. Raises UnknownMatch."""
        match = self._match(match_id)
        match.lines.append(line)
        match.boot_id = boot_id or match.boot_id
        self.retry()

    def unfinished(self) -> int | None:
        """Give the newest match's id if it has not been ended, else None."""
        return len(self._matches) if self._matches and not self._matches[-1].finished else None

    def lines(self, match_id: int) -> list[bytes]:
        """Give all lines of a match. Raises UnknownMatch."""
        return list(self._match(match_id).lines)

    def boot_id(self, match_id: int) -> str | None:
        """Give the boot whose clock the newest lines are on. Raises UnknownMatch."""
        return self._match(match_id).boot_id

    def finish(self, match_id: int) -> None:
        """Mark the match as ended. Raises UnknownMatch."""
        self._match(match_id).finished = True
        self.retry()

    def retry(self) -> None:
        """Tell of what is stored, or of the fault."""
        if self.fault is not None:
            if self.fault != self._told_fault and self._on_fault is not None:
                self._on_fault(self.fault)
            self._told_fault = self.fault
            return
        self._told_fault = None
        for number, match in enumerate(self._matches, 1):
            if match.told < len(match.lines):
                match.told = len(match.lines)
                if self._on_durable is not None:
                    self._on_durable(number, match.told)

    def change_lines(self, having: bytes, change: Callable[[bytes], bytes]) -> int:
        """Put others in the place of lines that contain `having`; give of how many matches. Raises Unavailable."""
        if self.fault is not None:
            raise Unavailable(self.fault)
        before = [match.lines for match in self._matches]
        for match in self._matches:
            match.lines = [change(line) if having in line else line for line in match.lines]
        return sum(match.lines != lines for match, lines in zip(self._matches, before, strict=True))

    def close(self) -> None:
        """Let go of the callbacks."""
        self._on_durable = self._on_fault = None

    def _match(self, match_id: int) -> _Match:
        if not 1 <= match_id <= len(self._matches):
            raise UnknownMatch(f"there is no match {match_id}; there are {len(self._matches)}")
        return self._matches[match_id - 1]

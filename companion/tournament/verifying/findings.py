"""What an event's verification comes to. Pure data."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.tournament.event.event import Event
    from companion.tournament.standings.standings import Standing


class Severity(Enum):
    """BROKEN: something does not hold. NOTE: a person decided it, or nobody can tell; worth knowing."""

    BROKEN = "broken"
    NOTE = "note"


class Finding(NamedTuple):
    """Something that was found. place: a line of the log, a member of the file, a round."""

    severity: Severity
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


class Verdict(Enum):
    """CONSISTENT: all holds. AUTHENTICATED: also, a head that was printed vouches for the log, up to a line."""

    AUTHENTICATED = "authenticated"
    CONSISTENT = "consistent, not authenticated"
    BROKEN = "broken"


class Worked(NamedTuple):
    """An event worked out again.

    findings: in the order in which they were met: the log's from its first line on, then those of what no line names.
    lines: of the log, that could be followed. vouched: of them, those that the head given vouches for, 0: none. event:
    as it stands after them, None where not even the first can be. records: in the file; official: of them, those that
    the log made so, and that hold. drawings: worked out again. standings: () where they rest on what does not hold.
    marked: what decided official results beside the presses, or how well their times are known, in few words each, with
    the tables (by round and number) of which it is so.
    """

    findings: tuple[Finding, ...]
    lines: int = 0
    vouched: int = 0
    event: Event | None = None
    records: int = 0
    official: int = 0
    drawings: int = 0
    standings: tuple[Standing, ...] = ()
    marked: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        """What does not hold, the first fault first."""
        return tuple(one for one in self.findings if one.severity is Severity.BROKEN)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is worth knowing."""
        return tuple(one for one in self.findings if one.severity is Severity.NOTE)

    @property
    def verdict(self) -> Verdict:
        """What it comes to."""
        if self.broken:
            return Verdict.BROKEN
        return Verdict.AUTHENTICATED if self.vouched else Verdict.CONSISTENT

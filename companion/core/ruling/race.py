"""Where a race stands, as a game tells it: what a press means now, and whose presses count. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.record.lines import Close, Reveal
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import Anticipation, PressLine

TURNED_LATE_NS = SECOND
"""So long after a race's first press a card may have been turned that is still entered into it."""


class RacePhase(Enum):
    """What a press means now, in a game that races."""

    WAITING = "waiting"  # does not count until a card has been entered
    OPEN = "open"  # begins a race
    COLLECTING = "collecting"  # joins the race, once a seat
    CLOSED = "closed"  # too late; the race waits for its judging
    SETTLING = "settling"  # too late; claims are being settled
    OVER = "over"  # the game has ended


@dataclass(frozen=True, slots=True)
class Race:
    """Where a race stands.

    number: of the race that runs or comes next (1, 2, …).
    presses: those that count in it, in the order of the record.
    revealer: the seat that dead heats are counted from, clockwise.
    card: the newest card entered, None where there is none or the game has no cards.
    card_t_ns: its time, None where it was not timed.
    card_joined: True where the card was entered after the race's first press.
    takes_card: True where one more card may be entered into this race now.
    closed_ns: a race that is closed still takes a press made at or before this; None where it takes none, or is not
        closed.
    """

    phase: RacePhase
    number: int
    presses: tuple[PressLine, ...]
    revealer: Colour
    card: str | None = None
    card_t_ns: int | None = None
    card_joined: bool = False
    takes_card: bool = False
    closed_ns: int | None = None

    @property
    def is_between(self) -> bool:
        """Tell whether nothing of this race is still to be settled: no press counts in it yet."""
        return self.phase in {RacePhase.WAITING, RacePhase.OPEN}


def is_in_time(phase: RacePhase, closed_ns: int | None, press: PressLine) -> bool:
    """Tell whether a press was made in time for a race (`record.md`, In time). closed_ns: as `Race` has it."""
    if phase is RacePhase.CLOSED:
        return closed_ns is not None and press.t_ns <= closed_ns
    return phase is RacePhase.OPEN or phase is RacePhase.COLLECTING


def is_too_soon(press: PressLine, turned_ns: int | None, anticipation: Anticipation) -> bool:
    """Tell whether a press was certainly made sooner after its card was turned than a setup allows."""
    return turned_ns is not None and press.t_ns + press.error_ns < turned_ns + anticipation.ms * MS


def verify_times(line: Close | Reveal, race: Race) -> None:
    """Raise Illegal for a `close` before a press that counts, and for a card that was turned after its race began."""
    if race.phase not in {RacePhase.COLLECTING, RacePhase.CLOSED} or line.t_ns is None:
        return
    times_ns = [press.t_ns for press in race.presses]
    if isinstance(line, Close) and line.t_ns < max(times_ns):
        raise Illegal(f"field `t_ns`: a press that was made at {max(times_ns)} counts; no race is closed before it")
    if isinstance(line, Reveal) and line.turned and line.t_ns > min(times_ns) + TURNED_LATE_NS:
        raise Illegal("field `turned`: more than 1 s after the first press; the card belongs to the next race")

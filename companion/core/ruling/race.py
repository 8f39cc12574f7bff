"""Where a race stands, as a game tells it: what a press means now, and whose presses count. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import PressLine


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
    """

    phase: RacePhase
    number: int
    presses: tuple[PressLine, ...]
    revealer: Colour
    card: str | None = None
    card_t_ns: int | None = None
    card_joined: bool = False
    takes_card: bool = False

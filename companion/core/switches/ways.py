"""How a seat that plays by one switch, or two, is offered what it may do: plain frozen values. Knows no file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

SHORTEST_NS = 3 * SECOND // 10
LONGEST_NS = 5 * SECOND
"""A dwell is no shorter and no longer."""
MOST_LOOPS = 20


class Way(Enum):
    """What makes the next be offered, and what picks."""

    AUTOMATIC = "automatic"  # time; a press picks
    STEP = "step"  # one switch; another picks
    INVERSE = "inverse"  # a switch that is held; letting go picks


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchScanning:
    """How one seat scans.

    dwell_ns: how long each is offered, 0.3 to 5 s. loops: how often all are, 1 to 20. order: the seat's four buttons,
    0 to 3 from the left, in the order their cards are offered; each scan begins with the first of it. again: what was
    picked can be taken back for as long as a dwell. moving: which of the seat's buttons moves on, where two are used.
    """

    way: Way = Way.AUTOMATIC
    dwell_ns: int = SECOND
    loops: int = 3
    order: tuple[int, ...] = tuple(range(len(POSITIONS)))
    again: bool = False
    moving: int = 0

    def in_order(self, places: Sequence[int]) -> tuple[int, ...]:
        """Give those of a seat's buttons that a game plays with, in the person's own order."""
        return tuple(place for place in self.order if place in places)

    @property
    def bound_ns(self) -> int:
        """The longest that a choice among a seat's four cards can take, from its first cue until a card is fixed."""
        rounds, all_ns = self.loops if self.again else 1, self.loops * len(POSITIONS) * self.dwell_ns
        if self.way is Way.AUTOMATIC:
            return all_ns + rounds * self.dwell_ns
        return rounds * ((2 if self.way is Way.INVERSE else 1) * all_ns + self.dwell_ns)


def begun_at(order: Sequence[int], start: int) -> tuple[int, ...]:
    """Give an order as it runs when each scan begins at `start`, 0 for its first."""
    return (*order[start:], *order[:start])

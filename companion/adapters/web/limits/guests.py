"""One connection as the limits see it: from where, how far it has come, what it holds. Knows no protocol."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from companion.adapters.web.limits.bounds import OWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.web.limits.bounds import Bounds


class Phase(Enum):
    """How far a connection has come."""

    SILENT = "it said nothing"
    HEAD = "its request's headers did not end"
    BODY = "its request's body did not end"
    SERVED = "it is being answered"
    IDLE = "it may ask for more"
    TALKING = "it is a WebSocket"
    MESSAGE = "its message did not end"


FINISHED = (Phase.TALKING, Phase.SERVED)
"""Phases in which somebody uses the connection."""


def patience_ns(phase: Phase, bounds: Bounds) -> int | None:
    """Give how long a connection may stay in a phase; None: the limits do not end it."""
    return {
        Phase.SILENT: bounds.first_byte_ns,
        Phase.HEAD: bounds.head_ns,
        Phase.BODY: bounds.body_ns,
        Phase.MESSAGE: bounds.message_ns,
    }.get(phase)


def _nobody() -> bool:
    """Tell that no seat is played over this connection."""
    return False


def _nothing() -> int:
    return 0


def _nothing_to_end() -> None:
    """It has ended."""


@dataclass(slots=True, eq=False)
class Guest:
    """A connection. address: as it is counted. end: closes it at once. since_ns: the phase's beginning; heard_ns: when
    it last said something that was whole. held: bytes of it that are kept and not yet read.

    is_kept: asked before it is closed for another: a seated phone's and a referee's are not. unsent: asks how many
    bytes wait to be taken by it.
    """

    address: str
    end: Callable[[], None]
    since_ns: int
    heard_ns: int
    phase: Phase = Phase.SILENT
    held: int = 0
    is_kept: Callable[[], bool] = _nobody
    unsent: Callable[[], int] = _nothing
    stuck: tuple[int, int] | None = None
    """Bytes that waited at the last look at which some had been taken, and when that was; None where none wait."""

    @property
    def is_own(self) -> bool:
        """Tell whether it is of the box's own machine."""
        return self.address in OWN

    def forget(self) -> None:
        """Hold on to nobody: it has gone."""
        self.end, self.is_kept, self.unsent = _nothing_to_end, _nobody, _nothing

    def enter(self, phase: Phase, now_ns: int) -> None:
        """Note how far it has come."""
        if phase is not self.phase:
            self.phase, self.since_ns = phase, now_ns
        if phase in FINISHED:
            self.heard_ns = now_ns

    def is_overdue(self, now_ns: int, bounds: Bounds) -> bool:
        """Tell whether it has been patiently waited for in vain, or takes nothing of what it is sent."""
        patience = patience_ns(self.phase, bounds)
        if patience is not None and now_ns - self.since_ns > patience:
            return True
        return self._is_stuck(now_ns, bounds)

    def _is_stuck(self, now_ns: int, bounds: Bounds) -> bool:
        unsent = self.unsent()
        if not unsent:
            self.stuck = None
        elif self.stuck is None or unsent < self.stuck[0]:
            self.stuck = unsent, now_ns
        return self.stuck is not None and now_ns - self.stuck[1] > bounds.sending_ns

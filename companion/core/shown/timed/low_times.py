"""When everybody is to hear that little is left on a game's clock: once a match for each clock. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.timed.ticking import lowest

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.ruling.view import Clock


class LowTimes:
    """Follows the clocks of a match: they are asked for when its record has grown, and counted on by themselves."""

    def __init__(self) -> None:
        self._lines = -1
        self._clocks: tuple[Clock, ...] = ()
        self._told: set[tuple[str, str | None]] = set()
        self._now_ns = 0

    def advance(self, now_ns: int, lines: int, clocks: Callable[[], tuple[Clock, ...]]) -> bool:
        """Let time pass; tell whether little is left of a clock since. lines: of the record, so that a new one shows.

        clocks: gives them.
        """
        if lines != self._lines:
            self._lines, self._clocks = lines, clocks()
        found = [
            clock for clock in self._untold()
            if (low_ns := lowest((clock,), self._now_ns)) is not None and low_ns <= now_ns
        ]  # fmt: skip
        self._told |= {_name(clock) for clock in found}
        self._now_ns = max(self._now_ns, now_ns)
        return bool(found)

    def next_deadline(self) -> int | None:
        """Give the next instant at which little is left of a clock, None where none is to be told of."""
        return lowest(self._untold(), self._now_ns)

    def _untold(self) -> list[Clock]:
        return [clock for clock in self._clocks if clock.low_ns and _name(clock) not in self._told]


def _name(clock: Clock) -> tuple[str, str | None]:
    return clock.label, clock.seat

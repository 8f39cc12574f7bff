"""How much of the round's clock is left at an instant, from what the log says of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.tournament.event.times import instant_of

if TYPE_CHECKING:
    from datetime import datetime

    from companion.tournament.event.rounds import ClockNow


def left_ms(clock: ClockNow | None, now: datetime) -> int:
    """Give the milliseconds that are left, never below 0. now: wall time, with its zone. 0 where there is no clock.

    Of a clock whose line has no time that can be read, nothing has gone.
    """
    if clock is None:
        return 0
    left = clock.left_s * 1000
    then = instant_of(clock.wall) if clock.is_running else None
    if then is not None:
        left -= round((now - then).total_seconds() * 1000)
    return max(0, min(left, clock.left_s * 1000))


def left_s(clock: ClockNow | None, now: datetime) -> int:
    """Give the seconds that are left, a begun one counted whole."""
    return -(-left_ms(clock, now) // 1000)

"""What is left of the round's clock at an instant: the log says it for the moment of its line. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.tournament.wire import Clock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import ClockNow
    from companion.tournament.wire import ToBox


def left_ms(clock: ClockNow, now: datetime) -> int:
    """Give what is left of a clock. now: with its offset. A clock that was set back does not run backwards."""
    left = clock.left_s * 1000
    if not clock.is_running:
        return left
    return max(left - _passed_ms(clock.wall, now), 0)


def as_of(sends: Iterable[tuple[str, ToBox]], event: Event, now: datetime) -> list[tuple[str, ToBox]]:
    """Give what boxes are told, with the clock as it is now."""
    return [(box, _now(message, event, now) if isinstance(message, Clock) else message) for box, message in sends]


def _now(message: Clock, event: Event, now: datetime) -> Clock:
    clock = event.rounds[message.round - 1].clock if 0 < message.round <= len(event.rounds) else None
    return message if clock is None else replace(message, left_ms=left_ms(clock, now), is_running=clock.is_running)


def _passed_ms(wall: str | None, now: datetime) -> int:
    try:
        then = datetime.fromisoformat(wall or "")
    except ValueError:
        return 0
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(round((now - then).total_seconds() * 1000), 0)

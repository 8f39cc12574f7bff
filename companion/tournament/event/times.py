"""Times of an event, from what its log says: when a line was written, and by when a result is due to be final. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import TableState

LONG_AGO, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def instant_of(wall: str | None) -> datetime | None:
    """Give a line's time, with its zone (UTC where it names none); None where there is none that can be read."""
    try:
        found = datetime.fromisoformat(wall or "")
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def due_at(event: Event, table: TableState) -> datetime:
    """Give when an undisputed result is final though not everybody has signed: so many minutes after the newest line
    about it. A line whose time cannot be read counts as of long ago."""
    answers = [protest.answer.wall for protest in table.protests if protest.answer is not None]
    written = [instant_of(wall) or LONG_AGO for wall in (table.record.wall if table.record else None, *answers)]
    try:
        return max(written) + timedelta(minutes=event.line.deadline_minutes)
    except OverflowError:
        return NEVER

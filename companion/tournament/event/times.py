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
    about it, or as late as an answer says. A line whose time cannot be read counts as of long ago.

    After a protest that was upheld never: the result is wrong until somebody puts it right, which no clock does.
    """
    answers = [protest.answer for protest in table.protests if protest.answer is not None]
    if not all(answer.stands for answer in answers):
        return NEVER
    allowed = timedelta(minutes=event.line.deadline_minutes)
    written = [table.record.wall if table.record else None, *(answer.wall for answer in answers if not answer.until)]
    try:
        due = [(instant_of(wall) or LONG_AGO) + allowed for wall in written]
    except OverflowError:
        return NEVER
    return max([*due, *(instant_of(answer.until) or LONG_AGO for answer in answers if answer.until)])

"""Times for people, from exact nanoseconds. Pure."""

from __future__ import annotations

from companion.core.timing.events import SECOND

TENTH = SECOND // 10


def said(length_ns: int) -> str:
    """Say how long something took, in tenths of a second, none begun counted ("0:04.2", "1:02:00.0", "−0:03.1")."""
    sign, tenths = ("−" if length_ns < 0 else ""), abs(length_ns) // TENTH
    seconds, tenth = divmod(tenths, 10)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    whole = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return f"{sign}{whole}.{tenth}"

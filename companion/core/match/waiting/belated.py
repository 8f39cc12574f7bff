"""Presses that come when their race is long judged: made before its close, delivered after. Pure.

Such a press counts in no race: its own takes none any more, and the next is not what its player pressed for. It stands
in the record as a remark that tells its button and the time it would count from, so that a referee can still have it
played. When it was made is what its own stamp says for certain, although it does not count by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.lines import Close, Restart
from companion.core.record.told_presses import told_time

if TYPE_CHECKING:
    from companion.core.ruling.history import History
    from companion.core.timing.events import Press


def is_belated(history: History, press: Press) -> bool:
    """Tell whether a press was made before the newest close; the race of that close must have been judged.

    A stamp that is believed is never so old: all sources have given what they had by then, and a press that waited at
    the knob keeps its place.
    """
    own, closed_ns = press.disbelieved, _last_close(history)
    return own is not None and closed_ns is not None and own.t_ns + own.error_ns < closed_ns


def belated_says(press: Press) -> str:
    """Say it of a press, for the record."""
    when = told_time(press.t_ns, press.error_ns)
    return f"{press.line}: a press was made before the last race closed, and came after it was judged {when}"


def _last_close(history: History) -> int | None:
    """Give when the newest race that was closed took its last press, None where that cannot be compared."""
    for told in history.standing_backwards():
        if isinstance(told.line, Close):
            return told.line.t_ns
        if isinstance(told.line, Restart):
            return None
    return None

"""Presses that come when their race is long judged: made before its close, delivered after. Pure.

Such a press counts in no race: its own takes none any more, and the next is not what its player pressed for. It stands
in the record as a remark that tells its button and the time it would count from, so that a referee can still have it
played. When it was made is what its stamp says; where that is not believed, what it says for certain of itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.match.race_phases import Stage
from companion.core.record.lines import Close, Restart
from companion.core.record.told_presses import told_time

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.timing.events import Press

_JUDGED = (Stage.BETWEEN, Stage.EARLY, Stage.COLLECTING, Stage.REOPENED)
"""Where the newest close that stands is of a race that was judged."""


def is_belated(match: Match, press: Press) -> bool:
    """Tell whether a press was made before the newest close, and that race is judged."""
    claim = press.claim
    made_ns = press.t_ns if claim is None else min(press.t_ns, claim.t_ns + claim.error_ns)
    closed_ns = _last_close(match) if match.stage in _JUDGED else None
    return closed_ns is not None and made_ns <= closed_ns


def belated_says(press: Press) -> str:
    """Say it of a press, for the record."""
    when = told_time(press.t_ns, press.error_ns)
    return f"{press.line}: a press was made before the last race closed, and came after it was judged {when}"


def _last_close(match: Match) -> int | None:
    """Give when the newest race that was closed took its last press, None where that cannot be compared."""
    for told in match.history.standing_backwards():
        if isinstance(told.line, Close):
            return told.line.t_ns
        if isinstance(told.line, Restart):
            return None
    return None

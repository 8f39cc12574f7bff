"""A card that was turned and not entered before its race was judged: the race is judged again with it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.match.race_phases import Stage
from companion.core.ruling.replacing import Edit
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.ruling.replacing import Preview


def can_have_another(match: Match) -> bool:
    """Tell whether another card can still be said to belong to the race that was judged last."""
    return match.stage is Stage.BETWEEN and not match.early and match.history.newest_judging() is not None


def another_card(match: Match, card: str, t_ns: int, by: str) -> Preview:
    """Another card than the box knew lay there when the newest judged race began: judge it again with that one too.

    t_ns: when it was entered. by: who says so. Raises Illegal where no such race can have it; nothing has changed then.
    """
    judging = match.history.newest_judging()
    if judging is None or not can_have_another(match):
        raise Illegal(text("no race has been judged that another card could belong to"))
    lines = ({"type": "reveal", "card": card, "t_ns": t_ns}, {"type": "judge"})
    preview = match.replace([Edit(judging, lines)], "another card was turned", by)
    match.say(())
    return preview

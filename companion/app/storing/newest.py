"""The newest match of a box that is over, judged again. Part of `app`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.adapters.sqlite_journal import NothingStored, export_lines, list_matches
from companion.core.people.judged import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.people.judged import MatchFacts
    from companion.core.ruling.game import Game


def newest_over(folder: Path, find_game: Callable[[str], Game[Any]]) -> MatchFacts | None:
    """Give it; None where the newest is not over, or there is none. Raises CompanionError."""
    try:
        stored = list_matches(folder)
    except NothingStored:
        return None
    if not stored:
        return None
    newest = stored[-1]
    return facts_of(export_lines(folder, newest.id), newest.id, newest.started, find_game)

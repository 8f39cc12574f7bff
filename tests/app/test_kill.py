"""The whole box killed with SIGKILL in play, again and again: what was shown is kept, and play goes on where it was.

A few kills of what `make kills` does a thousand times.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.app.kills import GAMES, Played, Tally

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # starts processes

KILLS, MOST_KILLS = 7, 40
"""How many at least; and at most, where a slow machine has shown little before it was killed."""
OFTEN = {"finals that were shown": KILLS, "provisional presses that were shown for over 50 ms": KILLS}
SEEN = {"apache": {**OFTEN, "waiting presses that came back with the same time": 1}, "order": OFTEN}
"""What must have been put to the test, and how often."""


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_was_shown_as_final_and_no_press_that_waits_is_lost_by_a_kill(game: str, tmp_path: Path) -> None:
    tally = Tally()
    played = Played(game, tmp_path, random.Random(20), tally)
    for kills in range(1, MOST_KILLS + 1):
        played.kill_once()
        missing = [seen for seen, times in SEEN[game].items() if tally.counts[seen] < times]
        if kills >= KILLS and not missing:
            break
    assert tally.counts[f"kills in {game}"] == kills
    assert missing == []

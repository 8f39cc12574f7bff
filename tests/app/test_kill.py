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

KILLS = 7


@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_was_shown_as_final_and_no_press_that_waits_is_lost_by_a_kill(game: str, tmp_path: Path) -> None:
    tally = Tally()
    played = Played(game, tmp_path, random.Random(20), tally)
    for _ in range(KILLS):
        played.kill_once()
    assert tally.counts[f"kills in {game}"] == KILLS
    assert tally.counts["finals that were shown"] >= KILLS
    assert tally.counts["provisional presses that were shown for over 50 ms"] >= KILLS
    if game == "apache":
        assert tally.counts["waiting presses that came back with the same time"] > 0

"""A whole event in Chromium, everything real: the desk's program, its broker and store, boxes with journals and keys.

Five rounds of 23 players, seen by the organiser, the referee and a player's phone: see `tournament/cup.py` for what
happens. At the end its file is verified by the head that the last pairings have on them.
"""

from __future__ import annotations

from tests.browser.tournament.course import hold
from tests.browser.tournament.cup import opened


def test_an_event_of_23_players_is_held_in_the_browser_and_verified(tmp_path, new_context) -> None:
    with opened(tmp_path, new_context) as cup:
        for moment in hold(cup):
            print(moment)

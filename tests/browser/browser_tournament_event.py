"""A whole event in Chromium, everything real: the desk's program, its broker and store, boxes with journals and keys.

Five rounds of 23 players, seen by the organiser, the referee and a player's phone: see `tournament/cup.py` for what
happens, and `tournament/course.py` for what each of the three sees of it. At the end its file is verified by the head
that the last pairings have on them.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from tests.browser.box import COMPANION
from tests.browser.tournament.course import hold
from tests.browser.tournament.cup import opened
from tests.browser.tournament.named import LATE, LEAVES, ME, NAMES, ROUNDS, name_of
from tests.browser.tournament.papers import SIZES_MM, opened_paper

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.tournament.cup import Cup
    from tests.browser.tournament.papers import Paper

PAIRINGS, SHEETS, STANDINGS = ("Pairings by table", "Pairings by name"), "Table sheets", "Standings"


def test_an_event_of_23_players_is_held_in_the_browser_and_verified(tmp_path, new_context) -> None:
    with opened(tmp_path, new_context) as cup:
        pairings = None
        for moment in hold(cup):
            print(moment)
            if moment == "last drawn":
                pairings = last_pairings(cup)
        assert pairings is not None
        shown = cup.phone.standings()
        own_way(cup)
        explained(cup)
        final = prints(cup, STANDINGS)
        assert all(name in final.words for name in NAMES)
        cup.organiser.turn("end")
        file = cup.organiser.saved("#end a[download]", tmp_path / "EVENT.zip")
    assert len(shown) == len(NAMES)
    assert verified(file, pairings.head) == shown


def prints(cup: Cup, title: str) -> Paper:
    """Open a print on both papers; what stands on it is the same, but for the head of a log that goes on. Give that on
    A4."""
    papers = {paper: opened_paper(cup.organiser.printed(title, paper)) for paper in SIZES_MM}
    for name, found in papers.items():
        assert found.size_mm == SIZES_MM[name]
    a4, letter = (set(found.words.split()) for found in papers.values())
    assert {word for word in a4 ^ letter if not is_hash(word)} == set()
    return papers["A4"]


def is_hash(word: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{16,}", word) is not None


def last_pairings(cup: Cup) -> Paper:
    """Print the last round's pairings, and sheets for its tables."""
    seats = cup.seats()
    seated = {name_of(player) for players in seats.values() for player in players}
    for title in (*PAIRINGS, SHEETS):
        found = prints(cup, title)
        assert f"round {ROUNDS}:" in found.words
        assert all(name in found.words for name in seated), title
        assert name_of(LEAVES) not in found.words
    return prints(cup, PAIRINGS[0])


def own_way(cup: Cup) -> None:
    """The phone's own player has a page with each round; whoever came late or left has missed some."""
    phone = cup.phone
    phone.go(f"/player/{ME}")
    phone.counts(".way > li", ROUNDS)
    assert phone.page.inner_text("h1") == name_of(ME)
    assert phone.page.locator(".way-points").all_inner_texts() != []
    for player, missed in ((LATE, 1), (LEAVES, 2)):
        phone.go(f"/player/{player}")
        phone.counts(".way > li", ROUNDS)
        phone.counts(".way > li:has-text('Not there in this round')", missed)


def explained(cup: Cup) -> None:
    """Each number of the standings says how it came about."""
    phone = cup.phone
    phone.go("/standings")
    phone.page.click(f'button[aria-label="How the numbers of {name_of(ME)} came about"]')
    phone.sees("dialog[open]", f"{name_of(ME)}: how it came about")
    for number in range(phone.page.locator("dialog summary").count()):
        phone.page.locator("dialog summary").nth(number).click()
    says = phone.page.inner_text("dialog")
    assert "24 ×" in says
    phone.page.click("dialog .actions button")


def verified(file: Path, head: str) -> list[tuple[int, str, int]]:
    """Verify the event's file as anybody would; give the standings that this works out."""
    ran = subprocess.run(
        [str(COMPANION), "verify", str(file), "--head", head], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    assert f"authenticated: the head {head} is that of the log at line" in ran.stdout
    assert "broken" not in ran.stdout
    rows = re.findall(r"^ *(\d+)\. (.+?)(?: \(.*\))?, player \d+: (\d+) points$", ran.stdout, re.MULTILINE)
    return [(int(place), name, int(points)) for place, name, points in rows]

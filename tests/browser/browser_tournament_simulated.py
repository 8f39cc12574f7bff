"""`companion tournament --simulate` in Chromium: who looks on sees its tables play, its organiser's page, its end."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

from tests.browser.box import COMPANION
from tests.browser.tournament.people import Organiser, Phone
from tests.browser.tournament.programs import Program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import BrowserContext

BOXES, ROUNDS = 4, 2
FROM_A_RACE = "#tables-list .shown:not(:empty)"


def test_a_simulated_event_is_seen_from_its_first_race_to_its_last_place(
    tmp_path: Path, new_context: Callable[..., BrowserContext]
) -> None:
    folder = tmp_path / "event"
    program = Program([
        str(COMPANION), "tournament", str(folder), "--simulate", str(BOXES), "--rounds", str(ROUNDS), "--lan",
        "--web-port", "0", "--no-browser",
    ])  # fmt: skip
    try:
        url = program.says("begin here: ").rstrip("/")
        pin = (folder / "referee.pin").read_text(encoding="ascii").strip()
        organiser = Organiser(new_context(), url, f"/desk#pin={pin}")
        phone = Phone(new_context(viewport={"width": 390, "height": 844}), url, "/tables")
        organiser.turn("tables")
        phone.counts(".table-row", BOXES)
        phone.sees(".table-row .shown:not(:empty)")
        organiser.sees(FROM_A_RACE)
        program.says("the pages stay until Ctrl-C")
        places = [re.match(r" *(\d+)\. (.+): (\d+)$", line) for line in program.said]
        said = [(int(found[1]), found[2], int(found[3])) for found in places if found]
        assert len(said) == 4 * BOXES
        assert phone.standings() == said
        program.end(signal.SIGINT)
    finally:
        program.kill()

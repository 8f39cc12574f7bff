"""The event itself: who plays, what happens to them, and its programs and people brought together.

23 players in five rounds on six boxes. Number 23 comes late, and plays from round 2 on. In round 2 somebody protests,
and the ruling stands; in round 3 a box fails in the middle of a match; after it number 7 leaves; in round 4 somebody
protests, and the ruling does not stand; in round 5 the players of a table do not play on their box.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.browser.tournament.named import BOXES, EVENT, LOST, NAME, ROUNDS, SCRIPT
from tests.browser.tournament.people import Organiser, Phone, Referee
from tests.browser.tournament.programs import BoxProgram, DeskProgram, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext


@dataclass(frozen=True, slots=True)
class Cup:
    """All that runs, and the three who look at it. hall: of all boxes but the one that is lost, which has its own."""

    folder: Path
    desk: DeskProgram
    hall: BoxProgram
    doomed: BoxProgram
    organiser: Organiser
    referee: Referee
    phone: Phone

    def of(self, box: str) -> BoxProgram:
        """Give the program of a box."""
        return self.doomed if box == LOST else self.hall

    def table_of(self, box: str) -> int:
        """Give the table of the newest round that is played on a box."""
        rows = self.tables()["rows"]
        return next(int(row["table"]) for row in rows if row["box"] == box)

    def tables(self) -> Any:
        return self.phone.asks("/api/tables")

    def seats(self) -> dict[int, tuple[int, ...]]:
        """Give the players of each table of the newest round."""
        tables = self.phone.asks("/api/pairings")["tables"]
        return {one["table"]: tuple(seated["player"] for seated in one["players"]) for one in tables}


@contextmanager
def opened(folder: Path, new_context: Callable[..., BrowserContext]) -> Iterator[Cup]:
    """Start the desk and both halls, and open the three pages; nothing is entered yet.

    Where something fails, what each of the programs said and each page showed is told.
    """
    desk = DeskProgram(folder / "desk", event=EVENT, name=NAME, rounds=ROUNDS, boxes=len(BOXES) + 1)
    running: list[Program] = [desk]
    try:
        hall, doomed = BoxProgram(desk, SCRIPT), BoxProgram(desk, SCRIPT)
        running += [hall, doomed]
        cup = Cup(
            folder, desk, hall, doomed,
            Organiser(new_context(viewport={"width": 1280, "height": 800}), desk.url, "/desk"),
            Referee(new_context(viewport={"width": 1024, "height": 768}, has_touch=True), desk.url, "/referee"),
            Phone(
                new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True), desk.url, "/"
            ),
        )  # fmt: skip
        try:
            yield cup
        except BaseException:
            _tell(cup, running)
            raise
        hall.stop()
        doomed.kill()
        desk.stop()
    finally:
        for program in running:
            program.kill()


def _tell(cup: Cup, running: list[Program]) -> None:
    """Tell what can be known of a failure."""
    for program in running:
        print(f"--- {type(program).__name__} said:\n{''.join(program.said[-40:])}")
    for somebody in (cup.organiser, cup.referee, cup.phone):
        with suppress(Exception):
            says = somebody.page.inner_text("body", timeout=2_000)
            print(f"--- {type(somebody).__name__} at {somebody.page.url}, {somebody.page.problems}:\n{says}")

"""The event itself: who plays, what happens to them, and its programs and people brought together.

23 players in five rounds on six boxes. Number 23 comes late, and plays from round 2 on. In round 2 somebody protests,
and the ruling stands; in round 3 a box fails in the middle of a match; after it number 7 leaves; in round 4 somebody
protests, and the ruling does not stand; in round 5 the players of a table do not play on their box.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.browser.tournament.box_child import Script
from tests.browser.tournament.people import Organiser, Phone, Referee
from tests.browser.tournament.programs import BoxProgram, DeskProgram, Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import BrowserContext

EVENT, NAME = "spring-cup", "Spring Cup"
ROUNDS, MINUTES = 5, 30
BOXES = tuple(f"box-{number}" for number in range(1, 7))
SPARE = "box-7"
DOUBTED, LOST, WRONG, UNUSED = "box-2", "box-4", "box-5", "box-1"
"""Where somebody protests in round 2, which fails in round 3, where somebody protests in round 4, and the one on which
nobody plays in round 5."""
LATE, LEAVES, WALKS_BADLY, ME = 23, 7, 5, 12
"""Players by number; `WALKS_BADLY` always sits at table 1, and `ME` is whose phone it is."""
APART = (1, 2)
SCRIPT = Script(
    event=EVENT, seed="spring", players=23, protests=((DOUBTED, 2), (WRONG, 4)), fails=((LOST, 3),),
    absent=((UNUSED, 5),), replaces=((SPARE, 3),), waits=(1,),
)  # fmt: skip
NAMES = (
    "Ann Amsler", "Ben Brunner", "Chloé Challande", "Dario De Luca", "Eva Egger", "Flurin Fontana", "Gina Gerber",
    "Hugo Huber", "Iris Imhof", "Jan Jenni", "Kim Keller", "Lea Lüthi", "Max Meier", "Nora Näf", "Otto Oberli",
    "Pia Pfister", "Quirin Quadri", "Rosa Rossi", "Silvan Šuša", "Tim Tobler", "Ursina Ulrich", "Vera Vögeli",
    "Wanda Wyss",
)  # fmt: skip
CLUBS = ("Bern", "Chur", "Genève", "")


def name_of(player: int) -> str:
    return NAMES[player - 1]


def players_csv() -> bytes:
    """Give the entries as a spreadsheet saves them."""
    rows = [
        f"{name};{CLUBS[number % len(CLUBS)]};{1 if number == WALKS_BADLY else ''}"
        for number, name in enumerate(NAMES, start=1)
    ]
    return b"\xef\xbb\xbf" + "\r\n".join(["name;club;fixed", *rows, ""]).encode()


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
            print(f"--- {type(somebody).__name__} at {somebody.page.url}, {somebody.page.problems}:\n{says}")  # type: ignore[attr-defined]

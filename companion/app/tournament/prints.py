"""What can be printed of a running event, as PDF: the port `DeskPrints`. Part of `app`; drawn in a thread."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.screens.prints.facts import printed_round, printed_standings
from companion.screens.prints.pairings import by_name, by_table, table_sheets
from companion.screens.prints.paper import Fonts
from companion.screens.prints.standing_list import standing_list
from companion.threads.aside import aside

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from companion.app.tournament.driver import DeskDriver
    from companion.core.words.language import Language
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.standings.standings import Standing

FONTS = Path("/usr/share/fonts/truetype/dejavu")
"""Where Debian's `fonts-dejavu-core` has the font that knows nearly every name's letters."""
STANDINGS = "standings"
OF_A_ROUND: dict[str, tuple[str, Callable[..., bytes]]] = {
    "pairings-by-table": (text("Pairings by table"), by_table),
    "pairings-by-name": (text("Pairings by name"), by_name),
    "table-sheets": (text("Table sheets"), table_sheets),
}


class EventPrints:
    """Draws prints of an event. worked_out: gives its standings as they are."""

    def __init__(
        self, driver: DeskDriver, worked_out: Callable[[], Awaitable[tuple[Any, tuple[Standing, ...]]]]
    ) -> None:
        self._driver, self._worked_out = driver, worked_out

    async def all(self) -> list[Document]:
        """Give each with its key, title and round: those of the newest round first."""
        newest = await self._driver.look(lambda desk: len(desk.event.rounds))
        if not newest:
            return []
        found: list[Document] = [
            {"key": key, "title": title, "round": newest} for key, (title, _) in OF_A_ROUND.items()
        ]
        return [*found, {"key": STANDINGS, "title": text("Standings"), "round": None}]

    async def pdf(self, key: str, paper: str, number: int | None, language: Language) -> bytes:
        """Draw one. Raises Illegal, Unavailable."""
        size: Any = paper
        if key == STANDINGS:
            _, standing = await self._worked_out()
            told = await self._driver.look(lambda desk: printed_standings(desk.event, standing, desk.chain.head))
            return await aside(standing_list, told, size, language, fonts())
        if key not in OF_A_ROUND:
            raise Illegal(text("nothing is printed that is called {name}").format(name=key))
        printed = await self._driver.look(partial(_round, number))
        return await aside(OF_A_ROUND[key][1], printed, size, language, fonts())


def _round(number: int | None, desk: Desk) -> Any:
    return printed_round(desk.event, number or len(desk.event.rounds), desk.chain.head)


def fonts() -> Fonts | None:
    """Give the font's files, None where this machine does not have them."""
    upright, bold = FONTS / "DejaVuSans.ttf", FONTS / "DejaVuSans-Bold.ttf"
    return Fonts(str(upright), str(bold)) if upright.is_file() and bold.is_file() else None

"""The standings on paper, with every number that decided the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.texts import text
from companion.screens.prints.paper import GREY, MARGIN_MM, Paper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.words.language import Language
    from companion.core.words.texts import Text
    from companion.screens.prints.facts import StandingPrinted, StandingsPrinted
    from companion.screens.prints.paper import Fonts, Format

ROW_MM = 5.4
HEAD_MM = 9.0
PLACE_MM, POINTS_MM, VALUE_MM, ROUND_MM = 11.0, 14.0, 20.0, 8.5
LEAST_NAME_MM = 45.0


def tie_break_names() -> Mapping[str, Text]:
    """Give what each tie-break is called at the head of a column."""
    return {
        "points": text("points"),
        "wins": text("wins"),
        "cards": text("cards"),
        "opponents": text("opponents"),
        "punishments": text("punished"),
        "lots": text("lots"),
    }


def standing_list(printed: StandingsPrinted, size: Format, language: Language, fonts: Fonts | None = None) -> bytes:
    """Give the standings, best first; the points of rounds only where there is room. Raises Unavailable as `Paper`."""
    said = text("{event}: final standings") if printed.is_final else text("{event}: standings after {rounds} rounds")
    foot = text("log {head}").format(head=printed.head), text("values are means per round")
    paper = Paper(said.format(event=printed.event, rounds=printed.after), foot, size, language, fonts)
    columns = _Columns(paper, printed)
    paper.page()
    columns.head()
    for row in printed.rows:
        if not paper.has_room(ROW_MM):
            paper.page()
            columns.head()
        columns.row(row)
    return paper.done()


class _Columns:
    """How wide what is; the head, and rows below it."""

    def __init__(self, paper: Paper, printed: StandingsPrinted) -> None:
        self._paper, self._printed = paper, printed
        fixed = PLACE_MM + POINTS_MM + VALUE_MM * len(printed.tie_breaks)
        room = paper.width - fixed - LEAST_NAME_MM
        self._rounds = max(0, min(printed.after, int(room / ROUND_MM)))
        self._name = paper.width - fixed - self._rounds * ROUND_MM

    def head(self) -> None:
        """Write what each column is, on two lines by turns, so that long words have room."""
        paper, names = self._paper, tie_break_names()
        top = paper.pdf.get_y()
        paper.font(8, colour=GREY)
        x = MARGIN_MM + PLACE_MM
        paper.at(x, top)
        paper.cell(text("player"), self._name, 4)
        x += self._name
        titles = [*((str(number), ROUND_MM) for number in self._shown()), (text("sum"), POINTS_MM)]
        titles += [(names[one], VALUE_MM) for one in self._printed.tie_breaks]
        for title, width in titles:
            paper.at(x, top)
            paper.cell(title, width, 4, "R")
            x += width
        paper.at(MARGIN_MM, top + 5)
        paper.rule()

    def row(self, row: StandingPrinted) -> None:
        """Write a player's row."""
        paper = self._paper
        paper.font(10, is_bold=True)
        paper.cell(str(row.place), PLACE_MM, ROW_MM)
        paper.font(10)
        paper.cell(f"{row.name} · {row.club}" if row.club else row.name, self._name, ROW_MM)
        paper.font(8, colour=GREY)
        for number in self._shown():
            paper.cell(row.rounds[number - 1], ROUND_MM, ROW_MM, "R")
        paper.font(10, is_bold=True)
        paper.cell(str(row.points), POINTS_MM, ROW_MM, "R")
        paper.font(9)
        for value in row.values:
            paper.cell(value, VALUE_MM, ROW_MM, "R")
        paper.pdf.ln()

    def _shown(self) -> range:
        """Give the numbers of the rounds that are shown: the newest, as many as there is room for."""
        return range(self._printed.after - self._rounds + 1, self._printed.after + 1)

"""Pairings on paper: by table for the wall, by name for whoever asks where to sit, and a sheet for each table."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from companion.core.words.texts import text
from companion.screens.prints.paper import GREY, MARGIN_MM, Paper
from companion.tournament.verifying.verifying import FEWEST_DIGITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core.words.language import Language
    from companion.core.words.texts import Text
    from companion.screens.prints.facts import RoundPrinted, Sitter, TablePrinted
    from companion.screens.prints.paper import Fonts, Format

ROW_MM = 6.0
GAP_MM = 6.0
SHEETS_A_PAGE = 2


def by_table(printed: RoundPrinted, size: Format, language: Language, fonts: Fonts | None = None) -> bytes:
    """Give the pairings in the order of the tables. Raises Unavailable as `Paper`."""
    title = text("{event}, round {round}: pairings by table").format(event=printed.event, round=printed.number)
    paper = Paper(title, _foot(printed), size, language, fonts)
    paper.page()
    for table in printed.tables:
        if not paper.has_room(ROW_MM * len(table.sitters) + 2):
            paper.page()
        _table(paper, table)
    _byes(paper, printed)
    return paper.done()


def _table(paper: Paper, table: TablePrinted) -> None:
    top = paper.pdf.get_y() + 1
    paper.at(MARGIN_MM, top)
    paper.font(20, is_bold=True)
    paper.cell(str(table.number), 24, ROW_MM * len(table.sitters), "C")
    for row, sitter in enumerate(table.sitters):
        paper.at(MARGIN_MM + 26, top + row * ROW_MM)
        paper.font(9, colour=GREY)
        paper.cell(str(sitter.seat), 8, ROW_MM, "R")
        paper.font(11)
        paper.cell(sitter.name, 90, ROW_MM)
        paper.font(9, colour=GREY)
        paper.cell(sitter.club, paper.width - 124, ROW_MM)
    paper.at(MARGIN_MM, top + ROW_MM * len(table.sitters) + 1)
    paper.rule()


def _byes(paper: Paper, printed: RoundPrinted) -> None:
    for sitter in printed.byes:
        if not paper.has_room(ROW_MM):
            paper.page()
        paper.line(text("Without a table: {name}").format(name=sitter.name), 11)


def by_name(printed: RoundPrinted, size: Format, language: Language, fonts: Fonts | None = None) -> bytes:
    """Give the pairings in the order of names, in two columns, with everybody's table. Raises Unavailable."""
    title = text("{event}, round {round}: where do I sit?").format(event=printed.event, round=printed.number)
    paper = Paper(title, _foot(printed), size, language, fonts)
    rows = iter(sorted(_seats(printed), key=lambda one: (one[0].name.casefold(), one[0].player)))
    paper.page()
    top = paper.pdf.get_y()
    a_column = int((paper.bottom - top) / ROW_MM)
    width = (paper.width - GAP_MM) / 2
    column = 0
    while those := list(islice(rows, a_column)):
        if column == 2:
            paper.page()
            column = 0
        _column(paper, those, MARGIN_MM + column * (width + GAP_MM), top, width)
        column += 1
    return paper.done()


def _column(paper: Paper, those: Sequence[tuple[Sitter, int]], x: float, top: float, width: float) -> None:
    for row, (sitter, table) in enumerate(those):
        paper.at(x, top + row * ROW_MM)
        paper.font(10)
        paper.cell(sitter.name, width * 0.62, ROW_MM)
        paper.font(8, colour=GREY)
        paper.cell(sitter.club, width * 0.22, ROW_MM)
        paper.font(12, is_bold=True)
        paper.cell(str(table) if table else text("bye"), width * 0.16, ROW_MM, "R")


def _seats(printed: RoundPrinted) -> Iterator[tuple[Sitter, int]]:
    for table in printed.tables:
        yield from ((sitter, table.number) for sitter in table.sitters)
    yield from ((sitter, 0) for sitter in printed.byes)


def table_sheets(printed: RoundPrinted, size: Format, language: Language, fonts: Fonts | None = None) -> bytes:
    """Give a sheet for each table, two on a page: to be filled in and signed where a box fails. Raises Unavailable."""
    title = text("{event}, round {round}: table sheets").format(event=printed.event, round=printed.number)
    paper = Paper(title, _foot(printed), size, language, fonts)
    for count, table in enumerate(printed.tables):
        place = count % SHEETS_A_PAGE
        if place == 0:
            paper.page()
            paper.at(MARGIN_MM, MARGIN_MM + 12)
        else:
            paper.at(MARGIN_MM, paper.pdf.h / 2)
            paper.rule()
            paper.at(MARGIN_MM, paper.pdf.h / 2 + 6)
        _sheet(paper, table)
    return paper.done()


def _sheet(paper: Paper, table: TablePrinted) -> None:
    paper.line(text("Table {table}").format(table=table.number), 24, is_bold=True)
    paper.pdf.ln(3)
    widths = (10.0, 62.0, 22.0, 22.0, paper.width - 116.0)
    paper.font(8, colour=GREY)
    for said, width in zip(_heads(), widths, strict=True):
        paper.cell(said, width, 6)
    paper.pdf.ln()
    for sitter in table.sitters:
        _boxes(paper, widths, 12.0)
        paper.font(12)
        for filled, width in zip((str(sitter.seat), sitter.name), widths, strict=False):
            paper.cell(filled, width, 12)
        paper.pdf.ln()
    paper.pdf.ln(2)
    paper.line(text("Place 1 is the best; who tied has the same place (1, 2, 2, 4). Referee, reason:"), 8, colour=GREY)


def _heads() -> tuple[Text, ...]:
    return text("seat"), text("player"), text("place"), text("cards"), text("signature")


def _boxes(paper: Paper, widths: Sequence[float], height: float) -> None:
    x, y = MARGIN_MM, paper.pdf.get_y()
    paper.pdf.set_draw_color(GREY)
    paper.pdf.set_line_width(0.2)
    for width in widths:
        paper.pdf.rect(x, y, width, height)
        x += width


def _foot(printed: RoundPrinted) -> tuple[str, str]:
    """Say what vouches for the print: whoever keeps it can check the event's file by it. The whole head is there; in
    the command as much of it as is needed."""
    if printed.changed:
        said = text("changed by hand; pairings {sheet}, log {head}")
    else:
        said = text("pairings {sheet}, log {head}")
    command = f"companion verify {printed.id}.zip --head {printed.head[:FEWEST_DIGITS]}"
    return said.format(sheet=printed.sheet[:16], head=printed.head), command

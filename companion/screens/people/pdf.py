"""A sheet as PDF, on A4. Pure but for fpdf2, which a box's package leaves out: the page prints the same.

The page has Helvetica, as every reader does, and so the letters of Latin-1; others are put into the nearest of them.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.core.words.texts import text
from companion.screens.strip.pdf import latin

if TYPE_CHECKING:
    import fpdf

    from companion.screens.people.sheet import Sheet, Table

MISSING = text(
    "This box makes no PDF, because fpdf2 is not installed on it: print this page, or save it as PDF from there."
)
_SIGNS = {"★": "*", "✓": "+"}
_WIDE = 40
"""Characters of a column's longest cell beyond which it gets no more room: the text goes on below."""


def why_no_pdf() -> str | None:
    """Say why there is no PDF, None where there is."""
    return None if find_spec("fpdf") is not None else MISSING


def sheet_pdf(sheet: Sheet, language: str = "en") -> bytes:
    """Write a sheet, in whose words it is; language: their code. Raises Unavailable where fpdf2 is not installed."""
    try:
        from fpdf import FPDF  # noqa: PLC0415 - boxes have no need of it, and their package leaves it out
    except ImportError as error:
        raise Unavailable(MISSING) from error
    page = FPDF(unit="pt", format="A4")
    page.set_auto_page_break(auto=True, margin=40)
    page.set_margins(40, 40)
    page.set_title(_latin(sheet.title))
    page.set_lang(language)
    page.add_page()
    _text(page, sheet.title, 18, "B")
    for sentence in sheet.about:
        _text(page, sentence, 10)
    for table in sheet.tables:
        if table.rows:
            _table(page, table)
    page.ln(10)
    for note in sheet.notes:
        _text(page, note, 8)
    return bytes(page.output())


def _text(page: fpdf.FPDF, text: str, size: float, style: str = "") -> None:
    page.set_font("Helvetica", style, size)
    page.multi_cell(0, size * 1.35, _latin(text), align="L", new_x="LMARGIN", new_y="NEXT")


def _table(page: fpdf.FPDF, table: Table) -> None:
    page.ln(12)
    _text(page, table.title, 13, "B")
    if table.how:
        _text(page, table.how, 8)
    page.set_font("Helvetica", "", 9)
    with page.table(
        col_widths=_widths(table), text_align="LEFT", line_height=13, borders_layout="HORIZONTAL_LINES", padding=1
    ) as drawn:
        for texts in (table.head, *([cell.text for cell in row] for row in table.rows)):
            row = drawn.row()
            for text in texts:
                row.cell(_latin(text))


def _widths(table: Table) -> tuple[int, ...]:
    """Give how wide each column is against the others: as its longest text, within bounds."""
    columns = zip(table.head, *([cell.text for cell in row] for row in table.rows), strict=True)
    return tuple(min(_WIDE * 2, max(6, *map(len, column))) for column in columns)


def _latin(text: str) -> str:
    return latin("".join(_SIGNS.get(character, character) for character in text))

"""Writes labels as PDF, for a printer at 100 %: one filled path for a symbol, the code in clear, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unavailable
from companion.screens.labels.layout import layout
from companion.screens.labels.outline import outlines
from companion.screens.labels.sheets import INCH
from companion.screens.labels.symbols import LIBRARIES, Kind, symbol
from companion.screens.strip.pdf import latin

if TYPE_CHECKING:
    from collections.abc import Sequence

    import fpdf

    from companion.screens.labels.layout import Area
    from companion.screens.labels.sheets import Sheet
    from companion.screens.labels.symbols import Symbol

LINE = 0.8
"""Of a line's height: its letters."""
LARGEST_PT, LEAST_PT = 11.0, 4.0
WORDS_FONT, CODE_FONT = "Helvetica", "Courier"
"""Two of the fonts that every reader of PDF has. In Courier a 0 is no O and a 1 no l."""


class Label(NamedTuple):
    """What is printed on one label: a code of printable ASCII, and the words for people."""

    code: str
    words: str


def labels_pdf(
    labels: Sequence[Label], title: str, on: Sheet, kind: Kind = Kind.QR, skip: int = 0
) -> tuple[bytes, int]:  # fmt: skip
    """Write labels, leaving the first `skip` of the first sheet free; give the document and the number of its pages.

    Raises Unavailable where a library is missing.
    """
    try:
        from fpdf import FPDF  # noqa: PLC0415 - boxes have no need of it, and their package leaves it out
    except ImportError as error:
        raise Unavailable(f"fpdf2 is missing: {LIBRARIES}") from error
    pdf = FPDF(unit="mm", format=on.page)
    pdf.set_auto_page_break(auto=False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    pdf.set_title(latin(title))
    pdf.add_page()
    for number, label in enumerate(labels, start=skip):
        if number and number % on.holds == 0:
            pdf.add_page()
        _draw(pdf, on.place(number % on.holds), on.label, label, kind)
    return bytes(pdf.output()), int(pdf.pages_count)


def _draw(
    pdf: fpdf.FPDF, at: tuple[float, float], size: tuple[float, float], label: Label, kind: Kind
) -> None:  # fmt: skip
    drawn = symbol(label.code, kind)
    parts = layout(drawn, size)
    _fill(pdf, drawn, _moved(parts.symbol, at))
    _line(pdf, CODE_FONT, label.code, _moved(parts.code, at), is_left=parts.is_beside)
    _line(pdf, WORDS_FONT, latin(label.words), _moved(parts.words, at), is_left=parts.is_beside)


def _moved(area: Area, at: tuple[float, float]) -> Area:
    return area._replace(left=area.left + at[0], top=area.top + at[1])


def _fill(pdf: fpdf.FPDF, drawn: Symbol, area: Area) -> None:
    """Fill all that is dark at once (`outline.py` says why)."""
    across, down = area.width / len(drawn.modules[0]), area.height / len(drawn.modules)
    with pdf.new_path() as path:
        path.style.fill_color = "#000000"
        path.style.stroke_color = None
        path.style.auto_close = True
        for corners in outlines(drawn.modules):
            points = [(area.left + x * across, area.top + y * down) for x, y in corners]
            path.move_to(*points[0])
            for point in points[1:]:
                path.line_to(*point)
            path.close()


def _line(pdf: fpdf.FPDF, font: str, text: str, area: Area, *, is_left: bool) -> None:
    """Write one line as large as its area, smaller where it is too long.

    Words are cut where they would be too small to read; a code never is, as somebody may have to type it.
    """
    points = min(LARGEST_PT, area.height * LINE / INCH * 72)
    pdf.set_font(font, size=points)
    if (wide := pdf.get_string_width(text)) > area.width:
        least = LEAST_PT if font == WORDS_FONT else 0
        pdf.set_font(font, size=max(least, points * area.width / wide))
    shown = text
    for kept in range(len(text) - 1, 0, -1):
        if pdf.get_string_width(shown) <= area.width + 0.01:
            break
        shown = f"{text[:kept]}.."
    pdf.set_xy(area.left, area.top)
    pdf.cell(area.width, area.height, shown, align="L" if is_left else "C")

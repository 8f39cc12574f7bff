"""Pages of paper: a title on top, who may check it at the foot, numbers of pages. Pure but for fpdf2.

Letters are those of DejaVu Sans where the desk has it, which knows nearly every name's; else Helvetica, which every
reader of PDF has, and then letters that Latin-1 lacks are put into the nearest of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.core.errors import Unavailable
from companion.core.words.texts import in_language, text
from companion.screens.strip.pdf import latin

if TYPE_CHECKING:
    from collections.abc import Sequence

    import fpdf

    from companion.core.words.language import Language

Format = Literal["A4", "Letter"]
MISSING = "fpdf2 is missing: pip install 'table-companion[desk]'"
MARGIN_MM = 14.0
FOOT_MM = 16.0
INK, GREY = "#000000", "#555555"
FAMILY = "names"
PAGES = "{nb}"
"""What fpdf2 replaces by how many pages there are."""


class Fonts(NamedTuple):
    """Files of a font that has the letters of names: upright and bold."""

    upright: str
    bold: str


class Paper:
    """A document that grows line by line. Sizes are in points, places and widths in millimetres."""

    def __init__(
        self, title: str, foot: Sequence[str], size: Format, language: Language, fonts: Fonts | None = None
    ) -> None:
        """title: on every page. foot: at most two lines below it, with the page's number. fonts: None for Helvetica.

        Raises Unavailable where fpdf2 is not installed, or a font cannot be read.
        """
        self._says, self._is_latin = language, fonts is None
        self.title, self._foot = title, foot
        self.pdf = _document(size, fonts)
        self.pdf.set_title(self.words(title))
        self.pdf.set_lang(language.code)
        self._family = FAMILY if fonts else "Helvetica"

    @property
    def width(self) -> float:
        """Between the margins."""
        return float(self.pdf.epw)

    @property
    def bottom(self) -> float:
        """How far down there is room."""
        return float(self.pdf.h) - FOOT_MM

    def words(self, said: str) -> str:
        """Give a text in the document's language and letters."""
        told = str(in_language(said, self._says))
        return latin(told) if self._is_latin else told

    def page(self) -> None:
        """Begin a page, with the title on top."""
        self.pdf.add_page()
        self._write_foot()
        self.at(MARGIN_MM, MARGIN_MM)
        self.line(self.title, 15, is_bold=True)
        self.pdf.ln(2)

    def at(self, x: float, y: float) -> None:
        """Go on at a place, from the page's left upper corner."""
        self.pdf.set_xy(x, y)

    def font(self, size: float, *, is_bold: bool = False, colour: str = INK) -> None:
        """Write like this from here on."""
        self.pdf.set_font(self._family, "B" if is_bold else "", size)
        self.pdf.set_text_color(colour)

    def line(self, said: str, size: float, *, is_bold: bool = False, colour: str = INK) -> None:
        """Write one line across the page, cut where it is too long."""
        self.font(size, is_bold=is_bold, colour=colour)
        self.cell(said, self.width, size * 0.5)
        self.pdf.ln()

    def cell(self, said: str, width: float, height: float, align: Literal["L", "C", "R"] = "L") -> None:
        """Write into a cell from here to the right; what is too long for it ends with dots."""
        self.pdf.cell(width, height, self._fitting(self.words(said), width - 2 * self.pdf.c_margin), align=align)

    def has_room(self, height: float) -> bool:
        """Tell whether so much more fits on the page."""
        return float(self.pdf.get_y()) + height <= self.bottom

    def rule(self) -> None:
        """Draw a thin line across the page, here."""
        self.pdf.set_draw_color(GREY)
        self.pdf.set_line_width(0.15)
        y = self.pdf.get_y()
        self.pdf.line(MARGIN_MM, y, MARGIN_MM + self.width, y)

    def done(self) -> bytes:
        """Give the document."""
        return bytes(self.pdf.output())

    def _write_foot(self) -> None:
        """Write the page's foot; fpdf2 puts the number of pages into its place at the end."""
        self.font(7, colour=GREY)
        for row, said in reversed(list(enumerate(self._foot))):
            self.at(MARGIN_MM, float(self.pdf.h) - FOOT_MM + 3 + 4 * row)
            self.cell(said, self.width - 25, 4)
        told = text("page {page} of {pages}").format(page=self.pdf.page, pages=PAGES)
        self.pdf.cell(25, 4, self.words(told), align="R")

    def _fitting(self, said: str, width: float) -> str:
        """Give as much of a text as there is room for."""
        if self.pdf.get_string_width(said) <= width:
            return said
        dots = ".." if self._is_latin else "…"
        kept = said
        while kept and self.pdf.get_string_width(kept + dots) > width:
            kept = kept[:-1]
        return kept + dots


def _document(size: Format, fonts: Fonts | None) -> fpdf.FPDF:
    try:
        from fpdf import FPDF  # noqa: PLC0415 - only a desk has it
    except ImportError as error:
        raise Unavailable(MISSING) from error
    pdf = FPDF(unit="mm", format=size)
    pdf.set_auto_page_break(auto=False)
    pdf.set_margins(MARGIN_MM, MARGIN_MM)
    if fonts is not None:
        try:
            pdf.add_font(FAMILY, "", fonts.upright)
            pdf.add_font(FAMILY, "B", fonts.bold)
        except (OSError, ValueError) as error:
            raise Unavailable(f"{fonts.upright} cannot be used as a font: {error}") from error
    return pdf

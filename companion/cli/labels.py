"""Label sheets for a deck: a QR code and the card's name in clear on each, as PDF for a printer at 100 %."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.options import Number, checked
from companion.config.deck_file import printed_deck, read_deck
from companion.config.languages import ENGLISH
from companion.config.languages import language as language_of
from companion.config.toml_file import WrongOption, did_you_mean
from companion.core.errors import Unavailable
from companion.core.ruling.looks import card_says
from companion.core.words.texts import in_language, text
from companion.files.reading import write_output
from companion.games import registry
from companion.screens.strip.pdf import latin

if TYPE_CHECKING:
    from collections.abc import Mapping

    import fpdf

    from companion.config.deck_file import Deck
    from companion.core.words.language import Language

INCH = 25.4
QUIET = 4
"""Modules of white that a QR code needs around it (ISO/IEC 18004)."""
TEXT_SHARE = 0.26
"""Of a label's height: the name's line beneath the code."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of labels; lengths in mm. pitch: from one label's left (top) edge to the next one's."""

    name: str
    page: tuple[float, float]
    columns: int
    rows: int
    label: tuple[float, float]
    margin: tuple[float, float]
    pitch: tuple[float, float]


SHEETS: dict[str, Sheet] = {
    sheet.name: sheet
    for sheet in (
        Sheet("a4-65", (210, 297), 5, 13, (38.1, 21.2), (4.75, 10.7), (40.6, 21.2)),
        Sheet("a4-24", (210, 297), 3, 8, (70.0, 37.0), (0.0, 0.5), (70.0, 37.0)),
        Sheet("a4-189", (210, 297), 7, 27, (25.4, 10.0), (8.5, 13.5), (27.9, 10.0)),
        Sheet("letter-30", (215.9, 279.4), 3, 10, (66.675, INCH), (4.7625, 12.7), (69.85, INCH)),
        Sheet("letter-80", (215.9, 279.4), 4, 20, (44.45, 12.7), (7.14, 12.7), (52.07, 12.7)),
    )
}
"""Common sizes, named by paper and labels on a sheet (a4-65: 38.1 x 21.2 mm; letter-30: 1 x 2 5/8 in; …)."""


@click.command("labels")
@click.argument("out", metavar="OUT.pdf", type=click.Path(path_type=Path))
@click.option(
    "--sheet", "paper", default="a4-65", show_default=True, help="Paper and labels on it; a wrong one lists them all."
)
@click.option("--skip", type=Number(0, 10_000), default=0, help="Labels used already on the first sheet.")
@click.option("--game", default=registry.first, show_default=True, help="Whose cards.")
@click.option("--deck", "deck_file", type=click.Path(path_type=Path), help="Codes of a deck's file instead of our own.")
@click.option("--language", metavar="CODE", default=ENGLISH, help="Of the names: en, de, fr, it.")
def command(out: Path, paper: str, skip: int, game: str, deck_file: Path | None, language: str) -> None:
    """Write label sheets for all cards: a QR code each, and the card's name."""
    on, spoken = checked(lambda: sheet(paper)), language_of(language)
    cards = read_deck(deck_file) if deck_file is not None else printed_deck(game)
    title = in_language(text("Cards of {game}").format(game=cards.game), spoken)
    pages = write_labels(out, names_on(cards, spoken), title, on, skip)
    click.echo(f"{len(cards.codes)} labels on {pages} pages of {on.name}; print at 100 %, not fitted to the page")


def names_on(cards: Deck, language: Language) -> dict[str, str]:
    """Give what stands beneath each code: the card's name in a language."""
    deck = registry.find(cards.game).deck
    return {code: in_language(card_says(deck, name), language) for code, name in cards.codes.items()}


def sheet(name: str) -> Sheet:
    """Give a sheet by its name. Raises WrongOption."""
    found = SHEETS.get(name)
    if found is None:
        raise WrongOption(f"--sheet {name}: there is no such sheet; {did_you_mean(name, SHEETS)}")
    return found


def write_labels(path: Path, codes: Mapping[str, str], title: str, on: Sheet, skip: int = 0) -> int:
    """Write labels, each a code and what stands beneath it, leaving the first `skip` of the first sheet free.

    Gives the number of pages.

    Raises:
        Unavailable: fpdf2 is not installed, or the file cannot be written.
    """
    try:
        from fpdf import FPDF
    except ImportError as error:
        raise Unavailable("fpdf2 is missing: pip install 'table-companion[cards]'") from error
    pdf = FPDF(unit="mm", format=on.page)
    pdf.set_auto_page_break(auto=False)
    pdf.set_margin(0)
    pdf.set_title(latin(title))
    per_page = on.columns * on.rows
    pdf.add_page()
    for number, (code, card) in enumerate(codes.items(), start=skip):
        if number and number % per_page == 0:
            pdf.add_page()
        row, column = divmod(number % per_page, on.columns)
        left = on.margin[0] + column * on.pitch[0]
        top = on.margin[1] + row * on.pitch[1]
        _draw(pdf, (left, top), on.label, code, latin(card))
    write_output(path, bytes(pdf.output()))
    return int(pdf.pages_count)


def _draw(pdf: fpdf.FPDF, at: tuple[float, float], size: tuple[float, float], code: str, card: str) -> None:
    """Draw one label: the code above (or, on flat labels, beside) the name."""
    left, top = at
    width, height = size
    is_flat = width > 2 * height
    side = height * 0.96 if is_flat else height * (1 - TEXT_SHARE)
    _qr(pdf, left + (0 if is_flat else (width - side) / 2), top + (height - side) / 2 * is_flat, side, code)
    room = width - side - 1.5 if is_flat else width - 1.0
    _name(pdf, (left + side + 0.5 if is_flat else left + 0.5), top, room, height, side, card, is_flat=is_flat)


def _name(
    pdf: fpdf.FPDF, left: float, top: float, room: float, height: float, side: float, card: str, *, is_flat: bool
) -> None:  # fmt: skip
    points = min(11.0, (height if is_flat else height * TEXT_SHARE) / INCH * 72 * (0.3 if is_flat else 0.75))
    pdf.set_font("Helvetica", size=points)
    while pdf.get_string_width(card) > room and points > 4:
        points -= 0.25
        pdf.set_font("Helvetica", size=points)
    line = points / 72 * INCH
    pdf.set_xy(left, top + (height - line) / 2 if is_flat else top + side)
    pdf.cell(room, line, card, align="L" if is_flat else "C")


def _qr(pdf: fpdf.FPDF, left: float, top: float, side: float, code: str) -> None:
    """Draw the code's modules as rectangles, runs of them at once: sharp at any resolution."""
    import segno

    matrix = segno.make_qr(code, error="m").matrix
    module = side / (len(matrix) + 2 * QUIET)
    pdf.set_fill_color(0)
    for row, bits in enumerate(matrix):
        start = None
        for column, bit in enumerate([*bits, 0]):
            if bit and start is None:
                start = column
            elif not bit and start is not None:
                x, y = left + (QUIET + start) * module, top + (QUIET + row) * module
                pdf.rect(x, y, (column - start) * module, module, style="F")
                start = None

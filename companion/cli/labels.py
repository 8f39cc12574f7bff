"""Label sheets for a deck: a code for scanners, the same in clear and the card's name on each, as PDF."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cli.options import Number, checked
from companion.config.deck_file import printed_deck, read_deck
from companion.config.languages import ENGLISH
from companion.config.languages import language as language_of
from companion.config.toml_file import WrongOption, did_you_mean
from companion.core.ruling.looks import card_says
from companion.core.words.texts import in_language, text
from companion.files.reading import write_output
from companion.games import registry
from companion.screens.labels.layout import is_readable
from companion.screens.labels.pdf import Label, labels_pdf
from companion.screens.labels.sheets import SHEETS, Sheet
from companion.screens.labels.symbols import Kind, symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.config.deck_file import Deck
    from companion.core.words.language import Language


class Printing(NamedTuple):
    """How labels are printed. skip: how many of the first sheet are left free."""

    on: Sheet
    kind: Kind = Kind.QR
    skip: int = 0


def sheet_options(paper: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options by which it is said how labels are printed, as its `printing`.

    paper: the sheet where none is named.
    """

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--sheet",
            "paper",
            default=paper,
            show_default=True,
            help="Paper and labels on it; a wrong one lists them all.",
        )
        @click.option(
            "--symbol",
            type=click.Choice([str(kind) for kind in Kind]),
            default=str(Kind.QR),
            show_default=True,
            help="What the code is printed as.",
        )
        @click.option("--skip", type=Number(0, 10_000), help="Labels used already on the first sheet, row by row.")
        @click.option(
            "--at", metavar="ROW,COLUMN", help="Begin at this label of the first sheet; 1,1 is at its top left."
        )
        @functools.wraps(function)
        def with_printing(*, paper: str, symbol: str, skip: int | None, at: str | None, **others: Any) -> Any:
            on = checked(lambda: sheet(paper))
            return function(printing=Printing(on, Kind(symbol), checked(lambda: used(on, skip, at))), **others)

        return with_printing

    return wrap


@click.command("labels")
@click.argument("out", metavar="OUT.pdf", type=click.Path(path_type=Path))
@sheet_options("a4-65")
@click.option("--only", metavar="CARD", multiple=True, help="Only this card, by its code or name; may be given again.")
@click.option("--game", default=registry.first, show_default=True, help="Whose cards.")
@click.option("--deck", "deck_file", type=click.Path(path_type=Path), help="Codes of a deck's file instead of our own.")
@click.option("--language", metavar="CODE", default=ENGLISH, help="Of the names: en, de, fr, it.")
def command(
    out: Path, printing: Printing, only: tuple[str, ...], game: str, deck_file: Path | None, language: str
) -> None:  # fmt: skip
    """Write label sheets for all cards: a code for scanners, the same in clear, and the card's name.

    A lost label is printed again by --only, and on a sheet that was begun by --at.
    """
    spoken = language_of(language)
    cards = read_deck(deck_file) if deck_file is not None else printed_deck(game)
    codes = checked(lambda: chosen(cards, only, spoken))
    title = in_language(text("Cards of {game}").format(game=cards.game), spoken)
    pages = checked(lambda: write_labels(out, names_on(cards, codes, spoken), title, printing))
    click.echo(f"{printed(len(codes), pages, printing.on)}; print at 100 %, not fitted to the page")


def names_on(cards: Deck, codes: Iterable[str], language: Language) -> list[Label]:
    """Give what stands on the labels of these codes: each with the card's name in a language."""
    deck = registry.find(cards.game).deck
    return [Label(code, in_language(card_says(deck, cards.codes[code]), language)) for code in codes]


def chosen(cards: Deck, only: Sequence[str], language: Language) -> list[str]:
    """Give the codes of the cards that are named by code or name; of all where none is. Raises WrongOption."""
    if not only:
        return list(cards.codes)
    named: dict[str, list[str]] = {}
    for label in names_on(cards, cards.codes, language):
        for name in {label.code, cards.codes[label.code], label.words}:
            named.setdefault(name.casefold(), []).append(label.code)
    found: list[str] = []
    for one in only:
        if (codes := named.get(one.casefold())) is None:
            such_as = next(iter(cards.codes), "none yet")
            raise WrongOption(
                f"--only {one}: no card of {cards.game} has this code (such as {such_as}) or name;"
                f" {did_you_mean(one, sorted(set(cards.codes.values())))}"
            )
        found += codes
    return list(dict.fromkeys(found))


def sheet(name: str) -> Sheet:
    """Give a sheet by its name. Raises WrongOption."""
    found = SHEETS.get(name)
    if found is None:
        raise WrongOption(f"--sheet {name}: there is no such sheet; {did_you_mean(name, SHEETS)}")
    return found


def used(on: Sheet, skip: int | None, at: str | None) -> int:
    """Give how many labels of the first sheet are left free. at: row and column of the first. Raises WrongOption."""
    if at is None:
        if (skip or 0) >= on.holds:
            raise WrongOption(
                f"--skip {skip}: a sheet {on.name} has {on.holds} labels;"
                f" of a begun one, at most {on.holds - 1} are used"
            )
        return skip or 0
    if skip is not None:
        raise WrongOption("--at and --skip say the same: give one of them")
    place = re.fullmatch(r"([1-9][0-9]{0,3}),([1-9][0-9]{0,3})", at)
    if place is None:
        raise WrongOption(f"--at {at[:40]}: must be the row and the column of a label, such as 3,2")
    row, column = int(place[1]), int(place[2])
    if row > on.rows or column > on.columns:
        raise WrongOption(f"--at {at}: a sheet {on.name} has {on.rows} rows of {on.columns} labels")
    return (row - 1) * on.columns + column - 1


def printed(labels: int, pages: int, on: Sheet, what: str = "label") -> str:
    """Say how much was written."""
    return f"{labels} {what if labels == 1 else f'{what}s'} on {pages} {'page' if pages == 1 else 'pages'} of {on.name}"


def write_labels(path: Path, labels: Sequence[Label], title: str, printing: Printing) -> int:
    """Write labels; give the number of pages.

    Raises:
        WrongOption: a code of this kind is too long for labels of this size; nothing is written then.
        Unavailable: a library is missing, or the file cannot be written.
    """
    on, kind, skip = printing
    symbols = {label.code: symbol(label.code, kind) for label in labels}
    for code, one in symbols.items():
        if not is_readable(one, on.label):
            fit = [
                other.name for other in SHEETS.values() if all(is_readable(s, other.label) for s in symbols.values())
            ]
            raise WrongOption(
                f"--symbol {kind}: {code} would be finer on {on.name} than scanners read;"
                f" {'wide enough: --sheet ' + ' or '.join(fit) if fit else 'no sheet is wide enough'}"
            )
    content, pages = labels_pdf(labels, title, on, kind, skip)
    write_output(path, content)
    return pages

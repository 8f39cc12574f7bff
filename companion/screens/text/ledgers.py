"""Accounts as tables of text, for a terminal or a file. Pure; knows no game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.language import ENGLISH
from companion.core.words.texts import in_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core.ruling.view import Ledger, LedgerRow
    from companion.core.words.language import Language

GAP = "  "
"""Between two columns."""


def ledger_lines(ledger: Ledger, language: Language = ENGLISH) -> Iterator[str]:
    """Give an account in a language, line by line: its title, a head, the rows with whose each is, and its note."""
    yield f"{in_language(ledger.title, language)}:"
    head = ("", *(in_language(column, language) for column in ledger.columns))
    rows = [_row(row, language) for row in ledger.rows]
    widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]
    for row in (head, *rows):
        yield f"  {_aligned(row, widths)}".rstrip()
    if ledger.note:
        yield f"  {in_language(ledger.note, language)}"


def _row(row: LedgerRow, language: Language) -> tuple[str, ...]:
    label: str = in_language(row.label, language)
    owner = "" if row.owner is None else str(in_language(row.owner, language))
    said = label if owner.casefold() in label.casefold() else f"{label} ({owner})"
    return (said, *(str(in_language(value, language)) for value in row.values))


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """Give a row: what it is about to the left, its values to the right."""
    first, *others = row
    cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
    return GAP.join([first.ljust(widths[0]), *cells])

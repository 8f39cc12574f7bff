"""Accounts as tables of text, for a terminal or a file. Pure; knows no game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core.ruling.view import Ledger

GAP = "  "
"""Between two columns."""


def ledger_lines(ledger: Ledger) -> Iterator[str]:
    """Give an account line by line: its title, a head, the rows with whose each is, and its note."""
    yield f"{ledger.title}:"
    head = ("", *ledger.columns)
    rows = [(_label(row.label, row.owner), *row.values) for row in ledger.rows]
    widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]
    for row in (head, *rows):
        yield f"  {_aligned(row, widths)}".rstrip()
    if ledger.note:
        yield f"  {ledger.note}"


def _label(label: str, owner: str | None) -> str:
    return label if owner is None or owner.casefold() in label.casefold() else f"{label} ({owner})"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """Give a row: what it is about to the left, its values to the right."""
    first, *others = row
    cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
    return GAP.join([first.ljust(widths[0]), *cells])

"""What each build costs and how long it takes, as one table with totals: `fabrication/bill.csv`.

Made of the lists in `parts/`, their prices and times, and the header board's own bill. Prices and times are estimates.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import NamedTuple

from hardware.board.circuit import header_board
from hardware.board.fabrication import PRICED, cost

HERE = Path(__file__).parent
PARTS = HERE / "parts"
KEPT = HERE / "fabrication" / "bill.csv"
BUILDS = ("box", "pod", "strip")
HEADER_BOARD = "header board"
COLUMNS = ("Build", "What", "Quantity", "EUR each", "EUR", "Printer's hours", "Hours from", "Hours to", "Price is")


class Work(NamedTuple):
    """What is to be done, and the hours of the printer and of who builds it, from and to."""

    what: str
    printer: float
    least: float
    most: float


def rows(name: str) -> list[dict[str, str]]:
    """Give a list of `parts/` by its headings."""
    with (PARTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def board_price() -> str:
    """Return the price of one header board, in EUR."""
    return f"{cost(header_board().components, boards=1):.2f}"


def priced(build: str) -> list[tuple[str, int, float]]:
    """Give what is bought for a build: what, how many, EUR each. What has no price there is bought instead, or not."""
    each = [(row["part"], int(row["quantity"]), row["EUR each"]) for row in rows(build)]
    board = board_price()
    return [
        (part, count, float(board if part == HEADER_BOARD else euros))
        for part, count, euros in each
        if euros or part == HEADER_BOARD
    ]


def times(build: str) -> list[Work]:
    """Give the work of a build."""
    return [
        Work(row["work"], float(row["printer's hours"]), float(row["your hours from"]), float(row["your hours to"]))
        for row in rows("times")
        if row["build"] == build
    ]


def total(build: str) -> tuple[float, Work]:
    """Add up a build: EUR, and the hours."""
    work = times(build)
    hours = Work("together", *(sum(one[1:][column] for one in work) for column in range(3)))
    return sum(count * each for _, count, each in priced(build)), hours


def made() -> str:
    """Give the whole table: of each build a row for everything that is bought, for all work, and the total."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for build in BUILDS:
        for part, count, each in priced(build):
            writer.writerow([build, part, count, f"{each:.2f}", f"{count * each:.2f}", "", "", "", PRICED])
        euros, together = total(build)
        for work in times(build):
            writer.writerow([build, work.what, "", "", "", *(f"{one:g}" for one in work[1:]), ""])
        writer.writerow([build, together.what, "", "", f"{euros:.2f}", *(f"{one:g}" for one in together[1:]), PRICED])
    return out.getvalue()


def write() -> bool:
    """Write the table where it differs from the one that is kept; say whether it did."""
    text = made()
    if KEPT.is_file() and KEPT.read_text(encoding="utf-8") == text:
        return False
    KEPT.write_text(text, encoding="utf-8")
    return True

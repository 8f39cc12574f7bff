"""The bill: what is bought and how long it takes, from the lists, with totals that the guide repeats."""

from __future__ import annotations

import csv
import io
import re

import pytest

from hardware import bill
from hardware.board.circuit import header_board
from hardware.board.fabrication import cost

NAMES = {"box": "the box, header board and Zero 2 W included", "pod": "a pod", "strip": "the strip"}


def kept() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bill.KEPT.read_text(encoding="utf-8")), strict=True))


def test_the_kept_bill_is_the_one_that_is_made():
    assert bill.KEPT.read_text(encoding="utf-8") == bill.made()


@pytest.mark.parametrize("build", bill.BUILDS)
def test_the_total_is_the_sum_of_its_rows(build):
    *rows, together = [row for row in kept() if row["Build"] == build]
    assert together["What"] == "together"
    for column in ("EUR", "Printer's hours", "Hours from", "Hours to"):
        assert sum(float(row[column] or 0) for row in rows) == pytest.approx(float(together[column])), column
    for row in rows:
        if row["Quantity"]:
            assert int(row["Quantity"]) * float(row["EUR each"]) == pytest.approx(float(row["EUR"]), abs=0.005)


@pytest.mark.parametrize("build", bill.BUILDS)
def test_every_part_of_a_list_is_in_the_bill_or_says_when_it_is_bought(build):
    inside = {part for part, _, _ in bill.priced(build)}
    for row in bill.rows(build):
        if row["part"] not in inside:
            assert re.search(r"only|if there is no|on the header board", f"{row['specification']} {row['remark']}"), row


def test_the_header_boards_price_is_that_of_its_own_bill():
    (board,) = [row for row in kept() if row["What"] == bill.HEADER_BOARD]
    assert float(board["EUR"]) == pytest.approx(cost(header_board().components, boards=1), abs=0.005)


@pytest.mark.parametrize("build", bill.BUILDS)
def test_the_guide_says_what_the_bill_says(build):
    euros, (_, printer, least, most) = bill.total(build)
    guide = (bill.HERE / "README.md").read_text(encoding="utf-8")
    hours = f"{printer:g} h" if printer else ""
    row = f"| {NAMES[build]} | {least:g} to {most:g} h | {hours} | {euros:.0f} € |".replace("|  |", "| |")
    assert row in guide


def test_a_bill_that_differs_is_written_once(tmp_path, monkeypatch):
    monkeypatch.setattr(bill, "KEPT", tmp_path / "bill.csv")
    assert [bill.write(), bill.write()] == [True, False]
    assert bill.KEPT.read_text(encoding="utf-8") == bill.made()

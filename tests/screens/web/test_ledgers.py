"""Accounts in the documents of pages, in the sheet of a result, and on paper."""

from __future__ import annotations

from companion.core.play.commands import EndMatch
from companion.core.record.lines import dump_line
from companion.core.timing.events import MS
from companion.screens.people.pdf import sheet_pdf
from companion.screens.people.sheets import result_sheet
from companion.screens.web.matches import match_document
from companion.screens.web.state import state_document
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.contract.turns import TURNS
from tests.core.play.test_timed_choices import running

ACCOUNT = {
    "key": "time",
    "title": "Time spent",
    "columns": ["turns", "seconds"],
    "rows": [
        {"label": "Red", "owner": "red", "values": ["1", "6 s"]},
        {"label": "Yellow", "owner": "yellow", "values": ["0", "0 s"]},
    ],
    "note": "whole seconds",
}


def played() -> VirtualBox:
    box = running()
    box.press("red first", 9000)
    box.run(9200)
    return box


def test_the_state_has_them() -> None:
    box = played()
    assert state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["ledgers"] == [ACCOUNT]


def test_they_are_not_told_before_what_they_rest_on_is_durable() -> None:
    box = played()
    box.store = False
    box.press("yellow first", 12_000)
    box.run(12_200)
    assert state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["ledgers"] == []


def test_a_box_without_a_match_has_none() -> None:
    box = VirtualBox((), "turns", find=only(TURNS), games=("turns",), start=False)
    assert state_document(box.session.snapshot(round(box.now_ms * MS)), None)["ledgers"] == []


def test_a_stored_match_has_them_and_its_result_prints_them() -> None:
    box = played()
    box.command(EndMatch())
    box.run(9500)
    record = [dump_line(line) for line in box.lines]
    told = match_document(record, only(TURNS))
    assert told["ledgers"] == [ACCOUNT]
    sheet = result_sheet(1, "2025-03-01T19:30:00+00:00", told, TURNS, record)
    table = next(table for table in sheet.tables if table.title == "Time spent")
    assert table.head == ("", "turns", "seconds")
    assert [[cell.text for cell in row] for row in table.rows] == [["Red", "1", "6 s"], ["Yellow", "0", "0 s"]]
    assert [row[0].colour for row in table.rows] == ["red", "yellow"]
    assert table.how == "whole seconds"
    assert sheet_pdf(sheet).startswith(b"%PDF")

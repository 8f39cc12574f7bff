"""A hundred of the bits that `make flips` changes, on a journal of recorded matches."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.adapters.sqlite_journal import SqliteJournal
from tests.flips.flips import FILES, Stored, last_positions, one_flip, positions, stored_in, touched_by

pytestmark = pytest.mark.slow  # walks through whole matches

RECORDS = Path(__file__).parents[1] / "replay"
FLIPS, PARTS = 96, 8
CUT_OFF = 14
"""Lines of the match that was cut off; each was a transaction of its own."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """Two matches that were ended, in the database, and one in its log that was cut off."""
    live, copy = tmp_path_factory.mktemp("live"), tmp_path_factory.mktemp("copy")
    records = [(RECORDS / f"{name}.jsonl").read_bytes().splitlines() for name in ("order", "dead_heat_lots", "order")]
    for record in records[:2]:
        journal = SqliteJournal(live)
        journal.open(lambda *_: None, pytest.fail)
        journal.finish(journal.begin("order", record, None))
        journal.close()
    durable = threading.Semaphore(0)
    journal = SqliteJournal(live)
    journal.open(lambda *_: durable.release(), pytest.fail)
    match = journal.begin("order", records[2][:1], "boot")
    assert durable.acquire(timeout=20)
    for line in records[2][1:CUT_OFF]:
        journal.append(match, line)
        assert durable.acquire(timeout=20)
    for name in FILES:
        (copy / name).write_bytes((live / name).read_bytes())
    journal.close()
    found = stored_in(copy)
    assert found.records == dict(enumerate([*records[:2], records[2][:CUT_OFF]], 1))
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_a_box_starts_on_a_changed_bit_records_and_loses_nothing_that_it_did_not_touch(
    stored: Stored, part: int
) -> None:
    for at in positions(stored, FLIPS, 1)[part::PARTS]:
        try:
            one_flip(stored, None, at)
        except BaseException as error:
            error.add_note(f"bit {at[1]} of byte {at[0]}")
            raise


def test_a_bit_in_the_header_of_the_log_s_last_frame_loses_nothing(stored: Stored) -> None:
    ats = last_positions(stored, 1, 1)[: 8 * 24][::9]
    assert [touched_by(stored, at) for at in ats] == [{}] * len(ats)
    assert {what for at in ats for what in one_flip(stored, None, at)} == {"opened"}


def test_what_a_bit_may_lose_begins_with_the_line_whose_row_it_is_in(tmp_path: Path) -> None:
    lines = (RECORDS / "order.jsonl").read_bytes().splitlines()[:4]
    durable = threading.Event()
    journal = SqliteJournal(tmp_path)
    journal.open(lambda *_: durable.set(), pytest.fail)
    journal.begin("order", lines, "boot")
    assert durable.wait(timeout=20)
    files = {name: (tmp_path / name).read_bytes() for name in FILES}
    journal.close()
    for number, line in enumerate(lines, 1):
        at = sum(len(files[name]) for name in FILES[:1]) + files[FILES[1]].index(line)
        assert touched_by(Stored(files, {1: lines}), (at + 5, 0)) == {1: number}


def test_the_shell_s_recover_is_believed_no_more_than_the_check_sums_allow(stored: Stored) -> None:
    for at in positions(stored, 8, 2):
        one_flip(stored, "sqlite3", at)

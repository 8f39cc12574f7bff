"""`companion doctor --repair`: what it says of each match, and its exit status."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import SqliteJournal, export_lines
from companion.app.storing.sealing import sealed_copy
from companion.cli.doctor import check_asides
from companion.cli.findings.finding import Health
from companion.cli.main import main

RECORDS = Path(__file__).parents[1] / "replay"


def record(name: str) -> list[bytes]:
    return [line for line in (RECORDS / f"{name}.jsonl").read_bytes().splitlines() if b'"seal"' not in line]


RECORD, OTHER = record("order"), record("dead_heat_lots")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A sealed match and one without a seal."""
    key = BoxKey(tmp_path)
    key.prepare()
    journal = SqliteJournal(tmp_path)
    journal.open(lambda *_: None, pytest.fail)
    journal.finish(journal.begin("order", sealed_copy(RECORD, key.signer), None))
    journal.finish(journal.begin("order", OTHER, None))
    journal.close()
    return tmp_path


def change(state: Path, *statements: str) -> None:
    with closing(sqlite3.connect(state / "matches.sqlite", isolation_level=None)) as database:
        for statement in statements:
            database.execute(statement)


def repaired(state: Path, capsys: pytest.CaptureFixture[str], status: int) -> str:
    assert main(["doctor", "--repair", "--state-dir", str(state)]) == status
    return re.sub(r"[0-9]{8}-[0-9]{6}", "T", capsys.readouterr().out)


def test_a_store_in_order_has_nothing_to_repair(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert repaired(state, capsys, 0) == "nothing is damaged, and no damaged database was set aside\n"


def test_every_match_is_said_with_its_seals(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(state, "DROP TABLE version")
    sealed = len(RECORD) + 1
    out = repaired(state, capsys, 0)
    assert f"match 1: put back, {sealed} lines; whole, as far as its check sums tell; its seals hold up to line" in out
    assert f"match 2: put back, {len(OTHER)} lines; whole, as far as its check sums tell; it has no seal" in out
    assert "2 of 2 matches whole; the damaged files are left as they are" in out
    assert "match 1: there already" in repaired(state, capsys, 0)
    (finding,) = check_asides(state)
    assert (finding.health, "doctor --repair" in finding.mend) == (Health.WARNING, True)


def test_a_line_that_is_gone_is_said_and_is_status_1(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(state, "UPDATE line SET line = x'00', crc = 0 WHERE match = 2 AND number = 4")
    change(state, "PRAGMA secure_delete = ON", "VACUUM")
    out = repaired(state, capsys, 1)
    assert "match 2: put back, 3 lines; cut off at line 4: it cannot be read, and" in out
    assert "1 of 2 matches whole" in out
    assert export_lines(state, 2) == OTHER[:3]
    assert main(["export", "2", "--state-dir", str(state)]) == 0


def test_a_running_box_is_named(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = SqliteJournal(state)
    journal.open(lambda *_: None, pytest.fail)
    assert main(["doctor", "--repair", "--state-dir", str(state)]) == 1
    journal.close()
    assert "another companion" in capsys.readouterr().err

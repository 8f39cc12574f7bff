"""Nothing that was called durable is lost: SIGKILL at any moment, any number of times, and logs that end torn."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.adapters.sqlite_journal import SqliteJournal, export_lines, list_matches
from tests.adapters.sqlite_journal.journal_child import line

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
KILLS = 25


def run_until_killed(directory: Path, acknowledgements: int) -> int:
    """Kill the child after so many acknowledgements; give the last count it could say."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.adapters.sqlite_journal.journal_child", str(directory)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(acknowledgements)]
        child.kill()
        said += child.stdout.readlines()  # what it said before the kill came through
    assert child.returncode == -9
    assert said[-1].endswith(b"\n")
    assert not [text for text in said if text.startswith(b"fault")]
    return int(said[-1].split()[1])


def test_25_times_sigkill_loses_no_line_that_was_called_durable(tmp_path: Path) -> None:
    chance = random.Random(2)
    for _ in range(KILLS):
        acknowledged = run_until_killed(tmp_path, chance.randint(1, 30))
        lines = export_lines(tmp_path, 1)
        assert len(lines) >= acknowledged
        assert lines == [line(number) for number in range(1, len(lines) + 1)]
    assert len(list_matches(tmp_path)) == 1
    assert not list(tmp_path.glob("*damaged*"))


@pytest.mark.parametrize("lost_bytes", [1, 24, 2000, 4096, 5000, 30_000])
def test_a_torn_log_costs_its_torn_end_only(tmp_path: Path, lost_bytes: int) -> None:
    run_until_killed(tmp_path, 20)
    whole = export_lines(tmp_path, 1)
    torn = tmp_path / "torn"
    torn.mkdir()
    for name in ("matches.sqlite", "matches.sqlite-wal"):
        shutil.copy(tmp_path / name, torn / name)
    log = torn / "matches.sqlite-wal"
    with log.open("r+b") as file:
        file.truncate(log.stat().st_size - lost_bytes)
    faults: list[str] = []
    journal = SqliteJournal(torn)
    journal.open(lambda match_id, count: None, faults.append)
    kept = journal.lines(1)
    journal.append(1, b"after")
    journal.close()
    assert faults == []
    assert 0 < len(kept) <= len(whole)
    assert kept == whole[: len(kept)]
    assert export_lines(torn, 1) == [*kept, b"after"]


def test_a_log_that_ends_in_rubbish_costs_no_line(tmp_path: Path) -> None:
    run_until_killed(tmp_path, 20)
    whole = export_lines(tmp_path, 1)
    with (tmp_path / "matches.sqlite-wal").open("ab") as file:
        file.write(random.Random(3).randbytes(5000))
    faults: list[str] = []
    journal = SqliteJournal(tmp_path)
    journal.open(lambda match_id, count: None, faults.append)
    assert (journal.lines(1), faults) == (whole, [])
    journal.close()

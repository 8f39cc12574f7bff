"""Whatever is wrong with the journal's content: it is set aside and said so, at the start and while a match runs."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import SqliteJournal, export_lines, list_matches
from companion.adapters.sqlite_journal.faults import InUse
from companion.adapters.sqlite_journal.numbers import FILE_NAME, keep_number, last_number
from companion.adapters.sqlite_journal.repair import RepairedMatch, repair
from companion.adapters.sqlite_journal.salvage import SHELL, salvage
from companion.core.errors import Malformed, Unavailable
from companion.files.aside import asides_of
from tests.adapters.sqlite_journal.test_disk import LINES, opened, spoil_middle, store_match

if TYPE_CHECKING:
    from collections.abc import Callable

SHELLS = pytest.param(None, id="own reading"), pytest.param(SHELL, id="with the shell's")


def change(folder: Path, *statements: str) -> None:
    """Change the database behind the program's back."""
    with closing(sqlite3.connect(folder / "matches.sqlite", isolation_level=None)) as database:
        database.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            database.execute(statement)


def at_byte(position: int, value: int) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        with (folder / "matches.sqlite").open("r+b") as file:
            file.seek(position)
            file.write(bytes([value]))

    return put


DAMAGES = {
    "a missing table of lines": lambda folder: change(folder, "DROP TABLE line"),
    "a missing table of matches": lambda folder: change(folder, "PRAGMA foreign_keys = OFF", "DROP TABLE match"),
    "a missing version": lambda folder: change(folder, "DROP TABLE version"),
    "a version of a newer program that only one place names": lambda folder: change(
        folder, "UPDATE version SET number = 65"
    ),
    "a version that is text": lambda folder: change(folder, "UPDATE version SET number = 'x'"),
    "a name that is no text": lambda folder: change(folder, "UPDATE match SET game = CAST(x'ff41' AS TEXT)"),
    "a time that is bytes": lambda folder: change(folder, "UPDATE match SET started = x'41'"),
    "a match without lines": lambda folder: change(folder, "DELETE FROM line"),
    "lines without a match": lambda folder: change(folder, "PRAGMA foreign_keys = OFF", "DELETE FROM match"),
    "a match that is neither finished nor not": lambda folder: change(folder, "UPDATE match SET finished = 7"),
    "a line that is a number": lambda folder: change(folder, "UPDATE line SET line = 7 WHERE number = 3"),
    "a schema of other words": lambda folder: change(
        folder, "UPDATE sqlite_schema SET sql = replace(sql, 'boot_id', 'boot_ie')"
    ),
    "texts of another encoding": at_byte(59, 2),
    "a file that says it is read-only": at_byte(18, 3),
    "a file of a newer SQLite": at_byte(19, 9),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_it_is_set_aside_at_the_start_and_said_and_a_new_one_begun(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    store_match(tmp_path)
    damage(tmp_path)
    with opened(tmp_path) as (journal, listener):
        (told,) = listener.faults
        (aside,) = asides_of(tmp_path / "matches.sqlite")
        assert "was damaged" in told
        assert aside.name in told
        assert journal.unfinished() is None
        assert journal.begin("order", LINES[:3], None) == 2
        listener.wait(lambda: listener.count == 3)
    assert export_lines(tmp_path, 2) == LINES[:3]
    with opened(tmp_path) as (journal, listener):
        assert (journal.unfinished(), listener.faults) == (2, [])


@pytest.mark.parametrize("table", ["line", "match"])
def test_a_table_that_goes_while_a_match_runs_is_not_a_match_that_is_not_recorded(tmp_path: Path, table: str) -> None:
    store_match(tmp_path, finish=True)
    with opened(tmp_path) as (journal, listener):
        match = journal.begin("order", LINES[:5], None)
        listener.wait(lambda: listener.count == 5)
        change(tmp_path, "PRAGMA foreign_keys = OFF", f"DROP TABLE {table}")
        journal.append(match, LINES[5])
        listener.wait(lambda: listener.count == 6)
        assert len(listener.faults) == 1
        assert "was damaged" in listener.faults[0]
    assert export_lines(tmp_path, match) == LINES[:6]
    assert len(asides_of(tmp_path / "matches.sqlite")) == 1


def test_pages_that_go_while_a_match_runs_give_the_whole_match_to_a_new_file(tmp_path: Path) -> None:
    store_match(tmp_path, finish=True)
    with opened(tmp_path) as (journal, listener):
        match = journal.begin("order", LINES[:5], None)
        listener.wait(lambda: listener.count == 5)
        with (tmp_path / "matches.sqlite").open("r+b") as file:
            file.write(os.urandom(3 * 4096))
        for path in tmp_path.glob("matches.sqlite-*"):
            with path.open("r+b") as file:
                file.write(os.urandom(min(path.stat().st_size, 40_000)))
        journal.append(match, LINES[5])
        listener.wait(lambda: listener.count == 6)
    assert export_lines(tmp_path, match) == LINES[:6]


def test_what_cannot_be_renamed_is_told_as_damaged_and_played_on_unrecorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_match(tmp_path)
    change(tmp_path, "DROP TABLE line")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuse)
        with opened(tmp_path) as (journal, listener):
            (told,) = listener.faults
            assert "not recorded" in told
            assert "was damaged" in told
            assert "cannot be set aside: Permission denied" in told
            match = journal.begin("order", LINES[:3], None)
            assert match == 2
            assert journal.lines(match) == LINES[:3]
            patch.undo()
            journal.retry()
            listener.wait(lambda: listener.count == 3)
    assert export_lines(tmp_path, 2) == LINES[:3]


def test_a_file_of_before_numbers_were_kept_is_looked_through_for_its_highest(tmp_path: Path) -> None:
    for _ in range(3):
        store_match(tmp_path, LINES[:4], finish=True)
    (tmp_path / FILE_NAME).unlink()
    change(tmp_path, "DROP TABLE version")
    with opened(tmp_path) as (journal, _):
        assert journal.begin("order", LINES[:1], None) == 4


@pytest.mark.parametrize("text", [b"", b"9\n", b"9 00000000\n", b"\xff" * 70, b"-1 x\n"])
def test_a_number_that_is_not_whole_counts_as_not_there(tmp_path: Path, text: bytes) -> None:
    keep_number(tmp_path, 9)
    assert last_number(tmp_path) == 9
    (tmp_path / FILE_NAME).write_bytes(text)
    assert last_number(tmp_path) == 0


def test_a_bit_in_the_log_that_hides_later_lines_is_damage_and_they_are_got_back(tmp_path: Path) -> None:
    live, state = tmp_path / "live", tmp_path / "state"
    state.mkdir()
    with opened(live) as (journal, listener):
        match = journal.begin("order", LINES[:2], None)
        for number, line in enumerate(LINES[2:40], 3):
            journal.append(match, line)
            listener.wait(partial(lambda number: listener.count == number, number))
        for name in ("matches.sqlite", "matches.sqlite-wal", FILE_NAME):
            (state / name).write_bytes((live / name).read_bytes())
    with (state / "matches.sqlite-wal").open("r+b") as log:
        log.seek(32 + 10 * 4120 + 30)
        log.write(b"\xff")
    with opened(state) as (_, listener):
        assert "its log is not as it was written" in listener.faults[0]
    (got,) = [one for one in repair(state, None) if isinstance(one, RepairedMatch)]
    assert (got.id, got.cut, list(got.lines)) == (1, None, LINES[:40])
    assert export_lines(state, 1) == LINES[:40]


def test_a_last_transaction_that_sqlite_does_not_take_is_read_from_the_log(tmp_path: Path) -> None:
    live, state = tmp_path / "live", tmp_path / "state"
    state.mkdir()
    with opened(live) as (journal, listener):
        match = journal.begin("order", LINES[:2], None)
        for number, line in enumerate(LINES[2:9], 3):
            journal.append(match, line)
            listener.wait(partial(lambda number: listener.count == number, number))
        for name in ("matches.sqlite", "matches.sqlite-wal"):
            (state / name).write_bytes((live / name).read_bytes())
    log = state / "matches.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[-4096 + 2000] ^= 1  # on the last frame's page, where nothing is
    log.write_bytes(content)
    with opened(state) as (journal, listener):
        assert listener.faults == []
        assert journal.lines(1) == LINES[:9]


# Repair -----------------------------------------------------------------------------------------------------------


def got(folder: Path, shell: str | None = None) -> list[RepairedMatch]:
    return [one for one in repair(folder, shell) if isinstance(one, RepairedMatch)]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_damaged_file_gives_back_what_can_be_read_and_says_what_is_missing(tmp_path: Path, shell: str | None) -> None:
    store_match(tmp_path, finish=True)
    store_match(tmp_path, LINES[:50], finish=True)
    spoil_middle(tmp_path / "matches.sqlite")
    with opened(tmp_path) as (journal, listener):
        assert journal.begin("order", LINES[:2], None) == 3
        listener.wait(lambda: listener.count == 2)
    (aside,) = asides_of(tmp_path / "matches.sqlite")
    spoilt = aside.read_bytes()
    first, *_ = found = got(tmp_path, shell)
    assert first.id == 1
    assert first.cut == len(first.lines) + 1
    assert first.lines == tuple(LINES[: len(first.lines)])
    assert first.beyond > 0
    assert aside.read_bytes() == spoilt
    assert [match.id for match in list_matches(tmp_path)] == sorted({3, *(one.id for one in found)})
    assert all(match.ended for match in list_matches(tmp_path) if match.id != 3)
    assert export_lines(tmp_path, 1) == list(first.lines)
    assert export_lines(tmp_path, 3) == LINES[:2]
    assert {one.outcome for one in got(tmp_path, shell)} == {"there already"}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", ["a missing version", "a schema of other words", "texts of another encoding"])
def test_where_only_the_frame_is_damaged_every_match_is_whole_and_the_last_goes_on(
    tmp_path: Path, name: str, shell: str | None
) -> None:
    store_match(tmp_path, finish=True)
    store_match(tmp_path, LINES[:50])
    DAMAGES[name](tmp_path)
    assert [(one.id, one.cut, len(one.lines)) for one in got(tmp_path, shell)] == [(1, None, len(LINES)), (2, None, 50)]
    with opened(tmp_path) as (journal, listener):
        assert (journal.unfinished(), listener.faults) == (2, [])
        assert journal.lines(2) == LINES[:50]
        assert journal.boot_id(2) == "boot"


def test_a_damaged_line_of_an_old_match_is_found_and_its_bit_put_right(tmp_path: Path) -> None:
    store_match(tmp_path, LINES[:20], finish=True)
    store_match(tmp_path, LINES[:3], finish=True)
    wrong = LINES[7][:40] + bytes([LINES[7][40] ^ 4]) + LINES[7][41:]
    change(tmp_path, f"UPDATE line SET line = x'{wrong.hex()}' WHERE match = 1 AND number = 8")
    with pytest.raises(Malformed):
        export_lines(tmp_path, 1)
    first, second = got(tmp_path)
    assert (first.mended, first.cut, list(first.lines)) == ((8,), None, LINES[:20])
    assert (second.id, list(second.lines)) == (2, LINES[:3])
    assert export_lines(tmp_path, 1) == LINES[:20]


def test_a_match_whose_number_is_anothers_gets_the_next(tmp_path: Path) -> None:
    store_match(tmp_path, LINES[:5], finish=True)
    (tmp_path / "matches.sqlite").rename(tmp_path / "matches-damaged-20260101-000000.sqlite")
    (tmp_path / FILE_NAME).unlink()
    store_match(tmp_path, LINES[3:6], finish=True)
    (one,) = got(tmp_path)
    assert (one.was, one.id, list(one.lines)) == (1, 2, LINES[:5])
    assert export_lines(tmp_path, 1) == LINES[3:6]
    assert export_lines(tmp_path, 2) == LINES[:5]
    (again,) = got(tmp_path)
    assert (again.id, again.outcome) == (2, "there already")


def test_a_match_that_was_deleted_for_its_age_does_not_come_back(tmp_path: Path) -> None:
    for _ in range(4):
        journal = SqliteJournal(tmp_path, keep=2)
        journal.open(lambda *_: None, pytest.fail)
        journal.finish(journal.begin("order", LINES[:9], None))
        journal.close()
    change(tmp_path, "DROP TABLE version")
    assert [one.id for one in got(tmp_path)] == [3, 4]


def test_a_box_that_runs_is_not_repaired_under_its_feet(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(InUse, match="stop it"):
        list(repair(tmp_path))


def test_a_file_with_nothing_of_ours_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / "matches-damaged-20260101-000000.sqlite"
    path.write_bytes(os.urandom(50_000))
    assert salvage(path) == []
    assert got(tmp_path) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser may give files away")
def test_what_the_superuser_repairs_is_the_services(tmp_path: Path) -> None:
    from companion.cli.mending.repair import run_repair

    state = Path("/tmp") / f"flips-owner-{os.getpid()}"
    state.mkdir()
    try:
        store_match(state, LINES[:5], finish=True)
        for path in (state, *state.iterdir()):
            os.chown(path, 4242, 4242)
        change(state, "DROP TABLE version")
        said: list[str] = []
        assert run_repair(state, said.append) == 0
        assert any("match 1: put back, 5 lines; whole" in text for text in said), said
        assert {path.stat().st_uid for path in state.iterdir()} == {4242}
    finally:
        for path in state.iterdir():
            path.unlink()
        state.rmdir()


def test_repairing_what_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    from companion.cli.mending.repair import run_repair

    with pytest.raises(Unavailable, match="no such folder"):
        run_repair(tmp_path / "nowhere", print)

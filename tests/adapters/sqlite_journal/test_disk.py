"""What the journal does where the disk does not: full, read-only, no permission, damaged, taken away, in use."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.sqlite_journal import SqliteJournal, export_lines, export_notes, list_matches
from companion.core.errors import Malformed, Unavailable, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
SETUP = b'{"type":"setup","record":2,"game":"apache","edition":1,"seats":[{"colour":"red"},{"colour":"blue"}]}'
NAMES = b'{"type":"names","names":{"red":"Ann","blue":""}}'
LINES = [SETUP, NAMES, *(b'{"type":"remark","text":"%d %s"}' % (number, b"." * 300) for number in range(400))]


class Listener:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.count = 0
        self.faults: list[str] = []

    def on_durable(self, match_id: int, count: int) -> None:
        with self._changed:
            self.count = count
            self._changed.notify_all()

    def on_fault(self, text: str) -> None:
        with self._changed:
            self.faults.append(text)
            self._changed.notify_all()

    def has_come_to(self, number: int) -> bool:
        """Tell whether so many lines are stored; True also where something went wrong."""
        return self.count == number or bool(self.faults)

    def wait(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, timeout=20), (self.count, self.faults)


@contextmanager
def opened(directory: Path) -> Iterator[tuple[SqliteJournal, Listener]]:
    listener = Listener()
    wall = "2026-01-01T20:00:00+01:00"
    journal = SqliteJournal(directory, wall_time=lambda: wall, on_set_aside=listener.on_fault)
    journal.open(listener.on_durable, listener.on_fault)
    try:
        yield journal, listener
    finally:
        journal.close()


def store_match(directory: Path, lines: list[bytes] = LINES, *, finish: bool = False) -> None:
    with opened(directory) as (journal, listener):
        match = journal.begin("apache", lines, "boot")
        if finish:
            journal.finish(match)
    assert listener.count == len(lines)


# Full -----------------------------------------------------------------------------------------------------------------

FULL = """
import sys
from pathlib import Path
from tests.adapters.sqlite_journal.test_disk import LINES, fill_the_disk
fill_the_disk(Path(sys.argv[1]), make_room=lambda: {make_room}, fault={fault!r})
print("went on in order")
"""


def fill_the_disk(directory: Path, make_room: Callable[[], object], fault: str) -> None:
    """Append until the disk is full, go on, make room, and see that every line came in order. Runs in a process of
    its own."""
    with opened(directory) as (journal, listener):
        match = journal.begin("apache", LINES[:1], None)
        for number, line in enumerate(LINES[1:], 2):
            journal.append(match, line)
            listener.wait(partial(listener.has_come_to, number))
        assert len(listener.faults) == 1, listener.faults
        assert fault in listener.faults[0], listener.faults
        stored = listener.count
        assert 0 < stored < len(LINES)
        assert journal.lines(match) == LINES
        other = journal.begin("order", LINES[:2], None)  # play goes on, and even another match can begin
        assert export_lines(directory, match) == LINES[:stored]
        make_room()
        journal.retry()
        listener.wait(lambda: listener.count == 2)
        assert len(listener.faults) == 1, listener.faults
    assert export_lines(directory, match) == LINES
    assert export_lines(directory, other) == LINES[:2]


def run_script(script: str, *arguments: object, prefix: tuple[str, ...] = ()) -> None:
    done = subprocess.run(
        [*prefix, sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == "went on in order\n"
    assert done.returncode == 0


def test_a_full_disk_is_a_fault_and_what_waited_is_stored_in_order_when_there_is_room(tmp_path: Path) -> None:
    """A tmpfs with 128 KiB of room: as root in a mount name space of its own, else in a user name space. Where neither
    is allowed, a limit on the size of files, whose error SQLite reports as one of input and output."""
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=4096k none {small} && head -c 3968k /dev/zero > {small}/ballast"
    for unshare in (("unshare", "-m"), ("unshare", "-rm")):
        tried = subprocess.run([*unshare, "sh", "-c", mount], capture_output=True, check=False)
        if tried.returncode == 0:
            script = FULL.format(make_room="(Path(sys.argv[1]) / 'ballast').unlink()", fault="the disk is full")
            run_script(script, small, prefix=(*unshare, "sh", "-c", f'{mount} && exec "$@"', "sh"))
            return
    run_script_with_limit(small)


def run_script_with_limit(directory: Path) -> None:
    infinity = "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))"
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (96 * 1024, resource.RLIM_INFINITY))"
    script = FULL.format(make_room=infinity, fault="the disk does not work")
    run_script(f"import resource\n{limit}\n{script}", directory)


def test_a_disk_that_does_not_write_is_a_fault_and_what_waited_is_stored_in_order_later(tmp_path: Path) -> None:
    run_script_with_limit(tmp_path)


# Read-only --------------------------------------------------------------------------------------------------------

READ_ONLY = """
import os, sys, tempfile
from pathlib import Path
from tests.adapters.sqlite_journal.test_disk import export_lines, play_on_a_read_only_disk, store_match
with tempfile.TemporaryDirectory() as warm:  # imports whatever is imported late: nobody may read it in root's folders
    store_match(Path(warm))
    export_lines(Path(warm), 1)
if os.geteuid() == 0:  # root may write anywhere: be nobody
    os.setegid(65534)
    os.seteuid(65534)
play_on_a_read_only_disk(Path(sys.argv[1]), int(sys.argv[2]))
print("went on in order")
"""


def play_on_a_read_only_disk(directory: Path, before: int) -> None:
    with opened(directory) as (journal, listener):
        assert len(listener.faults) == 1
        assert "Permission denied" in listener.faults[0]
        assert str(directory) in listener.faults[0]
        if before:
            assert journal.unfinished() == 1
            assert journal.lines(1) == LINES[:before]
            assert journal.boot_id(1) == "boot"
            journal.append(1, b"not recorded")
            assert journal.lines(1)[-1] == b"not recorded"
        match = journal.begin("apache", LINES[:3], None)
        journal.append(match, b"not recorded either")
        assert journal.unfinished() == match
        assert journal.lines(match) == [*LINES[:3], b"not recorded either"]
        journal.retry()
    assert len(listener.faults) == 1
    assert listener.count == 0
    if before:
        assert export_lines(directory, 1) == LINES[:before]
        assert [match.lines for match in list_matches(directory)] == [before]


def run_as_one_who_may_not_write(directory: Path, before: int) -> None:
    ancestors = [*directory.parents][: len(directory.parts) - 3]  # pytest's own folders are for its user only
    modes = {path: path.stat().st_mode for path in ancestors}
    for path in ancestors:
        path.chmod(0o755)
    try:
        for path in directory.iterdir():
            path.chmod(0o444)
        directory.chmod(0o555)
        run_script(READ_ONLY, directory, before)
    finally:
        directory.chmod(0o755)
        for path, mode in modes.items():
            path.chmod(mode)


def test_a_read_only_directory_with_a_match_lets_it_go_on_unrecorded(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    store_match(directory)
    run_as_one_who_may_not_write(directory, len(LINES))


def test_an_empty_read_only_directory_lets_a_match_begin_unrecorded(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    directory.mkdir()
    run_as_one_who_may_not_write(directory, 0)


def test_a_log_that_was_not_merged_is_read_from_a_read_only_directory(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    with opened(tmp_path / "live") as (journal, listener):
        journal.begin("apache", LINES, "boot")
        listener.wait(lambda: listener.count == len(LINES))
        directory.mkdir()
        for name in ("matches.sqlite", "matches.sqlite-wal"):
            (directory / name).write_bytes((tmp_path / "live" / name).read_bytes())
    assert (directory / "matches.sqlite-wal").stat().st_size > 0
    run_as_one_who_may_not_write(directory, len(LINES))


def test_a_file_where_the_directory_should_be_is_a_fault_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with opened(tmp_path / "state") as (journal, listener):
        assert journal.begin("apache", LINES[:1], None) == 1
        assert "matches.sqlite" in listener.faults[0]


# Damaged --------------------------------------------------------------------------------------------------------------


def spoil_middle(path: Path) -> None:
    """Write random bytes over the middle third."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 3)
        file.write(random.Random(1).randbytes(size // 3))


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_middle,
        lambda path: path.write_bytes(b"this is no database at all, not at all" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
    ],
    ids=["random bytes", "another file", "cut short"],
)
def test_a_damaged_file_is_set_aside_whole_and_a_new_one_begun(tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    store_match(tmp_path)
    path = tmp_path / "matches.sqlite"
    spoil(path)
    spoilt = path.read_bytes()
    with opened(tmp_path) as (journal, listener):
        assert len(listener.faults) == 1
        assert "was damaged" in listener.faults[0]
        assert journal.unfinished() is None
        assert journal.begin("apache", LINES[:2], None) == 2  # 1 is in the file that was set aside
        listener.wait(lambda: listener.count == 2)
    (aside,) = tmp_path.glob("matches-damaged-*.sqlite")
    assert aside.name in listener.faults[0]
    assert aside.read_bytes() == spoilt
    assert export_lines(tmp_path, 2) == LINES[:2]


def test_damaged_files_never_replace_one_another(tmp_path: Path) -> None:
    for _ in range(3):
        store_match(tmp_path)
        spoil_middle(tmp_path / "matches.sqlite")
    with opened(tmp_path):
        pass
    assert len(list(tmp_path.glob("matches-damaged-*.sqlite"))) == 3


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE line SET line = '{}' WHERE number = 7",
        "DELETE FROM line WHERE number = 7",
        "UPDATE line SET crc = crc + 1 WHERE number = 7",
    ],
)
def test_a_changed_line_of_the_match_to_resume_is_damage_though_sqlite_sees_none(tmp_path: Path, change: str) -> None:
    store_match(tmp_path)
    database = sqlite3.connect(tmp_path / "matches.sqlite")
    database.execute(change)
    database.commit()
    database.close()
    with pytest.raises(Malformed, match=r"match 1 in .* is not as it was written from line 7 on"):
        export_lines(tmp_path, 1)
    with opened(tmp_path) as (journal, listener):
        assert "from line 7 on" in listener.faults[0]
        assert journal.unfinished() is None
    assert len(list(tmp_path.glob("matches-damaged-*.sqlite"))) == 1


def test_a_database_that_is_taken_away_while_running_gets_the_whole_match_again(tmp_path: Path) -> None:
    with opened(tmp_path) as (journal, listener):
        match = journal.begin("apache", LINES[:5], "boot")
        listener.wait(lambda: listener.count == 5)
        for path in tmp_path.glob("matches.sqlite*"):
            path.unlink()
        journal.append(match, LINES[5])
        listener.wait(lambda: listener.count == 6)
    assert export_lines(tmp_path, match) == LINES[:6]


# In use, and of another version ------------------------------------------------------------------------------------


def test_a_second_process_on_the_state_directory_is_refused_by_name(tmp_path: Path) -> None:
    second = (
        "import sys; from pathlib import Path; from companion.adapters.sqlite_journal import SqliteJournal\n"
        "try: SqliteJournal(Path(sys.argv[1])).open(print, print)\n"
        "except OSError as error: print(error)"
    )
    command = [sys.executable, "-c", second, str(tmp_path)]
    with opened(tmp_path) as (journal, listener):
        journal.begin("apache", LINES[:1], None)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert f"another companion (process {os.getpid()}) is using {tmp_path}" in done.stdout
    assert "another state directory" in done.stdout
    assert listener.faults == []


def test_the_same_process_may_not_open_it_twice_either_and_may_after_closing(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(Unavailable, match="another companion"):
        SqliteJournal(tmp_path).open(print, print)
    with opened(tmp_path):
        pass


def test_a_database_of_a_newer_version_is_left_alone_and_said_so(tmp_path: Path) -> None:
    store_match(tmp_path)
    database = sqlite3.connect(tmp_path / "matches.sqlite")
    database.execute("UPDATE version SET number = 2")
    database.execute("PRAGMA user_version = 2")
    database.commit()
    database.close()
    for call in (lambda: SqliteJournal(tmp_path).open(print, print), lambda: list_matches(tmp_path)):
        with pytest.raises(Unavailable, match=r"newer version .*format 2; this one knows 1"):
            call()
    assert not list(tmp_path.glob("*damaged*"))


# The reading side -------------------------------------------------------------------------------------------------


def test_matches_are_listed_and_exported_while_the_box_runs(tmp_path: Path) -> None:
    store_match(tmp_path, LINES[:3], finish=True)
    with opened(tmp_path) as (journal, listener):
        journal.begin("order", [b"not json"], None)
        listener.wait(lambda: listener.count == 1)
        first, second = list_matches(tmp_path)
        assert (first.id, first.game, first.started) == (1, "apache", "2026-01-01T20:00:00+01:00")
        assert (first.ended, first.lines) == (True, 3)
        assert [seat.colour for seat in first.seats] == ["red", "blue"]
        assert (first.names, second.names) == ({"red": "Ann"}, {})
        assert (second.id, second.game, second.ended, second.seats, second.lines) == (2, "order", False, (), 1)
        assert export_lines(tmp_path, 1) == LINES[:3]
        journal.append(2, b"3")
        listener.wait(lambda: listener.count == 2)
        assert export_lines(tmp_path, 2) == [b"not json", b"3"]


def test_exporting_an_unknown_match_says_how_to_list_them(tmp_path: Path) -> None:
    store_match(tmp_path)
    with pytest.raises(UnknownMatch, match="has no match 9; `companion matches` lists them"):
        export_lines(tmp_path, 9)


def test_a_directory_without_matches_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=f"no matches are stored in {tmp_path}"):
        list_matches(tmp_path)


def test_reading_a_damaged_file_says_so(tmp_path: Path) -> None:
    store_match(tmp_path)
    (tmp_path / "matches.sqlite").write_bytes(b"rubbish" * 1000)
    with pytest.raises(Malformed, match="is damaged"):
        list_matches(tmp_path)


# The callbacks and the disk's settings --------------------------------------------------------------------------------


def test_a_listener_that_raises_stops_neither_the_storing_nor_passes_for_a_fault_of_the_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[str] = []

    def on_durable(match_id: int, count: int) -> None:
        raise RuntimeError("the app is closing")

    journal = SqliteJournal(tmp_path)
    journal.open(on_durable, faults.append)
    match = journal.begin("apache", LINES[:1], None)
    journal.append(match, LINES[1])
    journal.close()
    assert export_lines(tmp_path, match) == LINES[:2]
    assert faults == []
    assert "a listener of the journal failed" in caplog.text


def test_lines_queued_together_are_committed_together(tmp_path: Path) -> None:
    counts: list[int] = []
    faults: list[str] = []
    journal = SqliteJournal(tmp_path)
    held, go = threading.Event(), threading.Event()

    def on_durable(match_id: int, count: int) -> None:
        counts.append(count)
        held.set()
        assert go.wait(20)

    journal.open(on_durable, faults.append)
    match = journal.begin("apache", LINES[:1], None)
    assert held.wait(20)
    for line in LINES[1:101]:
        journal.append(match, line)
    go.set()
    journal.close()
    assert (counts, faults) == ([1, 101], [])


def test_write_ahead_log_full_sync_and_foreign_keys_are_on(tmp_path: Path) -> None:
    asked: list[str] = []
    connect = sqlite3.connect

    def tracing(*arguments: Any, **settings: Any) -> sqlite3.Connection:
        database: sqlite3.Connection = connect(*arguments, **settings)
        database.set_trace_callback(asked.append)
        return database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", tracing)
        with opened(tmp_path) as (journal, _):
            journal.begin("apache", LINES[:1], None)
    for statement in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "integrity_check(1)"):
        assert any(statement in text for text in asked), statement


EVIDENCE = b'{"type":"evidence","race":1,"sha256":"%s","edges":4}' % (b"a" * 64)
PROTEST = b'{"type":"protest","colour":"red","race":1}'


def test_evidence_and_protests_are_given_match_by_match_and_nothing_else(tmp_path: Path) -> None:
    assert export_notes(tmp_path) == []
    with opened(tmp_path) as (journal, listener):
        journal.begin("apache", [SETUP, EVIDENCE, LINES[1], PROTEST], None)
        journal.begin("apache", [SETUP, LINES[1]], None)
        journal.begin("apache", [SETUP, EVIDENCE], None)
        listener.wait(lambda: listener.count == 2)
        assert export_notes(tmp_path) == [[EVIDENCE, PROTEST], [EVIDENCE]]


def test_where_a_damaged_database_lies_it_is_not_known_what_is_protested(tmp_path: Path) -> None:
    (tmp_path / "matches.sqlite").write_bytes(b"no database" * 100)
    with opened(tmp_path) as (_, listener):
        listener.wait(lambda: bool(listener.faults))
    with pytest.raises(Unavailable, match="damaged"):
        export_notes(tmp_path)

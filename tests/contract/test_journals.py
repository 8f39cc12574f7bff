"""What every journal promises (`companion.ports.Journal`), on each implementation."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

import pytest

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.adapters.sqlite_journal import SqliteJournal
from companion.core.errors import CompanionError, Unavailable, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.ports import Journal

SETUP = b'{"type":"setup"}'


class Disk(Protocol):
    """A place for records that can be opened again, and can be made to fail."""

    def journal(self) -> Journal: ...

    def fail(self) -> None: ...

    def mend(self) -> None: ...


class MemoryDisk:
    def __init__(self) -> None:
        self._journal = MemoryJournal()

    def journal(self) -> Journal:
        return self._journal

    def fail(self) -> None:
        self._journal.fault = "broken on purpose"

    def mend(self) -> None:
        self._journal.fault = None


class SqliteDisk:
    """Its disk fails by a directory's lying where the database should: neither root nor anyone can open that."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / "matches.sqlite"

    def journal(self) -> Journal:
        return SqliteJournal(self._directory)

    def fail(self) -> None:
        for path in self._directory.glob("matches.sqlite*"):
            path.rename(self._directory / f"kept-{path.name}")
        self._path.mkdir()

    def mend(self) -> None:
        self._path.rmdir()
        for path in self._directory.glob("kept-*"):
            path.rename(self._directory / path.name.removeprefix("kept-"))


class Listener:
    """Takes the callbacks from whatever thread, and lets a test wait for them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.durable: list[tuple[int, int]] = []
        self.faults: list[str] = []

    def on_durable(self, match_id: int, count: int) -> None:
        with self._changed:
            self.durable.append((match_id, count))
            self._changed.notify_all()

    def on_fault(self, text: str) -> None:
        with self._changed:
            self.faults.append(text)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, timeout=20), (self.durable, self.faults)


@pytest.fixture(params=["memory", "sqlite"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Disk:
    return MemoryDisk() if request.param == "memory" else SqliteDisk(tmp_path)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def journal(disk: Disk, listener: Listener) -> Iterator[Journal]:
    journal = disk.journal()
    journal.open(listener.on_durable, listener.on_fault)
    yield journal
    journal.close()


def test_ids_count_from_one(journal: Journal) -> None:
    assert [journal.begin("apache", [SETUP], None), journal.begin("order", [SETUP], None)] == [1, 2]


def test_an_empty_journal_has_nothing_unfinished(journal: Journal) -> None:
    assert journal.unfinished() is None


def test_begun_lines_become_durable(journal: Journal, listener: Listener) -> None:
    match = journal.begin("apache", [SETUP, b"2"], None)
    listener.wait(lambda: (match, 2) in listener.durable)


def test_lines_come_back_in_order_the_queued_ones_too(journal: Journal) -> None:
    match = journal.begin("apache", [SETUP], None)
    for number in range(200):
        journal.append(match, str(number).encode())
    assert journal.lines(match) == [SETUP, *(str(number).encode() for number in range(200))]


def test_the_last_count_of_durable_lines_is_all_of_them_and_counts_only_rise(
    journal: Journal, listener: Listener
) -> None:
    match = journal.begin("apache", [SETUP], None)
    for number in range(50):
        journal.append(match, str(number).encode())
    listener.wait(lambda: (match, 51) in listener.durable)
    counts = [count for _, count in listener.durable]
    assert counts == sorted(set(counts))


def test_two_running_matches_keep_their_lines_apart(journal: Journal, listener: Listener) -> None:
    one, two = journal.begin("apache", [b"1"], None), journal.begin("apache", [b"2"], None)
    journal.append(one, b"1a")
    journal.append(two, b"2a")
    listener.wait(lambda: {(one, 2), (two, 2)} <= set(listener.durable))
    assert (journal.lines(one), journal.lines(two)) == ([b"1", b"1a"], [b"2", b"2a"])


def test_a_line_is_bytes_and_comes_back_as_the_same_bytes(journal: Journal) -> None:
    line = '{"name":"Zoë \u2603"}'.encode() + b"\x00\xff"
    match = journal.begin("apache", [SETUP], None)
    journal.append(match, line)
    assert journal.lines(match)[1] == line


def test_closing_stores_what_is_queued_and_opening_finds_it(disk: Disk, listener: Listener) -> None:
    first = disk.journal()
    first.open(listener.on_durable, listener.on_fault)
    match = first.begin("apache", [SETUP], "boot-1")
    for number in range(100):
        first.append(match, str(number).encode())
    first.close()
    assert listener.durable[-1] == (match, 101)
    second = disk.journal()
    second.open(listener.on_durable, listener.on_fault)
    assert second.unfinished() == match
    assert len(second.lines(match)) == 101
    assert second.boot_id(match) == "boot-1"
    second.close()


def test_a_resumed_match_goes_on_where_it_was(disk: Disk, listener: Listener) -> None:
    first = disk.journal()
    first.open(listener.on_durable, listener.on_fault)
    match = first.begin("apache", [SETUP], None)
    first.close()
    second = disk.journal()
    second.open(listener.on_durable, listener.on_fault)
    second.append(match, b"after")
    listener.wait(lambda: (match, 2) in listener.durable)
    second.close()
    assert second.unfinished() == match
    assert second.lines(match) == [SETUP, b"after"]


def test_a_finished_match_is_not_offered_again(disk: Disk, listener: Listener) -> None:
    first = disk.journal()
    first.open(listener.on_durable, listener.on_fault)
    match = first.begin("apache", [SETUP], None)
    first.finish(match)
    assert first.unfinished() is None
    first.close()
    second = disk.journal()
    second.open(listener.on_durable, listener.on_fault)
    assert second.unfinished() is None
    assert second.lines(match) == [SETUP]
    assert second.begin("apache", [SETUP], None) == match + 1
    second.close()


def test_only_the_newest_match_is_offered(journal: Journal) -> None:
    journal.begin("apache", [SETUP], None)
    journal.finish(journal.begin("apache", [SETUP], None))
    assert journal.unfinished() is None


def test_an_older_finished_match_can_still_be_read_and_added_to(journal: Journal, listener: Listener) -> None:
    old = journal.begin("apache", [b"old"], "boot-1")
    journal.finish(old)
    new = journal.begin("apache", [b"new"], None)
    listener.wait(lambda: (new, 1) in listener.durable)
    journal.append(old, b"remark")
    listener.wait(lambda: (old, 2) in listener.durable)
    assert journal.lines(old) == [b"old", b"remark"]
    assert journal.boot_id(old) == "boot-1"


def test_a_line_that_begins_a_new_clock_names_its_boot(disk: Disk, listener: Listener) -> None:
    first = disk.journal()
    first.open(listener.on_durable, listener.on_fault)
    match = first.begin("apache", [SETUP], "boot-1")
    listener.wait(lambda: (match, 1) in listener.durable)
    first.append(match, b"restart", boot_id="boot-2")
    first.append(match, b"press")
    assert first.boot_id(match) == "boot-2"
    first.close()
    second = disk.journal()
    second.open(listener.on_durable, listener.on_fault)
    assert second.boot_id(match) == "boot-2"
    second.close()


def test_the_boot_may_be_unknown(journal: Journal) -> None:
    assert journal.boot_id(journal.begin("apache", [SETUP], None)) is None


def test_an_unknown_match_is_an_error_that_names_it(journal: Journal) -> None:
    for call in (
        lambda: journal.append(7, b""),
        lambda: journal.lines(7),
        lambda: journal.boot_id(7),
        lambda: journal.finish(7),
    ):
        with pytest.raises(UnknownMatch, match="7") as caught:
            call()
        assert isinstance(caught.value, CompanionError)
        assert isinstance(caught.value, LookupError)


def test_a_broken_disk_is_told_once_and_what_was_queued_is_stored_in_order_when_it_is_mended(
    disk: Disk, journal: Journal, listener: Listener
) -> None:
    match = journal.begin("apache", [SETUP], None)
    listener.wait(lambda: (match, 1) in listener.durable)
    disk.fail()
    for number in range(5):
        journal.append(match, str(number).encode())
        listener.wait(lambda: bool(listener.faults))
    assert len(set(listener.faults)) == len(listener.faults)
    assert listener.durable[-1] == (match, 1)
    assert journal.lines(match) == [SETUP, b"0", b"1", b"2", b"3", b"4"]
    disk.mend()
    journal.retry()
    listener.wait(lambda: (match, 6) in listener.durable)
    journal.close()


def test_a_match_can_be_begun_on_a_broken_disk(disk: Disk, listener: Listener) -> None:
    disk.fail()
    journal = disk.journal()
    journal.open(listener.on_durable, listener.on_fault)
    match = journal.begin("apache", [SETUP], "boot-1")
    journal.append(match, b"2")
    listener.wait(lambda: bool(listener.faults))
    assert journal.unfinished() == match
    assert not listener.durable
    disk.mend()
    journal.retry()
    listener.wait(lambda: (match, 2) in listener.durable)
    journal.close()


NAMED = b'{"type":"names","names":{"red":"Ann"}}'
UNNAMED = b'{"type":"names","names":{"red":""}}'


def without_ann(line: bytes) -> bytes:
    return UNNAMED if line == NAMED else line


def test_a_changed_line_takes_the_place_of_the_old_one_and_the_match_goes_on(
    disk: Disk, journal: Journal, listener: Listener
) -> None:
    first = journal.begin("apache", [SETUP, NAMED, b"3"], None)
    journal.finish(first)
    second = journal.begin("apache", [SETUP, b"2"], None)
    running = journal.begin("apache", [SETUP, NAMED], "boot")
    journal.append(running, b"3")
    assert journal.change_lines(b'"names"', without_ann) == 2
    journal.append(running, b"4")
    listener.wait(lambda: (running, 4) in listener.durable)
    expected = {first: [SETUP, UNNAMED, b"3"], second: [SETUP, b"2"], running: [SETUP, UNNAMED, b"3", b"4"]}
    assert {match: journal.lines(match) for match in expected} == expected
    journal.close()
    again = disk.journal()
    again.open(listener.on_durable, listener.on_fault)  # its check sums hold
    assert ({match: again.lines(match) for match in expected}, again.unfinished()) == (expected, running)
    again.close()


def test_only_lines_that_have_what_is_looked_for_are_asked_about(journal: Journal) -> None:
    journal.begin("apache", [SETUP, NAMED, b"3"], None)
    asked: list[bytes] = []

    def change(line: bytes) -> bytes:
        asked.append(line)
        return line

    assert journal.change_lines(b'"names"', change) == 0
    assert set(asked) == {NAMED}


def test_a_broken_disk_changes_no_line(disk: Disk, listener: Listener) -> None:
    disk.fail()
    journal = disk.journal()
    journal.open(listener.on_durable, listener.on_fault)
    match = journal.begin("apache", [SETUP, NAMED], None)
    with pytest.raises(Unavailable):
        journal.change_lines(b'"names"', without_ann)
    assert journal.lines(match) == [SETUP, NAMED]
    disk.mend()
    journal.close()

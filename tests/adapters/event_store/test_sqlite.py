"""A store in an SQLite file: how it is held and written, what goes wrong with disks, and its backups."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.core.errors import Unavailable
from tests.adapters.event_store.faults import asked_at_commit, each_connection
from tests.adapters.event_store.homes import MATCH, parts, raw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqlEventStore]:
    store = SqlEventStore(url_of_file(path), "cup")
    yield store
    store.close()


def opened(path: Path, event: str = "cup") -> SqlEventStore:
    store = SqlEventStore(url_of_file(path), event)
    store.open()
    return store


def test_folders_above_the_file_are_made(tmp_path: Path) -> None:
    store = opened(tmp_path / "desk" / "cup" / "event.sqlite")
    store.append(1, [b"one"])
    store.close()
    assert sorted(one.name for one in (tmp_path / "desk" / "cup").iterdir()) == ["event.sqlite", "event.sqlite.lock"]


def test_a_transaction_waits_for_the_disk(store: SqlEventStore) -> None:
    with asked_at_commit("PRAGMA journal_mode", "PRAGMA synchronous") as settings:
        store.open()
        store.append(1, [b"one"])
    assert set(settings) == {("wal", 2)}  # 2: FULL


def test_a_second_desk_is_refused_until_the_first_has_gone(store: SqlEventStore, path: Path) -> None:
    store.open()
    second = SqlEventStore(url_of_file(path), "cup")
    with pytest.raises(Unavailable, match=r"another desk \(process \d+\) is using .*event.sqlite: stop it"):
        second.open()
    store.append(1, [b"one"])
    store.close()
    second.open()
    assert second.entries() == [b"one"]
    second.close()


def test_several_events_in_one_file_are_apart(path: Path) -> None:
    for event in ("cup", "other"):
        store = opened(path, event)
        assert (store.entries(), store.held()) == ([], {})
        store.append(1, [event.encode()])
        store.keep(parts("box-1", MATCH, 1, words=event))
        store.close()
    store = opened(path, "cup")
    assert (store.entries(), store.record("box-1", MATCH)) == ([b"cup"], [raw(1, "cup")])
    store.close()


def test_it_may_be_opened_in_one_thread_and_used_in_another(store: SqlEventStore) -> None:
    thread = threading.Thread(target=store.open)
    thread.start()
    thread.join()
    store.append(1, [b"one"])
    assert store.entries() == [b"one"]


FAULTS = {
    "the disk is full": "PRAGMA max_page_count = 1",  # no page more than there are
    "the disk or the file is read-only": "PRAGMA query_only = ON",
}
LARGE = b"x" * 100_000


@pytest.mark.parametrize("fault", FAULTS)
def test_a_disk_that_takes_nothing_more_changes_nothing_and_may_recover(path: Path, fault: str) -> None:
    store = opened(path)
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, 1, 3))
    store.close()
    with each_connection(FAULTS[fault]):
        store.open()
        for _ in range(2):
            with pytest.raises(Unavailable, match=f"event.sqlite: {fault}"):
                store.append(2, [b"small", LARGE])
            with pytest.raises(Unavailable, match=f"event.sqlite: {fault}"):
                store.keep(parts("box-1", MATCH, 2) + parts("box-2", MATCH, *range(1, 2000)))
            assert (store.entries(), store.held()) == ([b"one"], {("box-1", MATCH): 1})
    with pytest.raises(Unavailable):
        store.append(2, [LARGE])  # the connection that finds the disk full is given up only now
    store.append(2, [b"small", LARGE])
    assert store.keep(parts("box-1", MATCH, 2) + parts("box-2", MATCH, *range(1, 2000))) == []
    assert store.held() == {("box-1", MATCH): 3, ("box-2", MATCH): 1999}
    assert store.entries() == [b"one", b"small", LARGE]
    store.close()


def test_a_full_disk_refuses_a_new_store_and_lets_go_of_it(store: SqlEventStore) -> None:
    with each_connection("PRAGMA max_page_count = 2"), pytest.raises(Unavailable, match="the disk is full"):
        store.open()
    store.open()
    assert store.entries() == []


def spoil_header(path: Path) -> None:
    path.write_bytes(b"no database at all, but the notes of somebody" * 100)


def spoil_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 8 :] = b"\xff" * (len(content) - 4096 * 8)
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 4096)


def spoil_one_page(path: Path) -> None:
    """Spoil a page of lines: nothing else of it is read when a store is opened."""
    content = bytearray(path.read_bytes())
    at = content.index(b'"line":1500}') // 4096 * 4096
    content[at : at + 4096] = b"\xff" * 4096
    path.write_bytes(content)


@pytest.mark.parametrize("spoil", [spoil_header, spoil_pages, spoil_one_page, cut_short])
def test_a_damaged_file_is_refused_in_words_and_left_as_it_is(path: Path, spoil: Callable[[Path], None]) -> None:
    store = opened(path)
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, *range(1, 3000)))
    store.close()
    spoil(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(
            Unavailable, match=r"event.sqlite: it is damaged \(.*\); put the newest backup in its place"
        ):
            store.open()
        assert path.read_bytes() == before


def test_damage_that_comes_while_it_is_open_is_told_in_words(path: Path) -> None:
    store = opened(path)
    store.append(1, [b"x" * 1000 for _ in range(500)])
    store.close()
    with each_connection("PRAGMA cache_size = 1"):
        store.open()
        spoil_pages(path)
        with pytest.raises(Unavailable, match=r"event\.sqlite: it is damaged"):
            store.entries()
    store.close()


def test_lines_that_somebody_has_deleted_are_missed(store: SqlEventStore, path: Path) -> None:
    store.open()
    store.append(1, [b"one", b"two", b"three"])
    store.keep(parts("box-1", MATCH, 1, 2, 3))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM event_log WHERE number = 2")
        database.execute("DELETE FROM event_line WHERE number = 2")
    with pytest.raises(Unavailable, match="the log of 'cup' has lost its line 2"):
        store.entries()
    with pytest.raises(Unavailable, match=r"the record a+ of box-1 has lost lines"):
        store.record("box-1", MATCH)


def test_another_programs_database_is_left_alone(store: SqlEventStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipe (name TEXT)")
    with pytest.raises(Unavailable, match="is the database of another program: choose another file"):
        store.open()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipe",)]


def test_a_file_that_was_taken_away_is_not_written_on(store: SqlEventStore, path: Path) -> None:
    store.open()
    store.append(1, [b"one"])
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).rename(path.with_name(f"aside.sqlite{suffix}"))
    for _ in range(2):
        with pytest.raises(Unavailable, match="has been taken away"):
            store.append(2, [b"two"])
        with pytest.raises(Unavailable, match="has been taken away"):
            store.keep(parts("box-1", MATCH, 1))
    assert not path.exists()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"aside.sqlite{suffix}").rename(path.with_name(path.name + suffix))
    store.append(2, [b"two"])
    assert store.entries() == [b"one", b"two"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = SqlEventStore(url_of_file(tmp_path / "file" / "event.sqlite"), "cup")
    with pytest.raises(Unavailable, match=r"event.sqlite: the event cannot be kept there: .+"):
        store.open()


def test_a_path_that_is_a_folder_is_told(tmp_path: Path) -> None:
    store = SqlEventStore(url_of_file(tmp_path), "cup")
    with pytest.raises(Unavailable, match="the file cannot be opened"):
        store.open()


def test_a_program_that_looks_into_it_keeps_nobody_away(store: SqlEventStore, path: Path) -> None:
    store.open()
    store.append(1, [b"one"])
    with closing(sqlite3.connect(path)) as database:
        database.execute("BEGIN")
        assert database.execute("SELECT count(*) FROM event_log").fetchone() == (1,)
        store.append(2, [b"two"])
        assert database.execute("SELECT count(*) FROM event_log").fetchone() == (1,)
    assert store.entries() == [b"one", b"two"]


def test_no_new_file_is_begun_where_one_was_taken_away_after_a_fault(path: Path) -> None:
    opened(path).close()
    with each_connection(FAULTS["the disk is full"]):
        store = opened(path)
        with pytest.raises(Unavailable, match="the disk is full"):
            store.append(1, [LARGE])
        path.unlink()
        for _ in range(2):
            with pytest.raises(Unavailable, match="has been taken away"):
                store.entries()
    assert not path.exists()
    store.close()


# Backups --------------------------------------------------------------------------------------------------------------


def test_a_backup_is_a_store_of_its_own_with_all_that_was_there(store: SqlEventStore, tmp_path: Path) -> None:
    store.open()
    store.append(1, [b"one"])
    store.keep(parts("box-1", MATCH, 1, 2, 4))
    store.backup(tmp_path / "backup.sqlite")
    store.append(2, [b"two"])
    assert (tmp_path / "backup.sqlite").read_bytes()[18:20] == b"\1\1"  # it can be read on a disk that is read-only too
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "backup.sqlite").rename(tmp_path / "elsewhere" / "event.sqlite")  # one file is all of it
    restored = opened(tmp_path / "elsewhere" / "event.sqlite")
    assert (restored.entries(), restored.held()) == ([b"one"], {("box-1", MATCH): 2})
    assert restored.keep(parts("box-1", MATCH, 3)) == []
    assert restored.held() == {("box-1", MATCH): 4}
    restored.close()
    assert store.entries() == [b"one", b"two"]


def test_each_backup_takes_the_place_of_the_one_before(store: SqlEventStore, tmp_path: Path) -> None:
    store.open()
    backup = tmp_path / "backup.sqlite"
    for number in (1, 2, 3):
        store.append(number, [raw(number)])
        store.backup(backup)
    restored = opened(backup)
    assert restored.entries() == [raw(1), raw(2), raw(3)]
    restored.close()
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith(".draft")] == []


def test_backups_by_another_thread_are_consistent_while_the_store_is_written(tmp_path: Path) -> None:
    store = opened(tmp_path / "event.sqlite")
    done = threading.Event()
    seen: list[tuple[int, int]] = []

    def back_up() -> None:
        while not done.is_set():
            store.backup(tmp_path / "backup.sqlite")
            with closing(sqlite3.connect(tmp_path / "backup.sqlite")) as database:
                count = "SELECT count(*), max(number) FROM event_log"
                seen.append(database.execute(count).fetchone())

    thread = threading.Thread(target=back_up)
    thread.start()
    number = 1
    try:
        while len(seen) < 3 and thread.is_alive():
            store.append(number, [raw(number), raw(number + 1)])
            number += 2
    finally:
        done.set()
        thread.join()
    assert len(store.entries()) == number - 1
    store.close()
    assert len(seen) >= 3
    assert [count for count, _ in seen] == sorted(count for count, _ in seen)
    assert all(count % 2 == 0 and count == (highest or 0) for count, highest in seen)


def test_a_backup_that_cannot_be_written_leaves_the_one_before(store: SqlEventStore, tmp_path: Path) -> None:
    store.open()
    store.append(1, [b"one"])
    backup = tmp_path / "backup.sqlite"
    store.backup(backup)
    before = backup.read_bytes()
    (tmp_path / ".backup.sqlite.draft").mkdir()
    store.append(2, [b"two"])
    with pytest.raises(Unavailable, match=r"no backup of .*event.sqlite as .*backup.sqlite: "):
        store.backup(backup)
    assert backup.read_bytes() == before
    with pytest.raises(Unavailable, match="no backup of"):
        store.backup(tmp_path / "missing" / "backup.sqlite")


def test_a_backup_does_not_take_the_stores_own_place(store: SqlEventStore, path: Path) -> None:
    store.open()
    store.append(1, [b"one"])
    with pytest.raises(Unavailable, match="cannot take its own place"):
        store.backup(path)
    assert store.entries() == [b"one"]


def test_nothing_is_backed_up_of_a_store_that_was_never_made(store: SqlEventStore, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="the file cannot be opened"):
        store.backup(tmp_path / "backup.sqlite")
    assert list(tmp_path.iterdir()) == []

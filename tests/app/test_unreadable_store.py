"""What the API answers where the stored matches cannot be read: 503 and why, never an empty list or a match that is
not there."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from companion.adapters.evidence_files import evidence_folder, path_of
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.pages import StoredMatches
from companion.core.evidence.written import digest
from tests.adapters.web.served import Served, served
from tests.screens.strip.races import dead_heat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

ADDRESSES = ("/api/matches", "/api/matches/1", "/api/matches/1/record", "/api/matches/1/strips/1.svg")


@pytest.fixture(scope="module")
def box() -> Iterator[Served]:
    with served() as it:
        yield it


@pytest.fixture
def state(box: Served, tmp_path: Path) -> Path:
    """A state directory with a match and its evidence, from which the server reads."""
    race = dead_heat()
    journal = SqliteJournal(tmp_path)
    journal.open(lambda *_: None, pytest.fail)
    journal.finish(journal.begin("apache", race.record(), None))
    journal.close()
    folder = evidence_folder(tmp_path)
    folder.mkdir()
    path_of(folder, digest(race.evidence())).write_bytes(race.evidence())
    assert box.server.desk is not None
    box.server.desk.archive = StoredMatches(tmp_path)
    return tmp_path


def unavailable(answer: httpx.Response) -> str:
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "unavailable"
    return str(answer.json()["error"]["message"])


def spoil(state: Path) -> None:
    (state / "matches.sqlite").write_bytes(b"no database at all" * 1000)


def drop(state: Path) -> None:
    with sqlite3.connect(state / "matches.sqlite") as database:
        database.execute("DROP TABLE line")
    database.close()


def put_a_folder_there(state: Path) -> None:
    (state / "matches.sqlite").unlink()
    (state / "matches.sqlite").mkdir()


def garble(state: Path) -> None:
    with sqlite3.connect(state / "matches.sqlite") as database:
        database.execute("UPDATE line SET line = CAST(line AS TEXT)")
    database.close()


FAULTS = {"another file": spoil, "a missing table": drop, "a folder": put_a_folder_there}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_store_in_order_is_read(box: Served, state: Path, address: str) -> None:
    assert box.client.get(address).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_store_that_cannot_be_read_is_503_and_named(
    box: Served, state: Path, address: str, fault: Callable[[Path], None]
) -> None:
    fault(state)
    assert "matches.sqlite" in unavailable(box.client.get(address))


@pytest.mark.parametrize("address", ADDRESSES[1:])
def test_a_match_that_is_not_as_it_was_written_is_503(box: Served, state: Path, address: str) -> None:
    garble(state)
    assert "not as it was written" in unavailable(box.client.get(address))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_store_that_another_program_has_locked_is_503(
    box: Served, state: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.adapters.sqlite_journal.store.LOCKED_S", 0.01)
    monkeypatch.setattr("shutil.copyfile", lambda *_: pytest.fail("no copy of a database that is being written"))
    with sqlite3.connect(state / "matches.sqlite", isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in unavailable(box.client.get(address))
        other.execute("ROLLBACK")
    other.close()


def test_where_nothing_has_been_stored_the_list_is_empty_and_a_match_not_found(box: Served, state: Path) -> None:
    (state / "matches.sqlite").unlink()
    assert box.client.get("/api/matches").json() == []
    for address in ADDRESSES[1:]:
        assert box.client.get(address).status_code == 404


@pytest.mark.parametrize("address", ADDRESSES[1:])
def test_a_number_beyond_all_is_not_found(box: Served, state: Path, address: str) -> None:
    assert box.client.get(address.replace("/1", f"/{10**17}", 1)).status_code == 404


def test_evidence_that_is_a_folder_is_503(box: Served, state: Path) -> None:
    for path in evidence_folder(state).iterdir():
        path.unlink()
        path.mkdir()
    assert "cannot read" in unavailable(box.client.get(ADDRESSES[3]))


def test_an_evidence_folder_that_is_a_file_is_503(box: Served, state: Path) -> None:
    folder = evidence_folder(state)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_bytes(b"junk")
    assert "cannot read" in unavailable(box.client.get(ADDRESSES[3]))


def test_a_strip_of_a_record_that_cannot_be_judged_is_503(box: Served, state: Path) -> None:
    journal = SqliteJournal(state)
    journal.open(lambda *_: None, pytest.fail)
    journal.finish(journal.begin("apache", [b"{}"], None))
    journal.close()
    assert "line 1" in unavailable(box.client.get("/api/matches/2/strips/1.svg"))

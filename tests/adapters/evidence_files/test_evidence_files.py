"""Evidence on disk: named by its hash, durable before it is told of, no hindrance to play, deleted as the core says."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.evidence_files import EvidenceFiles, find_evidence, stored_evidence
from companion.adapters.evidence_files import writer as writing
from companion.core.errors import Unavailable
from companion.core.evidence.capture import Captured
from companion.core.evidence.written import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.core.evidence.keeping import StoredFile


ONE, TWO = b"one\n", b"two\n"


def captured(content: bytes = ONE, race: int = 1) -> Captured:
    return Captured(race, content, digest(content), 1)


class Told:
    """What the files said, each thing awaited by its event."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, int]] = []
        self.states: list[str | None] = []
        self.changed = threading.Condition()

    def on_kept(self, match_id: int, what: Captured) -> None:
        with self.changed:
            self.kept.append((match_id, what.race))
            self.changed.notify()

    def on_state(self, text: str | None) -> None:
        with self.changed:
            self.states.append(text)
            self.changed.notify()

    def await_that(self, condition: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, timeout=10)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def files(tmp_path: Path, told: Told) -> Iterator[EvidenceFiles]:
    files = EvidenceFiles(tmp_path / "evidence")
    files.open(told.on_kept, told.on_state)
    yield files
    files.close()


def test_a_file_is_named_by_the_hash_of_its_bytes_and_read_again_by_it(
    files: EvidenceFiles, told: Told, tmp_path: Path
) -> None:
    files.keep(7, captured())
    told.await_that(lambda: told.kept == [(7, 1)])
    (path,) = (tmp_path / "evidence").iterdir()
    assert path.name == digest(ONE) + ".jsonl"
    assert find_evidence(tmp_path / "evidence", digest(ONE)) == ONE
    assert find_evidence(tmp_path / "evidence", digest(TWO)) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_bytes_and_name_are_on_the_disk_before_it_is_told(
    files: EvidenceFiles, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def fsync(handle: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        assert told.kept == []

    monkeypatch.setattr(os, "fsync", fsync)
    files.keep(1, captured())
    told.await_that(lambda: bool(told.kept))
    folder = tmp_path / "evidence"
    assert synced == [str(folder / f"{digest(ONE)}.part"), str(folder)]


def test_a_full_disk_is_told_once_and_what_waited_is_stored_when_there_is_room(
    files: EvidenceFiles, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_full = True
    fsync = os.fsync

    def full(handle: int) -> None:
        if is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)
    files.keep(1, captured(ONE, 1))
    told.await_that(lambda: bool(told.states))
    files.keep(1, captured(TWO, 2))
    files.retry()
    assert told.kept == []
    assert not files.is_busy
    assert list((tmp_path / "evidence").glob("*.jsonl")) == []
    is_full = False
    files.retry()
    told.await_that(lambda: told.kept == [(1, 1), (1, 2)] and told.states[-1] is None)
    assert told.states[0] is not None
    assert "No space left on device" in told.states[0]
    assert told.states.count(told.states[0]) == 1


def test_a_disk_that_takes_nothing_fills_no_memory(
    files: EvidenceFiles, told: Told, tmp_path: Path
) -> None:  # fmt: skip
    (tmp_path / "evidence").write_text("in the way")
    for race in range(1, writing.MOST_WAITING + 11):
        files.keep(1, captured(b"%d\n" % race, race))
    told.await_that(lambda: bool(told.states))
    (tmp_path / "evidence").unlink()
    files.retry()
    told.await_that(lambda: told.states[-1] is None)
    assert [race for _, race in told.kept][-writing.MOST_WAITING :] == list(range(11, writing.MOST_WAITING + 11))


def test_it_is_busy_until_it_has_told(tmp_path: Path, told: Told) -> None:
    """Whoever stops the box waits for that: the record's line is written then."""
    files, busy = EvidenceFiles(tmp_path / "evidence"), []

    def tell(match_id: int, what: Captured) -> None:
        busy.append(files.is_busy)
        told.on_kept(match_id, what)

    files.open(tell, told.on_state)
    files.keep(7, captured())
    told.await_that(lambda: bool(told.kept))
    files.close()
    assert busy == [True]
    assert not files.is_busy


def test_closing_stores_what_waits(tmp_path: Path, told: Told) -> None:
    files = EvidenceFiles(tmp_path / "evidence")
    files.open(told.on_kept, told.on_state)
    for race in range(1, 20):
        files.keep(1, captured(b"%d\n" % race, race))
    files.close()
    assert len(stored_evidence(tmp_path / "evidence")) == 19


def test_what_may_be_deleted_is_asked_at_the_start_and_nothing_else_goes(tmp_path: Path, told: Told) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    for text in (ONE, TWO):
        (folder / f"{digest(text)}.jsonl").write_bytes(text)
    (folder / "notes.txt").write_text("a person's own")
    offered: list[str] = []

    def tidy(stored: Iterable[StoredFile]) -> list[str]:
        offered.extend(file.sha256 for file in stored)
        return [digest(ONE)]

    files = EvidenceFiles(folder, tidy)
    files.open(told.on_kept, told.on_state)
    files.close()
    assert sorted(offered) == sorted([digest(ONE), digest(TWO)])
    assert {path.name for path in folder.iterdir()} == {f"{digest(TWO)}.jsonl", "notes.txt"}


def test_where_it_is_not_known_what_may_be_deleted_nothing_is_and_evidence_is_kept_all_the_same(
    tmp_path: Path, told: Told
) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / f"{digest(ONE)}.jsonl").write_bytes(ONE)

    def tidy(stored: Iterable[object]) -> list[str]:
        raise Unavailable("the matches cannot be read")

    files = EvidenceFiles(folder, tidy)
    files.open(told.on_kept, told.on_state)
    files.keep(1, captured(TWO))
    files.close()
    assert told.kept == [(1, 1)]
    assert len(stored_evidence(folder)) == 2

"""The status file: replaced whole, readable by all, and what is said where it is not there or not ours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service.status_file import FILE_NAME, StatusFile, read_status, runtime_directories
from companion.core.errors import Malformed, Unavailable
from companion.core.play.health import BoxStatus, Doing, Life, MatchStatus, PastFault, SourceStatus
from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Status

if TYPE_CHECKING:
    from pathlib import Path

STATUS = BoxStatus(
    version="1.2.3", life=Life.RUNNING, pid=7, boot="b", t_ns=5, wall="2026-01-02T03:04:05+00:00", every_ns=9,
    doing=Doing.PLAYING,
    match=MatchStatus(
        number=3, game="Order", seats=("red", "blue"), race_name="Race", race=2, phase=RacePhase.COLLECTING,
        order=Status.PROVISIONAL, lines=8, durable=7,
    ),
    sources=(SourceStatus(name="gpiod"), SourceStatus(name="pods", fault="gone")),
    faults=("red first: stuck",), last_fault=PastFault(text="red first: stuck", wall="2026-01-02T03:04:04+00:00"),
)  # fmt: skip


def test_what_is_written_is_read_again_and_nothing_else_is_left(tmp_path: Path) -> None:
    assert StatusFile(tmp_path).write(STATUS) is None
    assert read_status((tmp_path,)) == STATUS
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o644


def test_a_reader_that_opened_the_old_file_reads_the_old_text_to_its_end(tmp_path: Path) -> None:
    file = StatusFile(tmp_path)
    file.write(STATUS)
    with (tmp_path / FILE_NAME).open("rb") as old:
        before = old.read(10)
        file.write(BoxStatus(version="9", life=Life.STOPPED, pid=1, boot=None, t_ns=0, wall="", every_ns=1))
        whole = before + old.read()
    assert b'"version":"1.2.3"' in whole
    assert whole.endswith(b"}\n")


def test_of_two_directories_the_newer_status_counts(tmp_path: Path) -> None:
    for name, pid in (("service", 1), ("user", 2)):
        (tmp_path / name).mkdir()
        StatusFile(tmp_path / name).write(STATUS)
        os.utime(tmp_path / name / FILE_NAME, ns=(pid * 10**9, pid * 10**9))
    newest = tmp_path / "user" / FILE_NAME
    newest.write_bytes(newest.read_bytes().replace(b'"pid":7', b'"pid":8'))
    assert read_status((tmp_path / "service", tmp_path / "user")).pid == 8


def test_no_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=str(tmp_path)):
        read_status((tmp_path, tmp_path / "none"))


@pytest.mark.parametrize("text", [b"", b"{}", b'{"version":1}', b"\xff"])
def test_a_file_that_is_not_ours_is_malformed_and_names_it(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(text)
    with pytest.raises(Malformed, match=FILE_NAME):
        read_status((tmp_path,))


def test_a_directory_that_is_gone_is_told_once_and_once_more_after_it_was_well(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    file = StatusFile(gone)
    told = [file.write(STATUS), file.write(STATUS)]
    gone.mkdir()
    told.append(file.write(STATUS))
    (gone / FILE_NAME).unlink()
    gone.rmdir()
    told.append(file.write(STATUS))
    assert [text is None for text in told] == [False, True, True, False]
    assert str(gone / FILE_NAME) in str(told[0])


def test_the_runtime_directories_are_systemds_the_services_and_the_users(tmp_path: Path) -> None:
    service = tmp_path / "service"
    environ = {"RUNTIME_DIRECTORY": "/run/a:/run/b", "XDG_RUNTIME_DIR": "/run/user/1"}
    found = [str(path) for path in runtime_directories(environ, service)]
    assert found == ["/run/a", str(service), "/run/user/1/table-companion"]
    assert runtime_directories({}, service) == (service,)

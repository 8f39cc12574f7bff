"""The file of people: whole or as before, for its owner alone; a broken one is kept aside and said."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from companion.adapters.people_file import PeopleFile
from companion.core.errors import Malformed, Unavailable
from companion.core.people.book import Book, Share

if TYPE_CHECKING:
    from pathlib import Path

BOOK = Book(people=("Ann", "Zoë"), shares=(Share(token="t" * 22, person="Ann", made="2025-03-01T19:30:00+01:00"),))


def test_without_a_file_nobody_is_known(tmp_path: Path) -> None:
    assert PeopleFile(tmp_path).read() == Book()
    assert list(tmp_path.iterdir()) == []


def test_what_was_changed_is_there_for_the_next_program(tmp_path: Path) -> None:
    assert PeopleFile(tmp_path / "new").change(lambda _: BOOK) == BOOK
    assert PeopleFile(tmp_path / "new").read() == BOOK


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    file.change(lambda _: BOOK)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_a_change_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    file.change(lambda _: BOOK)
    with pytest.raises(Malformed):
        file.change(lambda book: book.with_people(["x" * 13]))
    assert file.read() == BOOK


def test_an_equal_book_is_not_written(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    file.change(lambda book: book)
    assert not file.path.exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"people":[1]}', b'{"people":[],"more":1}', b"\xff", b'{"shares":[{"token":"short"}]}',
     b'{"shares":[{"token":"tttttttttttttttttttttt"}]}', b"[" * 200_000, b" " * 2_000_000],
)  # fmt: skip
def test_a_broken_file_is_kept_aside_and_said_and_a_new_list_begun(tmp_path: Path, content: bytes) -> None:
    file = PeopleFile(tmp_path)
    file.path.write_bytes(content)
    assert file.read() == Book()
    (aside,) = tmp_path.iterdir()
    assert aside.read_bytes() == content
    assert file.fault.startswith("people.json was damaged (")
    assert f"kept as {aside.name}, and a new list has been begun" in file.fault
    file.change(lambda book: book.with_people(["Ann"]))
    assert file.read().people == ("Ann",)


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    file.path.write_bytes(b'{"version":2,"people":{"ann":{}}}')
    with pytest.raises(Unavailable, match="newer version"):
        file.read()
    assert file.path.read_bytes() == b'{"version":2,"people":{"ann":{}}}'


def test_a_disk_that_fails_is_said_and_the_list_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PeopleFile(tmp_path)
    file.change(lambda _: BOOK)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unavailable, match="cannot be stored: No space left on device"):
        file.change(lambda book: book.without("Ann"))
    monkeypatch.undo()
    assert file.read() == BOOK
    assert [path.name for path in tmp_path.iterdir()] == ["people.json"]

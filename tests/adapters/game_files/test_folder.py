"""The files that a box keeps for games: durable, few, small; what lies there and is none is left alone and said."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from companion.adapters.game_files import MOST_BYTES, MOST_FILES, FileFolder
from companion.adapters.game_files.folder import MOST_LOOKED_AT, Place
from companion.core.errors import Illegal, Unavailable
from companion.core.ruling.parameters import LARGEST_FILE

if TYPE_CHECKING:
    from pathlib import Path

MINE = Place("claim", "rules", "mine.toml")


@pytest.fixture
def folder(tmp_path: Path) -> FileFolder:
    return FileFolder(tmp_path / "state")


def again(tmp_path: Path) -> FileFolder:
    """The folder as a box finds it that has just started."""
    found = FileFolder(tmp_path / "state")
    found.look()
    return found


def test_a_file_is_there_after_a_restart(folder, tmp_path):
    folder.put(MINE, "a = 1\r\nä = 2\n")
    assert folder.kept == again(tmp_path).kept == {MINE: "a = 1\r\nä = 2\n"}
    assert again(tmp_path).problems == ()


def test_where_nothing_was_ever_kept_there_is_nothing(folder):
    folder.look()
    assert (dict(folder.kept), folder.problems) == ({}, ())


def test_another_text_takes_the_place_of_the_one_before(folder, tmp_path):
    folder.put(MINE, "one")
    folder.put(MINE, "two")
    assert again(tmp_path).kept == {MINE: "two"}
    assert [path.name for path in (tmp_path / "state/files/claim/rules").iterdir()] == ["mine.toml"]


def test_a_deleted_file_is_gone_and_others_stay(folder, tmp_path):
    other = Place("claim", "rules", "other.toml")
    folder.put(MINE, "one")
    folder.put(other, "two")
    folder.remove(MINE)
    folder.remove(MINE)
    assert folder.kept == again(tmp_path).kept == {other: "two"}


def test_what_was_put_there_by_hand_is_found(folder, tmp_path):
    place = tmp_path / "state/files/claim/rules"
    place.mkdir(parents=True)
    (place / "typed.toml").write_text("a = 1")
    folder.look()
    assert folder.kept == {Place("claim", "rules", "typed.toml"): "a = 1"}


@pytest.mark.parametrize("name", ["..", "a/b", "a.b", "ä ö", "%2F"])
def test_whatever_a_game_is_called_its_files_stay_below_the_folder(folder, tmp_path, name):
    place = Place(name, name, "mine.toml")
    folder.put(place, "one")
    (path,) = (one for one in (tmp_path / "state").rglob("*") if one.is_file())
    assert path.relative_to(tmp_path / "state/files").parts[-1] == "mine.toml"
    assert len(path.relative_to(tmp_path / "state/files").parts) == 3
    assert again(tmp_path).kept == {place: "one"}


# -- what is no file of the box ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("-r", b"x", "a file's name has letters"),
        ("large.toml", b"x" * (LARGEST_FILE + 1), "too large"),
        ("latin.toml", b"\xe4", "not UTF-8 text"),
    ],
)
def test_what_cannot_be_a_file_is_left_where_it_is_and_said(folder, tmp_path, name, content, why):
    folder.put(MINE, "one")
    path = tmp_path / "state/files/claim/rules" / name
    path.write_bytes(content)
    folder.look()
    assert folder.kept == {MINE: "one"}
    (problem,) = folder.problems
    assert why in problem
    assert path.read_bytes() == content


def test_a_pipe_keeps_nobody_waiting(folder, tmp_path):
    folder.put(MINE, "one")
    os.mkfifo(tmp_path / "state/files/claim/rules/pipe.toml")
    folder.look()
    assert folder.kept == {MINE: "one"}
    assert "it is a pipe" in folder.problems[0]


def test_a_draft_that_a_power_cut_has_left_is_no_file(folder, tmp_path):
    folder.put(MINE, "one")
    (tmp_path / "state/files/claim/rules/.mine.toml.x7").write_text("hal")
    assert again(tmp_path).kept == {MINE: "one"}
    assert again(tmp_path).problems == ()


def test_ten_thousand_files_hold_nobody_up(folder, tmp_path):
    place = tmp_path / "state/files/claim/rules"
    place.mkdir(parents=True)
    for number in range(10_000):
        (place / f"{number:05}.toml").touch()
    folder.look()
    assert len(folder.kept) == MOST_FILES
    assert f"more than {MOST_LOOKED_AT} names" in folder.problems[0]
    assert len(folder.problems) <= MOST_LOOKED_AT + 1


# -- limits and a failing disk -----------------------------------------------------------------------------------------


def test_so_many_files_are_kept_and_one_of_them_can_still_be_changed(folder, tmp_path):
    place = tmp_path / "state/files/claim/rules"
    place.mkdir(parents=True)
    for number in range(MOST_FILES):
        (place / f"{number}.toml").write_text("x")
    with pytest.raises(Illegal, match=f"keeps {MOST_FILES} files already: delete one first"):
        folder.put(MINE, "one")
    folder.put(Place("claim", "rules", "7.toml"), "y")
    assert again(tmp_path).kept[Place("claim", "rules", "7.toml")] == "y"
    assert MINE not in again(tmp_path).kept


def test_all_files_together_have_a_limit_too(folder, tmp_path):
    for number in range(MOST_BYTES // LARGEST_FILE):
        folder.put(Place("claim", "rules", f"{number}.toml"), "x" * LARGEST_FILE)
    with pytest.raises(Illegal, match="1024 KiB together: delete one first"):
        folder.put(MINE, "one")
    assert MINE not in again(tmp_path).kept


@pytest.mark.parametrize("fails", ["fsync", "fchmod"])
def test_a_full_disk_loses_nothing_and_says_so(folder, tmp_path, monkeypatch, fails):
    folder.put(MINE, "one")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, fails, full)
    with pytest.raises(Unavailable, match=r"mine\.toml cannot be stored: No space left on device; nothing has changed"):
        folder.put(MINE, "two")
    assert folder.kept == {MINE: "one"}
    monkeypatch.undo()
    assert again(tmp_path).kept == {MINE: "one"}
    assert [path.name for path in (tmp_path / "state/files/claim/rules").iterdir()] == ["mine.toml"]


def test_a_file_where_the_folder_should_be_is_said_when_something_is_to_be_kept(folder, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state/files").write_text("in the way")
    folder.look()
    assert dict(folder.kept) == {}
    with pytest.raises(Unavailable, match="cannot be stored"):
        folder.put(MINE, "one")
    assert (tmp_path / "state/files").read_text() == "in the way"

"""The folder of profiles: a file each, whole or as before, for its owner alone."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.adapters.profiles_folder import FOLDER, MOST_PROFILES, ProfilesFolder
from companion.adapters.profiles_folder import folder as module
from companion.core.errors import Illegal, Unavailable
from companion.core.profiles.exchange import as_file
from companion.core.profiles.profile import Profile
from tests.core.profiles.people import FULL, PLAIN

if TYPE_CHECKING:
    from pathlib import Path

NEWER = b'{"version":2,"name":"Bob","hat":{"size":58}}'


def kept(folder: ProfilesFolder, profile: Profile) -> Profile:
    return folder.change(profile.name, lambda _: profile)


def opened(directory: Path) -> ProfilesFolder:
    folder = ProfilesFolder(directory)
    folder.look()
    return folder


def files(directory: Path) -> list[Path]:
    return sorted((directory / FOLDER).iterdir())


def test_without_a_folder_nobody_has_one_and_none_is_made(tmp_path: Path) -> None:
    folder = opened(tmp_path)

    assert (folder.kept, folder.problems, folder.remove("Ann")) == ((), (), False)
    assert list(tmp_path.iterdir()) == []


def test_what_was_kept_is_there_for_the_next_program_by_any_spelling_of_the_name(tmp_path: Path) -> None:
    kept(ProfilesFolder(tmp_path / "new"), FULL)
    kept(ProfilesFolder(tmp_path / "new"), PLAIN)
    folder = opened(tmp_path / "new")

    assert folder.kept == (PLAIN, FULL)
    assert (folder.find(" ANN"), folder.find("Bob"), folder.has("ann")) == (PLAIN, None, True)


def test_only_the_owner_may_read_it_and_its_name_tells_nothing(tmp_path: Path) -> None:
    kept(ProfilesFolder(tmp_path), PLAIN)
    (path,) = files(tmp_path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "Ann" not in path.name


def test_a_rename_is_one_write_to_the_same_file(tmp_path: Path) -> None:
    folder = ProfilesFolder(tmp_path)
    kept(folder, PLAIN)
    before = files(tmp_path)

    folder.change("Ann", lambda _: msgspec.structs.replace(PLAIN, name="Anna"))

    assert files(tmp_path) == before
    assert [profile.name for profile in opened(tmp_path).kept] == ["Anna"]


def test_an_equal_profile_is_not_written(tmp_path: Path) -> None:
    folder = ProfilesFolder(tmp_path)
    kept(folder, PLAIN)
    (path,) = files(tmp_path)
    before = path.stat()
    kept(folder, PLAIN)

    assert path.stat().st_ino == before.st_ino


def test_nobody_gets_a_second_one_nor_the_card_of_another(tmp_path: Path) -> None:
    folder = ProfilesFolder(tmp_path)
    kept(folder, FULL)
    kept(folder, PLAIN)

    with pytest.raises(Illegal, match="has a profile already"):
        folder.change("Ann", lambda _: msgspec.structs.replace(PLAIN, name=FULL.name))
    with pytest.raises(Illegal, match="another person"):
        folder.change("Ann", lambda _: msgspec.structs.replace(PLAIN, card=FULL.card))
    assert opened(tmp_path).kept == (PLAIN, FULL)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"name":1}', b'{"name":"Bob","hat":1}', b" " * 40_000])
def test_a_damaged_one_is_set_aside_and_said_and_the_others_stay(tmp_path: Path, content: bytes) -> None:
    kept(ProfilesFolder(tmp_path), PLAIN)
    (tmp_path / FOLDER / "00.json").write_bytes(content)
    folder = opened(tmp_path)

    assert folder.kept == (PLAIN,)
    assert "a profile was damaged" in folder.problems[0]
    (aside,) = [path for path in files(tmp_path) if "-damaged-" in path.name]
    assert aside.read_bytes() == content
    assert aside.name in folder.problems[0]
    folder.look()
    assert len(folder.problems) == 1


def test_one_of_a_newer_version_is_said_and_never_touched_and_play_goes_on_without_it(tmp_path: Path) -> None:
    kept(ProfilesFolder(tmp_path), PLAIN)
    path = tmp_path / FOLDER / "00.json"
    path.write_bytes(NEWER)
    folder = opened(tmp_path)

    assert folder.kept == (PLAIN,)
    assert (folder.find("Bob"), folder.has("Bob")) == (None, True)
    assert folder.problems == (
        "the profile of Bob was written by a newer version of this program: install that version; until then Bob"
        " plays without it",
    )
    with pytest.raises(Illegal, match="left as it is"):
        folder.change("bob", lambda _: Profile(name="Bob"))
    with pytest.raises(Illegal, match="has a profile already"):
        folder.change("Ann", lambda _: Profile(name="Bob"))
    assert path.read_bytes() == NEWER


@pytest.mark.parametrize(
    "content",
    [
        b'{"version":"2.0","name":"Bob"}',
        b'{"version":2,"name":"Bob","hats":["' + b"x" * 100_000 + b'"]}',
        b'{"version":2,"name":"Bob","hats":["' + b"x" * 2_000_000 + b'"]}',
    ],
    ids=["2.0", "100 kB", "2 MB"],
)
def test_one_of_a_newer_version_is_left_where_it_is_however_it_says_so(tmp_path: Path, content: bytes) -> None:
    kept(ProfilesFolder(tmp_path), PLAIN)
    path = tmp_path / FOLDER / "00.json"
    path.write_bytes(content)
    folder = opened(tmp_path)

    assert folder.kept == (PLAIN,)
    assert "of Bob was written by a newer version" in folder.problems[0]
    assert folder.asides() == []
    assert path.read_bytes() == content


def test_to_delete_takes_one_of_a_newer_version_too_and_what_a_power_cut_left_half_written(tmp_path: Path) -> None:
    kept(ProfilesFolder(tmp_path), PLAIN)
    (tmp_path / FOLDER / "00.json").write_bytes(NEWER)
    (tmp_path / FOLDER / ".00.json.x7").write_bytes(NEWER)
    folder = opened(tmp_path)

    assert folder.remove("bob")
    assert folder.remove("Ann")
    assert (folder.kept, folder.problems, files(tmp_path)) == ((), (), [])


def test_a_full_disk_changes_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ProfilesFolder(tmp_path)
    kept(folder, PLAIN)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module, "put", full)
    with pytest.raises(Unavailable, match="No space left on device; nothing has changed"):
        folder.change("Ann", lambda _: msgspec.structs.replace(PLAIN, language="de"))
    with pytest.raises(Unavailable):
        kept(folder, FULL)
    assert folder.kept == opened(tmp_path).kept == (PLAIN,)


def test_there_is_an_end_to_what_a_box_keeps(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    for number in range(MOST_PROFILES + 1):
        (tmp_path / FOLDER / f"{number:04}.json").write_bytes(as_file(Profile(name=f"P{number}")))
    folder = opened(tmp_path)

    assert len(folder.kept) == MOST_PROFILES
    assert "this box keeps 200 profiles" in folder.problems[0]
    with pytest.raises(Illegal, match="delete one first"):
        kept(folder, PLAIN)


def test_what_cannot_be_read_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / FOLDER / "00.json").mkdir(parents=True)
    (tmp_path / FOLDER / "notes.txt").write_text("mine")

    assert "Is a directory" in opened(tmp_path).problems[0]

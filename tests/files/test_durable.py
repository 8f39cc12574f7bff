"""A file is there as a whole or as it was before, with the mode that was asked for and the owner of its folder."""

import os
import stat
from pathlib import Path

import pytest

from companion.files import durable


def test_a_file_takes_the_place_of_another_as_a_whole(tmp_path):
    path = tmp_path / "kept"
    path.write_bytes(b"before, and longer")
    durable.put(path, b"after")
    assert path.read_bytes() == b"after"
    assert [found.name for found in tmp_path.iterdir()] == ["kept"]


def test_its_mode_does_not_hang_on_the_umask(tmp_path):
    old = os.umask(0o777)
    try:
        durable.put(tmp_path / "public", b"")
        durable.put(tmp_path / "private", b"", durable.PRIVATE_MODE)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"public": 0o644, "private": 0o600}


@pytest.mark.parametrize("call", [(os, "fsync"), (Path, "rename")])
def test_what_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, call):
    path = tmp_path / "kept"
    path.write_bytes(b"before")

    def full(*_args, **_names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*call, full)
    with pytest.raises(OSError, match="No space"):
        durable.put(path, b"after")
    assert path.read_bytes() == b"before"
    assert [found.name for found in tmp_path.iterdir()] == ["kept"]


def test_the_folder_is_synced_after_the_rename(tmp_path, monkeypatch):
    calls = []
    rename, sync = Path.rename, durable.sync_folder
    monkeypatch.setattr(Path, "rename", lambda *names: (calls.append("rename"), rename(*names)))
    monkeypatch.setattr(durable, "sync_folder", lambda folder: (calls.append("sync"), sync(folder)))
    durable.put(tmp_path / "kept", b"")
    assert calls == ["rename", "sync"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give files away")
def test_what_the_superuser_writes_is_the_folders_owners(tmp_path):
    os.chown(tmp_path, 12345, 23456)
    durable.make_folder(tmp_path / "new" / "inner", 0o700)
    durable.put(tmp_path / "new" / "inner" / "kept", b"")
    for path in (tmp_path / "new", tmp_path / "new" / "inner", tmp_path / "new" / "inner" / "kept"):
        assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match=r"no folder|exists|Not a directory"):
        durable.make_folder(tmp_path / "file" / "folder")
    with pytest.raises(NotADirectoryError):
        durable.make_folder(tmp_path / "file")


def test_a_name_as_long_as_can_be_is_kept(tmp_path):
    path = tmp_path / ("n" * 255)
    durable.put(path, b"kept")
    assert path.read_bytes() == b"kept"

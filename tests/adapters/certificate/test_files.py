"""The certificate's file: whole or not at all."""

import errno
import os

import pytest

from companion.adapters.certificate import files
from companion.core.errors import Unavailable


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / files.PANEL.certificate


def test_what_is_written_is_read_again_and_nothing_else_is_left(path):
    assert files.read(path) is None
    files.write(path, b"one")
    files.write(path, b"two")
    assert files.read(path) == b"two"
    assert [found.name for found in path.parent.iterdir()] == [files.PANEL.certificate]
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("step", ["fsync", "write", "rename"])
def test_a_full_disk_leaves_the_old_one_and_no_half(path, monkeypatch, step):
    files.write(path, b"old")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    elif step == "rename":
        monkeypatch.setattr(type(path), "rename", full)
    else:
        monkeypatch.setattr(os, "fdopen", lambda handle, mode: FullFile(handle))
    with pytest.raises(Unavailable, match=r"cannot be written \(No space left on device\): make room"):
        files.write(path, b"new")
    assert files.read(path) == b"old"
    assert [found.name for found in path.parent.iterdir()] == [files.PANEL.certificate]


class FullFile:
    def __init__(self, handle):
        self.handle = handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.handle)

    def write(self, data):
        os.write(self.handle, data[:1])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_cannot_be_read_is_said(path):
    path.mkdir(parents=True)
    with pytest.raises(Unavailable, match="cannot be read"):
        files.read(path)


def test_removing_what_is_not_there_is_well(path):
    files.remove(path)
    files.write(path, b"x")
    files.remove(path)
    assert files.read(path) is None

"""Trials that are gone on with: whole or not at all, and no fault of theirs stops anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.adapters.calibration_file import FILE_NAME, CalibrationFile
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_kept_is_read_again_and_the_newest_only(tmp_path: Path) -> None:
    file = CalibrationFile(tmp_path / "state")
    assert file.read() is None
    file.keep(b"one")
    file.keep(b"two")
    assert CalibrationFile(tmp_path / "state").read() == b"two"
    assert [path.name for path in (tmp_path / "state").iterdir()] == [FILE_NAME]
    file.keep(None)
    assert file.read() is None
    file.keep(None)


def test_only_the_box_may_read_it(tmp_path: Path) -> None:
    CalibrationFile(tmp_path).keep(b"times")
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_disk_that_takes_nothing_is_said_and_what_was_kept_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = CalibrationFile(tmp_path)
    file.keep(b"one")

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.adapters.calibration_file.file.os.fdopen", full)
    with pytest.raises(Unavailable, match="No space left"):
        file.keep(b"two")
    monkeypatch.undo()
    assert file.read() == b"one"
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_folder_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(Unavailable):
        CalibrationFile(tmp_path).read()
    with pytest.raises(Unavailable):
        CalibrationFile(tmp_path).keep(b"x")

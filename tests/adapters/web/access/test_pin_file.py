"""The PIN file: drawn once and kept; where it cannot be read or kept, a PIN for this run, and the file as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.adapters.web.access.pin_file import PIN_NOT_KEPT, PinFile
from tests.adapters.web.heard import Heard
from tests.adapters.web.served import served, until


def garbled(path: Path) -> None:
    path.write_bytes(b"27\x0018")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 4)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def too_long(path: Path) -> None:
    path.write_bytes(b"1" * (1 << 20))


def words(path: Path) -> None:
    path.write_text("l\u00f6sung\n", encoding="utf-8")


def a_directory(path: Path) -> None:
    path.mkdir()


def a_pipe_without_end(path: Path) -> None:
    os.mkfifo(path)


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


FAULTS = (garbled, binary, empty, too_long, words, a_directory, a_pipe_without_end, a_link_to_itself)


@pytest.mark.parametrize("make", FAULTS, ids=lambda make: make.__name__)
def test_whatever_lies_in_the_pin_file_s_place_a_pin_is_drawn_for_this_run_and_it_is_left_as_it_is(
    tmp_path: Path, make: object
) -> None:
    path = tmp_path / "referee.pin"
    make(path)  # type: ignore[operator]
    before = path.lstat()
    drawn = PinFile(tmp_path).take()
    assert drawn.pin.isdecimal()
    assert "the PIN is not kept" in str(drawn.why_not_kept)
    assert str(path) in str(drawn.why_not_kept)
    after = path.lstat()
    assert (after.st_ino, after.st_size, after.st_mtime_ns) == (before.st_ino, before.st_size, before.st_mtime_ns)
    assert PinFile(tmp_path).take().pin != drawn.pin or PinFile(tmp_path).take().pin != drawn.pin


@pytest.mark.parametrize(
    "place", ["file", "/proc"], ids=["a file in the folder's place", "a folder that takes no files"]
)
def test_pages_are_served_where_no_pin_can_be_kept_and_the_box_says_so(tmp_path: Path, place: str) -> None:
    folder = Path(place)
    if place == "file":
        folder = tmp_path / "state"
        folder.write_text("")
    heard = Heard()
    with served(pin_directory=folder, notices=heard, pin="") as box:
        assert box.client.get("/").status_code == 200
        assert "the PIN is not kept" in str(heard.alarms[PIN_NOT_KEPT])
        answer = box.referee.put("/api/pin", json={"pin": "31415926"})
        assert answer.status_code == 200
        assert "not kept" in answer.json()["says"]
        assert box.client.post("/api/session", json={"pin": "31415926"}).status_code == 200


def test_a_pin_that_can_be_kept_again_takes_the_alarm_back(tmp_path: Path) -> None:
    (tmp_path / "referee.pin").write_text("?")
    heard = Heard()
    with served(pin_directory=tmp_path, notices=heard, pin="") as box:
        assert heard.alarms[PIN_NOT_KEPT]
        assert box.referee.put("/api/pin", json={"pin": "31415926"}).json()["says"] == "the PIN is changed"
        until(lambda: heard.alarms[PIN_NOT_KEPT] is None)
        assert PinFile(tmp_path).load() == "31415926"

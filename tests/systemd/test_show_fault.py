"""`show-fault`: the bytes it writes, decoded into a picture by a model of the chip; and when it must not fail."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from companion.app.fault_pictures import REASONS, draw, first_columns, pages, picture_of

SCRIPT = Path(__file__).parents[2] / "systemd" / "show-fault"
TWO_BYTES = {0xD5, 0xA8, 0xD3, 0x8D, 0x20, 0xDA, 0x81, 0xD9, 0xDB}
"""Commands of the chips that take one more byte."""


class Chip:
    """Takes the bytes behind each control byte as an ssd1306, ssd1309 or sh1106 in page addressing does."""

    def __init__(self, columns: int) -> None:
        self.memory = [bytearray(columns) for _ in range(8)]
        self.page = self.column = 0
        self.is_on = False
        self.scan: set[int] = set()
        self.largest = 0

    def take(self, _bus: int, control: int, values: bytes) -> None:
        self.largest = max(self.largest, len(values))
        if control == 0x40:
            for value in values:
                self.memory[self.page][self.column] = value
                self.column += 1
            return
        rest = iter(values)
        for command in rest:
            if command in TWO_BYTES:
                next(rest)
            elif command & 0xF8 == 0xB0:
                self.page = command & 0x07
            elif command & 0xF0 == 0x00:
                self.column = self.column & 0xF0 | command
            elif command & 0xF0 == 0x10:
                self.column = self.column & 0x0F | (command & 0x0F) << 4
            elif command in (0xAE, 0xAF):
                self.is_on = command == 0xAF
            elif command in (0xA0, 0xA1, 0xC0, 0xC8):
                self.scan.add(command)
            else:
                assert command in (0x40, 0xA4, 0xA6), f"unknown command {command:#04x}"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr("sys.argv", [str(SCRIPT)])
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(("kind", "columns", "first"), [("ssd1306", 128, 0), ("ssd1309", 128, 0), ("sh1106", 132, 2)])
@pytest.mark.parametrize("is_upside_down", [False, True])
def test_the_chip_ends_up_with_the_picture_and_on(
    script: dict[str, Any], kind: str, columns: int, first: int, is_upside_down: bool
) -> None:
    chip = Chip(columns)
    script["show"].__globals__["send"] = chip.take
    picture = pages(picture_of("watchdog"))
    script["show"](0, picture, first_columns()[kind], is_upside_down=is_upside_down)
    assert b"".join(bytes(row[first : first + 128]) for row in chip.memory) == picture
    assert chip.is_on
    assert chip.scan == ({0xA0, 0xC0} if is_upside_down else {0xA1, 0xC8})


def test_no_transfer_is_longer_than_a_bus_driver_takes(script: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, bytes]] = []

    def ioctl(_bus: int, request: int, transfer: Any) -> None:
        assert request == 0x0720
        block = transfer.data.contents
        sent.append((transfer.command, bytes(block[1 : 1 + block[0]])))

    monkeypatch.setattr(script["fcntl"], "ioctl", ioctl)
    script["send"](0, 0x40, bytes(range(100)))
    assert [len(part) for _, part in sent] == [32, 32, 32, 4]
    assert b"".join(part for _, part in sent) == bytes(range(100))


def test_there_is_a_picture_for_every_reason_and_no_two_titles_hide_their_command(tmp_path: Path) -> None:
    draw(tmp_path)
    assert json.loads((tmp_path / "columns.json").read_text()) == {"ssd1306": 0, "sh1106": 2, "ssd1309": 0}
    pictures = list(tmp_path.glob("*.oled"))
    assert {path.stem for path in pictures} == set(REASONS)
    for path in pictures:
        data = path.read_bytes()
        assert len(data) == 1024
        lit = sum(byte.bit_count() for byte in data)
        assert 500 < lit < 6000, "a bar and some text, neither blank nor full"


def test_the_pages_hold_the_picture_bit_by_bit() -> None:
    picture = picture_of("other")
    data = pages(picture)
    for y in range(64):
        for x in range(128):
            assert bool(picture.getpixel((x, y))) == bool(data[(y // 8) * 128 + x] >> (y % 8) & 1)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("", ("ssd1306", 1, 0x3C, False)),
        ('[display]\nkind = "sh1106"\ni2c_bus = 0\ni2c_address = 0x3d\nrotate = 180\n', ("sh1106", 0, 0x3D, True)),
        ('[display]\ninterface = "spi"\n', ("none", 1, 0x3C, False)),
        ("[display\n", ("ssd1306", 1, 0x3C, False)),
        ("display = 3\n", ("ssd1306", 1, 0x3C, False)),
    ],
)
def test_the_display_is_that_of_the_settings_or_the_usual_one_where_they_cannot_be_read(
    script: dict[str, Any], tmp_path: Path, settings: str, expected: tuple[object, ...]
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(settings)
    script["display"].__globals__["SETTINGS"] = file
    assert script["display"]() == expected


def test_a_bus_that_is_not_there_is_a_sentence_and_a_status(
    script: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw(tmp_path / "fault")
    space = script["main"].__globals__
    space["PICTURES"], space["SETTINGS"] = tmp_path / "fault", tmp_path / "config.toml"
    (tmp_path / "config.toml").write_text("[display]\ni2c_bus = 250\n")
    assert script["main"]() == 1
    assert "nothing could be shown at 0x3c on bus 250" in capsys.readouterr().err


def test_a_box_without_an_i2c_display_is_no_fault_of_the_script(script: dict[str, Any], tmp_path: Path) -> None:
    script["main"].__globals__["SETTINGS"] = tmp_path / "config.toml"
    (tmp_path / "config.toml").write_text('[display]\nkind = "none"\n')
    assert script["main"]() == 0

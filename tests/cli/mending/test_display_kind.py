"""`companion doctor --display`: on models of the chips, with a person who says what an eye would see."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import click
import pytest

from companion.adapters.oled import I2cWire, I2cWiring, OledDisplay
from companion.adapters.oled.chip import Sh1106Model, Ssd1306Model
from companion.adapters.service.status_file import StatusFile
from companion.app.assembly import boot_id
from companion.cli import doctor_run
from companion.cli.main import main
from companion.cli.mending.display_kind import NONE_IS_RIGHT, ask_kind, candidates, frame, keep_kind
from companion.config.reading import load
from companion.core.errors import Malformed, Unavailable
from companion.core.play.health import BoxStatus, Life
from companion.core.shown.displays import CHIPS

if TYPE_CHECKING:
    from pathlib import Path

    from companion.ports import Display


class AnySh1106(Sh1106Model):
    """As the chip is: a command that it does not know does nothing."""

    def command(self, byte: int) -> None:
        try:
            super().command(byte)
        except Malformed:
            self._pending = []


class AnySsd1306(Ssd1306Model):
    """Likewise; and page addressing, which is how it starts (data sheet 10.1.3)."""

    def command(self, byte: int) -> None:
        if not self._pending and byte < 0x20:
            self.column = self.column & 0xF0 | byte if byte < 0x10 else self.column & 0x0F | (byte & 0x0F) << 4
        elif not self._pending and 0xB0 <= byte <= 0xB7:
            self.page, self.mode = byte & 7, 2
        else:
            with suppress(Malformed):
                super().command(byte)

    def data(self, byte: int) -> None:
        if self.mode == 0:
            super().data(byte)
        elif self.column < self.width:
            self.ram[self.page][self.column] = byte
            self.column += 1


def ask_about(chip: AnySh1106 | AnySsd1306, kinds: list[str]) -> tuple[str | None, list[str]]:
    """Let somebody who sees that chip's panel answer."""
    said: list[str] = []

    def make(kind: str) -> Display:
        return OledDisplay(kind, I2cWiring(open_bus=lambda _bus: I2cWire(chip)))

    def eye(_question: str) -> bool:
        return chip.picture().tobytes() == frame(chip.size).tobytes()

    return ask_kind(iter(kinds), make, eye, said.append), said


@pytest.mark.parametrize(("chip", "kind"), [(AnySh1106, "sh1106"), (AnySsd1306, "ssd1306")])
@pytest.mark.parametrize("chosen", ["ssd1306", "sh1106"])
def test_whatever_the_settings_say_the_chip_that_is_there_is_found(
    chip: type[AnySh1106 | AnySsd1306], kind: str, chosen: str
) -> None:
    found, said = ask_about(chip(), list(candidates(chosen, "i2c")))
    assert found == kind
    assert said[-1] == f"now it is driven as {kind}"


def test_where_none_is_right_the_wires_are_named() -> None:
    found, said = ask_about(AnySh1106(), ["ssd1306"])
    assert found is None
    assert said[-1] == NONE_IS_RIGHT


def test_the_one_of_the_settings_is_asked_first_and_those_of_another_size_or_bus_never() -> None:
    assert list(candidates("sh1106", "i2c")) == ["sh1106", "ssd1306", "ssd1309"]
    assert list(candidates("ssd1322", "spi")) == ["ssd1322"]


def test_the_frame_reaches_every_edge() -> None:
    for size in {chip.size for chip in CHIPS.values()}:
        image, (width, height) = frame(size), size
        edges = [(x, y) for x in range(width) for y in (0, height - 1)]
        edges += [(x, y) for y in range(height) for x in (0, width - 1)]
        assert all(image.getpixel(place) for place in edges)


def test_the_kind_is_written_and_all_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"
    keep_kind(path, "sh1106")
    assert load(path).display.kind == "sh1106"
    path.write_text('# mine\n[display]  # the small one\nkind = "ssd1306"\nrotate = 180\n\n[web]\nport = 81\n')
    keep_kind(path, "sh1106")
    assert path.read_text() == (
        '# mine\n[display]  # the small one\nkind = "sh1106"\nrotate = 180\n\n[web]\nport = 81\n'
    )


def test_settings_that_cannot_be_written_leave_the_line_to_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match=r'cannot be written: .*under \[display\]: kind = "sh1106"'):
        keep_kind(tmp_path / "file" / "config.toml", "sh1106")


def test_while_a_box_runs_nothing_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    StatusFile(tmp_path).write(
        BoxStatus(version="1", life=Life.RUNNING, pid=os.getpid(), boot=boot_id(), t_ns=1, wall="w", every_ns=1)
    )
    config = tmp_path / "box.toml"
    config.write_text('[display]\nkind = "sh1106"\n')
    assert main(["doctor", "--display", "--config", str(config)]) == 1
    assert "the box runs and draws on the display: stop it first" in capsys.readouterr().err
    config.write_text('[display]\nkind = "none"\n')
    assert main(["doctor", "--display", "--config", str(config)]) == 1
    assert "this box has no display" in capsys.readouterr().err


def test_the_command_asks_and_the_settings_say_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "nobody"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(doctor_run, "SERVICE_DIRECTORY", tmp_path / "nobody")
    chip = AnySh1106()
    monkeypatch.setattr(
        doctor_run, "make_displays",
        lambda chosen, _picture: (OledDisplay(chosen.kind, I2cWiring(open_bus=lambda _bus: I2cWire(chip))),),
    )  # fmt: skip
    monkeypatch.setattr(click, "confirm", lambda _q: chip.picture().tobytes() == frame((128, 64)).tobytes())
    config = tmp_path / "box.toml"
    config.write_text("[display]\n")
    assert main(["doctor", "--display", "--config", str(config)]) == 0
    assert load(config).display.kind == "sh1106"
    assert "it is sh1106" in capsys.readouterr().out
    assert main(["doctor", "--display", "--config", str(config)]) == 0
    assert "as the settings have it" in capsys.readouterr().out

"""Run on a copy of the program in which one entry adds the chip `ssd1315`, which luma knows and the box did not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import smbus2
from PIL import Image

from companion.adapters.oled import I2cWire, simulated
from companion.adapters.oled.chip import Ssd1306Model
from companion.app.devices import make_displays
from companion.app.fault_pictures import first_columns
from companion.config.reading import load
from companion.config.settings import Settings
from companion.config.writing import render as written
from companion.core.errors import Malformed
from companion.core.shown.displays import CHIPS
from companion.screens.oled.picture import render
from tests.screens.scenes import SCENES

CHIP = "ssd1315"
GOLDEN = Path(__file__).parents[1] / "golden" / "128x64"


def with_chip(folder: Path, more: str = "") -> Settings:
    file = folder / "box.toml"
    file.write_text(f'[display]\nkind = "{CHIP}"\n{more}')
    return load(file)


def golden(name: str) -> bytes:
    with Image.open(GOLDEN / f"{name}.png") as picture:
        return picture.convert("1").tobytes()


@pytest.mark.parametrize("rotate", [0, 180])
def test_from_the_settings_file_to_the_bytes_on_the_bus(
    rotate: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = I2cWire(Ssd1306Model(CHIPS[CHIP]), 0x3D)
    monkeypatch.setattr(smbus2, "SMBus", lambda bus: wire if bus == 3 else pytest.fail(f"bus {bus}"))
    settings = with_chip(tmp_path, f"i2c_bus = 3\ni2c_address = 0x3d\nrotate = {rotate}\n")
    (display,) = make_displays(settings.display, settings.picture)
    assert display is not None
    assert display.size == (128, 64)
    for name in ("standing", "idle", "standing"):
        display.show(render(SCENES[name], display.size))
        assert wire.chip.picture().rotate(rotate).tobytes() == golden(name)
    assert wire.sent > 1024


def test_the_simulated_panel_decodes_it() -> None:
    display, wire = simulated(CHIP)
    display.show(render(SCENES["lobby"], display.size))
    assert wire.chip.picture().tobytes() == golden("lobby")


def test_the_settings_and_the_command_line_offer_it(tmp_path: Path) -> None:
    assert "ssd1315 128x64" in " ".join(written(with_chip(tmp_path)).replace("\n#", "").split())
    with pytest.raises(Malformed, match='must be one of "none", "sh1106", "ssd1306", "ssd1309", "ssd1315", "ssd1322"'):
        load_wrong(tmp_path / "wrong.toml")
    command = [sys.executable, "-c", "from companion.cli.main import main; main(['run', '--help'])"]
    assert CHIP in subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def load_wrong(file: Path) -> None:
    file.write_text('[display]\nkind = "ssd9999"\n')
    load(file)


def test_why_the_box_does_not_run_can_be_shown_on_it() -> None:
    assert first_columns()[CHIP] == 0

"""`companion boot-files`: on a system, an image and a card; what it says, and its exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main

CONFIG = "dtparam=audio=on\n[pi4]\nenable_uart=1\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    boot = tmp_path / "image/boot/firmware"
    boot.mkdir(parents=True)
    (boot / "config.txt").write_text(CONFIG)
    (boot / "cmdline.txt").write_text("console=serial0,115200 console=tty1\n")
    return tmp_path / "image"


def settings(tmp_path: Path, text: str = "") -> str:
    file = tmp_path / "box.toml"
    file.write_text(text)
    return str(file)


def test_an_image_is_set_up_and_each_change_is_told_with_file_and_line(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = settings(tmp_path)
    assert main(["boot-files", "--config", config, "--root", str(root), "--check"]) == 1
    assert (root / "boot/firmware/config.txt").read_text() == CONFIG, "a check changes nothing"
    assert main(["boot-files", "--config", config, "--root", str(root)]) == 0
    said = capsys.readouterr().out
    assert f'{root}/boot/firmware/config.txt: line 3, "enable_uart=1" (under [pi4]), has to be a comment' in said
    assert f'{root}/boot/firmware/cmdline.txt: line 1: "console=serial0,115200" has to go' in said
    assert "restart the Pi for it" in said
    assert main(["boot-files", "--config", config, "--root", str(root), "--check"]) == 0
    assert "the box has its pins" in capsys.readouterr().out


def test_a_box_whose_map_leaves_14_and_15_keeps_its_console(root: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, '[pins]\n"red first" = 4\n"blue first" = 5\n')
    assert main(["boot-files", "--config", config, "--root", str(root)]) == 0
    assert "\nenable_uart=1\n" in (root / "boot/firmware/config.txt").read_text()
    assert "serial0" in (root / "boot/firmware/cmdline.txt").read_text()


@pytest.mark.parametrize("display", ['kind = "none"', 'interface = "spi"', "i2c_bus = 3"])
def test_a_box_without_a_display_on_the_headers_bus_leaves_the_bus_alone(
    root: Path, tmp_path: Path, display: str
) -> None:
    config = settings(tmp_path, f'[display]\n{display}\n[pins]\n"red first" = 4\n')
    assert main(["boot-files", "--config", config, "--root", str(root)]) == 0
    assert (root / "boot/firmware/config.txt").read_text() == CONFIG


def test_a_card_in_a_reader_is_named_by_its_folder(root: Path, tmp_path: Path) -> None:
    boot = root / "boot/firmware"
    assert main(["boot-files", "--config", settings(tmp_path), "--boot", str(boot)]) == 0
    assert "\nenable_uart=0\n" in (boot / "config.txt").read_text()


def test_a_machine_that_is_no_pi_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boot-files", "--config", settings(tmp_path), "--root", str(tmp_path)]) == 0
    assert "this is no Raspberry Pi" in capsys.readouterr().out


def test_a_folder_that_is_not_there_and_two_that_contradict_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = settings(tmp_path)
    assert main(["boot-files", "--config", config, "--boot", str(tmp_path / "no")]) == 1
    assert "no is no folder" in capsys.readouterr().err
    assert main(["boot-files", "--config", config, "--boot", ".", "--root", "."]) == 2

"""`companion doctor` on the boot files and the bus: what stands against the box is named by file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.boot_files.config_txt import Wanted
from companion.cli.findings.boot_files import check_boot_files
from companion.cli.findings.finding import Health

if TYPE_CHECKING:
    from pathlib import Path

BOX = Wanted(i2c=True, buttons=frozenset({8, 14}))


def put(root: Path, config: str, cmdline: str = "console=tty1\n", hz: int | None = None) -> None:
    boot = root / "boot/firmware"
    boot.mkdir(parents=True)
    (boot / "config.txt").write_text(config)
    (boot / "cmdline.txt").write_text(cmdline)
    if hz is not None:
        node = root / "sys/class/i2c-adapter/i2c-1/of_node"
        node.mkdir(parents=True)
        (node / "clock-frequency").write_bytes(hz.to_bytes(4, "big"))


def test_a_serial_port_on_buttons_is_named_by_file_and_line_and_left(tmp_path: Path) -> None:
    put(
        tmp_path, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n[pi5]\nenable_uart=1\n", "console=serial0,115200 quiet\n"
    )
    before = (tmp_path / "boot/firmware/config.txt").read_bytes()
    found = list(check_boot_files(BOX, tmp_path))
    texts = [one.text for one in found]
    assert any("config.txt: line 3" in text and "enable_uart=1" in text and "[pi5]" in text for text in texts)
    assert any("cmdline.txt: line 1" in text and "console=serial0,115200" in text for text in texts)
    assert {one.health for one in found} == {Health.WARNING}
    assert all("sudo companion boot-files" in one.mend for one in found)
    assert (tmp_path / "boot/firmware/config.txt").read_bytes() == before


def test_what_a_builder_asked_for_is_to_be_changed_by_hand(tmp_path: Path) -> None:
    put(tmp_path, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\nenable_uart=0\ndtparam=spi=on\n")
    (one,) = check_boot_files(BOX, tmp_path)
    assert "line 3" in one.text
    assert "takes GPIO 8 from buttons" in one.text
    assert one.mend.startswith("edit it by hand")


def test_a_box_that_has_its_pins_and_a_fast_bus_is_well(tmp_path: Path) -> None:
    put(tmp_path, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\nenable_uart=0\n", hz=400_000)
    files, speed = check_boot_files(BOX, tmp_path)
    assert (files.health, speed.health) == (Health.OK, Health.OK)
    assert speed.text == "bus 1 runs at 400 kHz"


def test_a_slow_bus_is_told_with_what_it_costs(tmp_path: Path) -> None:
    put(tmp_path, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\nenable_uart=0\n", hz=100_000)
    _, speed = check_boot_files(BOX, tmp_path)
    assert speed.health is Health.WARNING
    assert speed.text == "bus 1 runs at 100 kHz: a whole picture takes 100 ms"
    assert "restart" in speed.mend


def test_nothing_is_said_off_a_pi_and_of_a_bus_that_nobody_uses(tmp_path: Path) -> None:
    assert list(check_boot_files(BOX, tmp_path)) == []
    put(tmp_path, "enable_uart=0\n", hz=100_000)
    (files,) = check_boot_files(Wanted(i2c=False, buttons=frozenset({14})), tmp_path)
    assert files.health is Health.OK


def test_a_partition_that_is_not_mounted_is_told(tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("The file has moved to /boot/firmware/config.txt\n")
    (one,) = check_boot_files(BOX, tmp_path)
    assert one.health is Health.WARNING
    assert "mount the boot partition" in one.text

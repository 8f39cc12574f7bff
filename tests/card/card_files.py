"""What is on the card, read from its bytes: the firmware's partition, the header's settings on each Pi's device tree,
what must not be the same on two boxes."""

import hashlib
import subprocess
from pathlib import Path

import pytest

from systemd.build_deb import run
from systemd.image.build import LARGEST_BYTES
from systemd.image.layout import ROOT, SECTOR, lay_out
from tests.card.machine import Card, on_fat

TREES = ("bcm2837-rpi-zero-2-w.dtb", "bcm2837-rpi-3-b.dtb", "bcm2837-rpi-3-b-plus.dtb", "bcm2711-rpi-4-b.dtb")
BUS, SERIAL = "/soc/i2c@7e804000", "/soc/serial@7e215040"


@pytest.mark.parametrize("tree", TREES)
def test_the_overlay_sets_the_bus_of_each_pi_and_frees_the_serial_ports_pins(
    card: Card, tmp_path: Path, tree: str
) -> None:
    for name in (tree, "overlays/table-companion.dtbo"):
        on_fat(card.image, "mcopy", "-n", f"::{name}", tmp_path)
    merged = tmp_path / "merged.dtb"
    run("fdtoverlay", "-i", tmp_path / tree, "-o", merged, tmp_path / "table-companion.dtbo")
    assert run("fdtget", "-t", "u", tmp_path / tree, BUS, "clock-frequency").strip() == "100000", "what it changes"
    assert run("fdtget", "-t", "u", merged, BUS, "clock-frequency").strip() == "400000"
    assert run("fdtget", merged, BUS, "status").strip() == "okay"
    assert run("fdtget", merged, SERIAL, "status").strip() == "disabled"


def test_the_firmware_finds_all_that_its_settings_name(card: Card) -> None:
    files = on_fat(card.image, "mdir", "-b", "::").split()
    settings = [line for line in on_fat(card.image, "mtype", "::config.txt").splitlines() if line[:1] not in ("#", "")]
    named = [line.replace("=", " ").split()[1] for line in settings if line.startswith(("kernel=", "initramfs "))]
    assert len(named) == 2
    for name in (*named, "start.elf", "start4.elf", "fixup.dat", "fixup4.dat", "bootcode.bin", "cmdline.txt", *TREES):
        assert f"::/{name}" in files, f"the firmware would look for {name}"
    assert [line for line in settings if line.startswith("enable_uart")][-1] == "enable_uart=0", "the last one holds"
    assert "dtoverlay=table-companion" in settings


def test_the_kernels_words_name_the_root_and_no_serial_console(card: Card) -> None:
    signature = lay_out("", 0).signature
    words = card.words.split()
    (root,) = [word for word in words if word.startswith("root=")]
    table = run("sfdisk", "--json", card.image)
    assert root.removeprefix("root=PARTUUID=").removesuffix(f"-{ROOT:02x}") in table
    assert signature not in root, "a version has its own number"
    assert [word for word in words if word.startswith("console=")] == ["console=tty0"]


def test_two_boxes_have_no_key_and_no_number_in_common(card: Card) -> None:
    def cat(path: str) -> str:
        start = _root_start(card)
        return run("debugfs", "-R", f"cat {path}", f"{card.image}?offset={start}")

    assert cat("/etc/machine-id").strip() == ""
    listed = run("debugfs", "-R", "ls /etc/ssh", f"{card.image}?offset={_root_start(card)}")
    assert "sshd_config" in listed
    assert "ssh_host_" not in listed
    assert "seal" not in run("debugfs", "-R", "ls /var/lib/table-companion", f"{card.image}?offset={_root_start(card)}")


def _root_start(card: Card) -> int:
    table = run("sfdisk", "-l", "-o", "Start", "-q", card.image).split()
    return int(table[-1]) * SECTOR


def test_the_packed_image_is_small_enough_and_its_sum_is_right(card: Card) -> None:
    packed = card.image.with_name(f"{card.image.name}.xz")
    assert packed.stat().st_size <= LARGEST_BYTES
    subprocess.run(["sha256sum", "-c", "--status", f"{packed.name}.sha256"], cwd=packed.parent, check=True)
    unpacked = hashlib.sha256()
    with subprocess.Popen(["xz", "-dc", str(packed)], stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout is not None
        while block := unpacking.stdout.read(1 << 20):
            unpacked.update(block)
    assert unpacked.hexdigest() in packed.with_name(f"{card.image.stem}.rpi-imager-manifest").read_text()

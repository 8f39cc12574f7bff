"""The Pi's boot files: what a box needs is there once, what a builder wrote stays, and nothing is half done."""

from __future__ import annotations

import errno
import os
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.boot_files.config_txt import OVERLAYS, Wanted, edited, settings
from companion.adapters.boot_files.consoles import edited_cmdline, edited_defaults
from companion.adapters.boot_files.folder import BACKUP, Places, find, planned, write
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

BOX = Wanted(i2c=True, buttons=frozenset({4, 14, 15, 17}))
WITHOUT_UART = Wanted(i2c=True, buttons=frozenset({4, 17}))

PI_OS = """\
# For more options and information see
# http://rptl.io/configtxt

#dtparam=i2c_arm=on
#dtparam=spi=on
dtparam=audio=on
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
enable_uart=1
"""
"""In the style of Raspberry Pi OS 13, after its serial console was switched on."""

PIECES = st.sampled_from([
    "",
    "# a comment", "#enable_uart=1", "enable_uart=1", "enable_uart=0", " enable_uart = 1 ", "[all]", "[pi4]", "[none]",
    "[pi5] ", "dtparam=i2c_arm=on", "dtparam=i2c_arm=off", "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
    "dtparam=i2c_arm_baudrate=100000", "dtparam=uart0_console", "dtparam=uart0=on,spi=on", "dtparam=audio=on",
    "dtoverlay=disable-bt", "gpu_mem=16", "\x0c", "caf\udce9=1", "=", "[", "dtparam=", "dtparam=,,=",
])  # fmt: skip


def holding(text: str, model: str = "pi4") -> dict[str, str]:
    """What holds on one model, as the firmware reads it: the later wins; `dtparam`s by their names."""
    held: dict[str, str] = {}
    for one in settings(text):
        if one.section in {"all", model}:
            held.update(one.parameters or {one.key: one.value})
    return held


def test_a_fresh_pi_gets_a_fast_bus_and_no_serial_port_and_keeps_every_other_line() -> None:
    found = edited(PI_OS, BOX)
    held = holding(found.text)
    assert held["enable_uart"] == "0"
    assert (held["i2c_arm"], held["i2c_arm_baudrate"]) == ("on", "400000")
    assert found.text.startswith(PI_OS.replace("\nenable_uart=1", "\n#enable_uart=1")), "nothing else is touched"
    assert found.text.count("i2c_arm_baudrate") == 1
    assert any('line 17, "enable_uart=1", has to be a comment' in said for said in found.changes)


def test_done_twice_it_is_done_once() -> None:
    first = edited(PI_OS, BOX)
    assert edited(first.text, BOX) == (first.text, (), ())


def test_serial_stays_where_no_button_is_on_its_pins() -> None:
    found = edited(PI_OS, WITHOUT_UART)
    assert holding(found.text)["enable_uart"] == "1"
    assert holding(found.text)["i2c_arm_baudrate"] == "400000"


def test_a_box_without_anything_on_the_bus_leaves_it_alone() -> None:
    assert edited("dtparam=audio=on\n", Wanted(i2c=False)) == ("dtparam=audio=on\n", (), ())


@pytest.mark.parametrize("model", ["pi0", "pi3", "pi4", "pi5"])
@pytest.mark.parametrize("last", ["[pi4]\ngpu_mem=16\n", "[none]\n", "[EDID=VSC-TD2220]\nhdmi=1\n", "[all]\n", ""])
def test_what_is_new_holds_on_every_model_whatever_section_the_file_ends_in(last: str, model: str) -> None:
    held = holding(edited(f"a=1\n{last}", BOX).text, model)
    assert (held["i2c_arm_baudrate"], held["enable_uart"]) == ("400000", "0")


@pytest.mark.parametrize("line", ["dtparam=uart0_console", "dtparam=uart0=on", "dtparam=uart0", "enable_uart=1",
                                  "[pi5]\ndtparam=uart0_console=on", "dtparam=uart1=on"])  # fmt: skip
def test_every_way_to_put_a_serial_port_on_the_buttons_is_taken_out(line: str) -> None:
    held = holding(edited(f"{line}\n", BOX).text, "pi5")
    assert held.get("enable_uart") == "0"
    assert not {"uart0", "uart0_console", "uart1"} & set(held)


def test_of_a_line_with_several_parameters_the_others_go_on_to_hold() -> None:
    text = edited("dtparam=audio=on,uart0=on,spi=off", BOX).text
    assert text.startswith("#dtparam=audio=on,uart0=on,spi=off\ndtparam=audio=on,spi=off\n")


def test_a_speed_that_a_builder_has_set_stays_and_is_told() -> None:
    text = "dtparam=i2c_arm=on,i2c_arm_baudrate=100000\nenable_uart=0\n"
    found = edited(text, BOX)
    assert (found.text, found.changes) == (text, ())
    assert "line 1" in found.remarks[0]
    assert "left as it was set" in found.remarks[0]


def test_a_speed_for_one_model_alone_stays_and_is_told_with_its_model() -> None:
    found = edited("[pi3]\ndtparam=i2c_baudrate=50000\n", BOX)
    assert holding(found.text, "pi3")["i2c_baudrate"] == "50000"
    assert "i2c_arm_baudrate" not in found.text
    assert "(under [pi3])" in found.remarks[0]


def test_a_commented_speed_and_one_under_none_are_nobodys() -> None:
    text = edited("#dtparam=i2c_arm_baudrate=100000\n[none]\ndtparam=i2c_arm_baudrate=100000\n", BOX).text
    assert holding(text)["i2c_arm_baudrate"] == "400000"


def test_a_bus_that_was_switched_off_is_switched_on() -> None:
    for text in ("dtparam=i2c_arm=off\n", "dtparam=i2c_arm=on\n[pi4]\ndtparam=i2c_arm=off\n"):
        assert holding(edited(text, BOX).text)["i2c_arm"] == "on"


def test_crlf_stays_crlf_in_old_and_new_lines() -> None:
    text = edited(PI_OS.replace("\n", "\r\n"), BOX).text
    assert text.count("\n") == text.count("\r\n")
    assert holding(text) == holding(edited(PI_OS, BOX).text)


def test_a_last_line_without_an_end_gets_one() -> None:
    assert edited("gpu_mem=16", BOX).text.startswith("gpu_mem=16\n")


@pytest.mark.parametrize(("text", "pins", "says"), [
    ("dtparam=spi=on\n", {8, 9}, "takes GPIO 8, 9 from buttons"),
    ("dtparam=i2s\n", {19}, "takes GPIO 19 from buttons"),
    *((f"dtoverlay={name}\n", {14}, "puts a serial port on GPIO 14 and 15") for name in OVERLAYS),
])  # fmt: skip
def test_what_a_builder_asked_for_himself_is_told_and_left(text: str, pins: set[int], says: str) -> None:
    found = edited(text, Wanted(i2c=False, buttons=frozenset(pins)))
    assert text in found.text
    assert any(says in remark and "line 1" in remark for remark in found.remarks)


def test_an_overlay_on_other_pins_is_fine() -> None:
    assert edited("dtoverlay=uart1,txd1_pin=32,rxd1_pin=33\nenable_uart=0\n", Wanted(i2c=False, buttons=frozenset({14}))
                  ).remarks == ()  # fmt: skip


@given(st.lists(PIECES), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from([BOX, WITHOUT_UART]))
def test_whatever_the_file_the_second_run_changes_nothing_and_no_line_of_it_is_lost(
    pieces: list[str], end: str, has_end: bool, wanted: Wanted
) -> None:
    text = end.join(pieces) + (end if has_end else "")
    found = edited(text, wanted)
    again = edited(found.text, wanted)
    assert (again.text, again.changes) == (found.text, ())
    for line in text.split(end):
        assert line in found.text
    for model in ("pi3", "pi5"):
        held = holding(found.text, model)
        if wanted.no_serial:
            assert held["enable_uart"] == "0"
        assert held["i2c_arm"] == "on"
        assert held.get("i2c_arm_baudrate") or found.remarks, "fast, or as somebody set it for one model"


@pytest.mark.parametrize(("line", "expected"), [
    ("console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n", "console=tty1 root=PARTUUID=1-02 rootwait\n"),
    ("console=tty1 root=X console=ttyAMA0,115200", "console=tty1 root=X"),
    ("console=tty1 console=ttyS1,115200 kgdboc=ttyAMA0,115200 quiet\r\n", "console=tty1 quiet\r\n"),
    ("console=tty1 console=ttyAMA10,115200\n", "console=tty1 console=ttyAMA10,115200\n"),
    ("xconsole=serial0 root=X\n", "xconsole=serial0 root=X\n"),
    ("", ""),
])  # fmt: skip
def test_the_kernel_is_told_of_no_serial_console(line: str, expected: str) -> None:
    found = edited_cmdline(line)
    assert found.text == expected
    assert bool(found.changes) is (line != expected)
    assert edited_cmdline(found.text) == (found.text, (), ())


@pytest.mark.parametrize(("text", "expected"), [
    ('#CONSOLES="auto"\n', '#CONSOLES="auto"\nCONSOLES="tty0"\n'),
    ("ROOTPART=X", 'ROOTPART=X\nCONSOLES="tty0"\n'),
    ('CONSOLES="auto"\nX=1\n', '#CONSOLES="auto"\nCONSOLES="tty0"\nX=1\n'),
    ('CONSOLES="tty1 ttyS1,115200"\n', '#CONSOLES="tty1 ttyS1,115200"\nCONSOLES="tty1"\n'),
    ("CONSOLES='tty0'\n", "CONSOLES='tty0'\n"),
])  # fmt: skip
def test_debians_kernels_to_come_are_told_of_none_either(text: str, expected: str) -> None:
    found = edited_defaults(text)
    assert found.text == expected
    assert edited_defaults(found.text) == (expected, (), ())


def system(root: Path, boot: str = "boot/firmware") -> Path:
    folder = root / boot
    folder.mkdir(parents=True)
    (folder / "config.txt").write_text(PI_OS)
    (folder / "cmdline.txt").write_text("console=serial0,115200 console=tty1 root=X\n")
    return folder


def run(root: Path) -> list[str]:
    places = find(root)
    assert places is not None
    done = []
    for one in planned(places, BOX):
        if one.is_due:
            write(one)
            done.append(one.path.name)
    return done


def test_the_first_files_are_kept_beside_and_a_second_run_writes_nothing(tmp_path: Path) -> None:
    folder = system(tmp_path)
    assert run(tmp_path) == ["config.txt", "cmdline.txt"]
    assert (folder / f"config.txt{BACKUP}").read_text() == PI_OS
    assert (folder / "cmdline.txt").read_text() == "console=tty1 root=X\n"
    assert run(tmp_path) == []
    (folder / "config.txt").write_text("enable_uart=1\n")
    assert run(tmp_path) == ["config.txt"]
    assert (folder / f"config.txt{BACKUP}").read_text() == PI_OS, "the first that was found, not the last"
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        name + end for name, end in product(("config.txt", "cmdline.txt"), ("", BACKUP))
    )


def test_before_debian_12_the_files_were_in_boot_itself(tmp_path: Path) -> None:
    system(tmp_path, "boot")
    assert run(tmp_path) == ["config.txt", "cmdline.txt"]


def test_a_file_that_only_says_it_has_moved_is_not_the_one(tmp_path: Path) -> None:
    system(tmp_path, "boot")
    (tmp_path / "boot/config.txt").write_text("The file you are looking for has moved to /boot/firmware/config.txt\n")
    with pytest.raises(Unavailable, match=r"mount the boot partition on .*/boot/firmware"):
        find(tmp_path)


def test_a_machine_without_the_file_is_no_pi(tmp_path: Path) -> None:
    assert find(tmp_path) is None


def test_a_card_in_a_reader_without_config_txt_gets_one(tmp_path: Path) -> None:
    (one,) = planned(Places(tmp_path), BOX)
    write(one)
    assert holding((tmp_path / "config.txt").read_text())["enable_uart"] == "0"
    assert [path.name for path in tmp_path.iterdir()] == ["config.txt"]


def test_where_debian_makes_the_files_anew_what_it_makes_them_from_is_edited_too(tmp_path: Path) -> None:
    system(tmp_path)
    (tmp_path / "etc/default").mkdir(parents=True)
    (tmp_path / "etc/default/raspi-firmware").write_text('#CONSOLES="auto"\n')
    assert run(tmp_path) == ["config.txt", "cmdline.txt", "raspi-firmware", "raspi-firmware-custom"]
    assert 'CONSOLES="tty0"' in (tmp_path / "etc/default/raspi-firmware").read_text()
    assert holding((tmp_path / "etc/default/raspi-firmware-custom").read_text())["i2c_arm_baudrate"] == "400000"
    assert run(tmp_path) == []


def test_bytes_that_are_no_utf_8_stay(tmp_path: Path) -> None:
    folder = system(tmp_path)
    (folder / "config.txt").write_bytes(b"# caf\xe9\nenable_uart=1\n")
    run(tmp_path)
    assert (folder / "config.txt").read_bytes().startswith(b"# caf\xe9\n#enable_uart=1\n")


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = system(tmp_path)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable, match=r"config.txt is as it was: .*No space left"):
        run(tmp_path)
    assert (folder / "config.txt").read_text() == PI_OS
    assert sorted(path.name for path in folder.iterdir()) == ["cmdline.txt", "config.txt"]


def test_a_partition_that_knows_no_modes_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT refuses chmod with EPERM (Linux, fs/fat/file.c, fat_allow_set_mode)."""
    folder = system(tmp_path)

    def refuse(_handle: int, _mode: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchmod", refuse)
    assert run(tmp_path) == ["config.txt", "cmdline.txt"]
    assert holding((folder / "config.txt").read_text())["enable_uart"] == "0"

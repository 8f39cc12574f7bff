"""What is laid over the packages' files on the card to flash: boot settings, cloud-init's, the two scripts."""

import os
import re
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from systemd.image import archives, papers, rootfs
from systemd.image.archives import Archive, ArchiveError, choose
from systemd.image.layout import BOOT_LABEL, lay_out
from tests.card import imager

HERE = Path(rootfs.__file__).parent
MODE = HERE / "root/usr/lib/table-companion-image/root-mode"
SSH = HERE / "root/usr/lib/table-companion-image/ssh-as-asked"
LAYOUT = lay_out("1.2.3", 0)


@pytest.mark.parametrize("kind", ["debian", "raspberrypi"])
def test_the_header_has_i2c_at_400_khz_and_no_serial_port(kind: str) -> None:
    lines = rootfs.header_settings(kind).splitlines()
    assert "dtparam=i2c_arm=on,i2c_arm_baudrate=400000" in lines
    assert "enable_uart=0" in lines


def test_debians_kernel_gets_the_same_by_an_overlay() -> None:
    assert "dtoverlay=table-companion" in rootfs.header_settings("debian")
    overlay = (HERE / "table-companion.dts").read_text()
    assert re.search(r'"/soc/i2c@7e804000";\s*__overlay__ \{\s*status = "okay";\s*clock-frequency = <400000>;', overlay)
    assert re.search(r'"/soc/serial@7e215040";\s*__overlay__ \{\s*status = "disabled";', overlay)


def test_no_console_is_a_serial_port() -> None:
    for said in (rootfs.kernel_line(LAYOUT), rootfs.raspi_firmware(LAYOUT)):
        assert "tty" in said
        assert not re.search("ttyAMA|ttyS|serial0|auto", said)


def test_a_pi_4_gets_no_memory_setting_that_it_does_not_start_with() -> None:
    assert 'CMA="0"' in rootfs.raspi_firmware(LAYOUT)


def test_kernel_and_firmware_find_the_root_by_the_cards_own_number(tmp_path: Path) -> None:
    name = f"PARTUUID={LAYOUT.signature}-03"
    assert f"root={name} " in rootfs.kernel_line(LAYOUT)
    assert f'ROOTPART="{name}"' in rootfs.raspi_firmware(LAYOUT)
    rootfs.prepare(tmp_path, LAYOUT, "raspberrypi")
    assert name in (tmp_path / "boot/firmware/cmdline.txt").read_text()


def test_cloud_init_looks_for_imagers_files_where_imager_puts_them() -> None:
    said = (HERE / "root/etc/cloud/cloud.cfg.d/99_table-companion.cfg").read_text()
    assert f"fs_label: {BOOT_LABEL}\n" in said
    assert re.search(r"^users: \[\]$", said, re.MULTILINE), "a user that nobody asked for could log in"


def test_what_lies_on_the_card_before_imager_asks_for_nothing() -> None:
    assert all(line.startswith("#") for line in (HERE / "boot/user-data").read_text().splitlines())
    assert "\n#  wifis:" in (HERE / "boot/network-config").read_text()


# --- whose packages


def test_raspberry_pis_archive_is_taken_where_it_answers_and_its_keys_are_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(archives, "answers", lambda url: "")
    keys = tmp_path / "keys.pgp"
    found = choose("auto", keys=keys)
    assert found.kind == "raspberrypi"
    assert f"deb [signed-by={keys}] {archives.RASPBERRY_PI} trixie main" in found.sources
    assert "linux-image-rpi-2712" in found.packages
    assert "linux-image-arm64" not in found.packages


def test_where_it_does_not_answer_debians_is_taken_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "answers", lambda url: "Name or service not known")
    found = choose("auto")
    assert found.kind == "debian"
    assert "Name or service not known" in found.told
    assert "no Pi 5" in found.told
    assert "linux-image-arm64" in found.packages
    with pytest.raises(ArchiveError, match=r"archive\.raspberrypi\.com.* was tried: Name or service not known"):
        choose("raspberrypi")


def test_where_its_keys_are_missing_it_says_what_would_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "answers", lambda url: "")
    monkeypatch.setattr(archives, "keyring", lambda: None)
    with pytest.raises(ArchiveError, match="--keyring FILE"):
        choose("raspberrypi")
    assert choose("auto").kind == "debian"


def test_an_archive_of_one_moment_may_have_no_security_updates() -> None:
    found = choose("debian", "http://snapshot.example/debian", "")
    assert all("security" not in line for line in found.sources)


# --- what lies beside the image


def test_imager_is_told_how_the_card_takes_its_answers(tmp_path: Path) -> None:
    image, packed = tmp_path / "card.img", tmp_path / "card.img.xz"
    image.write_bytes(b"image")
    packed.write_bytes(b"xz")
    (told,) = papers.entry(image, packed, Archive("debian", (), (), ""), "1.0", 0, "file:///card.img.xz")["os_list"]
    assert told["init_format"] == "cloudinit"
    assert (told["extract_size"], told["image_download_size"]) == (5, 2)
    assert told["extract_sha256"] == "6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d"
    assert not any(model.startswith("pi5") for model in told["devices"]), "Debian's kernel has no header on a Pi 5"


def test_the_check_sum_is_one_that_sha256sum_reads(tmp_path: Path) -> None:
    packed = tmp_path / "card.img.xz"
    packed.write_bytes(b"xz")
    beside = papers.write_sum(packed)
    subprocess.run(["sha256sum", "-c", "--status", beside.name], cwd=tmp_path, check=True)


# --- the scripts, with the system's programs played by others


def programs(folder: Path, *, root: str, is_mounted: bool = True) -> dict[str, str]:
    """A folder of programs that write down how they were called."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    said = {
        "findmnt": f"echo {root}", "mountpoint": f"exit {0 if is_mounted else 1}", "sync": "", "mount": "",
        "systemctl": f'[ "$1" != -q ] || [ "$2" != is-enabled ] || exit 1; echo "$@" >> {folder}/called',
    }  # fmt: skip
    for name, script in said.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "BOOT": str(folder / "boot")}


def mode(folder: Path, *words: str, root: str, is_mounted: bool = True) -> tuple[int, str]:
    """Run root-mode on a system of its own, and give its status and what it said. root: its file system's type."""
    script = folder / "root-mode"
    text = MODE.read_text().replace("/etc/overlayroot.conf", f"{folder}/overlayroot.conf")
    script.write_text(text.replace("LOWER=/media/root-ro", 'LOWER=""'))
    (folder / "boot").mkdir(exist_ok=True)
    environment = programs(folder, root=root, is_mounted=is_mounted)
    done = subprocess.run(["sh", str(script), *words], capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stderr


def config(folder: Path, text: str | None = None) -> str:
    path = folder / "overlayroot.conf"
    if text is not None:
        path.write_text(text)
    return path.read_text()


def called(folder: Path) -> str:
    path = folder / "called"
    return path.read_text() if path.exists() else ""


DEBIANS = '# a comment\noverlayroot_cfgdisk="disabled"\noverlayroot=""\n'


def test_a_file_on_the_boot_partition_makes_the_root_read_only(tmp_path: Path) -> None:
    config(tmp_path, DEBIANS)
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot" / "read-only.txt").touch()
    assert mode(tmp_path, root="ext4")[0] == 0
    assert 'overlayroot="tmpfs:recurse=0"' in config(tmp_path)
    assert "reboot" in called(tmp_path)


def test_without_one_nothing_is_done(tmp_path: Path) -> None:
    config(tmp_path, DEBIANS)
    assert mode(tmp_path, root="ext4") == (0, "")
    assert config(tmp_path) == DEBIANS
    assert called(tmp_path) == ""


def test_taken_away_the_root_can_be_written_again(tmp_path: Path) -> None:
    config(tmp_path, 'overlayroot="tmpfs:recurse=0"\n')
    assert mode(tmp_path, root="overlay")[0] == 0
    assert config(tmp_path) == 'overlayroot=""\n'
    assert "reboot" in called(tmp_path)


def test_a_root_that_does_not_become_what_was_set_starts_the_box_no_second_time(tmp_path: Path) -> None:
    config(tmp_path, 'overlayroot="tmpfs:recurse=0"\n')
    status, said = mode(tmp_path, "read-only", root="ext4")
    assert (status, called(tmp_path)) == (1, "")
    assert "did not come about" in said


def test_no_file_that_comes_with_the_card_is_a_choice() -> None:
    """FAT knows no capitals: READ-ONLY.txt, which told how to do it, did it."""
    names = {path.name.lower() for path in (HERE / "boot").iterdir()}
    assert names & {"read-only", "read-only.txt", "ssh", "ssh.txt"} == set()


def test_what_imager_was_told_is_looked_for_when_its_partition_is_there() -> None:
    drop_in = HERE / "root/usr/lib/systemd/system/cloud-init-local.service.d/boot-firmware.conf"
    assert "\nAfter=boot-firmware.mount\n" in drop_in.read_text()


def test_the_box_waits_for_its_matches_and_not_for_a_first_start() -> None:
    early = (HERE / "root/usr/lib/systemd/system/companion.service.d/early.conf").read_text()
    assert "\nDefaultDependencies=no\nRequiresMountsFor=/var/lib/table-companion\n" in early
    later = (HERE / "root/usr/lib/systemd/system/cloud-init-main.service.d/later.conf").read_text()
    assert [startup_weight(text) for text in (early, later)] == [10_000, 1]


def startup_weight(drop_in: str) -> int:
    """A unit's share of the processors while the system starts (systemd.resource-control(5))."""
    read = ConfigParser()
    read.read_string(drop_in)
    return read.getint("Service", "StartupCPUWeight")


def test_a_boot_partition_that_is_not_mounted_changes_nothing(tmp_path: Path) -> None:
    config(tmp_path, 'overlayroot="tmpfs:recurse=0"\n')
    status, said = mode(tmp_path, root="overlay", is_mounted=False)
    assert (status, called(tmp_path)) == (0, "")
    assert "is not mounted: the root stays as it is" in said


def test_by_command_the_file_is_made_and_taken_away(tmp_path: Path) -> None:
    config(tmp_path, DEBIANS)
    assert mode(tmp_path, "read-only", root="ext4")[0] == 0
    assert (tmp_path / "boot" / "read-only").exists()
    assert mode(tmp_path, "writable", root="overlay")[0] == 0
    assert not (tmp_path / "boot" / "read-only").exists()
    assert mode(tmp_path, "sideways", root="overlay")[0] == 1


def ssh(folder: Path, files: dict[str, str]) -> str:
    """Run ssh-as-asked with these files on the boot partition, and give what it asked of systemd."""
    boot = folder / "boot"
    boot.mkdir()
    for name, text in files.items():
        (boot / name).write_text(text)
    subprocess.run(["sh", str(SSH)], check=True, env=programs(folder, root="ext4"))
    return called(folder)


ANSWERS = imager.Answers("box", "me", "$6$x$y", "ssh-ed25519 AAAA me", "Club", "ab" * 32, "GB", "Europe/Rome")


@pytest.mark.parametrize(
    "files", [{"ssh": ""}, {"ssh.txt": ""}, {"user-data": imager.user_data(ANSWERS)}], ids=["ssh", "ssh.txt", "imager"]
)
def test_ssh_is_switched_on_where_it_is_asked_for(tmp_path: Path, files: dict[str, str]) -> None:
    asked = ssh(tmp_path, files)
    assert "enable ssh.service" in asked
    assert "start ssh.service" in asked
    assert not (tmp_path / "boot" / "ssh").exists(), "once is enough"


def test_ssh_is_off_on_a_card_that_nobody_has_asked(tmp_path: Path) -> None:
    assert ssh(tmp_path, {name: (HERE / "boot" / name).read_text() for name in ("user-data", "network-config")}) == ""


def test_ssh_is_off_for_a_user_without_it(tmp_path: Path) -> None:
    assert ssh(tmp_path, {"user-data": "#cloud-config\nusers:\n- name: me\n  passwd: x\n"}) == ""

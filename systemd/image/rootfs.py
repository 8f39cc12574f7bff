"""The system on the card: packages by mmdebstrap, the box's .deb, and what a card needs beyond them.

Programs of the other processor run by qemu's user-space emulation, so this needs root and `binfmt_misc`. What a fresh
card must not have is taken away: keys, numbers and logs that would be the same on every box.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from systemd.build_deb import BuildError, run
from systemd.image.archives import SUITE, Archive
from systemd.image.layout import ROOT, Layout, fstab
from systemd.image.papers import FIELDS, HEADING

HERE = Path(__file__).resolve().parent
FORMATS = Path("/proc/sys/fs/binfmt_misc")
EMULATOR = "qemu-aarch64-static"
FORMAT = (
    r":{name}:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:"
    r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:{program}:F"
)
"""ELF of 64 bits for AArch64 (machine 0xb7); F: the emulator is opened now, so it need not be in the new root."""
HOST_NAME = "companion"
QUIET = "quiet loglevel=4"
CONFIG = "arm_64bit=1\nauto_initramfs=1\narm_boost=1\n"
"""The start of config.txt with Raspberry Pi's packages, which make none themselves."""


@dataclass(frozen=True, slots=True)
class Made:
    """root, boot: folders with what is on the last and the first partition. packages: a table, with versions. owner:
    user and group of the matches. content: bytes of the root's files."""

    root: Path
    boot: Path
    packages: str
    owner: tuple[int, int]


@contextmanager
def emulated(name: str = "companion-image-aarch64") -> Iterator[None]:
    """Have the kernel run programs for arm64, until the end. Raises BuildError where it can't."""
    if os.uname().machine == "aarch64":
        yield
        return
    program = shutil.which(EMULATOR)
    if program is None:
        raise BuildError(f"{EMULATOR} is not installed (package qemu-user-static)")
    is_mounted = (FORMATS / "register").exists()
    if not is_mounted:
        run("mount", "-t", "binfmt_misc", "binfmt_misc", FORMATS)
    is_known = any("aarch64" in path.name for path in FORMATS.iterdir())
    if not is_known:
        (FORMATS / "register").write_text(FORMAT.format(name=name, program=program))
    try:
        yield
    finally:
        if not is_known:
            (FORMATS / name).write_text("-1")
        if not is_mounted:
            run("umount", FORMATS)


def make(archive: Archive, layout: Layout, package: Path, folder: Path, seconds: int) -> Made:
    """Make the system in a folder, which must be new. package: the box's .deb. Raises BuildError."""
    root, boot = folder / "root", folder / "boot"
    files = folder / "files"
    files.mkdir(parents=True)
    prepare(files, layout, archive.kind)
    customize = HERE / "customize"
    environment = {
        "INITRD": "No",  # else the kernel's package makes an initramfs, and the last of its tools' packages another
        "SOURCE_DATE_EPOCH": str(seconds), "LC_ALL": "C.UTF-8", "CARD_FILES": str(files), "CARD_KIND": archive.kind,
        "CARD_PACKAGE": str(package), "CARD_OVERLAY": str(HERE / "table-companion.dts"),
    }  # fmt: skip
    # Its mounts are its own: where it is ended in the middle, none of /dev stays in a folder that is taken away.
    run(
        "unshare", "--mount",
        "mmdebstrap", "--mode=root", "--format=directory", "--architectures=arm64", "--variant=apt",
        '--aptopt=Apt::Install-Recommends "false"', "--dpkgopt=force-confold", "--dpkgopt=force-unsafe-io",
        f"--include={','.join(archive.packages)}",
        f"--essential-hook=sh {customize} before \"$1\"", f"--customize-hook=sh {customize} after \"$1\"",
        SUITE, root, *archive.sources, **environment,
    )  # fmt: skip
    listed = run("dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", FIELDS)
    shutil.move(root / "boot" / "firmware", boot)
    (root / "boot" / "firmware").mkdir()
    shutil.copytree(HERE / "boot", boot, dirs_exist_ok=True)
    (boot / "meta-data").write_text(f"instance-id: table-companion-{layout.signature}\n")
    return Made(root, boot, HEADING + listed, owner_of(root))


def prepare(files: Path, layout: Layout, kind: str) -> None:
    """Lay out what is put over the packages' files: first what the kernel's installation reads, then the rest."""
    shutil.copytree(HERE / "root", files, symlinks=True, dirs_exist_ok=True)
    etc = files / "etc"
    (etc / "hostname").write_text(f"{HOST_NAME}\n")
    (etc / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {HOST_NAME}\n::1 localhost ip6-localhost\n")
    (etc / "fstab").write_text(fstab(layout))
    if kind == "debian":
        (etc / "default").mkdir(exist_ok=True)
        (etc / "default" / "raspi-firmware").write_text(raspi_firmware(layout))
        (etc / "default" / "raspi-firmware-custom").write_text(header_settings(kind))
        (etc / "default" / "raspi-extra-cmdline").write_text(f"{QUIET}\n")
    else:
        firmware = files / "boot" / "firmware"
        firmware.mkdir(parents=True)
        (firmware / "config.txt").write_text(CONFIG + header_settings(kind))
        (firmware / "cmdline.txt").write_text(kernel_line(layout))


def kernel_line(layout: Layout) -> str:
    """Give the words for Raspberry Pi's kernel: the screen is the console, and no serial port is."""
    return f"console=tty1 root=PARTUUID={layout.partuuid(ROOT)} rootfstype=ext4 fsck.repair=yes rootwait {QUIET}\n"


def raspi_firmware(layout: Layout) -> str:
    """Give `/etc/default/raspi-firmware`, of which Debian's package makes config.txt and cmdline.txt with each kernel.

    CMA=0 sets none: the package's own value, which it would take here, is for models before the 4, which does not start
    with it.
    """
    return f'ROOTPART="PARTUUID={layout.partuuid(ROOT)}"\nCONSOLES="tty0"\nKERNEL_ARCH="arm64"\nCMA="0"\n'


def header_settings(kind: str) -> str:
    """Give the lines of config.txt that the box's header needs."""
    lines = [
        "# The table companion: its display on I2C at 400 kHz; GPIO 14 and 15 are buttons, so no serial port is there.",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "enable_uart=0",
    ]
    if kind == "debian":
        lines.append("dtoverlay=table-companion")
    return "\n".join(lines) + "\n"


def owner_of(root: Path, name: str = "table-companion") -> tuple[int, int]:
    """Give user and group of the box in a system. Raises BuildError where it has none."""
    for line in (root / "etc" / "passwd").read_text().splitlines():
        user, _, number, group, *_ = line.split(":")
        if user == name:
            return int(number), int(group)
    raise BuildError(f"the package made no user {name}")

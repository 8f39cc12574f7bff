"""Builds the disk that the guest boots from: a minimal Debian with systemd, and the simulated hardware's two services.

Nothing of the product is on it; that is installed in the guest, as a user would. What is built lies in `build/hil` and
is found again, as in `tests.hil.image`.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.hil import image as hil_image
from tests.hil.errors import HilError
from tests.hil.image import BUILD, Stages, content, copy_modules, lay_out_initramfs, only_builder, pack, unpack_kernel
from tests.hil.packages import install, mirror, run

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "inside"
SUITE = "bookworm"
PACKAGES = ("systemd", "systemd-sysv", "udev", "dbus", "python3", "kmod", "procps")
TOOLS = {"debootstrap": "debootstrap", "qemu-utils": "qemu-img", "e2fsprogs": "mkfs.ext4"}
DISK_MB = 2048
UNITS = ("hil-chip.service", "hil-agent.service")
PROGRAMS = (INSIDE / "make_chip", INSIDE / "watch_status.py", hil_image.INSIDE / "agent.py")
PRESS = Path("/hil/press")
# Work that a box for a test has no use for, and that a slow guest would do in the middle of one.
MASKED = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer",
    "systemd-tmpfiles-clean.timer", "getty@tty1.service", "serial-getty@ttyS0.service", "console-getty.service",
    "systemd-timesyncd.service", "e2scrub_reap.service", "systemd-random-seed.service", "systemd-logind.service",
    "systemd-update-utmp.service", "systemd-update-utmp-runlevel.service", "systemd-binfmt.service",
    "systemd-pcrphase.service", "systemd-pcrphase-sysinit.service", "dev-hugepages.mount", "dev-mqueue.mount",
    "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "modprobe@dm_mod.service", "modprobe@loop.service",
    "modprobe@fuse.service", "modprobe@efi_pstore.service", "modprobe@drm.service", "systemd-hwdb-update.service",
    "systemd-modules-load.service", "systemd-user-sessions.service", "systemd-firstboot.service",
    "ldconfig.service", "dbus.socket", "dbus.service",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SystemImage:
    """What is booted: the kernel with its own initramfs, and a disk that nobody writes to."""

    boot: hil_image.Image
    disk: Path


def build(say: Callable[[str], None] = print) -> SystemImage:
    """Builds what is missing and returns the image; some two minutes the first time.

    Raises:
        HilError: not a Debian amd64 machine, not root, or a build step failed.
    """
    base = hil_image.build(say=say)
    with only_builder(BUILD):
        install([package for package, program in TOOLS.items() if shutil.which(program) is None])
        stages = Stages(BUILD / base.kernel.name, say)
        boot_key = [base.gpio_sim.parent.name, *(content(INSIDE / name) for name in ("init", "modules")), "1"]
        boot = stages.made("systemboot", boot_key, lambda out: _build_boot(base, out))
        root = stages.made("systemroot", [SUITE, *PACKAGES, "1"], _build_root)
        disk_key = [
            root.name, base.press.parent.name, str(DISK_MB), *MASKED, *map(content, PROGRAMS),
            *(content(INSIDE / name) for name in UNITS), "1",
        ]  # fmt: skip
        disk = stages.made("systemdisk", disk_key, lambda out: _build_disk(root / "root.tar", base.press, out))
    return SystemImage(
        replace(base, initramfs=boot / "initramfs.gz", press=PRESS),
        disk / "disk.raw",
    )


def _build_boot(base: hil_image.Image, out: Path) -> None:
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        unpacked, root = Path(scratch) / "image", Path(scratch) / "root"
        modules = unpack_kernel(base.kernel, base.gpio_sim, unpacked)
        lay_out_initramfs(root, [INSIDE / "init", INSIDE / "modules"])
        copy_modules(modules, root / "lib" / "modules" / base.kernel.release, INSIDE / "modules")
        pack(root, out / "initramfs.gz")


def _build_root(out: Path) -> None:
    """A fresh system, as a tar: it belongs to root, and nothing here need be run in it again."""
    target = out / "root"
    run("debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE, str(target), mirror(SUITE))
    for cache in ("var/cache/apt/archives", "var/lib/apt/lists"):
        for path in (target / cache).glob("*"):
            if path.is_file():
                path.unlink()
    run("tar", "-C", str(target), "-cf", str(out / "root.tar"), ".")
    shutil.rmtree(target)


def _build_disk(tar: Path, press: Path, out: Path) -> None:
    with tempfile.TemporaryDirectory(dir=out.parent) as scratch:
        root = Path(scratch) / "root"
        root.mkdir()
        run("tar", "-C", str(root), "-xf", str(tar))
        _fit_out(root, press)
        disk = out / "disk.raw"
        run("truncate", "-s", f"{DISK_MB}M", str(disk))
        run("mkfs.ext4", "-q", "-L", "box", "-d", str(root), str(disk))


def _fit_out(root: Path, press: Path) -> None:
    tools = root / "hil"
    tools.mkdir()
    for program in (*PROGRAMS, press):
        shutil.copy(program, tools)
    units = root / "etc" / "systemd" / "system"
    for name in UNITS:
        shutil.copy(INSIDE / name, units)
        wants = units / "sysinit.target.wants"
        wants.mkdir(exist_ok=True)
        (wants / name).symlink_to(f"/etc/systemd/system/{name}")
    for name in MASKED:
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")
    (root / "etc" / "hostname").write_text("box\n")
    (root / "etc" / "machine-id").write_text(hashlib.sha256(b"box").hexdigest()[:32] + "\n")
    (root / "etc" / "fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    # The log of every boot must outlive a power cut, so that a failure can be looked into.
    (root / "var" / "log" / "journal").mkdir(exist_ok=True)


def overlay(disk: Path, of: Path) -> Path:
    """Makes a disk that begins as a copy of another one, which it leaves alone."""
    command = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", _kind(of), "-b", str(of), str(disk))
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise HilError(f"qemu-img failed: {made.stderr}")
    return disk


def _kind(disk: Path) -> str:
    return "raw" if disk.suffix == ".raw" else "qcow2"


def main() -> int:
    """Builds the image, or says in plain words why it cannot be built."""
    try:
        image = build()
    except HilError as error:
        print(f"hil: {error}", file=sys.stderr)
        return 1
    print(f"hil: the system's disk is {image.disk}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

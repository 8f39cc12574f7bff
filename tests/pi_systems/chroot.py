"""A Debian for another processor in a folder, whose programs the kernel hands to qemu's user-space emulation."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hil.errors import HilError
from tests.hil.image import BUILD, only_builder
from tests.hil.packages import install, mirror, run

PACKAGES = ("python3", "systemd", "udev", "ca-certificates")
"""Of what a Raspberry Pi OS brings, what the package and its installation ask for."""
TOOLS = {"debootstrap": "debootstrap", "qemu-user-static": "qemu-aarch64-static"}
FROM_HOST = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")
"""It reaches the network as the host does, and trusts whom the host trusts."""
ENVIRONMENT = ("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
               "PIP_CERT=/etc/ssl/certs/ca-certificates.crt")  # fmt: skip
FORMATS = Path("/proc/sys/fs/binfmt_misc")
HEAD = r"\x7fELF{size}\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00{machine}\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"


@dataclass(frozen=True)
class Processor:
    """debian: its name there. size, machine: how a program for it begins (ELF's class and e_machine)."""

    debian: str
    qemu: str
    size: str
    machine: str


ARM64 = Processor("arm64", "aarch64", r"\x02", r"\xb7")
ARMHF = Processor("armhf", "arm", r"\x01", r"\x28")


@contextmanager
def emulated(processor: Processor) -> Iterator[None]:
    """Have the kernel run programs for this processor, until the end."""
    is_mounted = (FORMATS / "register").exists()
    if not is_mounted:
        run("mount", "-t", "binfmt_misc", "binfmt_misc", str(FORMATS))
    name = FORMATS / f"companion-tests-{processor.qemu}"
    if not name.exists():
        program = shutil.which(f"qemu-{processor.qemu}-static")
        if program is None:
            raise HilError(f"qemu-{processor.qemu}-static is not installed (package qemu-user-static)")
        head = HEAD.format(size=processor.size, machine=processor.machine)
        # F: the emulator is opened now, so that it need not be in the folder.
        (FORMATS / "register").write_text(f":{name.name}:M::{head}:{MASK}:{program}:F")
    try:
        yield
    finally:
        name.write_text("-1")
        if not is_mounted:
            run("umount", str(FORMATS))


class ForeignSystem:
    """One such system. `sh` runs a line of shell as root in it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def sh(self, script: str, *, succeeds: bool = True) -> str:
        """Run a line of shell and give all that it printed. Raises HilError where it ends otherwise than it should."""
        command = ["chroot", str(self.root), "/usr/bin/env", "-i", *ENVIRONMENT, "/bin/bash", "-c", script]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if (done.returncode == 0) is not succeeds:
            raise HilError(f"`{script}` ended with status {done.returncode}:\n{done.stdout[-6000:]}")
        return done.stdout


def base(suite: str, processor: Processor) -> Path:
    """A fresh system as a tar; made once. `emulated` must hold."""
    folder = BUILD.parent / "pi_systems"
    folder.mkdir(parents=True, exist_ok=True)
    tar = folder / f"{suite}-{processor.debian}.tar"
    with only_builder(folder):
        if not tar.exists():
            root = folder / f"making-{suite}-{processor.debian}"
            shutil.rmtree(root, ignore_errors=True)
            run("debootstrap", f"--arch={processor.debian}", "--variant=minbase", f"--include={','.join(PACKAGES)}",
                suite, str(root), mirror(suite))  # fmt: skip
            unfinished = tar.with_suffix(".new")
            run("tar", "-C", str(root), "-cf", str(unfinished), ".")
            unfinished.rename(tar)
            shutil.rmtree(root)
    return tar


@contextmanager
def system(suite: str, processor: Processor, root: Path) -> Iterator[ForeignSystem]:
    """A fresh system in a folder that goes at the end. Its devices are its own few; of the host it sees /proc alone."""
    install([package for package, program in TOOLS.items() if shutil.which(program) is None])
    with emulated(processor):
        tar = base(suite, processor)
        root.mkdir(parents=True)
        run("tar", "-C", str(root), "-xf", str(tar))
        for name in FROM_HOST:
            if Path(name).exists():
                shutil.copy(name, root / name[1:])
        run("mount", "-t", "proc", "proc", str(root / "proc"))
        try:
            yield ForeignSystem(root)
        finally:
            run("umount", str(root / "proc"))
            shutil.rmtree(root)

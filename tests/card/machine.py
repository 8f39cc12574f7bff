"""An arm64 machine with the card in it: the card's own kernel and initramfs, and nothing of the host's.

QEMU's `virt` stands in for the Pi: it has virtio where a Pi has its card reader, and no header. The header is gpio-sim,
which a unit of ours loads; the unit comes through QEMU's own store (fw_cfg) as a credential of systemd's, and its files
through a shared folder, so the card is the very one that is flashed.
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from systemd.build_deb import run
from systemd.image.layout import ALIGNMENT
from tests.card import kernel as card_kernel
from tests.hil import image as hil_image
from tests.hil.guest import Chip, Guest
from tests.hil.image import Image
from tests.hil.machine import TCG, Machine, share
from tests.hil.packages import Kernel
from tests.hil_system.box import InstalledBox
from tests.hil_system.guest import SystemGuest

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "inside"
UNIT = INSIDE / "hil-agent.service"
UNIT_NAME = "h.service"
"""As the guest knows it: QEMU's store takes names of 55 bytes, and 46 are systemd's."""
SYSTEM_CHIP = HERE.parent / "hil_system" / "inside" / "make_chip"
PROGRAMS = (INSIDE / "begin", SYSTEM_CHIP, hil_image.INSIDE / "agent.py", INSIDE.parents[1] / "hil_system" / "inside" /
            "watch_status.py")  # fmt: skip
MEMORY_MB = 512
"""A Zero 2 W's."""
CPUS = 2
CARD_GB = 8


@dataclass(frozen=True, slots=True)
class Card:
    """image: the card's own bytes, which nobody writes to. words: the kernel's, as they are on the card."""

    image: Path
    boot: Image
    words: str


def on_fat(image: Path, *command: str | Path) -> str:
    """Run a program of mtools on the card's first partition."""
    name, *rest = command
    return run(name, "-i", f"{image}@@{ALIGNMENT}", *rest)


def open_card(image: Path, packages: Path, folder: Path) -> Card:
    """Take the card's kernel, initramfs and words off it, and make what its kernel needs for a simulated header."""
    config = on_fat(image, "mtype", "::config.txt")
    names = {line.split("=")[0].split()[0]: line.replace("=", " ").split()[-1] for line in config.splitlines() if line}
    taken = {}
    for kind in ("kernel", "initramfs"):
        taken[kind] = folder / kind
        on_fat(image, "mcopy", "-n", f"::{names[kind]}", taken[kind])
    release = names["kernel"].removeprefix("vmlinuz-")
    versions = dict(line.split("\t")[:2] for line in packages.read_text().splitlines())
    kernel = Kernel(release, versions[f"linux-image-{release}"])
    press = card_kernel.press_tool(kernel, print)
    module = card_kernel.module(kernel, print)
    boot = Image(kernel, taken["kernel"], taken["initramfs"], press, press, module)
    return Card(image, boot, on_fat(image, "mtype", "::cmdline.txt").strip())


def put_into_reader(card: Card, disk: Path, files: dict[str, str]) -> None:
    """Copy the card to a larger one, as a flasher does, and put files on its first partition, as Imager does."""
    run("cp", "--sparse=always", card.image, disk)
    for name, text in files.items():
        source = disk.with_suffix(".file")
        source.write_text(text)
        on_fat(disk, "mcopy", "-o", source, f"::{name}")
        source.unlink()
    run("truncate", "-s", f"{CARD_GB}G", disk)


class CardMachine(Machine):
    """One power-on of the card. disk: qcow2, so that what was not flushed is lost with QEMU, as in tests/hil_system."""

    def __init__(self, card: Card, scratch: Path, disk: Path) -> None:
        self._card = card
        self._disk = disk
        super().__init__(card.boot, scratch)

    def _write_environment(self) -> None:
        """Lay what the guest needs of the host into the folder that both see."""
        for program in (*PROGRAMS, self._card.boot.press, self._card.boot.gpio_sim):
            shutil.copy(program, self.scratch)

    def choose_accelerator(self, image: Image) -> str:
        """Emulation: the host is no arm64."""
        del image
        return TCG

    def _command(self, image: Image) -> list[str]:
        words = f"{self._card.words} console=ttyAMA0 systemd.wants={UNIT_NAME}"
        return [
            "setpriv", "--pdeathsig", "KILL",
            "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-accel", self.accelerator,
            "-smp", str(CPUS), "-m", str(MEMORY_MB), "-nodefaults", "-display", "none", "-no-reboot",
            "-kernel", str(image.vmlinuz), "-initrd", str(image.initramfs), "-append", words,
            "-serial", f"file:{self.console}",
            "-chardev", f"socket,id=agent,path={self._sockets / 'agent'},server=on,wait=off",
            "-device", "pci-serial,chardev=agent",
            "-drive", f"file={self._disk},if=none,id=card,format=qcow2,cache=writeback,discard=ignore",
            "-device", "virtio-blk-pci,drive=card", "-device", "virtio-rng-pci",
            "-netdev", "user,id=net,restrict=on", "-device", "virtio-net-pci,netdev=net",
            "-fw_cfg", f"name=opt/io.systemd.credentials/systemd.extra-unit.{UNIT_NAME},file={UNIT}",
            *share("scratch", self.scratch),
        ]  # fmt: skip


class CardGuest(SystemGuest):
    """One power-on of the card, with a root shell beside it."""

    boot_seconds = 900

    def __init__(self, card: Card, disk: Path, scratch: Path) -> None:
        self._card = card
        self._disk = disk
        Guest.__init__(self, card.boot, scratch)

    def boot(self, image: Image, scratch: Path) -> Machine:
        return CardMachine(self._card, scratch, self._disk)

    def chip(self) -> Chip:
        """The simulated header; beside it the machine has a chip of its own."""
        folder = self.sh("echo /sys/devices/platform/gpio-sim.0/gpiochip*").strip()
        return Chip("box", f"/dev/{folder.rsplit('/', 1)[-1]}", folder)

    def await_restart(self, seconds: float) -> None:
        """Wait until the guest has ended itself in order to start once more: QEMU ends then (-no-reboot)."""
        self._machine.await_off(seconds)


class CardBox(InstalledBox):
    """The box on the card."""

    press_tool = "/run/hil/press"

    def __init__(self, guest: CardGuest) -> None:
        super().__init__(guest, guest.chip())


def larger_disk(disk: Path, of: Path) -> Path:
    """Make the disk that QEMU writes to, on top of a card's bytes."""
    command: Sequence[str] = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(of), str(disk))
    subprocess.run(command, check=True)
    return disk

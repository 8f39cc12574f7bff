"""A booted Debian with its own disk: switched on, switched off, or cut off from the mains."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.hil.guest import Chip, Guest, Process
from tests.hil.image import Image
from tests.hil.machine import Machine, kernel_line, qemu, share
from tests.hil_system.image import SystemImage

CHIP = Chip("box", "/dev/gpiochip0", "/sys/devices/platform/gpio-sim.0/gpiochip0")
TURN_OFF_SECONDS = 90


class SystemMachine(Machine):
    """The machine with a disk instead of the host's root."""

    niceness = -8
    """Nothing here hangs on an instant: it goes after the guest whose presses do, where both run. But it has one core's
    work to do, of which an event of many processes would leave it a tenth."""

    def __init__(self, image: Image, scratch: Path, disk: Path) -> None:
        self._disk = disk
        super().__init__(image, scratch)

    def _command(self, image: Image) -> list[str]:
        # What the guest has not flushed may be lost with QEMU, as on a card: QEMU keeps the disk's own bookkeeping of
        # new blocks in memory until the guest asks for it to be stored (cache=writeback of a qcow2 disk).
        return [
            *qemu(image, self.accelerator),
            "-append", kernel_line("rw", "systemd.show_status=0", "loglevel=3", "audit=0"),
            "-serial", f"file:{self.console}",
            "-chardev", f"socket,id=agent,path={self._sockets / 'agent'},server=on,wait=off",
            "-serial", "chardev:agent",
            "-drive", f"file={self._disk},if=virtio,format=qcow2,cache=writeback,discard=ignore",
            "-device", "virtio-rng-pci",
            *share("scratch", self.scratch),
        ]  # fmt: skip


class SystemGuest(Guest):
    """One power-on of the box. Leaving it turns it off properly; `cut_power` does not."""

    def __init__(self, image: SystemImage, disk: Path, scratch: Path) -> None:
        self._disk = disk
        super().__init__(image.boot, scratch)

    def boot(self, image: Image, scratch: Path) -> Machine:
        return SystemMachine(image, scratch, self._disk)

    def start(
        self,
        name: str,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path = Path("/"),
    ) -> Process:
        """Starts a process in the guest, whose environment is the agent's."""
        told = self.ask("start", name=name, argv=list(argv), env=dict(env or {}), cwd="/")
        return Process(self, name, told["pid"])

    def sh(self, script: str, *, seconds: float = 120, check: bool = True) -> str:
        """Runs a line of shell as root and returns what it printed.

        Raises:
            HilError: it failed (when `check`), with all it said.
        """
        return self.run(["/bin/sh", "-c", script], seconds=seconds, check=check).stdout

    def cut_power(self) -> None:
        """Ends the machine as pulling the plug does: nothing is told, nothing is flushed."""
        self._machine.kill()

    def stop(self) -> None:
        """Turns the machine off as a user would, and waits until it is off."""
        if self._machine.is_running():
            self.ask("start", name="off", argv=["/bin/systemctl", "poweroff"], env={}, cwd="/")
        self._machine.await_off(TURN_OFF_SECONDS)

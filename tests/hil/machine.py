"""Starts QEMU with the image, watches it, and ends it: accelerator, shares, serial console, time limit.

Knows nothing of what is said to the agent in the guest (`guest.py`).
"""

import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.hil.errors import HilError
from tests.hil.image import BUILD, INSIDE, Image

BOOT_SECONDS = 180
PROBE_SECONDS = 15
POWER_OFF_SECONDS = 30
MEMORY_MB = 1536
# Two CPUs matter: with one, edges cannot be delivered in another order than they came.
CPUS = 2
CONSOLE_TAIL = 60
NICENESS = -15
TCG = "tcg,thread=multi"
KVM = "kvm"
CPU = {KVM: "max", TCG: "Nehalem"}
"""Without AVX where it is emulated: the C library copies by it, which takes a seventh of a start of the program."""


def accelerator(image: Image, cache: Path = BUILD / "accelerator.json") -> str:
    """KVM when a guest really boots with it, else software emulation.

    /dev/kvm proves nothing: there are machines where it opens, makes a virtual machine, and then never runs it. The
    answer is kept until the host boots again.
    """
    host_boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    with contextlib.suppress(OSError, ValueError, KeyError):
        kept = json.loads(cache.read_text())
        if kept["host_boot"] == host_boot:
            return str(kept["accelerator"])
    found = KVM if _boots_with_kvm(image) else TCG
    cache.write_text(json.dumps({"host_boot": host_boot, "accelerator": found}) + "\n")
    return found


def _boots_with_kvm(image: Image) -> bool:
    if not Path("/dev/kvm").exists():
        return False
    command = [*qemu(image, KVM), "-serial", "stdio", "-append", kernel_line("hil.probe")]
    try:
        probe = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return b"hil: probe reached user space" in probe.stdout


def qemu(image: Image, accel: str) -> list[str]:
    """The command without shares, disks and lines."""
    return [
        "setpriv", "--pdeathsig", "KILL",  # no guest outlives the tests, however they end
        "qemu-system-x86_64", "-M", "q35", "-accel", accel, "-cpu", CPU[accel], "-smp", str(CPUS), "-m", str(MEMORY_MB),
        "-nodefaults", "-display", "none", "-no-reboot",
        "-kernel", str(image.vmlinuz), "-initrd", str(image.initramfs),
    ]  # fmt: skip


def kernel_line(*more: str) -> str:
    """The kernel's command line."""
    return " ".join(["console=ttyS0", "quiet", "panic=-1", "mitigations=off", *more])


class Machine:
    """One running guest: a context manager that powers it off, and that shows the console when something fails.

    `scratch` is a folder of the host that the guest sees as /run/hil and may write to; all else of the host it can only
    read. `line` is the serial line to the agent.
    """

    niceness = NICENESS

    def __init__(self, image: Image, scratch: Path) -> None:
        self.scratch = scratch
        self.console = scratch / "console.log"
        self.accelerator = self.choose_accelerator(image)
        scratch.mkdir(parents=True)
        self._sockets = Path(tempfile.mkdtemp(prefix="hil-"))  # the path of a socket may have 107 bytes only
        self._write_environment()
        with (scratch / "qemu.stderr").open("wb") as stderr:
            self._process = subprocess.Popen(
                self._command(image),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )
        _prefer(self._process.pid, self.niceness)
        try:
            self.line = self._connect()
        except BaseException:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def choose_accelerator(self, image: Image) -> str:
        """What runs the guest's programs; a machine of another processor has another."""
        return accelerator(image)

    def _write_environment(self) -> None:
        settings = {"HIL_PYTHON": sys.executable, "HIL_AGENT": str(INSIDE / "agent.py")}
        text = "".join(f"{name}={shlex.quote(value)}\n" for name, value in settings.items())
        (self.scratch / "boot.env").write_text(text)

    def _command(self, image: Image) -> list[str]:
        return [
            *qemu(image, self.accelerator),
            "-append", kernel_line(),
            "-serial", f"file:{self.console}",
            "-chardev", f"socket,id=agent,path={self._sockets / 'agent'},server=on,wait=off",
            "-serial", "chardev:agent",
            *share("root", Path("/"), ",readonly=on"),
            *share("scratch", self.scratch),
        ]  # fmt: skip

    def _connect(self) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        give_up = time.monotonic() + 10
        while True:
            try:
                line.connect(str(self._sockets / "agent"))
            except OSError:
                if time.monotonic() > give_up or not self.is_running():
                    line.close()
                    raise self.failure("QEMU did not open the line to the agent") from None
                time.sleep(0.05)
            else:
                return line

    def is_running(self) -> bool:
        return self._process.poll() is None

    def failure(self, what: str) -> HilError:
        """The error to raise when the guest misbehaves: what happened, and the end of the console log."""
        parts = [what]
        for path in (self.scratch / "qemu.stderr", self.console):
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            parts.append(f"--- end of {path}\n" + "\n".join(lines[-CONSOLE_TAIL:]))
        return HilError("\n".join(parts))

    def await_power_off(self) -> None:
        """Waits until the guest has turned itself off after its agent ended well.

        Raises:
            HilError: it did not, or the agent failed, or died without a word.
        """
        self.await_off(POWER_OFF_SECONDS)
        status = self.scratch / "agent-status"
        if not status.exists():
            raise self.failure("the guest went down before its agent had ended")
        if status.read_text().strip() != "0":
            raise self.failure(f"the agent in the guest ended with status {status.read_text().strip()}")

    def await_off(self, seconds: float) -> None:
        """Waits until the guest has turned itself off.

        Raises:
            HilError: it did not.
        """
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise self.failure(f"the guest did not turn off within {seconds:g} s") from None

    def kill(self) -> None:
        """Ends QEMU when it still runs; the scratch folder stays."""
        if hasattr(self, "line"):
            self.line.close()
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)


def _prefer(pid: int, niceness: int) -> None:
    """Lets QEMU, a session of its own, go before other work on the host, where that is allowed.

    Other work stops the guest in the middle of a press. With automatic groups the group's niceness is what counts.
    """
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness))


def share(tag: str, path: Path, options: str = "") -> Sequence[str]:
    """A folder of the host's, as the guest may mount it."""
    escaped = str(path).replace(",", ",,")
    # The host's root has several file systems in it, whose inode numbers may be equal: remap.
    return (
        "-fsdev", f"local,id={tag},path={escaped},security_model=none,multidevs=remap{options}",
        "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}",
    )  # fmt: skip

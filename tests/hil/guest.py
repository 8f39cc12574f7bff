"""The host's hand in the guest: processes, chips, load and presses, over the agent's serial line."""

import itertools
import json
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.hil.errors import HilError
from tests.hil.image import INSIDE, REPOSITORY, Image
from tests.hil.machine import BOOT_SECONDS, Machine
from tests.hil.patterns import Plan
from tests.hil.truth import Passed, Played, read_log, read_loop_log

PI_4 = "pinctrl-bcm2711"
PI_LINES = 54
SHARED = Path("/run/hil")
PYTHON = sys.executable
PROGRAM = str(Path(PYTHON).parent / "companion")
SOURCE_READER = str(INSIDE / "source_reader.py")
INTERRUPT_TRACER = str(INSIDE / "interrupt_tracer.py")
FORKED = (PROGRAM, SOURCE_READER)
IMPORTED = (
    "companion.cli.main", "companion.cli.run", "companion.app.run", "companion.app.devices", "companion.app.pods",
    "companion.app.inputs.making", "companion.app.signals.thread", "companion.app.certificate.loop",
    "companion.adapters.gpio.gpiod_source", "companion.adapters.gpio.gpiozero_source",
    "companion.adapters.gpio.outputs.buzzer", "companion.adapters.evdev.source", "companion.adapters.pods.source",
    "companion.config.toml_edit", "companion.games.apache.game", "companion.games.order",
    "cryptography.hazmat.primitives.asymmetric.ed25519", "gpiod",
)  # fmt: skip
"""What a start of the program takes longest for, and what each has in common: imported once, before it is forked."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A simulated chip: its name here, its device file in the guest, and the folder that moves its lines."""

    name: str
    device: str
    folder: str


class Guest:
    """One booted guest. Use as a context manager; leaving it turns the guest off and checks that it went well."""

    boot_seconds = BOOT_SECONDS

    def __init__(self, image: Image, scratch: Path) -> None:
        self._image = image
        self._machine = self.boot(image, scratch)
        self.scratch = scratch
        self._numbers = itertools.count(1)
        self._plays = itertools.count(1)
        self._runs = itertools.count(1)
        self._pending = b""
        self._serves_forks = False
        try:
            self.facts = self._answer(0, self.boot_seconds)
        except BaseException:
            self._machine.kill()
            raise

    def boot(self, image: Image, scratch: Path) -> Machine:
        """Switches the machine on; another kind of guest has another machine."""
        return Machine(image, scratch)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.stop()
        finally:
            self._machine.kill()

    @property
    def accelerator(self) -> str:
        return self._machine.accelerator

    def stop(self) -> None:
        """Turns the guest off.

        Raises:
            HilError: it did not go down as it should.
        """
        if self._machine.is_running():
            self.ask("stop")
        self._machine.await_power_off()

    def ask(self, action: str, *, seconds: float = 60, **arguments: Any) -> dict[str, Any]:
        """One request to the agent and its answer.

        Raises:
            HilError: the agent refused, the guest went down, or there was no answer in time (with the console log).
        """
        number = next(self._numbers)
        request = json.dumps({"id": number, "do": action, **arguments}).encode() + b"\n"
        try:
            self._machine.line.sendall(request)
        except OSError as error:
            raise self._machine.failure(f"the guest went down: {error}") from error
        return self._answer(number, seconds)

    def _answer(self, number: int, seconds: float) -> dict[str, Any]:
        give_up = time.monotonic() + seconds
        while b"\n" not in self._pending:
            left = give_up - time.monotonic()
            if left <= 0:
                raise self._machine.failure(f"no answer from the guest within {seconds:g} s")
            if not select.select([self._machine.line], [], [], min(left, 1.0))[0]:
                if not self._machine.is_running():
                    raise self._machine.failure("the guest went down")
                continue
            try:
                data = self._machine.line.recv(65536)
            except ConnectionError:  # QEMU went with something of ours unread
                data = b""
            if not data:
                raise self._machine.failure("the guest went down")
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        answer = json.loads(line)
        if answer["id"] != number:
            raise self._machine.failure(f"the agent answered {answer['id']} instead of {number}")
        if "error" in answer:
            raise HilError(f"in the guest: {answer['error']}")
        return dict(answer["ok"])

    def add_chip(self, name: str = "box", label: str = PI_4, lines: int = PI_LINES) -> Chip:
        """Makes a simulated GPIO chip with all lines high; the first one is /dev/gpiochip0."""
        return Chip(name, **self.ask("add_chip", name=name, label=label, lines=lines))

    def remove_chip(self, chip: Chip) -> None:
        self.ask("remove_chip", name=chip.name)

    def levels(self, chip: Chip, gpios: Sequence[int]) -> list[int]:
        """The lines' levels as the chip has them, claimed or not."""
        return list(self.ask("read_lines", folder=chip.folder, lines=list(gpios))["levels"])

    def load(self, processes: int) -> None:
        """Keeps the CPUs busy with so many processes that do nothing else; 0 ends it."""
        self.ask("load", processes=processes)

    def start(
        self,
        name: str,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path = REPOSITORY,
    ) -> "Process":
        """Starts a process in the guest; its name must be new. `FORKED` ones are forks (`inside/fork_server.py`)."""
        environment = {"PYTHONPATH": str(REPOSITORY), **(env or {})}
        script = list(argv[1:] if argv[0] == PYTHON else argv)
        forked = script[0] in FORKED
        if forked:
            self._serve_forks()
        command = script if forked else list(argv)
        told = self.ask("start", name=name, argv=command, env=environment, cwd=str(cwd), forked=forked)
        return Process(self, name, told["pid"])

    def _serve_forks(self) -> None:
        if not self._serves_forks:
            server = [PYTHON, str(INSIDE / "fork_server.py"), *IMPORTED]
            self.ask("serve_forks", argv=server, env={"PYTHONPATH": str(REPOSITORY)}, seconds=120)
            self._serves_forks = True

    def run(
        self,
        argv: Sequence[str],
        *,
        seconds: float = 60,
        env: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a process in the guest to its end.

        Raises:
            HilError: it did not end in time, or (when `check`) with another status than 0.
        """
        process = self.start(f"run-{next(self._runs)}", argv, env=env)
        status = process.wait(seconds)
        if check and status != 0:
            raise HilError(f"`{' '.join(argv)}` ended with status {status} in the guest:\n{process.said()}")
        return subprocess.CompletedProcess(list(argv), status, process.stdout(), process.stderr())

    def rest(self, seconds: float) -> None:
        """Lets time pass on the guest's clock."""
        self.run(["/bin/sleep", str(seconds)], seconds=seconds * 10 + 60)

    def start_loop(self, name: str, chip: Chip, output: int) -> "Wire":
        """Lays a wire from an output of the chip, whose other end is on no line yet."""
        self.ask("pin_interrupts", cpu=0)
        log = f"{name}.log"
        process = self.start(name, [str(self._image.loop), chip.folder, str(output), str(SHARED / log)])
        process.await_text("ready")
        return Wire(process, self.scratch / log)

    def play(
        self,
        plan: Plan,
        *chips: Chip,
        spread: bool = False,
        priority: int = 10,
        cpu: int = 0,
        name: str | None = None,
    ) -> list[list[Played]]:
        """Plays a plan's edges on the lines of the chips and returns what was done on each chip, in order.

        As on a Pi, the interrupts of all lines are handled on one CPU, and their threads come before the player. With
        `spread` edges alternate between the CPUs and the kernel's threads run where they like: delivery then is out of
        order, and edges of one line that are close together may be merged. `priority` 0 is that of any process: from
        another CPU than the threads' a line then changes again while its thread still wakes, as a switch does.
        """
        if not spread:
            self.ask("pin_interrupts", cpu=0)
        name = name or f"play-{next(self._plays)}"
        (self.scratch / f"{name}.pattern").write_text(plan.text())
        log = SHARED / f"{name}.log"
        command = [
            str(self._image.press), "-p", str(priority), *(("-t", "2") if spread else ("-c", str(cpu))),
            str(SHARED / f"{name}.pattern"), str(log), *(chip.folder for chip in chips),
        ]  # fmt: skip
        self.run(command, seconds=plan.duration_us / 1e6 * 2 + 60)
        played = read_log((self.scratch / log.name).read_text())
        return [[edge for edge in played if edge.chip == number] for number in range(len(chips))]

    def play_traced(self, plan: Plan, chip: Chip) -> tuple[list[Played], dict[int, list[int]]]:
        """Plays a plan as a switch does, by an ordinary process beside the threads.

        Returns what was done, and by line the times at which the kernel entered its interrupt's handler, by its own
        trace.
        """
        name = f"play-{next(self._plays)}"
        self.run([PYTHON, "-S", INTERRUPT_TRACER, "begin"])
        (played,) = self.play(plan, chip, priority=0, cpu=1, name=name)
        self.run([PYTHON, "-S", INTERRUPT_TRACER, "end", str(SHARED / f"{name}.trace")], seconds=300)
        entered: dict[int, list[int]] = {}
        for row in (self.scratch / f"{name}.trace").read_text().splitlines():
            line, t_ns = map(int, row.split())
            entered.setdefault(line, []).append(t_ns)
        return played, entered


class Wire:
    """A wire from an output, played by the loop tool."""

    def __init__(self, process: "Process", log: Path) -> None:
        self._process = process
        self._log = log

    def put_on(self, gpio: int, delay_us: int = 0) -> None:
        """Puts its end on a line; every edge comes so much later than the output's."""
        self._do(f"wire {gpio} {delay_us}")

    def take_off(self) -> None:
        self._do("off")

    def lose(self, every: int) -> None:
        """Does not pass on every so many-th change from now on."""
        self._do(f"lose {every}")

    def changes(self) -> list[Passed]:
        """Ends it, and gives the changes that it passed on."""
        self._process.write("end\n")
        if self._process.wait() != 0:
            raise HilError(f"the loop tool failed\n{self._process.said()}")
        return read_loop_log(self._log.read_text())

    def _do(self, command: str) -> None:
        """One command, and its answer; the same one may come again."""
        before = self._process.stdout().count("done: ")
        self._process.write(f"{command}\n")
        give_up = time.monotonic() + 30
        while self._process.stdout().count("done: ") == before:
            if time.monotonic() > give_up:
                raise HilError(f"the loop tool did not do {command!r}\n{self._process.said()}")
            time.sleep(0.05)


class Process:
    """A process in the guest."""

    def __init__(self, guest: Guest, name: str, pid: int) -> None:
        self._guest = guest
        self.name = name
        self.pid = pid

    def stdout(self) -> str:
        """What it has printed so far."""
        return self._printed()[0]

    def stderr(self) -> str:
        return self._printed()[1]

    def said(self) -> str:
        """Both outputs, for a message."""
        stdout, stderr = self._printed()
        return f"--- stdout\n{stdout}\n--- stderr\n{stderr}"

    def _printed(self) -> tuple[str, str]:
        """What it has printed so far on both outputs, once the guest has brought it here."""
        self._guest.ask("bring", name=self.name)
        files = (self._guest.scratch / f"{self.name}.{output}" for output in ("stdout", "stderr"))
        stdout, stderr = (file.read_text(errors="replace") for file in files)
        return stdout, stderr

    def await_text(self, text: str, seconds: float = 60) -> None:
        """Waits until it has printed a text, on either output.

        Raises:
            HilError: it ended before, or there was no such text in time; with all it said.
        """
        told = self._guest.ask("await_text", seconds=seconds + 30, name=self.name, text=text, timeout=seconds)
        if told["said"]:
            return
        if told["status"] is None:
            raise HilError(f"{self.name} did not say {text!r} within {seconds:g} s\n{self.said()}")
        raise HilError(f"{self.name} ended with status {told['status']} before it said {text!r}\n{self.said()}")

    def write(self, text: str) -> None:
        """Writes to its standard input."""
        self._guest.ask("write", name=self.name, text=text)

    def signal(self, number: signal.Signals) -> None:
        self._guest.ask("signal", name=self.name, number=int(number))

    def wait(self, seconds: float = 60) -> int:
        """Its exit status (negative: the signal that ended it).

        Raises:
            HilError: it still runs after so many seconds; with all it said.
        """
        status = self._guest.ask("wait", seconds=seconds + 30, name=self.name, timeout=seconds)["status"]
        if status is None:
            raise HilError(f"{self.name} did not end within {seconds:g} s\n{self.said()}")
        return int(status)

    def kill(self) -> None:
        """SIGKILL; does nothing when it has ended."""
        self.signal(signal.SIGKILL)
        self.wait()

    def stop(self, seconds: float = 30) -> int:
        """SIGTERM, and its exit status."""
        self.signal(signal.SIGTERM)
        return self.wait(seconds)

"""The program under test, in the guest: started, stopped, and asked for the record it kept."""

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

from companion.config.pins import built_in
from companion.core.panel import Colour
from tests.hil.errors import HilError
from tests.hil.guest import PI_4, PROGRAM, SHARED, Guest, Process

SEATS = tuple(Colour)
SOURCES = ("gpiod", "gpiozero")

PINS = built_in()
GPIOS = PINS.buttons
"""GPIO by label ("red first") of the twenty buttons."""
LABELS = {gpio: label for label, gpio in GPIOS.items()}

# A press this soon after a race's close belongs to it. Shorter than the default, so that rounds follow quickly.
LATE_MS = 300
# On a Pi, gpiod's 30 ms and lgpio's 150 ms are plenty. The emulator may stand still for longer than that, and the host
# may be busy: how late an edge is delivered is not what is tested here, what is made of it is.
DELAY_MS = 500
SETTINGS = f"""\
[box]
resume = "always"
[source]
delay_ms = {DELAY_MS}
[timing]
late_ms = {LATE_MS}
stuck_s = 3
[display]
kind = "none"
[web]
enabled = false
"""
"""Without pages, with which it takes longer to start here; tests that need them switch them on."""


def one_button_each(rng: random.Random) -> list[int]:
    """A line of each seat, in random order."""
    return rng.sample([GPIOS[f"{seat} {rng.choice(['first', 'second', 'third', 'fourth'])}"] for seat in SEATS], 5)


class Box:
    """One state directory, and `companion run` on it, again and again if need be."""

    def __init__(self, guest: Guest, name: str, *, settings: str = SETTINGS) -> None:
        self._guest = guest
        self._name = name
        self._starts = 0
        self._config = f"{name}.toml"
        (guest.scratch / self._config).write_text(settings)
        self._where = ["--config", str(SHARED / self._config), "--state-dir", f"/run/{name}"]
        self.process: Process | None = None
        self.source = ""
        """The source of its last start."""

    def start(self, source: str, *options: str, chip: str = PI_4, seats: Sequence[str] = SEATS) -> Process:
        """Starts `companion run` and waits until it takes presses. seats: who plays; (): they sit down."""
        self._starts += 1
        self.source = source
        command = [
            PROGRAM, "run", *self._where, "--source", source, "--chip", chip,
            *(("--seats", ",".join(seats)) if seats else ()), *options,
        ]  # fmt: skip
        self.process = self._guest.start(f"{self._name}-run{self._starts}", command)
        self.process.await_text("ready: ", seconds=180)
        return self.process

    def await_recorded(self, presses: int) -> None:
        """Waits until so many presses are in its record: a slow guest may read the first of them seconds late.

        Raises:
            HilError: they were not within a minute and a half.
        """
        recorded = f"grep -c settled /run/{self._name}/intake.jsonl"
        self._guest.run(["/bin/sh", "-c", f"until [ $({recorded}) -ge {presses} ]; do sleep 0.2; done"], seconds=90)

    def stop(self) -> None:
        """SIGTERM.

        Raises:
            HilError: it did not end with status 0; with all it said, and the traceback if it left one.
        """
        if self.process is None:
            raise HilError(f"{self._name} was not started")
        process, self.process = self.process, None
        status = process.stop(seconds=60)
        if status != 0:
            named = re.findall(r"\S+\.traceback\.txt", process.stderr())
            kept = self._guest.run(["/bin/cat", *named]).stdout if named else ""
            raise HilError(f"companion ended with status {status}\n{process.said()}\n{kept}")

    def kill(self) -> None:
        """Ends it without a chance to tidy up, if it still runs."""
        if self.process is not None:
            process, self.process = self.process, None
            process.kill()

    def record(self, match: int = 1) -> list[dict[str, Any]]:
        """The exported record of a match, line by line.

        Of a box that has ended, the host exports the very files that it left: the guest takes thirty times as long.
        """
        if self.process is not None:
            exported = self._guest.run([PROGRAM, "export", *self._where, str(match)]).stdout
            return [json.loads(line) for line in exported.splitlines()]
        kept = f"{self._name}-kept"
        files = f"mkdir -p {SHARED / kept} && cp -r /run/{self._name}/. {SHARED / kept}"
        self._guest.run(["/bin/sh", "-c", files])
        here = ["--config", str(self._guest.scratch / self._config), "--state-dir", str(self._guest.scratch / kept)]
        return on_host("export", *here, str(match))

    def replay(self, record: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """What `companion replay --json` makes of a record. The host does it: it must be the same on any machine."""
        return on_host("replay", "--json", "-", text="".join(json.dumps(line) + "\n" for line in record))


def on_host(*command: str, text: str = "") -> list[dict[str, Any]]:
    """The lines of JSON that a command of the program's says on this machine, of which `text` is the input."""
    done = subprocess.run([PROGRAM, *command], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HilError(f"companion {command[0]} ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def races(record: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The presses and the close of each race of a record, up to its judging; what follows the last one, last."""
    race: list[dict[str, Any]] = []
    for line in record:
        if line["type"] == "judge":
            yield race
            race = []
        elif line["type"] in ("press", "close"):
            race.append(line)
    yield race


def remarks(record: Sequence[dict[str, Any]]) -> list[str]:
    """The texts of a record's remarks."""
    return [line["text"] for line in record if line["type"] == "remark"]

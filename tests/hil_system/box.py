"""The installed box in a booted guest: whether it runs, what it says, what it has recorded."""

import itertools
import json
import random
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.adapters.sqlite_journal import export_lines
from tests.hil.box import DELAY_MS, GPIOS, LABELS, LATE_MS, PINS, SEATS, one_button_each
from tests.hil.errors import HilError
from tests.hil.guest import SHARED, Chip, Process
from tests.hil.patterns import Plan, Stroke, burst, plan, press
from tests.hil.truth import PlayedStroke, as_played, read_log
from tests.hil_system.guest import CHIP, SystemGuest

KNOB_PUSH = PINS.lines["knob push"]
STATE = "/var/lib/table-companion"
STATUS_FILE = "/run/table-companion/status.json"
CONFIG = "/etc/table-companion/config.toml"

SETTINGS = f"""
[source]
delay_ms = {DELAY_MS}
[timing]
late_ms = {LATE_MS}
window_s = 120
[match]
cards = false
[display]
kind = "none"
"""
"""What the tests add to the package's settings file, as a user might."""
PERIOD_US = LATE_MS * 1000 + 250_000

_names = itertools.count(1)


class InstalledBox:
    """What a person at the table does and sees, and what is on the disk."""

    press_tool = "/hil/press"

    def __init__(self, guest: SystemGuest, chip: Chip = CHIP) -> None:
        self.guest = guest
        self.chip = chip

    def await_running(self, seconds: float = 120) -> None:
        """Waits until the service says that it is ready.

        Raises:
            HilError: it is not in time; with its log.
        """
        script = f"""
            for i in $(seq {int(seconds)}); do
                systemctl -q is-active companion && exit 0
                sleep 1  # asked more often, it would keep the guest from what is awaited
            done
            systemctl status --no-pager companion; journalctl -b -u companion --no-pager | tail -40; exit 1"""
        answer = self.guest.run(["/bin/sh", "-c", script], seconds=seconds * 2 + 60, check=False)
        if answer.returncode != 0:
            raise HilError(f"the box does not run:\n{answer.stdout}")

    def status(self) -> dict[str, Any]:
        """What the box says of itself now."""
        told: dict[str, Any] = json.loads(self.guest.sh(f"cat {STATUS_FILE}"))
        return told

    def await_status(self, wanted: str, seconds: float = 60) -> str:
        """Waits until a text is in the status file, and gives the file.

        Raises:
            HilError: it is not in time; with what is there.
        """
        script = f"""
            for i in $(seq {int(seconds * 2)}); do
                grep -q -e '{wanted}' {STATUS_FILE} && {{ cat {STATUS_FILE}; exit 0; }}
                sleep 0.5
            done
            cat {STATUS_FILE}; journalctl -b -u companion --no-pager | tail -20; exit 1"""
        answer = self.guest.run(["/bin/sh", "-c", script], seconds=seconds * 2 + 60, check=False)
        if answer.returncode != 0:
            raise HilError(f"the box never says {wanted!r}:\n{answer.stdout}")
        return answer.stdout

    def begin(self, planned: Plan) -> tuple[Process, str]:
        """Starts to play a plan; gives the player and its name."""
        self.guest.ask("pin_interrupts", cpu=0)
        name = f"presses-{next(_names)}"
        (self.guest.scratch / f"{name}.pattern").write_text(planned.text())
        pattern, log = (str(SHARED / f"{name}.{kind}") for kind in ("pattern", "log"))
        command = [self.press_tool, "-c", "0", pattern, log, self.chip.folder]
        return self.guest.start(name, command), name

    def play(self, planned: Plan) -> list[PlayedStroke]:
        """Plays a plan to its end and gives what was really done."""
        player, name = self.begin(planned)
        if player.wait(planned.duration_us / 1e6 * 3 + 60) != 0:
            raise HilError(f"the presses could not be played\n{player.said()}")
        return as_played(planned, read_log((self.guest.scratch / f"{name}.log").read_text()))

    def take_seats_and_start(self, rng: random.Random) -> None:
        """Everybody takes a seat at the box, and somebody pushes the knob."""
        gpios = [GPIOS[f"{colour} first"] for colour in SEATS]
        seated = [press(rng, gpio, number * 200_000, 80_000) for number, gpio in enumerate(gpios)]
        self.play(plan(seated))
        self.guest.rest(DELAY_MS / 1000 + 0.5)
        self.play(plan([press(rng, KNOB_PUSH, 0, 120_000)]))
        self.await_status('"doing":"playing"')

    def journal_copy(self) -> Path:
        """A copy of the journal's files on the host, in a folder of its own."""
        folder = f"state-{next(_names)}"
        self.guest.sh(f"mkdir /run/hil/{folder}; cp {STATE}/matches.sqlite* /run/hil/{folder}/")
        return self.guest.scratch / folder

    def record(self, match: int = 1) -> list[bytes]:
        """The record of a match as it is on the disk, after SQLite's and the journal's own checks of it.

        Raises:
            HilError: the database is damaged.
        """
        folder = self.journal_copy()
        with sqlite3.connect(folder / "matches.sqlite") as database:
            (found,) = database.execute("PRAGMA integrity_check").fetchone()
        database.close()
        if found != "ok":
            raise HilError(f"the database is damaged: {found}")
        lines = export_lines(folder, match)  # raises where a check sum is wrong
        shutil.rmtree(folder)
        return lines


def rounds(rng: random.Random, count: int) -> list[list[Stroke]]:
    """Races in which every seat presses once, a few tenths of a millisecond apart."""
    return [burst(rng, one_button_each(rng), number * PERIOD_US, hold_us=60_000) for number in range(count)]


def pressed(strokes: Sequence[Stroke]) -> list[str]:
    """The buttons of strokes, in the order of their first edges."""
    return [LABELS[stroke.gpio] for stroke in sorted(strokes, key=lambda stroke: stroke.at_us)]


def presses_of(lines: Sequence[bytes]) -> list[str]:
    """The buttons of the presses of a record."""
    told = [json.loads(line) for line in lines]
    return [f"{line['colour']} {line['role']}" for line in told if line["type"] == "press"]


def course_of(lines: Sequence[bytes]) -> list[bytes]:
    """A record's lines but for those that decide nothing, which the box adds when it has the time, or starts."""
    return [line for line in lines if json.loads(line)["type"] not in ("evidence", "seal", "restart", "remark")]


def types_of(lines: Sequence[bytes]) -> list[str]:
    """The types of a record's lines."""
    return [json.loads(line)["type"] for line in lines]

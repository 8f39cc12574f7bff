"""The whole box killed with SIGKILL while a seat picks its card by scanning, again and again.

The match is there, the seat's press stands with its time, its cards are offered again, and nothing more than one card
comes of it: neither a second press nor none.
"""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.intake_file.entries import waiting
from companion.adapters.sqlite_journal import export_lines, list_matches
from companion.core.record.lines import PressLine, Remark, parse_line
from tests.app.kills import COMPANION

pytestmark = pytest.mark.slow  # starts processes

KILLS, SEED = 4, 13
DWELL_S, LOOPS, CARDS = 0.5, 2, 4
PATIENCE_S = 60.0
SETTINGS = f"""\
[timing]
late_ms = 0
bounce_ms = 5
accept_ms = 0
[web]
enabled = false
[seats.red]
input = "scan"
scan_dwell_s = {DWELL_S}
scan_loops = {LOOPS}
"""
FIRST = "0.05 press yellow second for 10 ms\n+0.02 press red first for 10 ms\n+90 end\n"
NOTHING = "90 end\n"
PICK = "0.3 press red third for 10 ms\n+90 end\n"
"""Within the first dwell after a restart, or before it begins: then it is told that it meant nothing."""


class Box:
    """`companion run` with one match of Order; red scans."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._state = folder, folder / "state"
        (folder / "box.toml").write_text(SETTINGS)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, script: str) -> None:
        played = self._folder / "played.script"
        played.write_text(script)
        with (self._folder / "shown.txt").open("a") as shown:
            self._run(played, shown)

    def _run(self, played: Path, shown: Any) -> None:
        self._process = subprocess.Popen(
            [
                str(COMPANION), "run", "--simulate", "--plain", "--game", "order", "--seats", "red,yellow", "--resume",
                "--config", str(self._folder / "box.toml"), "--script", str(played), "--state-dir", str(self._state),
            ],
            stdin=subprocess.DEVNULL, stdout=shown, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self) -> None:
        assert self._process is not None
        assert self._process.poll() is None, self.shown()
        self._process.kill()
        self._process.wait()

    def waiting(self) -> dict[str, int]:
        """The presses that are not in the record yet: their instants, by button."""
        intake = self._state / "intake.jsonl"
        found, _ = waiting(intake.read_bytes().split(b"\n")) if intake.exists() else ((), ())
        return {one.press.line: one.press.t_ns for one in found}

    def lines(self) -> list[Any]:
        raw = export_lines(self._state, 1) if list_matches(self._state) else []
        return [parse_line(line, number) for number, line in enumerate(raw, 1)]

    def presses(self) -> list[tuple[str, str, int]]:
        return [(line.colour, line.role, line.t_ns) for line in self.lines() if isinstance(line, PressLine)]

    def remarks(self) -> str:
        return "\n".join(line.text for line in self.lines() if isinstance(line, Remark))

    def shown(self) -> str:
        return (self._folder / "shown.txt").read_text()

    def until(self, is_so: Any) -> None:
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, (self.shown(), self.remarks())
            time.sleep(0.01)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@pytest.fixture
def box(tmp_path):
    made = Box(tmp_path)
    yield made
    made.end()


@pytest.fixture
def pressed_ns(box):
    """Red's first press, with which the box was killed in mid-scan."""
    box.start(FIRST)
    box.until(lambda: "red first" in box.waiting())
    at_ns = box.waiting()["red first"]
    box.kill()
    return at_ns


def test_however_often_it_is_killed_in_mid_scan_one_card_is_played_with_the_time_of_the_first_press(box, pressed_ns):
    rng = random.Random(SEED)
    for _ in range(KILLS):
        offered = box.shown().count("resum")
        box.start(NOTHING)
        box.until(lambda before=offered: box.shown().count("resum") > before or box.presses())
        time.sleep(rng.uniform(0, DWELL_S * LOOPS * CARDS / 2))
        box.kill()
        assert box.waiting().get("red first", pressed_ns) == pressed_ns
        assert "red first" in box.waiting() or [line for line in box.presses() if line[0] == "red"]
    box.start(NOTHING)
    box.until(lambda: "did not pick" in box.remarks() and "did not pick" in box.shown())
    box.kill()
    (red,) = [line for line in box.presses() if line[0] == "red"]
    assert red == ("red", "fourth", pressed_ns)
    assert [line[:2] for line in box.presses() if line[0] == "yellow"] == [("yellow", "second")]


def test_after_a_kill_in_mid_scan_the_switch_still_picks_and_its_presses_are_no_second_play(box, pressed_ns):
    box.start(PICK)
    box.until(lambda: "by switch scanning" in box.remarks() or "did not pick" in box.remarks())
    box.kill()
    (red,) = [line for line in box.presses() if line[0] == "red"]
    assert red[2] == pressed_ns
    is_picked = "picked its card by switch scanning" in box.remarks()
    assert is_picked or "nothing was offered" in box.remarks()

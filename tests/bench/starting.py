"""The whole process: from its start to `ready` and to its web pages, its memory, its use of a processor at rest.

The very first start makes the box's key; what a box does every day are those after it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.games import registry
from tests.bench.measured import Measured, spread

if TYPE_CHECKING:
    from collections.abc import Mapping

ROUNDS = 7
IDLE_S = 10
NO_WEB = "--no-web"
COMPANION = Path(sys.executable).with_name("companion")


def start(
    directory: str, *more: str, environ: Mapping[str, str] | None = None
) -> tuple[subprocess.Popen[str], float, float]:
    """Start the box without buttons and display; give it, the seconds until it was ready and until it had pages.

    more: further arguments. environ: what is added to this program's own.
    """
    arguments = ["run", "--source", "none", "--display", "none", "--seats", "red,yellow", "--state-dir", directory]
    began = time.perf_counter()
    process = subprocess.Popen(
        [COMPANION, *arguments, *more], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, env={**os.environ, **(environ or {})},
    )  # fmt: skip
    assert process.stderr is not None
    ready = 0.0
    for line in process.stderr:
        if line.startswith("ready"):
            ready = time.perf_counter() - began
            if NO_WEB in more:
                return process, ready, ready
        if line.startswith("begin here: "):  # said once the pages are served; they come after presses are taken
            return process, ready, time.perf_counter() - began
    raise RuntimeError(f"the box ended with {process.wait()} before it had its pages")


def games_imported(directory: str) -> list[str]:
    """Start a box that plays the first game, and give the games whose rules it has imported by the time it serves."""
    arguments = ["run", "--source", "none", "--display", "none", "--seats", "red,yellow", "--state-dir", directory]
    process = subprocess.Popen(
        [COMPANION, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
    )  # fmt: skip
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("begin here: "):
            break
    process.terminate()
    said += process.communicate(timeout=30)[1].splitlines()
    modules = {line.rpartition("|")[2].strip() for line in said if line.startswith("import time:")}
    return sorted(
        {module.split(".")[2] for module in modules if module.startswith("companion.games.") and module.count(".") > 2}
    )


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the kernel does not say how much memory is resident")


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Starts:
    """What was seen of starts of one kind."""

    def __init__(self) -> None:
        self.ready_s: list[float] = []
        self.served_s: list[float] = []
        self.resident_mb: list[float] = []
        self.idle_percent = 0.0

    def add(self, directory: str, *more: str, idles: bool) -> None:
        """Start once, and end. more: further arguments. idles: see what it does at rest."""
        process, ready_s, served_s = start(directory, *more)
        self.ready_s.append(ready_s)
        self.served_s.append(served_s)
        if idles:
            before = cpu_s(process.pid)
            time.sleep(IDLE_S)
            self.idle_percent = (cpu_s(process.pid) - before) / IDLE_S * 100
        self.resident_mb.append(resident_mb(process.pid))
        process.terminate()
        assert process.wait(30) == 0

    def rows(self, out: Measured, when: str) -> None:
        """Put them into the table."""
        out.row(f"{when}: to ready, s", spread(self.ready_s, 2))
        out.row(f"{when}: to web pages, s", spread(self.served_s, 2))
        out.row(f"{when}: resident memory, MB", spread(self.resident_mb, 1))


def measure() -> Measured:
    out = Measured("The process (no buttons, no display)")
    first, later, bare = Starts(), Starts(), Starts()
    for index in range(ROUNDS):
        with tempfile.TemporaryDirectory() as directory:
            first.add(directory, idles=False)
            later.add(directory, idles=index == ROUNDS - 1)
            bare.add(directory, NO_WEB, idles=index == ROUNDS - 1)
    later.rows(out, "a start")
    first.rows(out, "the very first")
    out.row("without pages and voice: to ready, s", spread(bare.ready_s, 2))
    out.row("without pages and voice: resident memory, MB", spread(bare.resident_mb, 1))
    out.row(
        f"processor while idle for {IDLE_S} s, with pages and without, %",
        f"{later.idle_percent:.2f}, {bare.idle_percent:.2f}",
    )
    with tempfile.TemporaryDirectory() as directory:
        imported = games_imported(directory)
    out.row(f"of {len(registry.listed())} games that are installed, imported to play one", ", ".join(imported))
    out.values = {"first": vars(first), "later": vars(later), "bare": vars(bare), "imported": imported}
    slowest_s = max(statistics.median(starts.ready_s) for starts in (first, later))
    out.promise(slowest_s <= 1.5, "ready within 1.5 s")
    out.promise(max(bare.resident_mb) <= 64, "at most 64 MB resident without pages and voice")
    out.promise(len(imported) == 1, "a game that is not played is not imported")
    out.promise(max(later.idle_percent, bare.idle_percent) <= 1, "at most 1 % of a processor while idle")
    return out

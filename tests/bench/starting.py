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
from typing import TYPE_CHECKING, NamedTuple

from companion.games import registry
from tests.bench.measured import Figure, Measured, of_values, spread

if TYPE_CHECKING:
    from collections.abc import Mapping


class Sizes(NamedTuple):
    """rounds: each a first start, another, and one without pages. idle_s: how long a box is watched at rest."""

    rounds: int = 7
    idle_s: float = 10


USUAL = Sizes()
SMOKE = Sizes(rounds=1, idle_s=0.5)
FIGURES = {
    "ready": "s", "served": "s", "resident": "MB", "idle": "%", "first_ready": "s", "first_served": "s",
    "first_resident": "MB", "bare_ready": "s", "bare_resident": "MB", "bare_idle": "%",
}  # fmt: skip
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

    def add(self, directory: str, *more: str, idle_s: float) -> None:
        """Start once, and end. more: further arguments. idle_s: so long see what it does at rest; not where it is 0."""
        process, ready_s, served_s = start(directory, *more)
        self.ready_s.append(ready_s)
        self.served_s.append(served_s)
        if idle_s:
            before = cpu_s(process.pid)
            time.sleep(idle_s)
            self.idle_percent = (cpu_s(process.pid) - before) / idle_s * 100
        self.resident_mb.append(resident_mb(process.pid))
        process.terminate()
        assert process.wait(30) == 0

    def rows(self, out: Measured, when: str) -> None:
        """Put them into the table."""
        out.row(f"{when}: to ready, s", spread(self.ready_s, 2))
        out.row(f"{when}: to web pages, s", spread(self.served_s, 2))
        out.row(f"{when}: resident memory, MB", spread(self.resident_mb, 1))

    def idle(self, idle_s: float) -> Figure:
        """Give the processor time at rest in percent; the kernel counts it in ticks, so it is known to one of them."""
        tick = 100 / os.sysconf("SC_CLK_TCK") / idle_s
        return Figure(self.idle_percent, max(0.0, self.idle_percent - tick), self.idle_percent + tick)


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("The process (no buttons, no display)")
    first, later, bare = Starts(), Starts(), Starts()
    for index in range(sizes.rounds):
        with tempfile.TemporaryDirectory() as directory:
            idle_s = sizes.idle_s if index == sizes.rounds - 1 else 0
            first.add(directory, idle_s=0)
            later.add(directory, idle_s=idle_s)
            bare.add(directory, NO_WEB, idle_s=idle_s)
    later.rows(out, "a start")
    first.rows(out, "the very first")
    out.row("without pages and voice: to ready, s", spread(bare.ready_s, 2))
    out.row("without pages and voice: resident memory, MB", spread(bare.resident_mb, 1))
    out.row(
        f"processor while idle for {sizes.idle_s} s, with pages and without, %",
        f"{later.idle_percent:.2f}, {bare.idle_percent:.2f}",
    )
    with tempfile.TemporaryDirectory() as directory:
        imported = games_imported(directory)
    out.row(f"of {len(registry.listed())} games that are installed, imported to play one", ", ".join(imported))
    for name, starts in (("first_", first), ("", later), ("bare_", bare)):
        out.figures |= {f"{name}ready": of_values(starts.ready_s), f"{name}resident": of_values(starts.resident_mb)}
    out.figures |= {"served": of_values(later.served_s), "first_served": of_values(first.served_s)}
    out.figures |= {"idle": later.idle(sizes.idle_s), "bare_idle": bare.idle(sizes.idle_s)}
    out.values = {"first": vars(first), "later": vars(later), "bare": vars(bare), "imported": imported}
    slowest_s = max(statistics.median(starts.ready_s) for starts in (first, later))
    out.promise(slowest_s <= 1.5, "ready within 1.5 s")
    out.promise(max(bare.resident_mb) <= 64, "at most 64 MB resident without pages and voice")
    out.promise(len(imported) == 1, "a game that is not played is not imported")
    out.promise(max(later.idle_percent, bare.idle_percent) <= 1, "at most 1 % of a processor while idle")
    return out

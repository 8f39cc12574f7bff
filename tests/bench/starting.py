"""The whole process: from its start to `ready` and to its web pages, its memory, its use of a processor at rest."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measured import Measured, spread

ROUNDS = 7
IDLE_S = 10
COMPANION = Path(sys.executable).with_name("companion")


def start(directory: str) -> tuple[subprocess.Popen[str], float, float]:
    """Start the box without buttons and display; give it, the seconds until it was ready and until it had pages."""
    arguments = ["run", "--source", "none", "--display", "none", "--seats", "red,yellow", "--state-dir", directory]
    began = time.perf_counter()
    process = subprocess.Popen(
        [COMPANION, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    ready = 0.0
    for line in process.stderr:
        if line.startswith("ready"):
            ready = time.perf_counter() - began
        if line.startswith("table: "):  # said once the pages are served; they come after presses are taken
            return process, ready, time.perf_counter() - began
    raise RuntimeError(f"the box ended with {process.wait()} before it had its pages")


def resident_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("the kernel does not say how much memory is resident")


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure() -> Measured:
    out = Measured("The process (no buttons, no display)")
    ready, served, resident, idle = [], [], [], 0.0
    for index in range(ROUNDS):
        with tempfile.TemporaryDirectory() as directory:
            process, ready_s, served_s = start(directory)
            ready.append(ready_s)
            served.append(served_s)
            if index == ROUNDS - 1:
                before = cpu_s(process.pid)
                time.sleep(IDLE_S)
                idle = (cpu_s(process.pid) - before) / IDLE_S * 100
            resident.append(resident_mb(process.pid))
            process.terminate()
            assert process.wait(30) == 0
    out.row("start to ready, s", spread(ready, 2))
    out.row("start to web pages, s", spread(served, 2))
    out.row("resident memory, MB", spread(resident, 1))
    out.row(f"processor while idle for {IDLE_S} s, %", f"{idle:.2f}")
    out.values = {"ready_s": ready, "served_s": served, "resident_mb": resident, "idle_percent": idle}
    out.promise(statistics.median(ready) <= 1.5, "ready within 1.5 s")
    out.promise(max(resident) <= 64, "at most 64 MB resident")
    out.promise(idle <= 1, "at most 1 % of a processor while idle")
    return out

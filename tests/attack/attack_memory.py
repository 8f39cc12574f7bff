"""What 400 hostile sockets cost of the box's memory: at most 40 MB, whatever they hold back. Long: `attack_*.py`.

The box is a process of its own, so that nothing but it is weighed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.clients import Target, run

ROOT = Path(__file__).parents[2]
MOST_MB = 40.0
BOX = """
import sys
from tests.adapters.web.served import served
with served() as box:
    print(box.server.port, flush=True)
    sys.stdin.readline()
"""


def memory_mb(pid: int, which: str) -> float:
    """The memory of a process: what is in use now ("VmRSS"), or the most that ever was ("VmHWM")."""
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(rows[which].split()[0]) / 1024


@pytest.mark.parametrize("attack", ["begun", "held", "continued", "large_body", "slow_body", "deaf", "messages"])
def test_400_hostile_sockets_cost_at_most_40_mb(attack: str) -> None:
    command = [sys.executable, "-c", BOX]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as box:
        try:
            assert box.stdout is not None
            port = int(box.stdout.readline())
            run("states", Target(port, 4, 1.0))  # what is loaded at the first request is no attack's
            before = memory_mb(box.pid, "VmRSS")
            told = run(attack, Target(port, 400, 8.0, 20))
            more = memory_mb(box.pid, "VmHWM") - before
            print(f"{attack}: {more:.1f} MB more, {told}")
            assert told.opened >= 400
            assert more <= MOST_MB
        finally:
            box.kill()

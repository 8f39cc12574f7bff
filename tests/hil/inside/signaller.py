"""Runs in the guest: sends a process signals, so long after a line was first pulled low.

    signaller.py PULL_FILE PID SECONDS:SIGNAL [SECONDS:SIGNAL ...]

PULL_FILE is the line's `pull` in the simulated chip's folder. Prints `ready` when it watches. It goes before the press
tool: a flood keeps both CPUs busy.
"""

import os
import signal
import sys
import time
from pathlib import Path

PRIORITY = 20
"""Above the press tool's, below the interrupt threads'."""


def main() -> None:
    pull, pid, orders = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    print("ready")
    while pull.read_text().strip() != "pull-down":
        time.sleep(0.001)
    begun = time.monotonic()
    for order in orders:
        after_s, name = order.split(":")
        time.sleep(max(0.0, begun + float(after_s) - time.monotonic()))
        os.kill(pid, signal.Signals[name])


if __name__ == "__main__":
    main()

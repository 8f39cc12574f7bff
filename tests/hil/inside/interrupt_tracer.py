"""Runs in the guest: when the kernel entered the handlers of lines' interrupts, by its own trace.

    interrupt_tracer.py begin | interrupt_tracer.py end FILE

`end` writes `LINE T_NS` for each entry, in order, of the lines that a source has claimed. Times are of
CLOCK_MONOTONIC, and whole microseconds.
"""

import os
import re
import sys
from pathlib import Path

TRACING = Path("/sys/kernel/tracing")
EVENT = TRACING / "events/irq/irq_handler_entry/enable"
ON, TRACE = TRACING / "tracing_on", TRACING / "trace"
BUFFER_KB = 16_384
"""On each processor: a hundred thousand edges, and room."""
CONSUMERS = ("companion", "lg")
"""What libgpiod's source and lgpio call themselves to the kernel."""
ENTRY = re.compile(r" (\d+)\.(\d+): irq_handler_entry: irq=(\d+) ")


def begin() -> None:
    """The event is switched on once: that changes the kernel's own code, and a busy emulator has hung in it."""
    if not EVENT.exists():
        os.system("mount -t tracefs tracefs /sys/kernel/tracing")
    if EVENT.read_text().strip() != "1":
        (TRACING / "trace_clock").write_text("mono")
        (TRACING / "buffer_size_kb").write_text(str(BUFFER_KB))
        EVENT.write_text("1")
    TRACE.write_text("")
    ON.write_text("1")


def end(file: Path) -> None:
    ON.write_text("0")
    lines = {
        irq.name: (irq / "hwirq").read_text().strip()
        for irq in Path("/sys/kernel/irq").iterdir()
        if (irq / "actions").read_text().startswith(CONSUMERS)
    }
    with TRACE.open() as trace, file.open("w") as out:
        for row in trace:
            found = ENTRY.search(row)
            if found is not None and found[3] in lines:
                out.write(f"{lines[found[3]]} {int(found[1]) * 10**9 + int(found[2]) * 1000}\n")
    TRACE.write_text("")


if sys.argv[1] == "begin":
    begin()
else:
    end(Path(sys.argv[2]))

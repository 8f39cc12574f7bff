"""What Linux counts of interrupts and their threads, in files that are laid out as its own are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.gpio.interrupt_threads import STILL_NS, InterruptThreads
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from pathlib import Path

MERGE_NS = 2 * MS


class Machine:
    """`/proc` and `/sys/kernel/irq` of a machine with interrupts for lines 5 and 6, and others' beside them."""

    def __init__(self, root: Path) -> None:
        self.proc, self.irqs = root / "proc", root / "irq"
        self.now_ns = 0
        for irq, line, consumer in ((55, 5, "companion 5"), (56, 6, "companion 5"), (57, 5, "somebody else")):
            folder = self.irqs / str(irq)
            folder.mkdir(parents=True)
            (folder / "actions").write_text(f"{consumer}\n")
            (folder / "hwirq").write_text(f"{line}\n")
            process = self.proc / str(100 + irq)
            process.mkdir(parents=True)
            (process / "comm").write_text(f"irq/{irq}-{consumer}"[:15] + "\n")
            self.count(irq, interrupts=0, ran_ns=0, waited_ns=0)
            self.runs_on(irq, 0)
        (self.proc / "self").mkdir()
        (self.irqs / "1").mkdir()
        (self.irqs / "1" / "actions").write_text("\n")

    def count(self, irq: int, *, interrupts: int, ran_ns: int, waited_ns: int, elsewhere: int = 0) -> None:
        """elsewhere: how many of the interrupts came on processor 1."""
        (self.irqs / str(irq) / "per_cpu_count").write_text(f"{interrupts - elsewhere},{elsewhere}\n")
        (self.proc / str(100 + irq) / "schedstat").write_text(f"{ran_ns} {waited_ns} {interrupts}\n")

    def runs_on(self, irq: int, cpu: int) -> None:
        begin = f"{100 + irq} (irq/{irq}-a name)) S 2" + " 0" * 34
        (self.proc / str(100 + irq) / "stat").write_text(f"{begin} {cpu} 50 1" + " 0" * 11 + "\n")

    def threads(self, *, still_ns: int = STILL_NS) -> InterruptThreads:
        return InterruptThreads(
            "companion 5",
            (5, 6),
            MERGE_NS,
            still_ns=still_ns,
            clock=lambda: self.now_ns,
            proc=self.proc,
            irqs=self.irqs,
        )

"""From an edge to its provisional order on the display's bus, through the real loop, luma and a bus of 400 kHz.

The bus is a stand-in at the lowest layer, the SMBus object: it takes the time that its bytes take at 400 kHz
(nine clocks each). What is left after the stated settling time and the bus's own time is the program's share.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable

from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring
from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES
from companion.app.loop import BoxLoop
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.screens.oled.picture import render
from tests.bench.measured import Measured, percentile

PRESSES = 200
ACCEPT_NS = 2 * MS
BYTE_NS = 9 * SECOND // 400_000


class TimedBus:
    """An SMBus that is as slow as a real one. `quiet_ns`: when it last became idle."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.busy_ns = 0
        self.first_ns = self.quiet_ns = 0

    def write_i2c_block_data(self, _address: int, _register: int, data: Iterable[int]) -> None:
        length_ns = (2 + len(list(data))) * BYTE_NS
        with self.changed:
            self.first_ns = self.first_ns or time.monotonic_ns()
            self.busy_ns += length_ns
        time.sleep(length_ns / SECOND)
        with self.changed:
            self.quiet_ns = time.monotonic_ns()
            self.changed.notify_all()

    def close(self) -> None:
        pass

    def forget(self) -> None:
        with self.changed:
            self.busy_ns = self.first_ns = self.quiet_ns = 0


async def press_and_wait(bus: TimedBus, source: SimulatedSource, label: str) -> tuple[float, float]:
    """Press, and give ms from the edge to the end of the picture, and how much of it the bus was busy."""
    bus.forget()
    edge_ns = time.monotonic_ns()
    source.press(label, edge_ns, 10 * MS)
    await asyncio.sleep(0.25)
    return (bus.quiet_ns - edge_ns) / MS, (bus.quiet_ns - bus.first_ns) / MS


def measure() -> Measured:
    out = Measured("From the edge to the provisional order on the display's bus (I2C at 400 kHz)")
    totals, bus_times = asyncio.run(_run())
    settling_ms = (SimulatedSource.delay_ns + ACCEPT_NS) / MS
    rest = [total - bus - settling_ms for total, bus in zip(totals, bus_times, strict=True)]
    out.row("whole way, ms p50 / p99", f"{percentile(totals, 0.5):.1f} / {percentile(totals, 0.99):.1f}")
    out.row("of it stated settling time, ms", f"{settling_ms:.0f}")
    out.row("of it the bus, ms p50 / p99", f"{percentile(bus_times, 0.5):.1f} / {percentile(bus_times, 0.99):.1f}")
    out.row("the program's share, ms p50 / p99", f"{percentile(rest, 0.5):.1f} / {percentile(rest, 0.99):.1f}")
    out.values = {"total_ms": totals, "bus_ms": bus_times, "settling_ms": settling_ms, "rest_ms": rest}
    out.promise(percentile(rest, 0.99) <= 10, "p99 at most 10 ms beyond settling time and bus")
    return out


async def _run() -> tuple[list[float], list[float]]:
    bus = TimedBus()
    display = OledDisplay("ssd1306", I2cWiring(open_bus=lambda _number: bus))
    source = SimulatedSource(time.monotonic_ns, ALL_LINES)
    source.open()
    table = Table(game="order", seats=(Colour.RED, Colour.YELLOW))
    session = Session(registry.find, registry.names(), table, PlaySettings(window_ns=120 * SECOND, late_ns=0))
    session.start(table.setup(registry.find("order")))
    arbiter = Arbiter(dict.fromkeys(ALL_LINES, LineTiming()), {source.name: source.delay_ns})
    journal = MemoryJournal()
    loop = BoxLoop(
        Box(arbiter, session),
        sources=[source], journal=journal, displays=[display], speaker=None, draw=render, clock=time.monotonic_ns,
    )  # fmt: skip
    journal.open(loop.journal_durable, loop.journal_fault)
    running = asyncio.create_task(loop.run())
    await asyncio.sleep(1)
    totals, bus_times = [], []
    for _ in range(PRESSES):
        total, busy = await press_and_wait(bus, source, "red fourth")
        totals.append(total)
        bus_times.append(busy)
        source.press("yellow fourth", time.monotonic_ns())  # ends the round
        await asyncio.sleep(0.2)
    loop.stop()
    await running
    return totals, bus_times

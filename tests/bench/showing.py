"""From an edge to its provisional order on the display's bus, and to the final one; the real loop, luma and a slow bus.

The order is on the bus when the last byte of its rows is in the chip's memory; the rest of the picture (its header, and
what it wipes out) follows. The final order comes after the stated settling time: what is left beyond that and the bus's
own time is the program's share. The bus is a stand-in at the lowest layer, the SMBus object (`timed_bus`); the journal
is on the disk. All is kept as in play (waiting presses, evidence, seals), and by turns nothing of it: what it costs.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple, Protocol

from companion.adapters.evidence_files import EvidenceFiles
from companion.adapters.intake_file import IntakeFile
from companion.adapters.keys.ed25519 import Ed25519Signer
from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.assembly import ALL_LINES
from companion.app.launch import HANDOVER_S
from companion.app.loop import BoxLoop
from companion.app.storing.evidence import EvidenceNamer
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import Event
from companion.core.shown.scene import Results, Scene, Standing, Status
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.screens.oled.canvas import Canvas
from companion.screens.oled.picture import draw
from tests.bench.measured import Measured, of_values, percentile, spread
from tests.bench.timed_bus import TimedBus


class Sizes(NamedTuple):
    """races: of a round. rounds: so often all is kept, and nothing beside the journal's lines, by turns."""

    races: int = 50
    rounds: int = 4


USUAL = Sizes()
SMOKE = Sizes(races=2, rounds=1)
FIGURES = {
    f"{name}_{share}": "ms"
    for name in ("order", "picture", "final_rest", "bare_order", "bare_final_rest")
    for share in ("p50", "p99")
} | {"processor_ratio": "times"}
QUIET_S = 0.2
"""Longer than everything takes that follows from a press."""
GIVE_UP_NS = 5 * SECOND
ACCEPT_NS = 2 * MS
SETTLING_NS = SimulatedSource.delay_ns + ACCEPT_NS
PAGES = range(8)


class Shown(NamedTuple):
    """What came of a race, in ms after an edge.

    order: the rows with its first press were on the bus. picture: the whole picture. bus: how long the bus had been
    busy by then. final: after the press that ended it. final_rest: what of that was neither settling nor the bus.
    """

    order: float
    picture: float
    bus: float
    final: float
    final_rest: float


class Watched:
    """Draws for the loop and remembers the newest scene and its picture."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.canvas: Canvas | None = None
        self.drawing_ns: list[int] = []

    def draw(self, scene: Scene, size: tuple[int, int], _count: int = 0) -> Canvas:
        began_ns = time.perf_counter_ns()
        canvas = draw(scene, size)
        self.drawing_ns.append(time.perf_counter_ns() - began_ns)
        self.scene, self.canvas = scene, canvas
        return canvas

    def status(self) -> Status | None:
        body = self.scene.body if self.scene is not None else None
        return body.status if isinstance(body, Standing | Results) else None

    def pages(self) -> range:
        """The chip's pages that hold the order's rows."""
        assert self.canvas is not None
        top, bottom = self.canvas.first
        return range(top // 8, -(-bottom // 8))


class Found(NamedTuple):
    """What was measured: the races, and the processor time of one in ms, by rounds; of drawings the ms."""

    races: list[list[Shown]]
    processor_ms: list[float]
    drawing_ms: list[float]

    def column(self, name: str) -> list[float]:
        """One figure of all races."""
        return [value for values in self.by_rounds(name) for value in values]

    def by_rounds(self, name: str) -> list[list[float]]:
        """One figure of all races, by rounds."""
        return [[getattr(race, name) for race in races] for races in self.races]


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("From the edge to the order on the display's bus (I2C at 400 kHz)")
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(HANDOVER_S)  # as `launch` does
    all_kept, bare = Found([], [], []), Found([], [], [])
    try:
        for _ in range(sizes.rounds):
            for found in (all_kept, bare):
                _play(found, sizes.races, keeps=found is all_kept)
    finally:
        sys.setswitchinterval(usual_s)
    columns = {name: all_kept.column(name) for name in Shown._fields} | {"drawing": all_kept.drawing_ms}
    for name, what in (
        ("order", "to the rows of the provisional order"),
        ("picture", "to the whole picture"),
        ("bus", "of it the bus"),
        ("drawing", "drawing a picture"),
        ("final", "to the final order"),
        ("final_rest", f"of it beyond {SETTLING_NS / MS:.0f} ms of settling and the bus"),
    ):
        out.row(f"{what}, ms p50 / p99 (least to greatest)", told(columns[name]))
    for name, what in (("order", "the rows"), ("final_rest", "the final order, beyond settling and bus")):
        out.row(f"{what}, where neither waiting presses nor evidence are kept nor seals set", told(bare.column(name)))
    ratios = [kept / plain for kept, plain in zip(all_kept.processor_ms, bare.processor_ms, strict=True)]
    out.row("processor time of a race, all kept beside nothing of it, ratio in pairs", spread(ratios, 2))
    out.values = {f"{name}_ms": values for name, values in columns.items()} | {"settling_ms": SETTLING_NS / MS}
    out.values |= {"bare_order_ms": bare.column("order"), "bare_final_rest_ms": bare.column("final_rest")}
    out.values |= {"processor_ratios": ratios}
    for name in ("order", "picture", "final_rest"):
        out.percentiles(name, all_kept.by_rounds(name))
    for name in ("order", "final_rest"):
        out.percentiles(f"bare_{name}", bare.by_rounds(name))
    out.figures["processor_ratio"] = of_values(ratios)
    order, rest = columns["order"], columns["final_rest"]
    out.promise(percentile(order, 0.5) <= 8, "provisional order on the bus within 8 ms, p50")
    out.promise(percentile(order, 0.99) <= 15, "provisional order on the bus within 15 ms, p99")
    out.promise(percentile(rest, 0.99) <= 10, "final order within 10 ms beyond settling and the bus, p99")
    return out


def _play(found: Found, races: int, *, keeps: bool) -> None:
    """Play a round, and add what was seen to `found`."""
    build = Path("build")
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        bench = Bench()
        shown, processor_ms = asyncio.run(play(bench, Path(folder), keeps=keeps, races=races))
    found.races.append(shown)
    found.processor_ms.append(processor_ms)
    found.drawing_ms.extend(ns / MS for ns in bench.watched.drawing_ns)


def told(values: list[float]) -> str:
    return f"{percentile(values, 0.5):.1f} / {percentile(values, 0.99):.1f} ({min(values):.1f} to {max(values):.1f})"


class Bench:
    """A bus, a source to press on, and what is drawn."""

    def __init__(self) -> None:
        self.bus, self.watched = TimedBus(), Watched()
        self.source = SimulatedSource(time.monotonic_ns, ALL_LINES)

    async def press(self, label: str, wanted: Status) -> int:
        """Press, and give the edge's stamp once everything that follows from it has been shown."""
        self.bus.forget()
        edge_ns = time.monotonic_ns()
        self.source.press(label, edge_ns, 10 * MS)
        await asyncio.sleep(QUIET_S)
        while self.watched.status() is not wanted:
            if time.monotonic_ns() - edge_ns > GIVE_UP_NS:
                raise RuntimeError(f"nothing {wanted.value} is shown but {self.watched.scene}")
            await asyncio.sleep(QUIET_S)
        return edge_ns

    async def race(self) -> Shown:
        """The first press begins the race, the second ends it: both seats have pressed."""
        edge_ns = await self.press("red fourth", Status.PROVISIONAL)
        order_ns, picture_ns = self.bus.settled_ns(self.watched.pages()), self.bus.settled_ns(PAGES)
        busy_ns = self.bus.busy_ns(edge_ns, picture_ns)
        last_ns = await self.press("yellow fourth", Status.FINAL)
        final_ns = self.bus.settled_ns(PAGES)
        final = final_ns - last_ns
        rest = final - SETTLING_NS - self.bus.busy_ns(last_ns + SETTLING_NS, final_ns)
        times = order_ns - edge_ns, picture_ns - edge_ns, busy_ns, final, rest
        return Shown(*(ns / MS for ns in times))


class AtEvent(Protocol):
    """A box's part in an event, for a round of play. place: where its match is played."""

    place: Event

    def attach(self, loop: BoxLoop) -> None:
        """Follow the loop."""

    def ready(self) -> None:
        """Begin to push."""

    def durable(self, match_id: int, count: int) -> None:
        """Lines are stored."""

    def close(self) -> None:
        """End."""


async def play(
    bench: Bench, folder: Path, *, keeps: bool, races: int, at_event: AtEvent | None = None
) -> tuple[list[Shown], float]:
    """Give the races, and the processor time of one in ms. keeps: waiting presses, evidence and seals, as in play.

    at_event: what pushes the lines to a desk meanwhile.
    """
    display = OledDisplay("ssd1306", I2cWiring(open_bus=lambda _number: bench.bus))
    source = bench.source
    source.open()
    place = None if at_event is None else at_event.place
    table = Table(game="order", seats=(Colour.RED, Colour.YELLOW), event=place)
    session = Session(registry.find, registry.names(), table, PlaySettings(window_ns=120 * SECOND, late_ns=0))
    session.start(table.setup(registry.find("order")))
    arbiter = Arbiter(dict.fromkeys(ALL_LINES, LineTiming()), {source.name: source.delay_ns})
    journal, intake, evidence = SqliteJournal(folder), IntakeFile(folder), EvidenceFiles(folder / "evidence")
    loop = BoxLoop(
        Box(arbiter, session),
        sources=[source], journal=journal, displays=[display], buzzer=None, draw=bench.watched.draw,
        clock=time.monotonic_ns, intake=intake if keeps else None, evidence=evidence if keeps else None,
        open_signer=(lambda: Ed25519Signer(bytes(32))) if keeps else None,
    )  # fmt: skip

    def durable(match_id: int, count: int) -> None:
        loop.journal_durable(match_id, count)
        if at_event is not None:
            at_event.durable(match_id, count)

    journal.open(durable, loop.journal_fault)
    if keeps:
        intake.open(lambda fault: loop.alarm("intake", fault))
        EvidenceNamer(journal, loop).open(evidence)
    if at_event is not None:
        at_event.attach(loop)
        at_event.ready()
    running = asyncio.create_task(loop.run())
    await asyncio.sleep(1)
    began_s = time.process_time()
    found = [await bench.race() for _ in range(races)]
    processor_ms = (time.process_time() - began_s) / races * 1000
    if at_event is not None:
        await asyncio.to_thread(at_event.close)
    loop.stop()
    await running
    return found, processor_ms

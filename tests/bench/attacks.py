"""From an edge to its place on the display's bus while the web server is attacked, beside the same in peace.

One process is the box: the real loop, luma on a slow bus (`timed_bus`), everything kept as in play, and the web server
in its thread with a spectator. The attackers (`tests.attack.clients`) are processes of their own at the least priority;
in life they are elsewhere. So it is the box that is measured and not the want of a processor: how long its loop's and
its display's thread were ready to run while every processor was busy with others is taken off (`/proc/…/schedstat`);
waiting for the interpreter is not, which is what the web could cost. Rounds in peace and under attack go by turns, and
what is promised is the difference between both of one run. For comparison, one flood without the right of way.

ATTACKS=messages,states chooses among the attacks, SECONDS the length of a round, ROUNDS how often each is made.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.evidence_files import EvidenceFiles
from companion.adapters.intake_file import IntakeFile
from companion.adapters.keys.ed25519 import Ed25519Signer
from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.sqlite_journal import SqliteJournal
from companion.adapters.web.phones.panel_source import PanelSource
from companion.adapters.web.server import WebServer
from companion.app.assembly import ALL_LINES
from companion.app.launch import HANDOVER_S
from companion.app.loop import BoxLoop
from companion.app.pages import BoxReferee, Publisher, spare_collections
from companion.app.scanner import Cameras
from companion.app.storing.evidence import EvidenceNamer
from companion.app.storing.profiles import profiles_in
from companion.config.settings import Scanner as ScannerSettings
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import PressLine
from companion.core.shown.scene import Results, Standing
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.screens.web.views import Views
from tests.attack.clients import Target, started
from tests.bench.measured import Measured, exact, of_values, percentile, spread
from tests.bench.showing import Watched
from tests.bench.spectators import NoMatches, Spectator
from tests.bench.timed_bus import TimedBus

if TYPE_CHECKING:
    from collections.abc import Iterable

ATTACKS = {
    "connect_and_go": 100, "silent": 400, "begun": 400, "held": 400, "messages": 400, "states": 100, "panels": 100,
    "unasked": 400, "pings": 100,
}  # fmt: skip
"""Each with its sockets, from `ADDRESSES` addresses."""
ADDRESSES = 20


class Sizes(NamedTuple):
    """seconds: of a round. share: so much of each attack's sockets is opened. warm_up_s: of play before all rounds."""

    seconds: float = float(os.environ.get("SECONDS", "8"))
    rounds: int = int(os.environ.get("ROUNDS", "3"))
    attacks: tuple[str, ...] = tuple(filter(None, os.environ.get("ATTACKS", "").split(","))) or tuple(ATTACKS)
    share: float = 1.0
    warm_up_s: float = 2.0


USUAL = Sizes()
SMOKE = Sizes(seconds=0.2, rounds=1, attacks=("messages", "states"), share=0.05, warm_up_s=0.2)
FIGURES = {"lost": "presses", "misordered": "presses", "growth_p99": "ms"}
WITHOUT = "messages"
"""The attack that is also made where the web's thread gives way to nobody."""
MORE_MS = 1.0
APART_S = 0.05
GIVE_UP_S = 5.0
COLOURS = list(Colour)


class WatchedBus(TimedBus):
    """Notes with each block how long the box's threads had waited for a processor by then."""

    def __init__(self) -> None:
        super().__init__()
        self.waited_ns: list[int] = []
        self._files: list[int] = []

    def watch(self, thread: int) -> None:
        """Count a thread, by the system's number of it."""
        self._files.append(os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY))

    def waited(self) -> int:
        """How long all that are counted have waited, in ns."""
        return sum(int(os.pread(file, 100, 0).split()[1]) for file in self._files)

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        self.waited_ns.append(self.waited())  # before the block: what comes after its end is not of it
        super().write_i2c_block_data(address, register, data)

    def forget(self) -> None:
        super().forget()
        self.waited_ns.clear()

    def waited_until(self, instant_ns: int) -> int:
        """How long they had waited when the block began that ended then."""
        index = next(index for index, block in enumerate(self.blocks) if block.ended_ns == instant_ns)
        return self.waited_ns[index]


class Bench:
    """A box, its bus and its web server, and what was pressed."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self.sizes = sizes
        self.bus, self.watched, self.rng = WatchedBus(), Watched(), random.Random(8)
        self.source = SimulatedSource(time.monotonic_ns, ALL_LINES)
        self.panels = PanelSource(time.monotonic_ns, ALL_LINES)
        self.referee, self.truth = BoxReferee(Cameras(ScannerSettings(), profiles_in(folder))), list[str]()
        self.journal, self.intake = SqliteJournal(folder), IntakeFile(folder)
        self.evidence = EvidenceFiles(folder / "evidence")
        self.server = WebServer(
            host="127.0.0.1", port=0, views=Views(registry.find, registry.names()), referee=self.referee,
            archive=NoMatches(), panel_source=self.panels, simulated=True, version="bench",
        )  # fmt: skip
        self.loop = self._loop()

    def _loop(self) -> BoxLoop:
        self.source.open()
        self.panels.open()
        table = Table(game="order", seats=tuple(COLOURS))
        session = Session(registry.find, registry.names(), table, PlaySettings(window_ns=120 * SECOND, late_ns=0))
        session.start(table.setup(registry.find("order")))
        delays = {self.source.name: self.source.delay_ns, self.panels.name: self.panels.delay_ns}
        lines = [*ALL_LINES, *self.panels.lines]
        return BoxLoop(
            Box(Arbiter(dict.fromkeys(lines, LineTiming()), delays), session),
            sources=[self.source, self.panels], journal=self.journal,
            displays=[OledDisplay("ssd1306", I2cWiring(open_bus=lambda _number: self.bus))], buzzer=None,
            draw=self.watched.draw, clock=time.monotonic_ns, intake=self.intake, evidence=self.evidence,
            open_signer=lambda: Ed25519Signer(bytes(32)),
        )  # fmt: skip

    def start(self) -> None:
        loop = self.loop
        self.journal.open(loop.journal_durable, loop.journal_fault)
        self.intake.open(lambda fault: loop.alarm("intake", fault))
        EvidenceNamer(self.journal, loop).open(self.evidence)
        self.referee.loop = loop
        self.server.open()
        self.server.keeping.way = loop.way.give_way
        spare_collections()
        self.server.start()
        loop.follow(Publisher(self.server))

    def rows(self) -> int:
        """How many places the newest picture shows."""
        body = self.watched.scene.body if self.watched.scene is not None else None
        return len(body.rows) if isinstance(body, Standing | Results) else 0

    async def press(self, label: str, place: int) -> float:
        """Press; give the ms until the order with this place was on the bus."""
        await asyncio.sleep(self.rng.random() / 50)
        self.bus.forget()
        waited_ns = self.bus.waited()
        edge_ns = time.monotonic_ns()
        self.source.press(label, edge_ns, 10 * MS)
        await asyncio.sleep(APART_S)
        while self.rows() != place or not self.bus.blocks:
            if time.monotonic_ns() - edge_ns > GIVE_UP_S * SECOND:
                raise RuntimeError(f"place {place} is not shown but {self.watched.scene}")
            await asyncio.sleep(APART_S)
        settled_ns = self.bus.settled_ns(self.watched.pages())
        return (settled_ns - edge_ns - (self.bus.waited_until(settled_ns) - waited_ns)) / MS

    async def race(self) -> list[float]:
        """All seats press, apart. The last press ends the race: its picture comes later, and is left out."""
        labels = [f"{colour} fourth" for colour in self.rng.sample(COLOURS, len(COLOURS))]
        self.truth += labels
        found = [await self.press(label, place) for place, label in enumerate(labels[:-1], 1)]
        self.source.press(labels[-1], time.monotonic_ns(), 10 * MS)
        await asyncio.sleep(0.15)
        return found

    async def round(self, seconds: float) -> list[float]:
        """Play races for so long."""
        end_s, found = time.monotonic() + seconds, list[float]()
        while time.monotonic() < end_s:
            found += await self.race()
        return found

    async def attacked(self, name: str) -> list[float]:
        """Play while the web server is attacked."""
        sockets = max(1, round(ATTACKS[name] * self.sizes.share))
        target = Target(self.server.port, sockets, self.sizes.seconds + 5, ADDRESSES)
        with started(name, target, nice=19) as attacker:
            await asyncio.get_running_loop().run_in_executor(None, attacker.wait_until_there)
            return await self.round(self.sizes.seconds)

    def wrong(self) -> tuple[int, int]:
        """How many presses were lost, and how many stand in another order than they were made."""
        match = self.loop.box.session.match
        assert match is not None
        lines = [told.line for told in match.history if isinstance(told.line, PressLine)]
        recorded = [f"{line.colour} {line.role}" for line in lines]
        return len(self.truth) - len(recorded), sum(a != b for a, b in zip(self.truth, recorded, strict=False))


async def _run(bench: Bench) -> dict[str, list[tuple[list[float], list[float]]]]:
    """Give, by attack, each round in peace with the one under attack that followed it."""
    running = asyncio.create_task(bench.loop.run())
    await asyncio.sleep(1)
    for thread in threading.enumerate():
        if thread.native_id is not None and (thread.name == "display 1" or thread is threading.main_thread()):
            bench.bus.watch(thread.native_id)
    loop = asyncio.get_running_loop()
    await loop.create_connection(lambda: Spectator(bench.server.port), "127.0.0.1", bench.server.port)
    found: dict[str, list[tuple[list[float], list[float]]]] = {}
    seconds = bench.sizes.seconds
    await bench.round(bench.sizes.warm_up_s)
    for _ in range(bench.sizes.rounds):
        for name in bench.sizes.attacks:
            found.setdefault(name, []).append((await bench.round(seconds), await bench.attacked(name)))
            if name == WITHOUT:
                bench.server.keeping.way = lambda: None
                pair = await bench.round(seconds), await bench.attacked(name)
                found.setdefault(f"{name}, giving way to nobody", []).append(pair)
                bench.server.keeping.way = bench.loop.way.give_way
    await asyncio.sleep(1)
    bench.loop.stop()
    await running
    return found


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured(f"From the edge to the order on the display's bus under attack ({sizes.seconds:.0f} s a round)")
    Path("build").mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="build")))
        stack.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(HANDOVER_S)  # as `launch` does
        bench = Bench(folder, sizes)
        bench.start()
        stack.callback(bench.server.stop)
        found = asyncio.run(_run(bench))
    for name, pairs in found.items():
        _tell(out, name, pairs)
    lost, misordered = bench.wrong()
    out.row("presses; lost; in another order", f"{len(bench.truth)}; {lost}; {misordered}")
    out.values |= {"presses": len(bench.truth), "lost": lost, "misordered": misordered}
    out.figures |= {"lost": exact(lost), "misordered": exact(misordered)}
    out.promise(lost == 0 and misordered == 0, "no press is lost, none in another order")
    return out


def _tell(out: Measured, name: str, pairs: list[tuple[list[float], list[float]]]) -> None:
    calm = [value for pair in pairs for value in pair[0]]
    attacked = [value for pair in pairs for value in pair[1]]
    more: dict[str, Any] = {}
    for share in (0.5, 0.99):
        each = [percentile(under, share) - percentile(before, share) for before, under in pairs]
        more[f"p{share * 100:.0f}"] = percentile(attacked, share) - percentile(calm, share), each
    told = " / ".join(f"{all_of:+.2f}" for all_of, _ in more.values())
    out.row(
        f"{name}: in peace p50 / p99, attacked p50 / p99, more p50 / p99 (by rounds, p99)",
        f"{_both(calm)}  {_both(attacked)}  {told} ms  ({spread(more['p99'][1], 2)})  of {len(attacked)}",
    )
    out.figures[f"growth_p99@{name.replace(', ', '-').replace(' ', '-')}"] = of_values(more["p99"][1])
    out.values[name] = {"calm_ms": calm, "attacked_ms": attacked, "more_ms": more}
    if "nobody" not in name:
        # by rounds: one long pause of the machine, in whichever of both, moves all of a pooled p99
        out.promise(median(more["p99"][1]) <= MORE_MS, f"{name}: p99 grows by at most {MORE_MS} ms, median of rounds")


def _both(values: list[float]) -> str:
    return f"{percentile(values, 0.5):.2f} / {percentile(values, 0.99):.2f}"

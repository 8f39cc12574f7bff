"""From the final order to the first sound of it at the sound card, and what a press takes while the box speaks.

The voice is Debian's espeak-ng above ALSA's own library; in the card's place is a pipe that takes 22,050 samples a
second, as a card does. The start of speech is the first sample that can be heard, not the silence before it.

Boxes go by turns, with a voice and without, and play the same at the same times: a race in silence, and a second after
it another, while a voice would say the ruling of the first. So the second races are compared, and the first ones too:
what a voice costs that is silent. Beside the start of what the box says there is that of a bare `espeak-ng`.
"""

from __future__ import annotations

import array
import asyncio
import os
import resource
import select
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.oled.display import OledDisplay
from companion.adapters.oled.wiring import I2cWiring
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.assembly import ALL_LINES
from companion.app.launch import HANDOVER_S
from companion.app.loop import BoxLoop
from companion.app.speech.box_voices import BoxVoices
from companion.config.settings import Settings, Voice
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.shown.scene import Results, Status
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from tests.bench.measured import Measured, percentile, ratio_of, sliced
from tests.bench.showing import Bench, Shown

if TYPE_CHECKING:
    from companion.core.shown.scene import Scene


class Sizes(NamedTuple):
    """races: pairs of them of a box. rounds: boxes of either kind. settled_s: from a box's start to its first race.

    start_s: so long after a ruling the next race is begun. said_s: so long after that one all has been said. rest_s: of
    silence after a bare program.
    """

    races: int = 5
    rounds: int = 3
    settled_s: float = 2.0
    start_s: float = 1.0
    said_s: float = 9.0
    rest_s: float = 2.0


USUAL = Sizes()
SMOKE = Sizes(races=1, rounds=1, settled_s=0.5, said_s=0.2, rest_s=0.2)
FIGURES = {"start_p50": "ms", "start_p99": "ms", "order_ratio": "times", "final_rest_ratio": "times"}
Pair = tuple[Shown, Shown]
"""The second of two races, and the first."""
RATE_HZ = 22_050
CHUNK_S = 0.02
GIVE_UP_NS = 30 * SECOND
"""The benchmark fails if a program is not heard for so long."""
HEARD = 300
"""A sample as large as this can be heard; the largest is 32,767."""
PROMISED_MS = 300
SLOWER, SLOWER_MS = 1.1, 1.0
"""A race that is certainly so many times slower while the box speaks, and by so much, is a promise broken."""


class Played(NamedTuple):
    """The races of one box, and what was heard; nothing where it has no voice.

    starts: milliseconds from the first final order of a pair to its first sound. alone: the same of a bare program,
    from its start. silent: the number of second races in which a box with a voice was not heard.
    """

    pairs: list[Pair]
    starts: list[float]
    alone: list[float]
    silent: int


class Card:
    """A sound card's place: takes samples as fast as one plays them, and notes when there was something to hear."""

    def __init__(self, folder: Path) -> None:
        self._fifo = folder / "card"
        os.mkfifo(self._fifo)
        config = folder / "alsa.conf"
        config.write_text(
            'pcm.nowhere { type null }\n'
            f'pcm.!default {{ type file slave.pcm "nowhere" file "|cat > {self._fifo}" format "raw" }}\n'
        )  # fmt: skip
        os.environ["ALSA_CONFIG_PATH"] = str(config)
        self.heard_ns: list[int] = []
        self._ends = False
        self._file = os.open(self._fifo, os.O_RDWR)  # so that it never comes to an end between two children
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ends = True
        self._thread.join()
        os.close(self._file)

    def _play(self) -> None:
        size = int(RATE_HZ * CHUNK_S) * 2
        while not self._ends:
            if not select.select([self._file], [], [], CHUNK_S)[0]:
                continue
            chunk = os.read(self._file, size)
            now_ns = time.monotonic_ns()
            samples = array.array("h", chunk[: len(chunk) // 2 * 2])
            if max(map(abs, samples), default=0) > HEARD:
                self.heard_ns.append(now_ns)
            time.sleep(len(chunk) / 2 / RATE_HZ)


class Finals:
    """Notes when an order became final."""

    def __init__(self) -> None:
        self.at_ns: list[int] = []
        self._number = 0

    def show(self, scene: Scene) -> None:
        body = scene.body
        if isinstance(body, Results) and body.status is Status.FINAL and body.number > self._number:
            self._number = body.number
            self.at_ns.append(time.monotonic_ns())


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("From the final order to the first sound of it, and presses while the box speaks (espeak-ng)")
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(HANDOVER_S)
    with_voice, without, starts, bare, unheard = list[Pair](), list[Pair](), list[float](), list[float](), 0
    build = Path("build")
    build.mkdir(exist_ok=True)
    try:
        for number in range(sizes.rounds):
            for speaks in (True, False) if number % 2 == 0 else (False, True):
                with tempfile.TemporaryDirectory(dir=build) as folder:
                    played = asyncio.run(_run(Path(folder).resolve(), sizes, speaks=speaks))
                (with_voice if speaks else without).extend(played.pairs)
                starts += played.starts
                bare += played.alone
                unheard += played.silent
    finally:
        sys.setswitchinterval(usual_s)
    out.percentiles("start", sliced(starts))
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    out.row("final order to the first sound, ms p50 / p99 (least to greatest)", _told(starts))
    out.row("a bare espeak-ng, from its start to its first sound, ms", _told(bare))
    beside = ratio_of([(one, statistics.median(bare)) for one in starts])
    out.row("the first beside the second, ratio", str(beside))
    slower = []
    for name, what in (("order", "the rows of the provisional order"), ("final_rest", "the final order")):
        spoken, quiet = ([getattr(race, name) for race in races] for races in zip(*with_voice, strict=True))
        second, first = ([getattr(race, name) for race in races] for races in zip(*without, strict=True))
        out.row(f"{what}, while it speaks, ms", _told(spoken))
        out.row(f"{what}, at the same time without a voice, ms", _told(second))
        found = ratio_of(list(zip(spoken, second, strict=True)))
        out.row(f"{what}, speaking beside without, ratio", str(found))
        out.figures[f"{name}_ratio"] = found.figure
        silent = ratio_of(list(zip(quiet, first, strict=True)))
        out.row(f"{what}, a voice that is silent beside none, ratio", str(silent))
        by_ms = statistics.median(spoken) - statistics.median(second)
        slower += [what] if found.low > SLOWER and by_ms > SLOWER_MS else []
        out.values |= {f"{name}_spoken_ms": spoken, f"{name}_without_ms": second, f"{name}_ratio": found}
        out.values |= {f"{name}_quiet_ms": quiet, f"{name}_first_ms": first, f"{name}_silent_ratio": silent}
    child_ms = 1000 * children.ru_utime / max(1, len(starts) + len(bare))
    out.row("children's processor time for each of what was said, ms", f"{child_ms:.0f}")
    out.values |= {"start_ms": starts, "bare_ms": bare, "start_ratio": beside, "child_ms": child_ms}
    out.promise(
        len(starts) == sizes.rounds * sizes.races and not unheard,
        "every final order is heard, and the next race is played meanwhile",
    )
    out.promise(percentile(starts, 0.99) <= PROMISED_MS, f"speech within {PROMISED_MS} ms after final, p99")
    out.promise(not slower, f"a race is no slower while the box speaks: {', '.join(slower)}")
    return out


def _told(values: list[float]) -> str:
    return f"{percentile(values, 0.5):.1f} / {percentile(values, 0.99):.1f} ({min(values):.1f} to {max(values):.1f})"


async def _run(folder: Path, sizes: Sizes, *, speaks: bool) -> Played:
    """Play with one box."""
    bench, card, finals = Bench(), Card(folder), Finals()
    bench.source.open()
    table = Table(game="order", seats=(Colour.RED, Colour.YELLOW))
    session = Session(registry.find, registry.names(), table, PlaySettings(window_ns=120 * SECOND, late_ns=0))
    session.start(table.setup(registry.find("order")))
    journal = SqliteJournal(folder)
    loop = BoxLoop(
        Box(Arbiter(dict.fromkeys(ALL_LINES, LineTiming()), {bench.source.name: bench.source.delay_ns}), session),
        sources=[bench.source], journal=journal, buzzer=None, draw=bench.watched.draw, watchers=[finals],
        displays=[OledDisplay("ssd1306", I2cWiring(open_bus=lambda _number: bench.bus))], clock=time.monotonic_ns,
    )  # fmt: skip
    journal.open(loop.journal_durable, loop.journal_fault)
    voices = BoxVoices(Settings(voice=Voice(kind="espeak-ng", wordiness="brief")))
    if speaks:
        voices.attach(loop)
        voices.start()
    running = asyncio.create_task(loop.run())
    await asyncio.sleep(sizes.settled_s)
    pairs, alone, silent = list[Pair](), list[float](), 0
    if running.done():
        await running
    for _ in range(sizes.races):
        quiet = await bench.race()
        await asyncio.sleep(sizes.start_s)
        began_ns = time.monotonic_ns()
        pairs.append((await bench.race(), quiet))  # while the ruling of the one before is being said
        silent += speaks and not any(began_ns < at_ns for at_ns in card.heard_ns)
        await asyncio.sleep(sizes.said_s)
        if speaks:
            alone.append(await _alone(card, sizes.rest_s))
    loop.stop()
    await running
    voices.close()
    card.close()
    return Played(pairs, _starts(finals.at_ns[::2], card.heard_ns), alone, silent)


async def _alone(card: Card, rest_s: float) -> float:
    """Give how many ms a program takes from its start until it is heard, where nothing else goes on."""
    began_ns = time.monotonic_ns()
    child = await asyncio.create_subprocess_exec("espeak-ng", "-b", "1", "-v", "en-gb", "Red is first.")
    await child.wait()
    while not (after := [at_ns for at_ns in card.heard_ns if at_ns > began_ns]):
        if time.monotonic_ns() - began_ns > GIVE_UP_NS:
            raise RuntimeError(f"a bare espeak-ng was not heard; it ended with status {child.returncode}")
        await asyncio.sleep(CHUNK_S)
    await asyncio.sleep(rest_s)
    return (after[0] - began_ns) / MS


def _starts(finals_ns: list[int], heard_ns: list[int]) -> list[float]:
    """Give for each final order how long it took until something was heard after it that was not there already."""
    found = []
    for final_ns in finals_ns:
        after = [at_ns for at_ns in heard_ns if at_ns > final_ns + 2 * MS]
        if after:
            found.append((after[0] - final_ns) / MS)
    return found

"""From an edge to a browser, with one spectator and with two hundred, and what they do to the box's own timing.

Three processes, as in life: the box (real loop, journal in memory, web server), the crowd (WebSockets that take all
they are sent) and this one. All stamps are CLOCK_MONOTONIC of the one machine. The box is measured with its web server
in a thread of its own, as it runs, and in the box's own loop, for comparison; the crowd shares the machine's cores.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.web.phones.panel_source import PanelSource
from companion.adapters.web.server import WebServer
from companion.app.assembly import ALL_LINES
from companion.app.loop import BoxLoop
from companion.app.pages import BoxReferee, Publisher
from companion.app.scanner import Cameras
from companion.app.storing.profiles import profiles_in
from companion.config.settings import Scanner as ScannerSettings
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.record.lines import PressLine, Remark
from companion.core.shown.scene import Scene, Standing
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.oled.picture import draw
from companion.screens.web.views import Views
from tests.bench.measured import Measured, exact, percentile, sliced


class Sizes(NamedTuple):
    """rounds: so many with presses apart, and as many with presses close to each other. crowd: the most spectators."""

    rounds: int = 40
    crowd: int = 200


USUAL = Sizes()
SMOKE = Sizes(rounds=1, crowd=8)
FIGURES = {
    "last_browser_p50": "ms", "last_browser_p99": "ms", "display_p50": "ms", "display_p99": "ms", "lost": "presses",
}  # fmt: skip
APART_S = 0.12
CLOSE_NS = 100_000
COLOURS = list(Colour)


# -- the box -----------------------------------------------------------------------------------------------------------


class Shown:
    """When the box itself showed each place of each round."""

    def __init__(self) -> None:
        self.at_ns: dict[str, int] = {}

    def show(self, scene: Scene) -> None:
        now_ns = time.monotonic_ns()
        if isinstance(scene.body, Standing):
            for place in range(1, len(scene.body.rows) + 1):
                self.at_ns.setdefault(f"{scene.body.number}.{place}", now_ns)


class NoMatches:
    def matches(self) -> list[dict[str, Any]]:
        return []

    def lines(self, _match_id: int) -> list[bytes]:
        return []

    def evidence(self, _sha256: str) -> bytes | None:
        return None


async def box(folder: Path, in_thread: bool, rounds: int) -> None:
    source, panels = SimulatedSource(time.monotonic_ns, ALL_LINES), PanelSource(time.monotonic_ns, ALL_LINES)
    source.open()
    panels.open()
    table = Table(game="order", seats=tuple(COLOURS))
    session = Session(registry.find, registry.names(), table, PlaySettings(late_ns=0))
    session.start(table.setup(registry.find("order")))
    arbiter = Arbiter(dict.fromkeys(ALL_LINES, LineTiming()), {source.name: source.delay_ns})
    journal, shown = MemoryJournal(), Shown()
    referee = BoxReferee(Cameras(ScannerSettings(), profiles_in(folder)))
    server = WebServer(
        host="127.0.0.1", port=0, views=Views(registry.find, registry.names()), referee=referee, archive=NoMatches(),
        panel_source=panels, simulated=True, version="bench",
    )  # fmt: skip
    server.open()
    loop = BoxLoop(
        Box(arbiter, session),
        sources=[source, panels], journal=journal, displays=[], buzzer=None, draw=draw, watchers=[shown],
        followers=[Publisher(server)], clock=time.monotonic_ns,
    )  # fmt: skip
    referee.loop = loop
    journal.open(loop.journal_durable, loop.journal_fault)
    serving = None
    if in_thread:
        server.start()
    else:
        serving = asyncio.create_task(server.serve())
    running = asyncio.create_task(loop.run())
    print(server.port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)  # the crowd is there
    began_s = time.process_time()
    pressed = await play(source, rounds)
    match = session.match
    assert match is not None
    truth = [label for number in range(1, 2 * rounds + 1) for label in pressed["order"][str(number)]]
    record = [f"{told.line.colour} {told.line.role}" for told in match.history if isinstance(told.line, PressLine)]
    are_there = [set(truth[i : i + 5]) == set(record[i : i + 5]) for i in range(0, len(truth), 5)]
    result = {
        "pressed": pressed["at_ns"],
        "shown": shown.at_ns,
        "lost": len(truth) - len(record),
        "misordered": sum(a != b for a, b in zip(truth, record, strict=False)) if all(are_there) else len(truth),
        "late": sum(isinstance(told.line, Remark) for told in match.history),
        "rss_kb": rss_kb(),
        "cpu_s": time.process_time() - began_s,
    }
    print(json.dumps(result), flush=True)
    loop.stop()
    await running
    server.stop()
    if serving is not None:
        await serving


async def play(source: SimulatedSource, rounds: int) -> dict[str, Any]:
    """Odd rounds: presses apart, each is seen by itself. Even rounds: all five within half a millisecond."""
    rng = random.Random(5)
    at_ns: dict[str, int] = {}
    order: dict[str, list[str]] = {}
    for number in range(1, 2 * rounds + 1):
        colours = rng.sample(COLOURS, 5)
        order[str(number)] = [f"{colour} fourth" for colour in colours]
        if number % 2:
            for place, colour in enumerate(colours, start=1):
                at_ns[f"{number}.{place}"] = t_ns = time.monotonic_ns()
                source.press(f"{colour} fourth", t_ns, 10 * MS)
                await asyncio.sleep(APART_S + rng.random() / 50)
        else:
            t0_ns = time.monotonic_ns()
            for place, colour in enumerate(colours):
                source.press(f"{colour} fourth", t0_ns + place * CLOSE_NS, 10 * MS)
            await asyncio.sleep(2 * APART_S)
    return {"at_ns": at_ns, "order": order}


def rss_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


# -- the crowd ---------------------------------------------------------------------------------------------------------

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Spectator(asyncio.Protocol):
    """Keeps what it is sent with the time it came; it is read when the play is over, so that reading delays nobody."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._pieces: list[tuple[int, bytes]] = []

    @property
    def has_heard(self) -> bool:
        return bool(self._pieces)

    def connection_made(self, transport: Any) -> None:
        transport.write(UPGRADE.format(port=self.port).encode())

    def data_received(self, data: bytes) -> None:
        self._pieces.append((time.monotonic_ns(), data))

    def came_ns(self) -> dict[str, int]:
        """Give when each place of each race was first there, by "race.place"."""
        came: dict[str, int] = {}
        buffer, is_open = b"", False
        for t_ns, data in self._pieces:
            buffer += data
            if not is_open:
                _, gap, rest = buffer.partition(b"\r\n\r\n")
                if not gap:
                    continue
                is_open, buffer = True, rest
            frames, buffer = _frames(buffer)
            for place in (place for frame in frames for place in _places(frame)):
                came.setdefault(place, t_ns)
        return came


def _places(frame: bytes) -> list[str]:
    race = json.loads(frame).get("state", {}).get("race")
    return [f"{race['number']}.{place}" for place in range(1, len(race["rows"]) + 1)] if race else []


def _frames(buffer: bytes) -> tuple[list[bytes], bytes]:
    """Take the whole text frames of a server (RFC 6455, 5.2: without a mask) off the front; give them and the rest."""
    frames = []
    while len(buffer) >= 2:
        length, start = buffer[1] & 127, 2
        if length > 125:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start]) if len(buffer) >= start else len(buffer)
        if len(buffer) < start + length:
            break
        if buffer[0] & 15 == 1:
            frames.append(buffer[start : start + length])
        buffer = buffer[start + length :]
    return frames, buffer


ENDS = {"first": min, "last": max}


async def crowd(port: int, count: int) -> None:
    loop = asyncio.get_running_loop()
    people = [Spectator(port) for _ in range(count)]
    for person in people:
        await loop.create_connection(lambda person=person: person, "127.0.0.1", port)  # type: ignore[misc]
    while not all(person.has_heard for person in people):
        await asyncio.sleep(0.02)
    print("there", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    came = [person.came_ns() for person in people]
    everywhere = set.intersection(*(set(one) for one in came))  # what one never saw is missing
    ends = {name: {key: end(one[key] for one in came) for key in everywhere} for name, end in ENDS.items()}
    print(json.dumps(ends), flush=True)


# -- measuring ---------------------------------------------------------------------------------------------------------


def _start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.spectators", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _say(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def run(mode: str, spectators: int, rounds: int) -> dict[str, Any]:
    """Play once; ms from the edge to the box's own display, and to the first and the last of all browsers."""
    the_box = _start("box", mode, str(rounds))
    port = _line(the_box).strip()
    people = _start("crowd", port, str(spectators)) if spectators else None
    if people is not None:
        _line(people)
    _say(the_box)
    told = json.loads(_line(the_box))
    came: dict[str, dict[str, int]] = {"first": {}, "last": {}}
    if people is not None:
        _say(people)
        came = json.loads(_line(people))
        people.wait()
    the_box.wait()
    pressed = told["pressed"]
    return {
        "display_ms": [(told["shown"][key] - t_ns) / MS for key, t_ns in pressed.items() if key in told["shown"]],
        "browser_ms": [(came["first"][key] - t_ns) / MS for key, t_ns in pressed.items() if key in came["first"]],
        "last_browser_ms": [(came["last"][key] - t_ns) / MS for key, t_ns in pressed.items() if key in came["last"]],
        "missing": sum(key not in came["last"] for key in pressed) if spectators else 0,
        **{key: told[key] for key in ("lost", "misordered", "late", "rss_kb", "cpu_s")},
    }


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("From an edge to its provisional place in browsers, and the box's timing under that load")
    rounds, crowd = sizes
    runs = {
        "none": run("thread", 0, rounds), "1": run("thread", 1, rounds), str(crowd): run("thread", crowd, rounds),
        f"{crowd}, same loop": run("loop", crowd, rounds),
    }  # fmt: skip
    for name, told in runs.items():
        text = _percentiles(told["display_ms"])
        out.row(f"{name} spectators: edge to the box's display, ms p50 / p99", text)
        if told["browser_ms"]:
            out.row(f"{name} spectators: edge to the first browser, ms p50 / p99", _percentiles(told["browser_ms"]))
            out.row(f"{name} spectators: edge to the last browser, ms p50 / p99", _percentiles(told["last_browser_ms"]))
        out.row(
            f"{name} spectators: presses lost, misordered, late",
            f"{told['lost']}, {told['misordered']}, {told['late']}",
        )
        out.row(f"{name} spectators: the box's processor time in half a minute of play, s", f"{told['cpu_s']:.2f}")
        out.row(f"{name} spectators: resident memory of the box, MB", f"{told['rss_kb'] / 1024:.1f}")
    out.values = runs
    crowded = runs[str(crowd)]
    out.percentiles("last_browser", sliced(crowded["last_browser_ms"]))
    out.percentiles("display", sliced(crowded["display_ms"]))
    out.figures["lost"] = exact(crowded["lost"] + crowded["misordered"] + crowded["late"])
    out.promise(crowded["missing"] == 0, f"every one of {crowd} browsers is told of every place")
    out.promise(crowded["lost"] == crowded["misordered"] == crowded["late"] == 0, "no press lost, misordered or late")
    behind = percentile(crowded["last_browser_ms"], 0.99) - percentile(crowded["display_ms"], 0.5)
    out.promise(behind <= 100, f"the last of {crowd} browsers within 100 ms of the display (p99: {behind:.0f} ms)")
    out.promise(crowded["rss_kb"] <= 90 * 1024, f"at most 90 MB resident with {crowd} spectators")
    return out


def _percentiles(values: list[float]) -> str:
    return f"{percentile(values, 0.5):.1f} / {percentile(values, 0.99):.1f}"


if __name__ == "__main__":
    if sys.argv[1] == "box":
        with tempfile.TemporaryDirectory() as name:
            asyncio.run(box(Path(name), in_thread=sys.argv[2] == "thread", rounds=int(sys.argv[3])))
    else:
        asyncio.run(crowd(int(sys.argv[2]), int(sys.argv[3])))

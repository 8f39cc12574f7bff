"""One desk and a thousand tables: from a box's ruling to the organiser's page in Chromium, and what a table costs.

As in life there are processes of their own: Debian's mosquitto with the files that the desk writes, encrypted; the
desk's program (`companion tournament`) with its store and pages; each box (`tournament_boxes`); and Chromium, which
has the organiser's page with a row for each table (`tournament_page`). All share the machine's cores. The event is
prepared in the desk's store: players, boxes' keys, a round that is drawn; boxes join, are told their tables, and play a
race each ten seconds, at another time than the others. Once all have played, each match is signed, sealed, and final
at the desk, the last half a minute after the first.

An instant of a ruling is taken in the box before its lines are given to the journal: what is measured holds the box's
disk too. All stamps are CLOCK_MONOTONIC of the one machine. TABLES, RUN_S: sizes, and how long each is measured.
NICE: how much boxes give way to desk, broker and browser, 0 where it is not said.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.web.encryption.own_names import Called
from companion.app.tournament.broker.certificates import certificates_in
from companion.app.tournament.broker.files import write_mosquitto
from companion.app.tournament.broker.logins import logins_for
from companion.app.tournament.broker.mosquitto import Listening
from companion.app.tournament.folder import begin_desk
from companion.core.timing.events import MS, SECOND
from companion.tournament.event.rounds import TableStage
from companion.tournament.log import lines
from tests.bench.measured import Measured, percentile, sliced
from tests.bench.played import play, rows_of
from tests.bench.plotted import Curve, Plot, svg
from tests.bench.tournament_boxes import NICE, Wanted
from tests.bench.tournament_page import organisers_page
from tests.brokers.processes import Process, free_ports
from tests.tournament.logs import SEED, Log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.tournament_page import Stamp

EVENT = "bench"
HOST = "localhost"
BUILD = Path("build")
TABLES = tuple(int(size) for size in os.environ.get("TABLES", "10,100,1000").split(","))


class Sizes(NamedTuple):
    """run_s: so long each number of tables plays. race_s: from one race of a table to its next.

    lead_s: from the last box's being ready to the first race. ends_s: so long after the last race of all, tables end
    and are signed, one after the other. folder: where plot and table for docs/ are written.
    """

    tables: tuple[int, ...] = TABLES
    run_s: float = float(os.environ.get("RUN_S", "30"))
    race_s: float = 10.0
    lead_s: float = 5.0
    ends_s: float = 30.0
    folder: Path = BUILD


USUAL = Sizes()
SMOKE = Sizes((2,), run_s=1.0, race_s=1.0, lead_s=0.5, ends_s=1.0, folder=BUILD / "smoke")
FIGURES = {"page_p50": "ms", "page_p99": "ms", "final_p50": "ms", "final_p99": "ms"}
SEATS = 4
PATIENCE_S = 300.0
MOST_MS, MOST_RATIO = 250.0, 1.2
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
FINAL = str(TableStage.FINAL.value)


# -- what runs ---------------------------------------------------------------------------------------------------------


class Event(NamedTuple):
    """An event in a folder, with a round drawn. boxes: in the order of their tables. sheet: the drawing's hash."""

    folder: Path
    boxes: tuple[str, ...]
    logins: dict[str, str]
    sheet: str


def prepare(folder: Path, tables: int) -> Event:
    """Write the event's store, the boxes' keys and the passwords."""
    boxes = tuple(f"box-{number}" for number in range(1, tables + 1))
    begin_desk(folder, EVENT, SEED)
    logins = logins_for(folder, EVENT, boxes)
    log = Log(event=EVENT, name="A benchmark", game="order", rounds=2)
    for name in boxes:
        box = folder / "boxes" / name
        box.mkdir(parents=True)
        key = BoxKey(box)
        key.prepare()
        log.box(name, key.public_key())
    log.players(SEATS * tables)
    drawn = log.draw(*(tuple(range(first, first + SEATS)) for first in range(1, SEATS * tables, SEATS)))
    for number, name in enumerate(boxes, 1):
        log.add(lines.AssignedLine, round=1, table=number, box=name)
    store = SqlEventStore(url_of_file(folder / "event.sqlite3"), EVENT)
    store.open()
    store.append(1, log.raw)
    store.close()
    return Event(folder, boxes, logins, drawn.sheet)


class Broker(NamedTuple):
    """Debian's mosquitto, running."""

    address: str
    authority: Path
    process: Process


@contextmanager
def mosquitto(event: Event) -> Iterator[Broker]:
    """Start the broker with the files that the desk writes."""
    certificates = certificates_in(event.folder, EVENT, Called((HOST,), ("127.0.0.1",)), datetime.now(UTC))
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or "mosquitto"
    process: Process | None = None
    for port in free_ports():
        listening = Listening("127.0.0.1", port, certificates.server, user="root" if os.geteuid() == 0 else None)
        settings = write_mosquitto(event.folder / "mosquitto", EVENT, event.logins, listening)
        process = Process([program, "-c", str(settings)], event.folder / "mosquitto.log")
        process.start()
        if process.until_it_answers(port):
            break
    assert process is not None
    try:
        yield Broker(f"mqtts://{HOST}:{port}", certificates.authority, process)
    finally:
        process.kill()


class Desk(NamedTuple):
    """The desk's program, running. pid: its process."""

    url: str
    pin: str
    pid: int


@contextmanager
def desk(event: Event, broker: Broker) -> Iterator[Desk]:
    """Start the desk's program as an organiser does; the authority of the broker is one of the system's to it."""
    command = [
        sys.executable, "-m", "tests.bench.tournament_desk", "tournament", str(event.folder), "--broker",
        broker.address, "--no-browser", "--web-port", "0", "--boxes", str(len(event.boxes)),
    ]  # fmt: skip
    environment = {**os.environ, "SSL_CERT_FILE": str(broker.authority)}
    with (event.folder / "desk.log").open("wb") as log, _running(command, log, environment) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        found = re.search(r"http://\S+", said[0])
        assert found, f"{said}\n{(event.folder / 'desk.log').read_text()}"
        pin = (event.folder / "referee.pin").read_text().strip()
        yield Desk(found[0], pin, process.pid)


class Hall:
    """All boxes, and what they have said: by name when what was ruled, who is ready, who has pushed everything."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process, self.pid = process, process.pid
        self.ready: set[str] = set()
        self.ruled_ns: dict[tuple[str, int], int] = {}
        self.signed_ns: dict[str, int] = {}
        self.pushed: dict[str, int] = {}
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def begin(self, at_ns: int) -> None:
        """Have the first race begin."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{at_ns}\n")
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for said in self._process.stdout:
            what, name, *more = said.split()
            if what == "ready":
                self.ready.add(name)
            elif what == "ruled":
                self.ruled_ns[name, int(more[0])] = int(more[1])
            elif what == "signed":
                self.signed_ns[name] = int(more[0])
            elif what == "pushed":
                self.pushed[name] = int(more[0])


@contextmanager
def hall(event: Event, broker: Broker, races: int, sizes: Sizes) -> Iterator[Hall]:
    """Have all boxes come."""
    logins = {name: event.logins[name] for name in event.boxes}
    wanted = Wanted(
        str(event.folder / "boxes"), EVENT, broker.address, str(broker.authority), logins, races, sizes.race_s,
        sizes.ends_s,
    )  # fmt: skip
    path = event.folder / "boxes.json"
    path.write_bytes(msgspec.json.encode(wanted))
    command = [sys.executable, "-m", "tests.bench.tournament_boxes", str(path)]
    environment = {**os.environ, "MALLOC_ARENA_MAX": "1"}  # else each thread of each box has memory of its own
    with (event.folder / "boxes.log").open("wb") as log, _running(command, log, environment) as process:
        yield Hall(process)


@contextmanager
def _running(command: list[str], log: Any, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a process that ends with this one, whatever happens."""
    process = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
        text=True, env=environment,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _until(is_so: Any, what: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"it never came to be: {what()}")
        time.sleep(0.1)


# -- what is measured --------------------------------------------------------------------------------------------------


def below_s(parents: dict[int, int], times: dict[int, float], top: int) -> float:
    """Give the processor time of all processes below one."""
    children = [pid for pid, parent in parents.items() if parent == top]
    return sum(times[pid] + below_s(parents, times, pid) for pid in children)


def resident_mb(pid: int) -> float:
    """Give the memory of a process that is resident."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Took(NamedTuple):
    """Processor time in a second of play, of each: in seconds."""

    desk_s: float
    broker_s: float
    boxes_s: float
    browser_s: float


class Run(NamedTuple):
    """What came of one size. desk_s, broker_s: processor time in a second of play. missing: rulings never shown."""

    tables: int
    changed_ms: list[float]
    drawn_ms: list[float]
    final_ms: list[float]
    missing: int
    not_final: int
    unpushed: int
    desk_s: float
    broker_s: float
    boxes_s: float
    browser_s: float
    desk_mb: float
    clock_error_ms: float

    @property
    def cost_s(self) -> float:
        """Processor time of desk and broker in a second."""
        return self.desk_s + self.broker_s


@contextmanager
def held(tables: int) -> Iterator[tuple[Event, Broker, Desk]]:
    """Hold a round on so many tables: its event in a folder of its own, the broker and the desk, both running."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        event = prepare(Path(name).absolute(), tables)
        with mosquitto(event) as broker, desk(event, broker) as the_desk:
            yield event, broker, the_desk


def run(tables: int, sizes: Sizes) -> Run:
    """Hold a round on so many tables, and have it played."""
    races = max(1, round(sizes.run_s / sizes.race_s))
    with ExitStack() as stack:
        event, broker, the_desk = stack.enter_context(held(tables))
        page = stack.enter_context(organisers_page(the_desk.url, the_desk.pin))
        boxes = stack.enter_context(hall(event, broker, races, sizes))
        _until(lambda: len(boxes.ready) == tables, lambda: f"{len(boxes.ready)} of {tables} boxes are ready")
        page.watch(tables)
        start_ns = time.monotonic_ns() + round(sizes.lead_s * SECOND)
        boxes.begin(start_ns)
        pids = (the_desk.pid, broker.process.pid)
        time.sleep(max(0.0, (start_ns - time.monotonic_ns()) / SECOND))
        before = _processor(boxes.pid, *pids)
        time.sleep(races * sizes.race_s)
        after = _processor(boxes.pid, *pids)
        took = Took(*((now - then) / (races * sizes.race_s) for now, then in zip(after, before, strict=True)))
        time.sleep(sizes.ends_s)
        _settle(lambda: len(boxes.pushed) == tables)
        stamps = page.stamps()
        return _found(event, boxes, stamps, races, took, resident_mb(the_desk.pid), page.error_ms)


def _processor(hall_pid: int, desk_pid: int, broker_pid: int) -> list[float]:
    """Give the processor time so far of desk, broker, all boxes, and the browser with what drives it."""
    parents, times = dict[int, int](), dict[int, float]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, fields = int(path.parent.name), path.read_text().rpartition(")")[2].split()
            parents[pid], times[pid] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS_PER_S
    boxes_s = below_s(parents, times, hall_pid)
    ours = times[desk_pid] + times[broker_pid] + times[hall_pid] + boxes_s
    return [times[desk_pid], times[broker_pid], boxes_s, below_s(parents, times, os.getpid()) - ours]


def _settle(is_so: Any) -> None:
    """Wait a while for what should come about; that it has not is seen later."""
    end = time.monotonic() + 10
    while time.monotonic() < end and not is_so():
        time.sleep(0.1)
    time.sleep(1)


def _names_at(table: int) -> list[str]:
    """Give who sits at a table, as the event's log calls them."""
    return [f"Player {number}" for number in range(SEATS * (table - 1) + 1, SEATS * table + 1)]


def _found(
    event: Event, boxes: Hall, stamps: list[Stamp], races: int, took: Took, desk_mb: float, error_ms: float
) -> Run:  # fmt: skip
    """Put rulings and what the page showed side by side."""
    played = play(races).races
    names = {box: _names_at(table) for table, box in enumerate(event.boxes, 1)}
    first: dict[tuple[int, str], Stamp] = {}
    final: dict[int, Stamp] = {}
    for stamp in stamps:
        first.setdefault((stamp.table, stamp.shown), stamp)
        if stamp.stage == FINAL:
            final.setdefault(stamp.table, stamp)
    found = [
        (ruled_ns, first.get((event.boxes.index(name) + 1, " · ".join(rows_of(played[race - 1].after, names[name])))))
        for (name, race), ruled_ns in boxes.ruled_ns.items()
    ]
    shown = [(ruled_ns, stamp) for ruled_ns, stamp in found if stamp is not None]
    ended = [
        (final[table].changed_ns - boxes.signed_ns[name]) / MS
        for table, name in enumerate(event.boxes, 1)
        if table in final and name in boxes.signed_ns
    ]
    tables = len(event.boxes)
    return Run(
        tables,
        [(stamp.changed_ns - ruled_ns) / MS for ruled_ns, stamp in shown],
        [(stamp.drawn_ns - ruled_ns) / MS for ruled_ns, stamp in shown],
        ended,
        tables * races - len(shown),
        tables - len(ended),
        tables - len(boxes.pushed),
        *took,
        desk_mb,
        error_ms,
    )


def measure(sizes: Sizes = USUAL) -> Measured:
    """Measure all sizes."""
    return told([run(tables, sizes) for tables in sizes.tables], sizes.folder)


def told(runs: list[Run], folder: Path) -> Measured:
    """Say what runs of several sizes found, and write plot and table into a folder."""
    out = Measured("One desk and many tables: from a box's ruling to the organiser's page, and what a table costs")
    for one in runs:
        name = f"{one.tables:,} tables"
        _figures(out, one)
        out.row(f"{name}: ruling to the row of the page, ms p50 / p99 / most", _told(one.changed_ms))
        out.row(f"{name}: ruling to the row as drawn, ms p50 / p99 / most", _told(one.drawn_ms))
        out.row(f"{name}: last signature to the final result on the page, ms", _told(one.final_ms))
        out.row(
            f"{name}: rulings shown, never shown; tables not final; boxes with lines left",
            f"{len(one.changed_ms):,}, {one.missing}; {one.not_final}; {one.unpushed}",
        )
        out.row(
            f"{name}: processor time in a second, ms: desk + broker",
            f"{one.desk_s * 1000:.1f} + {one.broker_s * 1000:.1f} = {one.cost_s * 1000:.1f}",
        )
        out.row(
            f"{name}: beside them all boxes, and the browser, ms",
            f"{one.boxes_s * 1000:.0f}, {one.browser_s * 1000:.0f}",
        )
        out.row(f"{name}: the desk's memory, MB; the page's clock is known to, ms",
                f"{one.desk_mb:.0f}; {one.clock_error_ms:.2f}")  # fmt: skip
    out.row("boxes give way by (nice)", str(NICE))
    out.values = {str(one.tables): one._asdict() for one in runs} | {"nice": NICE}
    _costs(out, runs)
    for one in runs:
        out.promise(one.missing == 0, f"every ruling of {one.tables:,} tables is shown ({one.missing} are not)")
        out.promise(one.not_final == 0, f"every one of {one.tables:,} tables is final ({one.not_final} are not)")
        out.promise(one.unpushed == 0, f"the desk has every line of {one.tables:,} boxes ({one.unpushed} have more)")
        p99 = percentile(one.changed_ms, 0.99) if one.changed_ms else float("inf")
        out.promise(p99 <= MOST_MS, f"ruling to page within {MOST_MS:.0f} ms, p99, at {one.tables:,} ({p99:.0f} ms)")
    folder.mkdir(parents=True, exist_ok=True)
    plot, table = folder / "tournament-tables.svg", folder / "tournament-tables.md"
    _plot(runs, plot)
    _table(runs, table)
    out.row("plot and table for the docs", f"{plot}, {table}")
    return out


def _figures(out: Measured, run: Run) -> None:
    """Add the figures of one size; none of what no page has shown."""
    for name, values in (("page", run.changed_ms), ("final", run.final_ms)):
        if values:
            found = Measured("")
            found.percentiles(name, sliced(values))
            out.figures |= {f"{key}@{run.tables}": figure for key, figure in found.figures.items()}


def _costs(out: Measured, runs: list[Run]) -> None:
    """Say what each added table costs between two sizes, and how much more it is than between the two before."""
    costs = []
    for small, large in pairwise(runs):
        added_ms = (large.cost_s - small.cost_s) / (large.tables - small.tables) * 1000
        costs.append(added_ms)
        sizes = f"{small.tables:,} to {large.tables:,}"
        out.row(f"a table more, {sizes}: processor time in a second, ms", f"{added_ms:.3f}")
    if len(costs) == 2 and costs[0] > 0:
        ratio = costs[1] / costs[0]
        out.row("the second as many times the first", f"{ratio:.2f}")
        out.values["ratio"] = ratio
        out.promise(ratio <= MOST_RATIO, f"a table more costs at most {MOST_RATIO} times as much ({ratio:.2f})")


def _told(values: list[float]) -> str:
    if not values:
        return "none"
    return f"{percentile(values, 0.5):.0f} / {percentile(values, 0.99):.0f} / {max(values):.0f}"


def _plot(runs: list[Run], path: Path) -> None:
    """Draw the two figures that grow with the tables."""
    sizes = [one.tables for one in runs]
    shares = (("p50", 0.5), ("p99", 0.99), ("most", 1.0))
    latencies = [
        Curve(name, list(zip(sizes, [percentile(one.changed_ms, share) for one in runs], strict=True)))
        for name, share in shares
        if all(one.changed_ms for one in runs)
    ]
    costs = [
        Curve("desk and broker", [(one.tables, one.cost_s * 1000) for one in runs]),
        Curve("desk", [(one.tables, one.desk_s * 1000) for one in runs]),
    ]
    plots = (
        Plot("ruling to page, ms", latencies, MOST_MS),
        Plot("processor time in a second, ms", costs, None),
    )
    path.write_text(svg(plots, "tables"), encoding="utf-8")


def _table(runs: list[Run], path: Path) -> None:
    """Write the table of the docs."""
    heads = (
        "tables", "ruling to page, ms: p50, p99, most", "last signature to final, ms: p50, p99, most",
        "desk and broker, ms of a second", "boxes, browser beside them", "desk's memory, MB", "rulings, never shown",
    )  # fmt: skip
    rows = [
        (
            f"{one.tables:,}", _told(one.changed_ms), _told(one.final_ms),
            f"{one.desk_s * 1000:.0f} + {one.broker_s * 1000:.0f}",
            f"{one.boxes_s * 1000:.0f}, {one.browser_s * 1000:.0f}", f"{one.desk_mb:.0f}",
            f"{len(one.changed_ms):,}, {one.missing}",
        )
        for one in runs
    ]  # fmt: skip
    lines = [heads, tuple("---" for _ in heads), *rows]
    path.write_text("".join(f"| {' | '.join(line)} |\n" for line in lines), encoding="utf-8")

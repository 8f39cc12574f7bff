"""Durable journal lines per second: one at a time, each waited for, and as fast as they come."""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from pathlib import Path

from companion.adapters.sqlite_journal import SqliteJournal
from tests.bench.measured import Measured, percentile, spread

ONE_BY_ONE = 200
TOGETHER = 5000
ROUNDS = 5
LINE = b'{"type":"press","colour":"yellow","role":"hunter","t_ns":7412000000,"error_ns":20000}'


class Waiter:
    """Waits for the journal's word that so many lines are durable."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._durable = 0

    def on_durable(self, _match_id: int, count: int) -> None:
        with self._changed:
            self._durable = max(self._durable, count)
            self._changed.notify_all()

    def wait(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._durable >= count, 60)


def one_round(directory: Path) -> tuple[list[float], float]:
    """Milliseconds of single lines, and lines a second when they come all at once."""
    journal, waiter = SqliteJournal(directory), Waiter()
    journal.open(waiter.on_durable, print)
    match_id, count, took = journal.begin("order", [LINE], None), 1, []
    waiter.wait(count)
    for _ in range(ONE_BY_ONE):
        began = time.perf_counter()
        journal.append(match_id, LINE)
        count += 1
        waiter.wait(count)
        took.append((time.perf_counter() - began) * 1000)
    began = time.perf_counter()
    for _ in range(TOGETHER):
        journal.append(match_id, LINE)
    waiter.wait(count + TOGETHER)
    rate = TOGETHER / (time.perf_counter() - began)
    journal.close()
    return took, rate


def measure() -> Measured:
    out = Measured("Durable journal lines (SQLite, WAL, synchronous=FULL)")
    singles, rates = [], []
    build = Path("build")
    build.mkdir(exist_ok=True)
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(dir=build) as directory:
            took, rate = one_round(Path(directory))
        singles += took
        rates.append(rate)
    out.row(
        "one line until it is durable, ms p50 / p99",
        f"{percentile(singles, 0.5):.2f} / {percentile(singles, 0.99):.2f}",
    )
    out.row("lines a second, each waited for", f"{1000 / statistics.mean(singles):,.0f}")
    out.row("lines a second, as they come", spread(rates))
    out.values = {"single_ms": [percentile(singles, p) for p in (0.5, 0.99, 1)], "lines_per_s": rates}
    return out

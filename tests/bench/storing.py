"""Durable journal lines per second, one at a time, each waited for, and as fast as they come; what seals cost."""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from companion.adapters.keys.ed25519 import Ed25519Signer
from companion.adapters.sqlite_journal import SqliteJournal
from companion.core.record.lines import dump_line
from companion.core.record.seals import Sealer
from tests.bench.measured import Measured, of_values, percentile, spread


class Sizes(NamedTuple):
    """one_by_one: lines of a round that are waited for, and seals. together: lines of a round that are not."""

    one_by_one: int = 200
    together: int = 5000
    rounds: int = 5


USUAL = Sizes()
SMOKE = Sizes(one_by_one=4, together=20, rounds=2)
FIGURES = {
    "line_p50": "ms", "line_p99": "ms", "each": "a second", "together": "a second", "hash": "µs", "seal": "µs",
}  # fmt: skip
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


def one_round(directory: Path, sizes: Sizes) -> tuple[list[float], float]:
    """Milliseconds of single lines, and lines a second when they come all at once."""
    journal, waiter = SqliteJournal(directory), Waiter()
    journal.open(waiter.on_durable, print)
    match_id, count, took = journal.begin("order", [LINE], None), 1, []
    waiter.wait(count)
    for _ in range(sizes.one_by_one):
        began = time.perf_counter()
        journal.append(match_id, LINE)
        count += 1
        waiter.wait(count)
        took.append((time.perf_counter() - began) * 1000)
    began = time.perf_counter()
    for _ in range(sizes.together):
        journal.append(match_id, LINE)
    waiter.wait(count + sizes.together)
    rate = sizes.together / (time.perf_counter() - began)
    journal.close()
    return took, rate


def sealing(sizes: Sizes) -> tuple[float, float]:
    """Microseconds for the hash of a line, and for a seal as the loop makes it: signed, and written as a line."""
    sealer, signer = Sealer(), Ed25519Signer(b"\x01" * 32)
    began = time.perf_counter()
    for _ in range(sizes.together):
        sealer.add(LINE)
    hashed = time.perf_counter()
    for _ in range(sizes.one_by_one):
        sealer.add(dump_line(sealer.seal(signer.key, signer.sign)))
    return (hashed - began) / sizes.together * 1e6, (time.perf_counter() - hashed) / sizes.one_by_one * 1e6


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("Durable journal lines (SQLite, WAL, synchronous=FULL)")
    singles, rates = list[list[float]](), list[float]()
    build = Path("build")
    build.mkdir(exist_ok=True)
    for _ in range(sizes.rounds):
        with tempfile.TemporaryDirectory(dir=build) as directory:
            took, rate = one_round(Path(directory), sizes)
        singles.append(took)
        rates.append(rate)
    all_ms = [value for one in singles for value in one]
    out.row(
        "one line until it is durable, ms p50 / p99",
        f"{percentile(all_ms, 0.5):.2f} / {percentile(all_ms, 0.99):.2f}",
    )
    out.row("lines a second, each waited for", f"{1000 / statistics.mean(all_ms):,.0f}")
    out.row("lines a second, as they come", spread(rates))
    line_us, seal_us = zip(*(sealing(sizes) for _ in range(sizes.rounds)), strict=True)
    one_us = 1000 * statistics.mean(all_ms)
    out.row("hash of a line for the next seal, µs", spread(line_us, 1))
    out.row("... of what the line takes until it is durable, %", f"{100 * statistics.median(line_us) / one_us:.2f}")
    out.row("a seal: hash, signature, line, µs", spread(seal_us))
    out.row("... of what a line takes until it is durable, %", f"{100 * statistics.median(seal_us) / one_us:.1f}")
    out.promise(min(seal_us) < 1000, "a seal holds up the loop for less than 1 ms")
    out.percentiles("line", singles)
    out.figures |= {"each": of_values([1000 / statistics.mean(one) for one in singles]), "together": of_values(rates)}
    out.figures |= {"hash": of_values(line_us), "seal": of_values(seal_us)}
    out.values = {"hash_us": line_us, "seal_us": seal_us}
    out.values |= {"single_ms": [percentile(all_ms, p) for p in (0.5, 0.99, 1)], "lines_per_s": rates}
    return out

"""How fast lines are kept: python -m tests.adapters.event_store.speed

Records of 1,000 boxes, lines of 200 bytes, in turn from each box, by calls of 1,000 lines down to a single one; in an
SQLite file in the present folder, and on a PostgreSQL server of its own, here with fsync as it is by default.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from companion.adapters.event_store import SqlEventStore, url_of_file
from companion.tournament.wire import RecordPart
from tests.adapters.event_store.postgresql import Server

BOXES, RAW = 1_000, b"x" * 200
LINES = {1_000: 30_000, 100: 30_000, 10: 5_000, 1: 1_000}
"""How many lines are kept, by how many a call keeps."""


def measure(url: str) -> None:
    store = SqlEventStore(url, "cup")
    store.open()
    for size, lines in LINES.items():
        parts = [
            (f"box-{number % BOXES}", RecordPart(f"{size:032x}", number // BOXES + 1, RAW)) for number in range(lines)
        ]
        began = time.perf_counter()
        for first in range(0, lines, size):
            store.keep(parts[first : first + size])
        print(f"  {size:5} lines a call: {lines / (time.perf_counter() - began):8.0f} lines/s")
    began = time.perf_counter()
    held = store.held()
    print(f"  held() of {len(held)} records: {(time.perf_counter() - began) * 1_000:.2f} ms")
    store.close()
    began = time.perf_counter()
    store.open()
    print(f"  open with {sum(held.values())} lines: {(time.perf_counter() - began) * 1_000:.0f} ms")
    store.close()


def main() -> None:
    with tempfile.TemporaryDirectory(dir=".") as folder:
        print("SQLite")
        measure(url_of_file(Path(folder) / "event.sqlite"))
    server = Server("fsync=on")
    try:
        server.create()
        print("PostgreSQL")
        measure(server.url())
    finally:
        server.remove()


if __name__ == "__main__":
    main()

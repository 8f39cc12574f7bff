"""Run the benchmark: `python -m tests.bench [part …]`; prints a table, writes JSON, fails on a missed promise."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
from pathlib import Path

from tests.bench.measured import Measured

PARTS = (
    "attacks",
    "calibration",
    "clock_mapping",
    "event",
    "games",
    "hobbyist",
    "judging",
    "pod_clocks",
    "showing",
    "spectators",
    "starting",
    "storing",
    "tournament",
    "voice",
    "voice_cost",
)
OUT = Path("build/bench.json")


def machine() -> dict[str, object]:
    """What it was measured on."""
    told = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    told = {key.strip(): value.strip() for key, value in told.items()}
    model = told.get("Model") or told.get("model name") or platform.machine()  # a Pi says "Model", a PC "model name"
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(PARTS))
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    where = machine()
    print(f"{where['processor']}, {where['cores']} cores, {where['system']}, Python {where['python']}")
    results: dict[str, Measured] = {}
    for name in names or PARTS:
        result = importlib.import_module(f"tests.bench.{name}").measure()
        results[name] = result
        print(f"\n{result.title}")
        width = max(len(what) for what, _ in result.rows)
        for what, value in result.rows:
            print(f"  {what:<{width}}  {value}")
        for miss in result.misses:
            print(f"  MISSED: {miss}")
        sys.stdout.flush()
    OUT.parent.mkdir(exist_ok=True)
    document = {"machine": where} | {name: {**r.values, "missed": r.misses} for name, r in results.items()}
    OUT.write_text(json.dumps(document, indent=1))
    print(f"\nwritten to {OUT}")
    return 1 if any(result.misses for result in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

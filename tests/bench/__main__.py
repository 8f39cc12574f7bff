"""Run the benchmark: `python -m tests.bench [part …]`; without a part, all of them.

It prints a table of each part, writes build/bench.json, and ends with what it found of the figures that
`docs/accuracy.md` publishes. It fails where a promise is missed, or a part cannot run or ends with an error. A figure
that differs from the published one is reported, and does not fail the run.

    --smoke      only run each part's whole way, at tiny sizes, and drop the figures
    --publish    write the figures of build/bench.json into `docs/accuracy.md`, with the day of the run
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.measured import Figure
from tests.bench.parts import PARTS, PartFailed, faults, lacking, measure_apart, measure_into, part, smoke
from tests.bench.published import PAGE, Source, compare, machines_in, published_in, summary, with_figures

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bench.measured import Measured

OUT = Path("build/bench.json")


def machine() -> dict[str, object]:
    """Return the processor, its cores, the system and the Python of this machine."""
    told = dict(line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    told = {key.strip(): value.strip() for key, value in told.items()}
    model = told.get("Model") or told.get("model name") or platform.machine()  # a Pi says "Model", a PC "model name"
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def machine_line(where: dict[str, object]) -> str:
    """Give the machine in a line, as the page of figures has it too."""
    return f"{where['processor']}, {where['cores']} cores, {where['system']}, Python {where['python']}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("parts", nargs="*", metavar="part", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--smoke", action="store_true", help="run the whole way at tiny sizes, and drop the figures")
    parser.add_argument("--publish", action="store_true", help=f"write the figures of {OUT} into docs/{PAGE.name}")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)  # measure one part here, and write it there
    asked = parser.parse_args(words)
    if unknown := sorted(set(asked.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are: {', '.join(PARTS)}")
    names = asked.parts or list(PARTS)
    if asked.into is not None:
        measure_into(names[0], asked.into, smoke=asked.smoke)
        return 0
    if asked.publish:
        return publish()
    return smokes(names) if asked.smoke else measure(names)


# -- measuring ---------------------------------------------------------------------------------------------------------


def measure(names: list[str]) -> int:
    """Measure parts one after the other, and compare what is published. A part that fails stops no other."""
    where = machine()
    print(machine_line(where))
    results: dict[str, Measured] = {}

    def run(name: str) -> None:
        results[name] = measure_apart(name)
        _show(results[name])
        _write(where, results)
        if wrong := faults(results[name], part(name).FIGURES):
            raise PartFailed(f"{name}: {'; '.join(wrong)}")

    failed = _each(names, run)
    print(f"\nwritten to {OUT}\n")
    page = PAGE.read_text(encoding="utf-8")
    rows = [row for row in published_in(page) if row.part in names]
    print("\n".join(summary(compare(rows, _figures(results)), machine_line(where), machines_in(page))))
    if others := sorted(set(PARTS) - set(names)):
        print(f"Not run, as not asked for: {', '.join(others)}.")
    missed = [f"MISSED, {name}: {miss}" for name, result in results.items() for miss in result.misses]
    _say([*failed, *missed])
    return 1 if failed or missed else 0


def smokes(names: list[str]) -> int:
    """Run each part's whole way at tiny sizes."""
    failed = _each(names, smoke)
    _say(failed)
    return 1 if failed else 0


def _each(names: list[str], run: Callable[[str], None]) -> list[str]:
    """Run parts, and give why those failed that did."""
    failed = []
    for name in names:
        began_s = time.monotonic()
        if (lacks := lacking(name)) is not None:
            failed.append(f"NOT RUN: {lacks}")
        else:
            try:
                run(name)
            except PartFailed as error:
                failed.append(f"FAILED: {error}")
        print(f"{name}: {time.monotonic() - began_s:.1f} s", flush=True)
    return failed


def _say(lines: list[str]) -> None:
    for line in lines:
        print(line)


def _show(result: Measured) -> None:
    print(f"\n{result.title}")
    width = max((len(what) for what, _ in result.rows), default=0)
    for what, value in result.rows:
        print(f"  {what:<{width}}  {value}")
    for miss in result.misses:
        print(f"  MISSED: {miss}")


def _figures(results: dict[str, Measured]) -> dict[str, Figure]:
    """Give all figures by the keys of the page."""
    return {f"{name}.{key}": figure for name, result in results.items() for key, figure in result.figures.items()}


def _write(where: dict[str, object], results: dict[str, Measured]) -> None:
    OUT.parent.mkdir(exist_ok=True)
    document = {"machine": where, "figures": _figures(results)} | {
        name: {**result.values, "missed": result.misses} for name, result in results.items()
    }
    OUT.write_text(json.dumps(document, indent=1))


# -- publishing --------------------------------------------------------------------------------------------------------


def publish() -> int:
    """Write the figures of the last run into the page; its machine has to be one of the page's."""
    told = json.loads(OUT.read_text())
    page = PAGE.read_text(encoding="utf-8")
    line = machine_line(told["machine"])
    letters = [letter for letter, text in machines_in(page).items() if line in text]
    if not letters:
        print(f"docs/{PAGE.name} does not list this machine; add a row to its machines:  | X | {line} |")
        return 1
    measured = {key: Figure(*figure) for key, figure in told["figures"].items()}
    day = datetime.fromtimestamp(OUT.stat().st_mtime, UTC).date()
    PAGE.write_text(with_figures(page, measured, Source(day, letters[0])), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

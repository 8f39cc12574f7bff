"""The parts of the benchmark: what each needs of the machine, and how one runs, in a process of its own.

A part is a module with `measure(sizes)`, its usual sizes `USUAL`, tiny ones `SMOKE`, and `FIGURES`: the unit of each
figure that it gives, by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from tests.bench.measured import Figure, Measured

if TYPE_CHECKING:
    from collections.abc import Mapping

PARTS: dict[str, tuple[str, ...]] = {
    "attacks": (),
    "calibration": (),
    "clock_mapping": (),
    "event": ("mosquitto",),
    "games": (),
    "hobbyist": ("qemu-system-x86",),
    "judging": (),
    "pod_clocks": (),
    "showing": (),
    "spectators": (),
    "starting": (),
    "storing": (),
    "tournament": ("mosquitto", "chromium-headless-shell", "playwright"),
    "voice": ("espeak-ng",),
    "voice_cost": ("espeak-ng",),
}
"""By name, what a part needs: Debian packages, and `playwright` in the virtual environment."""
ON_A_KERNEL = tuple(name for name, needs in PARTS.items() if "qemu-system-x86" in needs)
"""The parts that boot an emulated machine; `make hil` has their smokes."""
PROGRAMS = {
    "chromium-headless-shell": os.environ.get("CHROMIUM", "chromium-headless-shell"),
    "espeak-ng": "espeak-ng",
    "mosquitto": "mosquitto",
    "qemu-system-x86": "qemu-system-x86_64",
}
"""The program that shows that a Debian package is installed."""
LIBRARIES = {"playwright": "make browser"}
"""Python libraries that a part needs, and the target that installs each."""
ROOT = Path(__file__).parents[2]
SMOKE_S = 120.0
"""A smoke takes some seconds, and may have to wait for a busy machine."""
GUEST_S = 900.0
"""A smoke that boots an emulated machine takes minutes, and may have to build that machine first."""
EMPTY = frozenset({"", "none", "nan"})
"""Values of a row that say nothing."""


class Part(Protocol):
    """The members of every part's module."""

    FIGURES: Mapping[str, str]
    USUAL: object
    SMOKE: object

    def measure(self, sizes: object) -> Measured:
        """Measure at these sizes."""


class PartFailed(Exception):
    """A part ended with an error, or lacks rows or figures; the text says why."""


def part(name: str) -> Part:
    """Import a part."""
    return cast("Part", importlib.import_module(f"tests.bench.{name}"))


def lacking(name: str) -> str | None:
    """Say what a part needs and this machine does not have, and how to install it; None where it has all."""
    missing = [need for need in PARTS[name] if not _is_there(need)]
    if not missing:
        return None
    packages = [need for need in missing if need not in LIBRARIES]
    how = [f"`.ci/packages {' '.join(packages)}`"] if packages else []
    how += [f"`{LIBRARIES[need]}`" for need in missing if need in LIBRARIES]
    return f"{name} needs {', '.join(missing)}, which this machine does not have. Install it: {' and '.join(how)}"


def _is_there(need: str) -> bool:
    if need in LIBRARIES:
        return importlib.util.find_spec(need) is not None
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return shutil.which(PROGRAMS[need], path=path) is not None


def patience_s(name: str) -> float:
    """Give after how many seconds the smoke of a part is given up."""
    return GUEST_S if name in ON_A_KERNEL else SMOKE_S


def faults(result: Measured, declared: Mapping[str, str]) -> list[str]:
    """Say what is wrong with a result whatever its values are: rows that are missing or empty, figures likewise."""
    found = [] if result.rows else ["the table is empty"]
    found += [f"the row “{what}” is empty" for what, value in result.rows if value.strip().lower() in EMPTY]
    given = {key.partition("@")[0] for key in result.figures}
    found += [f"the figure {name} is missing" for name in sorted(set(declared) - given)]
    found += [f"the figure {name} is not in FIGURES" for name in sorted(given - set(declared))]
    found += [f"the figure {key} is not a figure" for key, figure in result.figures.items() if not _is_sound(figure)]
    return found


def _is_sound(figure: Figure) -> bool:
    return all(map(math.isfinite, figure[:3])) and figure.low <= figure.middle <= figure.high


# -- running -----------------------------------------------------------------------------------------------------------


def measure_into(name: str, path: Path, *, smoke: bool) -> None:
    """Measure a part in this process and write the result as JSON."""
    module = part(name)
    path.write_text(json.dumps(asdict(module.measure(module.SMOKE if smoke else module.USUAL))), encoding="utf-8")


def measure_apart(name: str, *, smoke: bool = False) -> Measured:
    """Measure a part in a process of its own, so that no part finds what another has left.

    Raises:
        PartFailed: it ended with an error, or a smoke was not done in time.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        command = [sys.executable, "-m", "tests.bench", name, "--into", str(path), *(["--smoke"] if smoke else [])]
        try:
            status = subprocess.run(
                command, cwd=ROOT, check=False, timeout=patience_s(name) if smoke else None
            ).returncode
        except subprocess.TimeoutExpired:
            raise PartFailed(f"{name} was not done after {patience_s(name):.0f} s") from None
        if status != 0:
            raise PartFailed(f"{name} ended with status {status}; its error is above")
        return read_result(path.read_text(encoding="utf-8"))


def smoke(name: str) -> None:
    """Run a part's whole way at its tiny sizes; a broken promise says nothing there, and the figures are dropped.

    Raises:
        PartFailed: it ended with an error or was not done in time, or rows or figures are missing.
    """
    if wrong := faults(measure_apart(name, smoke=True), part(name).FIGURES):
        raise PartFailed(f"{name}: {'; '.join(wrong)}")


def read_result(text: str) -> Measured:
    """Read a result that `measure_into` wrote."""
    told = json.loads(text)
    rows = [(what, value) for what, value in told["rows"]]
    figures = {key: Figure(*figure) for key, figure in told["figures"].items()}
    return Measured(told["title"], rows, told["values"], told["misses"], figures)

"""Changes core and games in small ways (mutants) and sees whether the tests notice: `make mutants ARGS=judge`.

Modules are named by the last part of their name; without any, all. Each is changed in a copy of its own below
`build/mutants` and held against its own tests only: `test_<module>.py` wherever it stands in the mirror of its room,
and what CONCERNS adds; else all tests of the nearest folder that mirrors its own. mutmut changes what stands in
functions, and their default values; it leaves properties, most decorated functions and module constants alone. What
survived goes to standard output, a table to standard error.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "mutants"
ROOMS = ("core", "games")
NEEDED = ("companion", "tests", "firmware", "hardware", "pyproject.toml")
"""What the tests read: the program, themselves, and the files beside it."""

CONCERNS = {
    "contact": ("test_contacts", "test_earliest_press"),
    "contacts": ("test_earliest_press",),
    "match": ("test_live_properties",),
    "link": ("test_pods_in_a_race",),
    "registry": ("test_games",),
}
"""Tests beside a module's own that are about it too, by the last part of its name."""

AMOUNT = ("--hypothesis-profile=repeatable", "-p", "no:cacheprovider")

SETTINGS = """
[tool.mutmut]
source_paths = ["companion"]
only_mutate = [{module}]
also_copy = ["firmware", "hardware"]
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = {amount}
timeout_multiplier = 6.0  # a mutant has 6 times 10 s and what its tests took: a busy machine kills none
timeout_constant = 10.0
"""

MEMORY = 2 << 30
"""Bytes of address space: a mutant that gathers rulings for ever is stopped long before the machine is full."""

NOTICED = frozenset({1, 3, 36, 24, -24, 152, 255})
"""mutmut's exit codes of a mutant that a test failed for, or that ran for ever; all others survived."""

UNTOUCHED = b"could not find any test case for any mutant"
"""mutmut's last words where no test comes by any of a module's functions: all its mutants survived (its code 33)."""


def tests_of(module: Path) -> list[str]:
    """Give the tests, as paths below the root, that a module (a path below it too) is held against."""
    names = [f"test_{module.stem}", *CONCERNS.get(module.stem, ())]
    own = [path for name in names for path in sorted((ROOT / "tests").rglob(f"{name}.py"))]
    own = [path for path in own if path.relative_to(ROOT / "tests").parts[0] in (module.parts[1], "contract")]
    folder = ROOT / "tests" / Path(*module.parts[1:-1])
    while not folder.is_dir():
        folder = folder.parent
    return [str(path.relative_to(ROOT)) for path in own or [folder]]


def run(module: Path, *, quick: bool) -> dict[str, int]:
    """Try all mutants of one module, if quick by what `make check` runs; return mutmut's exit code of each by name."""
    copy = BUILD / ".".join(module.with_suffix("").parts)
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "hil*", "browser", "golden")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=ignored)
        else:
            shutil.copy(source, copy / name)
    with (copy / "pyproject.toml").open("a") as file:
        file.write(
            SETTINGS.format(
                module=json.dumps(str(module)),
                tests=json.dumps(tests_of(module)),
                amount=json.dumps([*AMOUNT, *([] if quick else ["--thorough"])]),
            )
        )
    log = copy / "mutmut.log"
    with log.open("wb") as out:
        command = [*MUTMUT, "run", "--max-children", "1"]
        subprocess.run(command, cwd=copy, stdout=out, stderr=subprocess.STDOUT, check=False)
    found = copy / "mutants" / f"{module}.meta"
    codes: dict[str, Any] = json.loads(found.read_text())["exit_code_by_key"] if found.exists() else {"": None}
    if UNTOUCHED in log.read_bytes():
        codes = dict.fromkeys(codes, 33)
    if None in codes.values():
        sys.exit(f"mutmut did not come to its end with {module}; all it said is in {log}")
    for name, code in codes.items():
        if code not in NOTICED:
            diff = subprocess.run([*MUTMUT, "show", name], cwd=copy, capture_output=True, text=True, check=True).stdout
            print(diff, flush=True)
    return codes


MUTMUT = (sys.executable, "-m", "mutmut")


def modules(wanted: list[str]) -> list[Path]:
    """Give the modules that have functions to change, as paths below the root; all where none is wanted."""
    paths = [path.relative_to(ROOT) for room in ROOMS for path in sorted((ROOT / "companion" / room).rglob("*.py"))]
    paths = [path for path in paths if "def " in (ROOT / path).read_text()]
    unknown = set(wanted) - {path.stem for path in paths}
    if unknown:
        sys.exit(f"no module with functions is called {', '.join(sorted(unknown))}")
    return [path for path in paths if not wanted or path.stem in wanted]


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--quick", action="store_true", help="hold them against what `make check` runs")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print("| module | mutants | noticed | survived | |\n|---|---|---|---|---|", file=sys.stderr)
    for module in modules(given.modules):
        counts = Counter(run(module, quick=given.quick).values())
        total, noticed = counts.total(), sum(counts[code] for code in NOTICED)
        share = f"{100 * noticed / total:.1f} %" if total else "nothing to change"
        name = "/".join(module.with_suffix("").parts[1:])
        print(f"| {name} | {total} | {noticed} | {total - noticed} | {share} |", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

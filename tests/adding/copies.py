"""The program copied, with entries added to its tables as a person would add them; and a test that is run on the copy.

A table that is only patched while it runs would not show that nothing else has to be edited: types, decoders and routes
are made from it when modules are imported. So the very text of one file is changed, and another Python imports it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


class Entry(NamedTuple):
    """`text` is put before the line that begins with `before`, the first after one that begins with `table`."""

    file: str
    table: str
    before: str
    text: str


def copy_with(folder: Path, entry: Entry | None, *, files: dict[str, str] | None = None) -> Path:
    """Copy the package into a folder and add an entry. files: those that are new, by their path in the repository."""
    shutil.copytree(ROOT / "companion", folder / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "hardware", folder / "hardware", ignore=shutil.ignore_patterns("__pycache__", "drawn"))
    for name, text in (files or {}).items():
        assert not (ROOT / name).exists(), f"{name} is there already: this would change it, not add it"
        (folder / name).write_text(text, encoding="utf-8")
    if entry is not None:
        path = folder / entry.file
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        begin = next(number for number, line in enumerate(lines) if line.startswith(entry.table))
        at = next(number for number, line in enumerate(lines) if number > begin and line.startswith(entry.before))
        path.write_text("".join([*lines[:at], entry.text, *lines[at:]]), encoding="utf-8")
    return folder


def run_on(copy: Path, module: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a module of this folder with the copy in the place of the program."""
    return subprocess.run(
        [
            sys.executable, "-m", "pytest", str(HERE / module), "-q", "--rootdir", str(ROOT), "-c",
            str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-o", "python_files=added_*.py", "-o",
            f"pythonpath={copy} {ROOT}",
        ],
        cwd=copy, capture_output=True, text=True, timeout=240, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip

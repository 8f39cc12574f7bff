"""`make types` reads every Python file of the program, the hardware, the package and the checks themselves."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("companion", "docs", "examples", "hardware", "systemd", "tests", ".ci")


def is_python(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline()
    return path.suffix == ".py" or (first.startswith(b"#!") and b"python" in first)


def test_mypy_is_strict_and_reads_every_python_file_also_those_without_a_suffix():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert [each for each in settings["overrides"] if each.get("ignore_errors")] == []
    named = {ROOT / name for name in settings["files"]}
    found = [path for name in FOLDERS for path in (ROOT / name).rglob("*") if path.is_file() and is_python(path)]
    assert len(found) > 100
    for path in found:
        # mypy finds what ends in .py in a folder by itself; anything else has to be named.
        assert path in named or (path.suffix == ".py" and named & set(path.parents)), path

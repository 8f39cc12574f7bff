"""Makes the lock files anew (`make lock`), and reads them: each package by its version and the hashes of its files.

A lock holds for every Python and machine that `pyproject.toml` allows; what only some of them need has a marker. All
are cut from one resolution, so that no two of them name different versions. Reading needs the package `packaging`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "systemd" / "supply" / "locks"

SETS: dict[str, tuple[str, ...]] = {
    "run": (),
    "package": ("pi", "pods"),
    "desk": ("desk", "postgresql"),
    "dev": ("dev",),
    "hardware": ("hardware",),
    "browser": ("browser",),
    "docs": ("docs",),
    "voice": ("voice",),
    "mutants": ("mutants",),
    "lock": ("lock",),
}
"""Each lock's name to the extras of `pyproject.toml` that it has on top of what a run needs."""
BUILD = "build"
"""The lock of what builds: this project, and those few libraries that come as source only."""
BUILD_TOOLS = (
    "editables>=0.5",  # hatchling asks for it when a checkout is installed
    "setuptools>=77", "wheel>=0.45",  # build what comes as source only: lgpio, spidev, RPi.GPIO
    "swig<4.3",  # lgpio's interface file needs a SWIG older than 4.3
)  # fmt: skip

HEAD = "# {what}. Made by `make lock`; do not edit.\n"


class LockError(Exception):
    """A lock cannot be made or read; its text says why."""


@dataclass(frozen=True)
class Entry:
    """One package of a lock."""

    name: str
    """Normalised: lower case, hyphens."""
    version: str
    marker: str
    """Of PEP 508, "" where it is for every Python and machine."""
    hashes: tuple[str, ...]
    """`sha256:` and hexadecimal digits, of every file of this version."""

    def pin(self) -> str:
        """Give it as pip reads it, on one line, without the marker."""
        return " ".join([f"{self.name}=={self.version}", *(f"--hash={each}" for each in self.hashes)])


def read(path: Path) -> list[Entry]:
    """Give a lock's packages in its order. Raises LockError for a line that is not a pinned and hashed package."""
    text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [entry_of(line, path) for line in text.splitlines() if line.strip()]


def entry_of(line: str, path: Path) -> Entry:
    """Read one package. Raises LockError."""
    found = re.fullmatch(r"([a-z0-9-]+)==([^\s;]+)(?:\s*;\s*(.*?))?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line)
    if found is None:
        raise LockError(f"{path.name}: a line is not NAME==VERSION with sha256 hashes: {line[:80]!r}")
    hashes = tuple(word.removeprefix("--hash=") for word in found[4].split())
    return Entry(found[1], found[2], found[3] or "", hashes)


def environment(python: str, machine: str) -> dict[str, str]:
    """Give what markers ask of a Linux with that Python ("3.11") and processor ("aarch64")."""
    return {
        "implementation_name": "cpython", "implementation_version": f"{python}.0", "os_name": "posix",
        "platform_machine": machine, "platform_python_implementation": "CPython", "platform_release": "",
        "platform_system": "Linux", "platform_version": "", "python_full_version": f"{python}.0",
        "python_version": python, "sys_platform": "linux", "extra": "",
    }  # fmt: skip


def selected(entries: Iterable[Entry], target: Mapping[str, str]) -> list[Entry]:
    """Give the packages that a Python and machine need, as their markers say."""
    from packaging.markers import Marker  # noqa: PLC0415 - where locks are only made there is none

    return [each for each in entries if not each.marker or Marker(each.marker).evaluate(dict(target))]


# Making ---------------------------------------------------------------------------------------------------------------


def compiled(requirements: Path | str, extras: Iterable[str], constraint: Path | None, *more: str) -> str:
    """Resolve requirements with uv and give the lock's text. requirements: a file, or the lines themselves."""
    command = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "--quiet", "--universal"]
    command += ["--python-version", "3.11", "--generate-hashes", "--no-emit-index-url", "--no-annotate", "--no-header"]
    command += [word for extra in extras for word in ("--extra", extra)]
    command += ["--constraint", str(constraint)] if constraint else []
    said = requirements if isinstance(requirements, str) else None
    command += [*more, "-" if said is not None else str(requirements)]
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False, cwd=ROOT)  # noqa: S603
    if done.returncode != 0:
        raise LockError(f"uv cannot resolve it:\n{done.stderr.strip()}")
    return done.stdout


def upgrades(words: Iterable[str]) -> list[str]:
    """Give uv's words for what is to be newer: everything for "all", else the packages that are named."""
    return ["--upgrade"] if "all" in words else [f"--upgrade-package={word}" for word in words]


def make(newer: Iterable[str]) -> None:
    """Write all lock files. newer: packages to bring up to date, or "all"; the others stay where they can."""
    project = ROOT / "pyproject.toml"
    building = "\n".join([*tomllib.loads(project.read_text())["build-system"]["requires"], *BUILD_TOOLS])
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.txt"
        whole.write_text(before())
        extras = sorted({extra for set_ in SETS.values() for extra in set_})
        compiled(project, extras, None, "--output-file", str(whole), *upgrades(newer))  # with a file, uv says nothing
        write(BUILD, "What builds", compiled(building, (), whole))
        for name, own in SETS.items():
            write(name, f"What a run needs{', with ' + ', '.join(own) if own else ''}", compiled(project, own, whole))


def before() -> str:
    """Give what is locked now, each package once: uv keeps to it where it can."""
    known = {(each.name, each.marker): each for path in LOCKS.glob("*.txt") for each in read(path)}
    lines = [f"{each.name}=={each.version}{' ; ' + each.marker if each.marker else ''}" for each in known.values()]
    return "\n".join([*sorted(lines), ""])


def write(name: str, what: str, text: str) -> None:
    """Write a lock."""
    LOCKS.mkdir(exist_ok=True)
    (LOCKS / f"{name}.txt").write_text(HEAD.format(what=what) + text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="make lock", description="Make the lock files anew.")
    parser.add_argument("newer", nargs="*", help='packages to bring up to date, or "all"; else only what has to change')
    parser.add_argument("--for", dest="target", nargs=3, metavar=("PYTHON", "MACHINE", "LOCK"),
                        help="only print what that Python on that processor needs of a lock")  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        if options.target:
            python, machine, path = options.target
            entries = selected(read(Path(path)), environment(python, machine))
            sys.stdout.write("".join(f"{each.pin()}\n" for each in entries))
        else:
            make(options.newer)
    except LockError as error:
        sys.stderr.write(f"make lock: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Gets the sources of MicroPython, the Pico SDK and TinyUSB from Debian, beside the system's own package lists.

The mirror and its key are the ones this machine's apt already uses; only the suite is another. Nothing is installed.
Knows apt and dpkg; knows nothing of what is built (`image.py`).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.hil.packages import ALONE

SUITE = "trixie"
"""The Debian release that has all three sources."""
TOOLS = {
    "gcc-arm-none-eabi": "arm-none-eabi-gcc",
    "libnewlib-arm-none-eabi": "",
    "libstdc++-arm-none-eabi-newlib": "",
    "cmake": "cmake",
    "make": "make",
    "gcc": "gcc",
    "dpkg-dev": "dpkg-source",
    "nodejs": "node",
    "npm": "npm",
}
"""Debian packages the emulator needs, and the program that shows each is there (none: ask dpkg)."""


class EmulatorError(RuntimeError):
    """Something the emulated pod needs cannot be had; the text says what was tried."""


class Mirror(NamedTuple):
    """Where this machine's Debian packages come from, and the keyring that they are signed by."""

    address: str
    signed_by: str


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a program to its end and give what it printed. Raises EmulatorError with the end of what it said."""
    try:
        done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise EmulatorError(f"{command[0]} is not installed") from error
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-3000:]
        raise EmulatorError(f"`{' '.join(map(str, command))}` failed with status {done.returncode}:\n{said}")
    return done.stdout


def mirror() -> Mirror:
    """Find the system's Debian mirror in apt's own configuration. Raises EmulatorError where there is none."""
    wanted = "$(REPO_URI)|$(SIGNED_BY)|$(ORIGIN)|$(COMPONENT)|$(SUITE)"
    for line in run("apt-get", "indextargets", "--format", wanted, "Created-By: Packages").splitlines():
        address, signed_by, origin, component, suite = line.split("|")
        if origin == "Debian" and component == "main" and not suite.endswith(("security", "updates")):
            keyring = signed_by if signed_by.startswith("/") else "/usr/share/keyrings/debian-archive-keyring.gpg"
            return Mirror(address, keyring)
    raise EmulatorError("apt knows no Debian mirror: run apt-get update, or build the emulator on Debian")


def need_tools() -> None:
    """Install the Debian packages that are missing; not being root, say which they are. Raises EmulatorError."""
    missing = [package for package, program in TOOLS.items() if not _is_there(package, program)]
    if not missing:
        return
    try:
        run(*ALONE, "apt-get", "install", "-y", "--no-install-recommends", *missing)
    except EmulatorError as error:
        raise EmulatorError(f"please install {' '.join(missing)}: {error}") from error


def _is_there(package: str, program: str) -> bool:
    if program:
        return shutil.which(program) is not None
    return subprocess.run(["dpkg", "-s", package], capture_output=True, check=False).returncode == 0


class Apt:
    """apt with a private configuration, lists and cache under `folder`: the system's are not touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        found = mirror()
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "status").touch()
        sources = f"Types: deb deb-src\nURIs: {found.address}\nSuites: {SUITE}\nComponents: main\n"
        (self.folder / "parts" / "debian.sources").write_text(f"{sources}Signed-By: {found.signed_by}\n")
        own = {
            "Dir::Etc::SourceList": "/dev/null",
            "Dir::Etc::SourceParts": self.folder / "parts",
            "Dir::State::Lists": self.folder / "lists",
            "Dir::State::Status": self.folder / "status",
            "Dir::Cache": self.folder / "cache",
            "APT::Sandbox::User": "root",
            "Acquire::Languages": "none",
        }
        self._options = [part for key, value in own.items() for part in ("-o", f"{key}={value}")]

    def update(self) -> None:
        """Fetch the suite's package lists."""
        run("apt-get", *self._options, "update")

    def source(self, package: str, into: Path) -> Path:
        """Unpack a source package, give its folder."""
        into.mkdir(parents=True, exist_ok=True)
        run("apt-get", *self._options, "source", package, cwd=into)
        folders = [path for path in into.iterdir() if path.is_dir() and path.name.startswith(f"{package}-")]
        if len(folders) != 1:
            raise EmulatorError(f"apt-get source {package} gave {len(folders)} folders in {into}, not one")
        return folders[0]

    def unpack(self, package: str, into: Path) -> None:
        """Fetch a binary package and unpack its files, without installing it."""
        into.mkdir(parents=True, exist_ok=True)
        run("apt-get", *self._options, "download", package, cwd=into)
        for archive in into.glob(f"{package}_*.deb"):
            run("dpkg-deb", "-x", archive, into)

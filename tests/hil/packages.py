"""Finds one Debian kernel whose image, headers and source all have the same version, and gets its packages.

Knows apt and dpkg; knows nothing of what is built from them (`image.py`).
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.hil.errors import HilError

META_PACKAGE = "linux-image-amd64"
# Before a command of apt's that changes anything: `.ci/run` has stages beside each other, and apt-get update does not
# wait for another (.ci/packages does the same).
ALONE = ("flock", "/var/cache/apt")

# Package -> the file that shows it is there. Packages that only bring programs are taken as present when the program
# is, so that a machine with its own build of QEMU is left alone.
TOOLS: Mapping[str, str] = {
    "qemu-system-x86": "qemu-system-x86_64",
    "busybox-static": "busybox",
    "kmod": "depmod",
    "cpio": "cpio",
    "gcc": "gcc",
    "make": "make",
    "xz-utils": "xz",
    "iproute2": "tc",
}
# The press tool is linked statically, and so needs the C library's archive.
C_LIBRARY = "libc6-dev"


@dataclass(frozen=True, slots=True)
class Kernel:
    """A Debian kernel: `release` is its ABI name (6.1.0-9-amd64), `version` its package version (6.1.27-1)."""

    release: str
    version: str

    @property
    def series(self) -> str:
        """The first two numbers, as the source package has them in its name: 6.1."""
        return ".".join(self.release.split(".")[:2])

    @property
    def image_package(self) -> str:
        return f"linux-image-{self.release}"

    @property
    def headers_package(self) -> str:
        return f"linux-headers-{self.release}"

    @property
    def source_package(self) -> str:
        return f"linux-source-{self.series}"

    @property
    def name(self) -> str:
        """Release and version, as the name of a folder."""
        return f"{self.release}_{self.version}".replace("/", "-")


def run(*command: str, cwd: Path | None = None) -> str:
    """Runs a program to its end and returns what it printed.

    Raises:
        HilError: it is not there, or failed; with the end of what it said.
    """
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=_plain_environment())
    except FileNotFoundError as error:
        raise HilError(f"{command[0]} is not installed") from error
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()[-3000:]
        raise HilError(f"`{' '.join(command)}` failed with status {done.returncode}:\n{said}")
    return done.stdout


def _plain_environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def named_release(depends: str) -> str | None:
    """The kernel release in the answer of `apt-cache depends linux-image-amd64`; None when it names none."""
    found = re.search(r"^\s*\|?Depends: linux-image-(\S+)$", depends, re.MULTILINE)
    return found.group(1) if found else None


def versions_on_offer(madison: str) -> dict[str, list[str]]:
    """Package -> versions, best first, from the answer of `apt-cache madison` (sources left out)."""
    offered: dict[str, list[str]] = {}
    for line in madison.splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 3 and not fields[2].endswith(" Sources"):
            versions = offered.setdefault(fields[0], [])
            if fields[1] not in versions:
                versions.append(fields[1])
    return offered


def matching_kernel(release: str, offered: Mapping[str, Sequence[str]]) -> Kernel | None:
    """The newest version of a release in which image, headers and source can all be had; None when there is none."""
    for version in offered.get(f"linux-image-{release}", ()):
        kernel = Kernel(release, version)
        others = (kernel.headers_package, kernel.source_package)
        if all(version in offered.get(package, ()) for package in others):
            return kernel
    return None


def releases_newest_first(package_names: Iterable[str]) -> list[str]:
    """Stock amd64 kernel releases among package names, the newest first."""
    pattern = re.compile(r"linux-image-(\d+(?:\.\d+)+(?:-\d+|\+deb\d+(?:\.\d+)*)-amd64)$")
    found = {match.group(1) for name in package_names if (match := pattern.match(name))}
    return sorted(found, key=lambda release: [int(n) for n in re.findall(r"\d+", release)], reverse=True)


def choose_kernel() -> Kernel:
    """The kernel that `linux-image-amd64` names, or else the newest one that is complete.

    Raises:
        HilError: not a Debian amd64 machine, or no release whose three packages agree.
    """
    _require_debian_amd64()
    release = named_release(run("apt-cache", "depends", META_PACKAGE) if _apt_knows(META_PACKAGE) else "")
    if release is None:
        raise HilError(
            f"apt knows no {META_PACKAGE}: the guest runs a stock Debian kernel, so a Debian archive is needed "
            "in /etc/apt/sources.list.d (and `apt-get update`)"
        )
    names = run("apt-cache", "pkgnames", "linux-image-").split()
    tried = [release, *(other for other in releases_newest_first(names) if other != release)]
    offers: dict[str, list[str]] = {}
    for candidate in tried:
        probe = Kernel(candidate, "")
        wanted = (probe.image_package, probe.headers_package, probe.source_package)
        offered = versions_on_offer(run("apt-cache", "madison", *wanted))
        if kernel := matching_kernel(candidate, offered):
            return kernel
        offers[candidate] = [f"{package} {' '.join(offered.get(package, ['-']))}" for package in wanted]
    listed = "\n".join(f"  {candidate}: {'; '.join(texts)}" for candidate, texts in offers.items())
    raise HilError(f"no kernel release has image, headers and source of one version:\n{listed}")


def _require_debian_amd64() -> None:
    if shutil.which("apt-get") is None:
        raise HilError("apt-get is not here: the guest is made of Debian packages, so this runs on Debian only")
    architecture = run("dpkg", "--print-architecture").strip()
    if architecture != "amd64":
        raise HilError(f"this machine is {architecture}: the guest is built for amd64 only")


def _apt_knows(package: str) -> bool:
    known = subprocess.run(("apt-cache", "show", package), capture_output=True, check=False)
    if known.returncode != 0 and os.geteuid() == 0:
        run(*ALONE, "apt-get", "update", "-q")
        known = subprocess.run(("apt-cache", "show", package), capture_output=True, check=False)
    return known.returncode == 0


def installed_version(package: str) -> str | None:
    """The installed version of a package; None when it is not installed."""
    asked = subprocess.run(
        ("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", package),
        capture_output=True,
        text=True,
        check=False,
    )
    status, _, version = asked.stdout.partition(" ")
    return version.strip() if asked.returncode == 0 and status.startswith("ii") else None


def missing_tools() -> list[str]:
    """Packages of the tools that are not on this machine."""
    missing = [package for package, program in TOOLS.items() if shutil.which(program, path=_wide_path()) is None]
    if installed_version(C_LIBRARY) is None:
        missing.append(C_LIBRARY)
    return missing


def _wide_path() -> str:
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])


def install(packages: Sequence[str]) -> None:
    """Installs packages when that is allowed (root).

    Raises:
        HilError: not root; the message is the command to give as root.
    """
    if not packages:
        return
    command = ("apt-get", "install", "-y", "-q", "--no-install-recommends", *packages)
    if os.geteuid() != 0:
        raise HilError(f"packages are missing and only root may install them; as root run:\n  {' '.join(command)}")
    _with_fresh_lists((*ALONE, *command))


def download(package: str, version: str, folder: Path) -> Path:
    """Downloads (does not install) one package of exactly this version into a folder; returns the .deb."""
    folder.mkdir(parents=True, exist_ok=True)
    _with_fresh_lists(("apt-get", "download", "-q", f"{package}={version}"), cwd=folder)
    found = sorted(folder.glob(f"{package}_*.deb"))
    if not found:
        raise HilError(f"apt-get download {package}={version} left no .deb in {folder}")
    return found[-1]


def _with_fresh_lists(command: Sequence[str], cwd: Path | None = None) -> None:
    """Runs apt-get, once more after `apt-get update`: lists that are days old name files that are gone."""
    try:
        run(*command, cwd=cwd)
    except HilError:
        if os.geteuid() != 0:
            raise
        run(*ALONE, "apt-get", "update", "-q")
        run(*command, cwd=cwd)


def mirror(suite: str) -> str:
    """The archive that this machine itself uses for a Debian release, or uses at all.

    Raises:
        HilError: apt knows none.
    """
    sites = run("apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)", "Created-By: Packages").splitlines()
    named = [line.split()[0] for line in sites if line.split()[-1:] == [suite]]
    if not named and not sites:
        raise HilError("apt knows no archive to make a Debian system from")
    return (named or [sites[0].split()[0]])[0]

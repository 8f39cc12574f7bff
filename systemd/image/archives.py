"""Whose packages the card is made of: Raspberry Pi's archive beside Debian's where it answers, else Debian's alone.

Raspberry Pi OS (64 bit) is Debian's arm64 with Raspberry Pi's archive beside it: kernel, firmware and a few settings
are from there. Without it the kernel is Debian's, which runs a Zero 2 W, 3 and 4; a Pi 5 has its header on a chip that
Debian's 6.12 has no driver for.
"""

import tomllib
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

SUITE = "trixie"
DEBIAN = "http://deb.debian.org/debian"
SECURITY = "http://deb.debian.org/debian-security"
RASPBERRY_PI = "http://archive.raspberrypi.com/debian"
COMPONENTS = "main contrib non-free-firmware"
"""The firmware of the chips is non-free; its licences let anybody pass it on."""
KEYRINGS = ("raspberrypi-archive-keyring.pgp", "raspberrypi-archive-keyring.gpg")
"""Of package raspberrypi-archive-keyring, which every Raspberry Pi OS has."""
KEYRING_FOLDER = Path("/usr/share/keyrings")
SECONDS = 8
PACKAGES = Path(__file__).resolve().parent / "packages.toml"
DEBIAN_KIND, RASPBERRY_PI_KIND = "debian", "raspberrypi"
MODELS = {
    DEBIAN_KIND: ("pi3-64bit", "pi4-64bit"),
    RASPBERRY_PI_KIND: ("pi3-64bit", "pi4-64bit", "pi5-64bit"),
}
"""Raspberry Pi Imager's names for what runs the card; a Zero 2 W is among the first."""


class ArchiveError(Exception):
    """The packages cannot be had; its text says why, and what would do."""


@dataclass(frozen=True, slots=True)
class Archive:
    """kind: whose kernel. sources: lines of apt's. packages: by name. told: what was tried, for whoever builds."""

    kind: str
    sources: tuple[str, ...]
    packages: tuple[str, ...]
    told: str


def answers(url: str, seconds: float = SECONDS) -> str:
    """Give "" where an archive's index can be read, else why not."""
    try:
        with urllib.request.urlopen(f"{url}/dists/{SUITE}/InRelease", timeout=seconds) as answer:  # noqa: S310 - http
            answer.read(64)
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))
    return ""


def keyring(folder: Path = KEYRING_FOLDER) -> Path | None:
    """Give the file of keys that Raspberry Pi's archive is signed with; None where this machine has none."""
    return next((folder / name for name in KEYRINGS if (folder / name).is_file()), None)


def debian_sources(mirror: str, security: str) -> tuple[str, ...]:
    """Give apt's lines for Debian. security: "" leaves it out, for a mirror of one moment that has none."""
    lines = [f"deb {mirror} {SUITE} {COMPONENTS}", f"deb {mirror} {SUITE}-updates {COMPONENTS}"]
    if security:
        lines.append(f"deb {security} {SUITE}-security {COMPONENTS}")
    return tuple(lines)


def choose(kind: str, mirror: str = DEBIAN, security: str = SECURITY, keys: Path | None = None) -> Archive:
    """Give what to build from. kind: "auto", "debian" or "raspberrypi"; keys: of Raspberry Pi's archive.

    Raises ArchiveError where "raspberrypi" is asked for and can't be had.
    """
    debian = debian_sources(mirror, security)
    if kind == DEBIAN_KIND:
        return Archive(kind, debian, packages(kind), "Debian's archive alone, as asked")
    lacks = answers(RASPBERRY_PI)
    keys = keys or keyring()
    if not lacks and keys is None:
        lacks = (
            f"it answers, but its keys are not in {KEYRING_FOLDER}: install raspberrypi-archive-keyring, or name them "
            "with --keyring FILE"
        )
    if lacks and kind == RASPBERRY_PI_KIND:
        raise ArchiveError(f"{RASPBERRY_PI} was tried: {lacks}")
    if lacks:
        told = f"{RASPBERRY_PI} was tried: {lacks}. So the kernel is Debian's (Zero 2 W, 3 and 4; no Pi 5)"
        return Archive(DEBIAN_KIND, debian, packages(DEBIAN_KIND), told)
    own = f"deb [signed-by={keys}] {RASPBERRY_PI} {SUITE} main"
    return Archive(
        RASPBERRY_PI_KIND, (*debian, own), packages(RASPBERRY_PI_KIND), f"Raspberry Pi's archive, {RASPBERRY_PI}"
    )


def packages(kind: str) -> tuple[str, ...]:
    """Give the names of the packages, for whose kernel."""
    table = tomllib.loads(PACKAGES.read_text(encoding="utf-8"))
    groups = [*table["all"].values(), *table[kind].values()]
    return tuple(dict.fromkeys(name for group in groups for name in group))

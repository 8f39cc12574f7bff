"""Fetches the wheels that a lock names, and unpacks them: bytes in, files out, the same on every machine.

pip does the fetching and holds each file against the lock's hashes. Unpacking is done here, because what pip leaves
behind differs with its version: no scripts, no compiled files, no notes about the installation.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from dataclasses import dataclass
from email.parser import HeaderParser
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

LEFT_OUT = ("*.pyi", "tests/*", "*/tests/*", "*.dist-info/RECORD", "*.dist-info/INSTALLER", "*.dist-info/REQUESTED")
"""What nobody runs: stubs, tests; and lists of files that would name those."""
LIBRARIES = ("purelib", "platlib")
"""What belongs among the libraries of a wheel's `.data`; scripts, headers and manuals do not."""


class WheelError(Exception):
    """A wheel is not one; its text says why."""


@dataclass(frozen=True)
class Wheel:
    """One wheel, as it was fetched or built."""

    path: Path
    name: str
    """Normalised: lower case, hyphens."""
    version: str
    sha256: str
    """Of the whole file."""

    @property
    def purl(self) -> str:
        """Its package URL, which names this very file."""
        return f"pkg:pypi/{self.name}@{self.version.replace('+', '%2B')}?file_name={self.path.name}"


def normalised(name: str) -> str:
    """Give a distribution's name as locks have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wheel(path: Path) -> Wheel:
    """Give what a file's name and bytes say."""
    name, version = path.name.split("-")[:2]
    return Wheel(path, normalised(name), version, hashlib.sha256(path.read_bytes()).hexdigest())


def members(found: Wheel) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Give each file that is installed, by its place among the libraries. Raises WheelError for one that leads out."""
    with zipfile.ZipFile(found.path) as archive:
        for name in sorted(archive.namelist()):
            place = among_libraries(name)
            if place is None or any(fnmatchcase(place, pattern) for pattern in LEFT_OUT):
                continue
            if place.startswith("/") or ".." in PurePosixPath(place).parts:
                raise WheelError(f"{found.path.name}: {name} leads out of its folder")
            yield PurePosixPath(place), archive.read(name)


def among_libraries(name: str) -> str | None:
    """Give where a member of a wheel is installed, None for what is none of our libraries, as a folder or a script."""
    if name.endswith("/"):
        return None
    if (data := re.match(r"[^/]+\.data/([^/]+)/", name)) is None:
        return name
    return name[data.end() :] if data[1] in LIBRARIES else None


def unpack(found: Wheel, target: Path) -> list[PurePosixPath]:
    """Write a wheel's files below a folder and give them, sorted. Raises WheelError where another wheel has one."""
    written = []
    for place, content in members(found):
        path = target / place
        if path.exists():
            raise WheelError(f"{found.path.name}: {place} is another library's too")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        written.append(place)
    return written


# What a wheel says of itself ------------------------------------------------------------------------------------------


def metadata(found: Wheel) -> Message:
    """Give its METADATA. Raises WheelError where there is none."""
    for place, content in members(found):
        if fnmatchcase(str(place), "*.dist-info/METADATA") and len(place.parts) == 2:
            return HeaderParser().parsestr(content.decode("utf-8"))
    raise WheelError(f"{found.path.name}: no METADATA")


def licences(found: Wheel) -> dict[PurePosixPath, str]:
    """Give the licence texts that it brings: their places and what they say."""
    lawful = re.compile(r"[^/]+\.dist-info/(licenses/.*|(licen[cs]e|copying|notice)[^/]*)", re.IGNORECASE)
    return {place: text.decode("utf-8") for place, text in members(found) if lawful.fullmatch(str(place))}


def own_bills(found: Wheel) -> list[dict[str, Any]]:
    """Give the components that its own bills of materials name (PEP 770)."""
    listed: list[dict[str, Any]] = []
    for place, content in members(found):
        if fnmatchcase(str(place), "*.dist-info/sboms/*.json"):
            listed += json.loads(content).get("components", [])
    return listed

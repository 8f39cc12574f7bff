"""The certificate's file in the state directory, and the notes of a trial that is not finished.

A full disk or a power cut leaves the file that was there before, and never half of one (`files.durable`).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed, Unavailable
from companion.files import durable
from companion.files.reading import MIB, NotThere, read_file

if TYPE_CHECKING:
    from pathlib import Path


class Names(NamedTuple):
    """What the files of one kind of source are called, the certificate and the notes of a trial, and its inputs."""

    certificate: str
    notes: str
    where: str


PANEL = Names("certificate.json", "certificate.notes.json", "GPIO")
PODS = Names("certificate.pods.json", "certificate.pods.notes.json", "the pod's input")


MOST_BYTES = MIB
"""A certificate is a few kilobytes."""


def read(path: Path) -> bytes | None:
    """Give a file's bytes; None where there is none. Raises Unavailable where it cannot be read."""
    try:
        return read_file(path, MOST_BYTES)
    except NotThere:
        return None
    except (Unavailable, Malformed) as error:
        raise Unavailable(f"{path} cannot be read: {error}") from error


def write(path: Path, data: bytes) -> None:
    """Put a file in its place as a whole, durably. Raises Unavailable where it cannot be; the old one then stays."""
    try:
        durable.make_folder(path.parent)
        durable.put(path, data)
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be written ({error.strerror or error}): make room, or make it writable; nothing was changed"
        ) from error


def append(path: Path, data: bytes) -> None:
    """Add to a file, which need not be there. Raises Unavailable."""
    try:
        with path.open("ab") as file:
            file.write(data)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror or error}") from error


def remove(path: Path) -> None:
    """Delete a file, if it is there and can be."""
    with suppress(OSError):
        path.unlink()

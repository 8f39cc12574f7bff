"""The certificate's file in the state directory, and the notes of a trial that is not finished.

A file is written beside its place, waited for, and put there by a rename: a full disk or a power cut leaves the one
that was there before, and never half of one.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import Unavailable


class Names(NamedTuple):
    """What the files of one kind of source are called, the certificate and the notes of a trial, and its inputs."""

    certificate: str
    notes: str
    where: str


PANEL = Names("certificate.json", "certificate.notes.json", "GPIO")
PODS = Names("certificate.pods.json", "certificate.pods.notes.json", "the pod's input")


def read(path: Path) -> bytes | None:
    """Give a file's bytes; None where there is none. Raises Unavailable where it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


def write(path: Path, data: bytes) -> None:
    """Put a file in its place as a whole, durably. Raises Unavailable where it cannot be; the old one then stays."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(path, data)
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


def _put(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(handle, 0o644)
            os.fsync(handle)
        Path(name).rename(path)
    except BaseException:
        remove(Path(name))
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

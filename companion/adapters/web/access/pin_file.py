"""The referee's PIN in the state directory: kept there where it can be, and drawn for this run where it cannot.

A PIN file that cannot be read is left as it is, and nothing about it keeps the pages from being served.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import CompanionError, Malformed, Unavailable
from companion.files import durable

if TYPE_CHECKING:
    from pathlib import Path

PIN_FILE = "referee.pin"
PIN_DIGITS = 6
PIN_NOT_KEPT = "referee's PIN"
"""The alarm's key."""
LARGEST = 64
"""Bytes of a PIN file: more is none."""
_PIN = re.compile(r"[0-9]{4,12}", re.ASCII)


class DrawnPin(NamedTuple):
    """A PIN, and why it is not kept (a sentence; None where it is)."""

    pin: str
    why_not_kept: str | None = None


def draw_pin() -> str:
    """Draw a PIN."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))


def check_pin(pin: str) -> None:
    """Raise Malformed for what is no PIN."""
    if not _PIN.fullmatch(pin):
        raise Malformed("a PIN has 4 to 12 digits")


class PinFile:
    """The desk's PIN in the state directory, readable by the box's user alone."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / PIN_FILE

    def take(self) -> DrawnPin:
        """Give the PIN; where it cannot be read, or a new one not be kept, one for this run, and why. Raises nothing.

        The first time, one is drawn and kept.
        """
        try:
            return DrawnPin(self.load())
        except CompanionError as error:
            return DrawnPin(draw_pin(), f"the PIN is not kept, and holds for this run: {error}")

    def keep(self, pin: str) -> str | None:
        """Keep another PIN; where that cannot be, say why it holds for this run only. Raises Malformed."""
        check_pin(pin)
        try:
            self.store(pin)
        except Unavailable as error:
            return f"the PIN is not kept, and holds for this run: {error}"
        return None

    def load(self) -> str:
        """Give the PIN; the first time, draw one and keep it. Raises Unavailable (with the path), Malformed."""
        try:
            raw = self._read()
        except FileNotFoundError:
            pin = draw_pin()
            self.store(pin)
            return pin
        except OSError as error:
            raise Unavailable(f"cannot read the referee's PIN from {self._path}: {error.strerror or error}") from error
        pin = raw.decode("ascii", "replace").strip()
        if not _PIN.fullmatch(pin):
            raise Malformed(f"{self._path}: a PIN has 4 to 12 digits; delete the file and a new one is drawn")
        return pin

    def store(self, pin: str) -> None:
        """Keep another PIN, durably. Raises Malformed, Unavailable."""
        check_pin(pin)
        try:
            durable.make_folder(self._path.parent)
            durable.put(self._path, f"{pin}\n".encode(), durable.PRIVATE_MODE)
        except OSError as error:
            raise Unavailable(f"cannot write {self._path}: {error.strerror or error}") from error

    def _read(self) -> bytes:
        """Give what is in the file, not more than is needed to see that it is too long. Raises OSError."""
        handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # what has no end is not waited for
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(22, "it is no file", str(self._path))
            return file.read(LARGEST + 1)

"""Serial ports: which ones are pods', and opening one with an error that says what to do. Knows no protocol."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    import serial

BY_ID = Path("/dev/serial/by-id")
"""Where udev lists serial ports by who they are, so that a name stays with its device."""
POD_NAMES = ("MicroPython", "Raspberry_Pi_Pico")
"""Parts of the names of a Pico with MicroPython: `usb-MicroPython_Board_in_FS_mode_e6614104…-if00`."""


def find_pods(folder: Path = BY_ID) -> list[Path]:
    """Give the ports that are a Pico's with MicroPython, in the order of their names."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if any(name in path.name for name in POD_NAMES))


def open_port(path: Path, baud: int = 115_200) -> serial.Serial:
    """Open a port for this program alone; its reads return at once.

    Raises:
        Unavailable: no such port, no permission, held by another program, or no serial port at all.
    """
    import serial  # noqa: PLC0415 - a box without pods starts faster

    try:
        return serial.Serial(str(path), baud, timeout=0, write_timeout=1, exclusive=True)
    except (OSError, ValueError) as error:  # SerialException is an OSError
        raise Unavailable(_why(path, error)) from error


def _why(path: Path, error: OSError | ValueError) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return f"{path} is not there: plug it in, or name another port (ls {BY_ID})"
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission for {path}: add your user to the group dialout ({_add_user()}) and log in again"
    if number in (errno.EBUSY, errno.EAGAIN):
        return (
            f"{path} is held by another program: close it (a serial monitor, mpremote, another companion; "
            "ModemManager tries every new port for some seconds)"
        )
    return f"{path} cannot be opened as a serial port ({error}): name the device's own, under {BY_ID}"


def _add_user() -> str:
    return f"sudo usermod -aG dialout {os.environ.get('USER', '$USER')}"

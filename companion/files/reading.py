"""Files that a person names or that lie about, read with bounds. What is no file, may not be read, or is far too large
leads to one clear sentence, and nothing waits for it.

Only regular files are read: a pipe or a device could keep the program waiting for ever, or never end. A command that
takes standard input has "-" for them. Threads: none.
"""

from __future__ import annotations

import errno
import os
import stat
from importlib import resources
from typing import TYPE_CHECKING, BinaryIO

from companion.core.errors import Malformed, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

MIB = 2**20
MOST = 256 * MIB
"""A record of a long tournament evening is below 10 MiB; nothing that the program reads as a whole is larger."""


class NotThere(Unavailable, FileNotFoundError):
    """There is no file of that name."""


def open_file(path: Path | str) -> BinaryIO:
    """Open a regular file for reading. Raises Unavailable, which names it and says why not; NotThere."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte in it, or one that is none
        raise unreadable(path, error) from error
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise Unavailable(f"cannot read {shown(path)}: {_kind(mode)}")
        return open(handle, "rb")  # noqa: PTH123 - a descriptor
    except BaseException:
        os.close(handle)
        raise


def read_start(path: Path | str, most: int) -> bytes:
    """Give a file's content, and no more of it than `most` bytes. Raises Unavailable."""
    try:
        with open_file(path) as file:
            return file.read(most)
    except (OSError, MemoryError) as error:
        if isinstance(error, Unavailable):
            raise
        raise unreadable(path, error) from error


def read_file(path: Path | str, most: int = MOST) -> bytes:
    """Give a file's content, of at most `most` bytes. Raises Unavailable; Malformed where it is larger."""
    content = read_start(path, most + 1)
    if len(content) > most:
        raise Malformed(f"{shown(path)} is too large: at most {_amount(most)} are read")
    return content


def read_text(path: Path | str, most: int = MOST) -> str:
    """Give a file's text. Raises Unavailable; Malformed where it is larger, or not UTF-8."""
    try:
        return read_file(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"{shown(path)}: not UTF-8 text: {error.reason} at byte {error.start + 1}") from error


def package_text(named: str) -> str:
    """Give a text of a package, named "PACKAGE:FILE". Raises OSError, ValueError, ImportError."""
    package, _, file = named.partition(":")
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")


def write_output(path: Path, content: bytes) -> None:
    """Write what a command gives to a file that was named for it; a device is written to, a pipe that nobody reads not.

    Raises Unavailable, which names it and says why not.
    """
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
        handle = os.open(path, flags, 0o666)
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except (OSError, ValueError) as error:
        why = (error.strerror or error) if isinstance(error, OSError) else error
        raise Unavailable(f"cannot write {shown(path)}: {why}") from error


def unreadable(path: Path | str, error: Exception) -> Unavailable:
    """Give the error for a file that cannot be read."""
    why = (error.strerror or error) if isinstance(error, OSError) else str(error) or type(error).__name__
    kind = NotThere if isinstance(error, FileNotFoundError) else Unavailable
    return kind(f"cannot read {shown(path)}: {why}")


def shown(path: Path | str) -> str:
    """Give a path as an error shows it: what is not to be printed is quoted, what is very long is cut."""
    text = str(path)
    text = text if len(text) <= 300 else f"{text[:300]}…"
    return text if text.isprintable() and text else repr(text)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return os.strerror(errno.EISDIR)
    return "it is a pipe, not a file" if stat.S_ISFIFO(mode) else "it is a device or a socket, not a file"


def _amount(most: int) -> str:
    return f"{most // MIB} MiB" if most >= MIB else f"{most} bytes"

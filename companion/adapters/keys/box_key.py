"""The box's own key: two files in its state directory, which are made once and never written again.

`seal.key` is the private key in hex, for its owner's eyes only. It is made at the first start, whole or not at all: it
is written under another name, brought to the disk, and only then given its own, which is refused where that is taken.
`seal.pub` is the public key in base64, for everybody, written before the first seal is. So a private key that was lost
or changed after it had sealed anything is noticed; a new one never takes its place by itself.

Threads: none of its own. Everything may block for the disk; `prepare` does so only when it makes a key.
"""

from __future__ import annotations

import base64
import binascii
import errno
import os
import secrets
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.adapters.keys.ed25519 import KEY_BYTES, SEED_BYTES, Ed25519Signer
from companion.core.errors import Malformed, Unavailable
from companion.files.durable import sync_folder

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE, PUBLIC = "seal.key", "seal.pub"
PRIVATE_MODE, PUBLIC_MODE = 0o600, 0o644
_MOST_BYTES = 1000
"""Longer is no key, and is not read to its end."""


class BoxKey:
    """The key in a state directory, whether it is there yet or not."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.private, self.public = directory / PRIVATE, directory / PUBLIC

    def prepare(self) -> None:
        """Make the key where there has never been one, else see that it can be used.

        Raises Unavailable (it cannot be read or kept, others may read it, it is gone), Malformed (it is not whole).
        """
        if not self._is_there():
            self._write(self.private, secrets.token_hex(SEED_BYTES).encode() + b"\n", PRIVATE_MODE)
        self._seed()

    def look(self) -> bytes | None:
        """Give the public key once both files are seen to be well; None where there has never been a key.

        Makes and writes nothing. Raises what `signer` raises.
        """
        return self._opened()[0].key if self._is_there() else None

    def signer(self) -> Ed25519Signer:
        """Give what signs with the key that is there; writes the public key where it is not there yet.

        Raises what `prepare` raises, Malformed also where the two files do not belong together.
        """
        signer, is_stated = self._opened()
        if not is_stated:
            self._write(self.public, base64.b64encode(signer.key) + b"\n", PUBLIC_MODE)
        return signer

    def public_key(self) -> bytes:
        """Give the public key, from its own file where it is there, which anybody may read. Raises as `signer`."""
        stated = self._stated()
        return Ed25519Signer(self._seed()).key if stated is None else stated

    def _is_there(self) -> bool:
        """Tell whether there is a private key. Raises Unavailable where there was one."""
        if os.path.lexists(self.private):
            return True
        if os.path.lexists(self.public):
            raise Unavailable(
                f"{self.private} is gone, and {self.public} says that there was one: put it back, or remove both for"
                " a new key, by which nobody knows this box yet"
            )
        return False

    def _opened(self) -> tuple[Ed25519Signer, bool]:
        """Give what signs, and whether its public key is in its file already. Raises Unavailable, Malformed."""
        signer, stated = Ed25519Signer(self._seed()), self._stated()
        if stated is not None and stated != signer.key:
            raise Malformed(f"{self.private} is not the private key of {self.public}: one of them has been changed")
        return signer, stated is not None

    def _seed(self) -> bytes:
        """Read the private key. Raises Unavailable, Malformed."""
        text, mode = _read(self.private)
        if stat.S_IMODE(mode) & 0o077:
            raise Unavailable(
                f"{self.private} may be read by others (mode {stat.S_IMODE(mode):04o}), so that what it signs proves"
                f" nothing: chmod 600 {self.private} if nobody has"
            )
        with suppress(ValueError):
            seed = bytes.fromhex(text.decode("ascii"))
            if len(seed) == SEED_BYTES and text == seed.hex().encode() + b"\n":
                return seed
        raise Malformed(f"{self.private} is not whole: it should be {2 * SEED_BYTES} hex digits on one line")

    def _stated(self) -> bytes | None:
        """Read the public key's own file, None where it is not there. Raises Unavailable, Malformed."""
        try:
            text, _ = _read(self.public)
        except FileNotFoundError:
            return None
        with suppress(binascii.Error):
            key = base64.b64decode(text.strip(), validate=True)
            if len(key) == KEY_BYTES:
                return key
        raise Malformed(f"{self.public} is not whole: it should be {KEY_BYTES} bytes in base64")

    def _write(self, path: Path, content: bytes, mode: int) -> None:
        """Write a file that is not there, durably and as a whole. Raises Unavailable."""
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            _write_synced(draft, content, mode)
            with suppress(FileExistsError):  # another process was quicker: its key is this box's
                os.link(draft, path)
            draft.unlink()
            sync_folder(self._directory)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise Unavailable(f"no key can be kept in {self._directory}: {error.strerror or error}") from error


class _Missing(Unavailable, FileNotFoundError):
    """A file of the key is not there."""


def _read(path: Path) -> tuple[bytes, int]:
    """Give a file's content and mode. Raises Unavailable."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            mode = os.fstat(handle).st_mode
            if not stat.S_ISREG(mode):
                raise Unavailable(f"{path} is no file")
            return os.read(handle, _MOST_BYTES), mode
        finally:
            os.close(handle)
    except FileNotFoundError as error:
        raise _Missing(f"{path} is not there: the box makes its key at its first start") from error
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


def _write_synced(path: Path, content: bytes, mode: int) -> None:
    with suppress(FileNotFoundError):
        path.unlink()  # left by a start that was cut off
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        os.fchmod(handle, mode)  # whatever the umask says
        if os.write(handle, content) != len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    finally:
        os.close(handle)

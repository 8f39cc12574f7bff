"""Files that a power cut or a full disk leaves whole: the one that was there before, or the new one, and never half.

A file is written beside its place, waited for, and put there by a rename, which is waited for too. Where the
superuser writes among the files of another user, the new file is that user's: the service must be able to read what an
administrator's command has left.

Threads: none; everything may block for the disk.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

PUBLIC_MODE, PRIVATE_MODE = 0o644, 0o600


def put(path: Path, content: bytes, mode: int = PUBLIC_MODE) -> None:
    """Put a file in its place as a whole, durably, in place of any that is there; its folder must be there.

    mode: its permissions, whatever the umask says; a disk that knows none (FAT, a Pi's boot partition) has its own for
    all files, and no private ones. Raises OSError; then nothing has changed.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            _set_mode(handle, mode)
            give_to_owner(handle, path.parent)
            os.fsync(handle)
        draft.rename(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_folder(path.parent)


def _set_mode(handle: int, mode: int) -> None:
    try:
        os.fchmod(handle, mode)
    except PermissionError:  # of one's own new file: only a file system without modes refuses
        if mode != PUBLIC_MODE:
            raise


def make_folder(folder: Path, mode: int = 0o755) -> None:
    """Make a folder and those above it where they are missing; each is its parent's owner's. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode)
        give_to_owner(folder, folder.parent)
    if not folder.is_dir():
        raise NotADirectoryError(20, "it is no folder", str(folder))


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def give_to_owner(made: int | Path, folder: Path) -> None:
    """Make a new file, or a folder, that of the owner of the folder that it is in, where this process may.

    made: an open descriptor, or a path that is no symbolic link's. Raises OSError.
    """
    if os.geteuid() == 0:
        of = folder.stat()
        os.chown(made, of.st_uid, of.st_gid)

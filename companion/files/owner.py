"""Acting as the owner of a folder: what the superuser makes there must be the service's afterwards.

Threads: the whole process changes who it is; only for a program that has one thread.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Where this process is the superuser's, be the folder's owner within; else change nothing. Raises OSError."""
    if os.geteuid() != 0:
        yield
        return
    of, group = folder.stat(), os.getegid()
    os.setegid(of.st_gid)
    os.seteuid(of.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)

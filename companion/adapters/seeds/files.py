"""Seeds on disk, so that a box that lost its power goes on drawing from the one it has committed to.

A file for each seed, named by the SHA-256 that the match's setup holds; it is there, durably, before the setup is
written. A seed that cannot be kept is not used: the match is then rolled by hand.
"""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.ruling.chance import commitment
from companion.files import durable

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)
BYTES = 32
KEPT = 50
"""So many seeds are kept; the oldest go, whose matches are long over."""


class SeedFiles:
    """The seeds in `folder`, which is made when the first is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new(self) -> str:
        """Give a fresh seed, in hex, once it is safely on disk; empty where it cannot be."""
        seed = secrets.token_hex(BYTES)
        path = self._folder / commitment(seed)
        try:
            durable.make_folder(self._folder, 0o700)
            durable.put(path, seed.encode("ascii"), durable.PRIVATE_MODE)
        except OSError as error:
            LOG.warning("no seed can be kept in %s (%s): dice and draws are made by hand", self._folder, error)
            return ""
        self._tidy()
        return seed

    def find(self, sha256: str) -> str:
        """Give the seed of this SHA-256; empty where it is not there, or is not what it was."""
        try:
            seed = (self._folder / sha256).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            return ""
        return seed if commitment(seed) == sha256 else ""

    def _tidy(self) -> None:
        with suppress(OSError):
            for path in sorted(self._folder.iterdir(), key=lambda found: found.stat().st_mtime)[:-KEPT]:
                path.unlink()

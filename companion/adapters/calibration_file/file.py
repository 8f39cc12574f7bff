"""The file of trials that are gone on with: put in its place as a whole after each, and waited for by nobody.

It is written in the loop's thread between two trials, so it is not synced: after a power cut the newest trials may be
missing, or the file as a whole, and never anything of a profile. What is read is bytes; the core says what they are.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable
from companion.files.durable import PRIVATE_MODE, give_to_owner, make_folder
from companion.files.reading import MIB, NotThere, read_file

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "calibration.json"


class CalibrationFile:
    """The trials that are kept in one state directory."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME

    def read(self) -> bytes | None:
        """Give what is kept, None where nothing is. Raises Unavailable."""
        try:
            return read_file(self.path, MIB)
        except NotThere:
            return None
        except ValueError as error:
            raise Unavailable(f"{self.path}: {error}") from error

    def keep(self, content: bytes | None) -> None:
        """Put this in the place of what is kept; None: keep nothing any more. Raises Unavailable."""
        try:
            if content is None:
                self.path.unlink(missing_ok=True)
                return
            make_folder(self.path.parent)
            self._put(content)
        except OSError as error:
            raise Unavailable(f"the trials cannot be kept: {error.strerror or error}") from error

    def _put(self, content: bytes) -> None:
        draft = self.path.with_name(f".{FILE_NAME}.draft")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_MODE)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                give_to_owner(handle, self.path.parent)
            draft.rename(self.path)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise

"""Which event a box has joined: by its settings, or by `companion event join`, which keeps it in a file of its own.

The password is in no setting that is shown: it stands in a file that only the box may read.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import Malformed, Unavailable
from companion.core.words.encoding import encode
from companion.files.durable import PRIVATE_MODE, make_folder, put
from companion.files.reading import read_file, read_text
from companion.tournament.log.lines import BoxId, EventId

if TYPE_CHECKING:
    from companion.config.groups.event import EventSettings

FILE_NAME = "event-joined.json"
"""In the state directory: what was typed once."""
MOST_PASSWORD = 200
MOST_BYTES = 16_384


class Joined(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event, as this box takes part in it. password: empty for none; password_file: where it stands instead.

    ca_file: "" for the authorities of the system. certificate, key: in the place of a password.
    """

    broker: str
    event: EventId
    box: BoxId
    password: str = ""
    password_file: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""

    def __repr__(self) -> str:
        return f"Joined({self.broker}, {self.event}, {self.box})"

    def secret(self) -> str | None:
        """Give the password, None for none. Raises Unavailable, Malformed: its file is not as it should be."""
        if self.password_file:
            return read_password(Path(self.password_file))
        return self.password or None


def read_password(path: Path) -> str:
    """Read a file with a password on one line, which others may not read. Raises Unavailable, Malformed."""
    found = read_text(path, MOST_BYTES).removesuffix("\n")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise Unavailable(f"{path} may be read by others (mode {mode:04o}): chmod 600 {path}, by the box's user")
    if not found or len(found) > MOST_PASSWORD or not found.isprintable():
        raise Malformed(f"{path} is no password: one line of at most {MOST_PASSWORD} characters")
    return found


def joined_of(settings: EventSettings, folder: Path) -> Joined | None:
    """Give the event that holds: that of the settings, else what was typed once; None for none.

    Raises Unavailable, Malformed: what was typed cannot be read.
    """
    if not settings.broker:
        return read_joined(folder)
    return Joined(
        settings.broker,
        settings.event,
        settings.box,
        password_file=settings.password_file,
        ca_file=settings.ca_file,
        certificate=settings.certificate,
        key=settings.key,
    )


def read_joined(folder: Path) -> Joined | None:
    """Give what was typed once, None where nothing was. Raises Unavailable, Malformed."""
    path = folder / FILE_NAME
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(read_file(path, MOST_BYTES), type=Joined)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path}: {error}; join the event again: companion event join") from error


def keep_joined(folder: Path, joined: Joined) -> None:
    """Keep it durably, for the box alone. Raises Unavailable."""
    try:
        make_folder(folder)
        put(folder / FILE_NAME, encode(joined) + b"\n", PRIVATE_MODE)
    except OSError as error:
        raise Unavailable(f"it cannot be kept in {folder}: {error.strerror or error}") from error


def forget_joined(folder: Path) -> None:
    """Keep it no longer. Raises Unavailable."""
    try:
        (folder / FILE_NAME).unlink(missing_ok=True)
    except OSError as error:
        raise Unavailable(f"{folder / FILE_NAME} cannot be taken away: {error.strerror or error}") from error

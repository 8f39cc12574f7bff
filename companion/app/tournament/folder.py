"""The desk's folder: which event it is, and its seed, which nobody may know before check-in has closed.

The seed is drawn when the event is begun, and is in no log until check-in closes; its hash is in the log's first line.
So it is in a file of its own that the desk's account alone can read. Whoever loses that file before check-in has closed
has to begin the event anew; after that it is in the log.
"""

from __future__ import annotations

import secrets
import stat
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import Malformed, Unavailable
from companion.core.record.lines import Seed
from companion.core.words.encoding import encode
from companion.files.durable import PRIVATE_MODE, make_folder, put
from companion.files.reading import read_file
from companion.tournament.log.chain import Chain
from companion.tournament.log.lines import LOG_VERSION, EventId, EventLine, parse_entry, write_entry

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

FILE = "desk.json"
SEED_BYTES = 16
MOST_BYTES = 4_096
FOLDER_MODE = 0o700


class KeptDesk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the folder says. seed: hex digits."""

    event: EventId
    seed: Seed

    def __repr__(self) -> str:
        return f"KeptDesk({self.event})"

    @property
    def seed_sha256(self) -> str:
        """The hash that is published."""
        return sha256(self.seed.encode()).hexdigest()


def kept_desk(folder: Path) -> KeptDesk | None:
    """Give what is kept in a folder, None where nothing is. Raises Unavailable, Malformed."""
    path = folder / FILE
    if not path.exists():
        return None
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise Unavailable(f"{path} has the event's seed and may be read by others: chmod 600 {path}")
    try:
        return msgspec.json.decode(read_file(path, MOST_BYTES), type=KeptDesk)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path}: {error}; take it from a backup") from error


def begin_desk(folder: Path, event: str, seed: str | None = None) -> KeptDesk:
    """Draw a seed for a new event, and keep it. seed: in its place, for a simulation.

    Raises Malformed (the event's id), Unavailable.
    """
    try:
        kept = msgspec.convert({"event": event, "seed": seed or secrets.token_hex(SEED_BYTES)}, KeptDesk)
    except msgspec.ValidationError as error:
        raise Malformed(f"{event!r} cannot name an event: 1 to 32 lower case letters, digits and hyphens") from error
    try:
        make_folder(folder, FOLDER_MODE)
        put(folder / FILE, encode(kept), PRIVATE_MODE)
    except OSError as error:
        raise Unavailable(f"no event can be kept in {folder}: {error.strerror or error}") from error
    return kept


def first_line(kept: KeptDesk, wall: str, **fields: Any) -> bytes:
    """Give the first line of the event's log. fields: name, game and what else `EventLine` has. Raises Malformed."""
    line = Chain().next(EventLine, wall, log=LOG_VERSION, event=kept.event, seed_sha256=kept.seed_sha256, **fields)
    raw = write_entry(line)
    parse_entry(raw, 1)
    return raw

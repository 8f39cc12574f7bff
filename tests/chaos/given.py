"""What the processes of the event are given: one file in its folder, and where in it everything lies."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.adapters.keys.box_key import BoxKey
from companion.tournament.fingerprint import fingerprint
from tests.chaos.plan import Played

FILE = "given.json"
EVENT, NAME, GAME = "chaos", "A tournament in chaos", "order"
DESK = "desk"


class Given(msgspec.Struct, frozen=True):
    """An event. rounds: None until `enough` is there. pace_ms: what a box waits at each turn of a match.

    brokers: by who connects, the desk too. spoils: what is broken on purpose, to see that it is noticed; "": nothing.
    """

    seed: str
    boxes: tuple[str, ...]
    players: int
    races: int
    rounds: int | None
    pace_ms: float
    logins: dict[str, str]
    brokers: dict[str, str]
    authority: str
    spoils: str = ""

    @property
    def played(self) -> Played:
        """What the races follow from."""
        return Played(self.seed, EVENT, self.races)


def write_given(folder: Path, given: Given) -> None:
    """Keep it."""
    (folder / FILE).write_bytes(msgspec.json.encode(given))


def read_given(folder: Path) -> Given:
    """Give it."""
    return msgspec.json.decode((folder / FILE).read_bytes(), type=Given)


def desk_folder(folder: Path) -> Path:
    """Give where the desk has its files."""
    return folder / DESK


def store_file(folder: Path) -> Path:
    """Give where the desk's store is."""
    return desk_folder(folder) / "event.sqlite3"


def box_folder(folder: Path, box: str) -> Path:
    """Give a box's state directory."""
    return folder / "boxes" / box


def enough_file(folder: Path) -> Path:
    """Give what says, once it is there, that no further round is drawn."""
    return folder / "enough"


def ended_file(folder: Path) -> Path:
    """Give what says that the event has ended."""
    return folder / "ended"


def notes_file(folder: Path) -> Path:
    """Give what the desk has noted, a line each."""
    return folder / "notes"


def code_of(folder: Path, box: str) -> str | None:
    """Give the code that a box's display shows; None: it has not made its key yet."""
    key = BoxKey(box_folder(folder, box)).look()
    return None if key is None else fingerprint(key)

"""The files of a box by game and parameter: STATE/files/GAME/KEY/NAME, each put in its place as a whole.

They are few and small (`MOST_FILES`, `MOST_BYTES`), so all are kept in memory too: whoever asks for them before a match
waits for no disk. What lies in the folder and cannot be a file of the box is left where it is, and said.

Threads: any. Readers see one frozen mapping; whoever looks into the folder or changes it holds a lock, and waits for
the disk.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from companion.core.errors import CompanionError, Illegal, Unavailable
from companion.core.ruling.parameters import LARGEST_FILE, why_no_name
from companion.files.durable import make_folder, put, sync_folder
from companion.files.reading import MIB, read_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LOG = logging.getLogger("companion")

FOLDER = "files"
MOST_FILES = 200
"""In all, of every game."""
MOST_BYTES = MIB
"""In all; as large as they are in memory, too."""
MOST_LOOKED_AT = 2000
"""Names in the folder that are looked at: what somebody has tipped in there does not hold the box up."""


class Place(NamedTuple):
    """Where a file belongs."""

    game: str
    key: str
    name: str


class FileFolder:
    """The files of one state directory. problems: sentences on what lies there and is left out; () for nothing."""

    def __init__(self, directory: Path) -> None:
        self._folder = directory / FOLDER
        self.problems: tuple[str, ...] = ()
        self._kept: Mapping[Place, str] = MappingProxyType({})
        self._lock = threading.Lock()

    @property
    def kept(self) -> Mapping[Place, str]:
        """The texts as they were when the folder was last looked into or changed; waits for nothing."""
        return self._kept

    def look(self) -> None:
        """See what is in the folder now. Raises nothing: what cannot be read is in `problems`."""
        with self._lock:
            self._look()

    def put(self, place: Place, text: str) -> None:
        """Keep a text, durably, in place of any of that name. Raises Unavailable or Illegal; nothing has changed then.

        The name is one that a file may have, and the text one that `faults_of` lets pass for its size and characters.
        """
        with self._lock:
            self._look()
            others = {one: kept for one, kept in self._kept.items() if one != place}
            _verify_room(others, text)
            path = self._path(place)
            try:
                make_folder(path.parent)
                put(path, text.encode("utf-8"))
            except OSError as error:
                why = error.strerror or str(error)
                raise Unavailable(f"{place.name} cannot be stored: {why}; nothing has changed") from error
            self._kept = MappingProxyType({**others, place: text})

    def remove(self, place: Place) -> None:
        """Keep a file no longer. Raises Unavailable; nothing has changed then."""
        with self._lock:
            path = self._path(place)
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                why = error.strerror or str(error)
                raise Unavailable(f"{place.name} cannot be deleted: {why}; nothing has changed") from error
            with suppress(OSError):  # it is gone for everybody but a power cut
                sync_folder(path.parent)
            self._kept = MappingProxyType({one: text for one, text in self._kept.items() if one != place})

    # -- inside ------------------------------------------------------------------------------------------------------

    def _path(self, place: Place) -> Path:
        return self._folder / _part(place.game) / _part(place.key) / place.name

    def _look(self) -> None:
        found: dict[Place, str] = {}
        problems: list[str] = []
        try:
            paths = list(islice(self._paths(), MOST_LOOKED_AT + 1))
        except OSError as error:
            self._say([f"{shown(self._folder)} cannot be read: {error.strerror or error}"])
            return
        if len(paths) > MOST_LOOKED_AT:
            problems.append(f"{shown(self._folder)} has more than {MOST_LOOKED_AT} names: the others are not looked at")
        for place, path in sorted(paths[:MOST_LOOKED_AT]):
            why = self._why_left_out(found, place, path)
            if why:
                problems.append(why)
        self._kept = MappingProxyType(found)
        self._say(problems)

    def _why_left_out(self, found: dict[Place, str], place: Place, path: Path) -> str:
        """Read a file into `found`; where it is no file of the box, say why."""
        if why := why_no_name(place.name):
            return f"{shown(path)} is left out: {why}"
        try:
            text = read_text(path, LARGEST_FILE)
            _verify_room(found, text)
        except CompanionError as error:
            return f"{shown(path)} is left out: {error}"
        found[place] = text
        return ""

    def _paths(self) -> Iterator[tuple[Place, Path]]:
        """Give what lies where files are. Raises OSError; a folder that is not there has nothing in it."""
        for game in _inside(self._folder):
            for key in _inside(game):
                for path in _inside(key):
                    if not path.name.startswith("."):  # a draft of `put` that a power cut has left
                        yield Place(unquote(game.name), unquote(key.name), path.name), path

    def _say(self, problems: list[str]) -> None:
        told = tuple(problems)
        if told != self.problems:
            for problem in told[:10]:
                LOG.warning("%s", problem)
        self.problems = told


def _part(name: str) -> str:
    """Give the name of a folder for a game or a parameter, whatever they are called."""
    return quote(name, safe="").replace(".", "%2E")


def _inside(folder: Path) -> Iterator[Path]:
    return folder.iterdir() if folder.is_dir() and not folder.is_symlink() else iter(())


def _verify_room(others: Mapping[Place, str], text: str) -> None:
    """Raise Illegal where one more text has no room beside others."""
    if len(others) >= MOST_FILES:
        raise Illegal(f"this box keeps {MOST_FILES} files already: delete one first")
    if sum(_size(one) for one in others.values()) + _size(text) > MOST_BYTES:
        raise Illegal(f"the files of this box have {MOST_BYTES // 1024} KiB together: delete one first")


def _size(text: str) -> int:
    return len(text.encode("utf-8"))

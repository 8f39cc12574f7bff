"""The file of ratings: read anew each time, and put in its place as a whole, for its owner alone to read.

Threads: any; whoever changes it holds a lock from reading to writing. Everything may block for the disk. One program at
a time changes it, the desk; others read.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

import msgspec

from companion.adapters.ratings.book import VERSION, Ratings
from companion.adapters.ratings.model import rate
from companion.core.errors import Malformed, Unavailable
from companion.core.words.encoding import encode
from companion.files.aside import set_aside
from companion.files.durable import PRIVATE_MODE, make_folder, put
from companion.files.reading import MIB, NotThere, read_file, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from companion.adapters.ratings.book import Person, Rate
    from companion.tournament.results import TableResult

LOG = logging.getLogger("companion")

FILE_NAME = "ratings.json"
MOST_BYTES = 64 * MIB


def read_ratings(path: Path) -> Ratings:
    """Give the ratings in a file. Raises Unavailable (also where a newer version wrote it), NotThere, Malformed."""
    content = read_file(path, MOST_BYTES)
    try:
        version = msgspec.json.decode(content, type=_Version).version
        if version <= VERSION:
            return msgspec.json.decode(content, type=Ratings)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"{shown(path)} has no ratings that can be read: {error}") from error
    raise Unavailable(f"{shown(path)} was written by a newer version of this program: install that one")


class RatingsFile:
    """The ratings in a folder. fault: a sentence where a broken file was set aside, else empty."""

    def __init__(self, directory: Path, rate: Rate = rate) -> None:
        self.path = directory / FILE_NAME
        self.fault = ""
        self._rate = rate
        self._lock = threading.Lock()

    def read(self) -> Ratings:
        """Give the ratings; none where there is no file yet. A broken file is set aside, and `fault` says so.

        Raises Unavailable: no permission, a failing disk, or a newer version wrote it.
        """
        with self._lock:
            return self._read()

    def add(self, event: str, results: Iterable[TableResult], people: Mapping[int, Person]) -> Ratings:
        """Take those final results of an event that are not in the ratings yet, durably, and give the ratings.

        Once in, a table changes nothing any more; see `Ratings.with_results`, also for `event` and `people`. Raises
        Illegal, and Unavailable, also where openskill is not installed; then nothing has changed.
        """
        with self._lock:
            before = self._read()
            after = before.with_results(event, results, people, self._rate)
            if after != before:
                self._write(after)
            return after

    def _read(self) -> Ratings:
        try:
            return read_ratings(self.path)
        except NotThere:
            return Ratings()
        except Malformed as error:
            return self._broken(str(error))

    def _broken(self, why: str) -> Ratings:
        try:
            aside = set_aside(self.path)
        except OSError as error:
            raise Unavailable(f"{why}; and it cannot be set aside: {error.strerror or error}") from error
        self.fault = f"{why}; it is kept as {aside.name}, and ratings begin anew"
        LOG.error("%s", self.fault)
        return Ratings()

    def _write(self, ratings: Ratings) -> None:
        try:
            make_folder(self.path.parent)
            put(self.path, msgspec.json.format(encode(ratings)) + b"\n", PRIVATE_MODE)
        except OSError as error:
            raise Unavailable(f"the ratings cannot be stored: {error.strerror or error}") from error


class _Version(msgspec.Struct):
    """Of the file, no more than which version wrote it."""

    version: int = VERSION

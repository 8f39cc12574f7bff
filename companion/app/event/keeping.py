"""What a box keeps of its event over a restart, in a small file; and which matches the desk has not got whole.

A loss of the file costs no line: they are sent again, and the desk has each once. So it is not written for each
acknowledgement, as that would have the card's own work wait: at most once in `APART_NS`, and at the end.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from companion.core.errors import CompanionError, Malformed
from companion.core.record.lines import Event
from companion.core.timing.events import SECOND
from companion.files.durable import put
from companion.files.reading import MIB, read_file
from companion.tournament.box.kept import Kept, is_owed, read_kept, write_kept

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger("companion")
FILE_NAME = "event.json"
APART_NS = 10 * SECOND


class SetupOf(msgspec.Struct):
    """No more of a record's first line than tells which match of which event it is."""

    match: str = ""
    event: Event | None = None


_decode = msgspec.json.Decoder(SetupOf).decode


def setup_of(first: bytes) -> SetupOf:
    """Read a record's first line; one that is none says nothing."""
    try:
        return _decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return SetupOf()


class KeptFile:
    """What is kept of one event. `kept` is a frozen value that another thread may read; all else is its owner's."""

    def __init__(self, folder: Path, event: str) -> None:
        self._path = folder / FILE_NAME
        self._written: Kept | None = None
        self._written_ns: int | None = None
        self.kept = self._read(event)

    def _read(self, event: str) -> Kept:
        """Read it; what cannot be read, or is of another event, is begun anew."""
        try:
            kept = read_kept(read_file(self._path, MIB)) if self._path.exists() else Kept(event=event)
        except (CompanionError, Malformed) as error:
            LOG.warning("%s: %s; it is begun anew", self._path, error)
            return Kept(event=event)
        if kept.event != event:
            return Kept(event=event)
        self._written = kept
        return kept

    def is_spared(self, first: bytes, lines: int) -> bool:
        """Tell of a match, by its first line and the number of its lines, whether the desk still lacks some of it."""
        if b'"event"' not in first:
            return False
        setup = setup_of(first)
        is_ours = setup.event is not None and setup.event.id == self.kept.event
        return is_ours and is_owed(self.kept.acknowledged, setup.match, lines)

    def write(self, now_ns: int, *, is_last: bool = False) -> None:
        """Write what has changed, but for what can wait. What cannot be written is logged, and tried again."""
        if self.kept == self._written:
            return
        is_urgent = is_last or self._written is None or not _differ_in_counts_alone(self.kept, self._written)
        if not is_urgent and self._written_ns is not None and now_ns - self._written_ns < APART_NS:
            return
        self._written_ns = now_ns
        try:
            put(self._path, write_kept(self.kept))
        except OSError as error:
            LOG.warning("%s cannot be written: %s", self._path, error.strerror or error)
            return
        self._written = self.kept

    def due_ns(self) -> int | None:
        """Give when `write` has something to do that could wait; None: nothing waits."""
        if self.kept == self._written or self._written_ns is None:
            return None
        return self._written_ns + APART_NS


def _differ_in_counts_alone(one: Kept, other: Kept) -> bool:
    return replace(one, acknowledged={}) == replace(other, acknowledged={})

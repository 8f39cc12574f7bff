"""Gives the event's thread the stored lines of its matches: earlier ones from the disk, the running one as it grows.

A match is known by its setup's random bits; the journal's number of it is only how it is asked for.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.sqlite_journal import NothingStored, export_first_lines, export_lines
from companion.app.event.keeping import setup_of
from companion.core.errors import CompanionError, UnknownMatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from companion.core.record.lines import Event
    from companion.ports import Journal

LOG = logging.getLogger("companion")
_END = b'"type":"end"'


class More(NamedTuple):
    """Lines of a match that are safely stored and were not given before. match: its random bits."""

    match: str
    event: Event
    lines: list[bytes]

    @property
    def place(self) -> tuple[int, int, str]:
        """Round, table, and the hash of the drawing."""
        return self.event.round, self.event.table, self.event.sheet

    @property
    def has_end(self) -> bool:
        """Tell whether the match was ended in these lines."""
        return any(_END in line for line in self.lines)


class EventRecords:
    """The records of one event's matches, each line given once. Used by the event's thread alone."""

    def __init__(self, event: str, folder: Path, journal: Journal) -> None:
        self._event, self._folder, self._journal = event, folder, journal
        self._given: dict[str, int] = {}
        self._is_loaded = False

    def stored(self) -> Iterator[More]:
        """Give what lay on the disk at the start, once; where that cannot be read, it is tried again."""
        if self._is_loaded:
            return
        try:
            first_lines = export_first_lines(self._folder)
            for number in sorted(first_lines):
                setup = setup_of(first_lines[number])
                if setup.event is not None and setup.event.id == self._event:
                    yield from self._new(setup.match, setup.event, export_lines(self._folder, number))
        except NothingStored:
            pass
        except CompanionError as error:
            LOG.warning("matches of the event are not read yet: %s", error)
            return
        self._is_loaded = True

    def grown(self, durable: Mapping[int, int]) -> Iterator[More]:
        """Give what has been stored since. durable: how many lines are, by the journal's number of the match."""
        for number, count in durable.items():
            try:
                lines = self._journal.lines(number)[:count]
            except UnknownMatch as error:
                LOG.debug("%s", error)
                continue
            setup = setup_of(lines[0]) if lines else None
            if setup is not None and setup.event is not None and setup.event.id == self._event:
                yield from self._new(setup.match, setup.event, lines)

    def _new(self, match: str, event: Event, lines: list[bytes]) -> Iterator[More]:
        known = self._given.get(match, 0)
        if len(lines) > known or match not in self._given:
            self._given[match] = len(lines)
            yield More(match, event, lines[known:])

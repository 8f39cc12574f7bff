"""A box's part in an event: its thread, what it keeps, and what it does at the box. Without any of it the box referees.

Nothing here can keep a box from starting: what is missing (a password, a key) is said, and tried again.
"""

from __future__ import annotations

import base64
import logging
import time
from typing import TYPE_CHECKING

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.service.installed import program_version
from companion.app.event.at_box import EVENT, AtBox
from companion.app.event.keeping import KeptFile
from companion.app.event.linking import link_of
from companion.app.event.records import EventRecords
from companion.app.event.thread import NOT_YET, EventThread
from companion.config.installed_games import games_in
from companion.core.errors import CompanionError
from companion.core.words.texts import text
from companion.tournament.box.kept import Who
from companion.tournament.box.machine import BoxInEvent
from companion.tournament.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.event.at_box import Loop
    from companion.app.event.joined import Joined
    from companion.app.event.thread import MakeLink

LOG = logging.getLogger("companion")


class BoxAtEvent:
    """An event that the box has joined, as a part of the box, and the journal's outbox: what must not be deleted.

    folder: the state directory. language: of the games. make_link: None for the broker of `joined`.
    """

    def __init__(
        self,
        joined: Joined,
        folder: Path,
        language: str,
        *,
        make_link: MakeLink | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._joined, self._folder, self._language, self._clock = joined, folder, language, clock
        self._make_link = make_link or link_of(joined)
        self._kept = KeptFile(folder, joined.event)
        self._thread: EventThread | None = None

    def durable(self, match_id: int, count: int) -> None:
        """Lines are stored: have them pushed."""
        if self._thread is not None:
            self._thread.waiting.durable(match_id, count)

    def is_spared(self, first: bytes, lines: int) -> bool:
        """Tell whether the desk still lacks some of a match."""
        return self._kept.is_spared(first, lines)

    def attach(self, loop: Loop) -> None:
        """Follow the loop; the thread begins once the box is ready."""
        try:
            key = BoxKey(self._folder).public_key()
        except CompanionError as error:
            loop.alarm(EVENT, text("no event: {why}").format(why=error))
            return
        event, box = self._joined.event, self._joined.box
        software = f"table-companion {program_version()}"
        who = Who(event, box, base64.b64encode(key).decode("ascii"), software)
        machine = BoxInEvent(who, self._kept.kept)
        at_box = AtBox(who, fingerprint(key), loop, games_in(self._language).find, self._kept.kept.sit)
        records = EventRecords(event, self._folder, loop.journal)
        self._thread = EventThread(
            machine, self._kept, records, at_box, self._make_link, clock=self._clock, give_way=loop.way.give_way
        )
        at_box.status = machine.status(NOT_YET)
        loop.box.session.at_event = lambda: at_box.status
        at_box.attach(self._thread.waiting)

    def ready(self) -> None:
        """Begin to push, without waiting for it."""
        if self._thread is not None:
            self._thread.start()

    def close(self) -> None:
        """Say that the box goes, and end."""
        if self._thread is not None:
            self._thread.stop()
            self._thread = None

"""Between the box and the store of its evidence: the line that names it, and what is left at a stop.

Part of `app`; knows ports, no adapter. The line is written once the file is on the disk. Where its match has been left
meanwhile, it goes into that match's record all the same.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from companion.core.record.lines import Evidence, dump_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.evidence.capture import Captured
    from companion.core.play.session import Session
    from companion.ports import EvidenceStore, Journal

PATIENCE_S = 2.0
"""How long a stop waits for the evidence of the newest races."""
LOOK_S = 0.005


class Loop(Protocol):
    """What this needs of the box's loop."""

    @property
    def match_id(self) -> int | None:
        """The match that lines go to."""

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session from any thread."""

    def alarm(self, key: str, text: str | None) -> None:
        """Say from any thread that a part of the box failed, or is well again (None)."""


class EvidenceNamer:
    """Writes the line that names a race's evidence once that is stored."""

    def __init__(self, journal: Journal, loop: Loop) -> None:
        self._journal, self._loop = journal, loop

    def open(self, store: EvidenceStore) -> None:
        """Be told by the store of what it has kept."""
        store.open(self.kept, self.state)

    def kept(self, match_id: int, captured: Captured) -> None:
        """Evidence of a race is on the disk; called from any thread."""
        line = Evidence(race=captured.race, sha256=captured.sha256, edges=captured.edges)
        self._loop.call(lambda session: self._name(session, match_id, line))

    def state(self, fault: str | None) -> None:
        """Evidence cannot be stored, or can again (None); called from any thread."""
        self._loop.alarm("evidence", fault)

    def _name(self, session: Session, match_id: int, line: Evidence) -> None:
        if match_id == self._loop.match_id and session.match is not None:
            session.match.write(line)
        else:
            self._journal.append(match_id, dump_line(line))


async def finish_evidence(turn: Callable[[], None], store: EvidenceStore) -> None:
    """Have what was captured last stored, and wait a little until it is named."""
    turn()
    give_up = time.monotonic() + PATIENCE_S
    while store.is_busy and time.monotonic() < give_up:
        await asyncio.sleep(LOOK_S)
    await asyncio.sleep(0)  # what the store's thread has told last
    turn()

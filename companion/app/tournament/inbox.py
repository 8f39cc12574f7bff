"""What has come from boxes and is not taken yet: no more than there may be, and read when it is taken. In one loop."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from companion.tournament.desk.outcome import Outcome
from companion.tournament.wire import Here, MalformedMessage, read_up

if TYPE_CHECKING:
    from companion.tournament.desk.desk import Desk

MOST_WAITING = 20_000
"""Messages in memory; a record line has some 300 bytes."""
BATCH = 500
"""Messages that are taken in one go."""


class Inbox:
    """A bounded queue of messages as they came."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, bytes]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, topic: str, payload: bytes) -> bool:
        """Take a message; tell whether there was room for it."""
        has_room = len(self._waiting) < MOST_WAITING
        if has_room:
            self._waiting.append((topic, payload))
        return has_room

    def take(self, desk: Desk) -> tuple[Outcome, list[tuple[str, Here]]]:
        """Have the desk take the oldest; give what it makes of them, and which boxes said how they stand.

        What cannot be read is a note.
        """
        outcome = Outcome()
        came: list[tuple[str, Here]] = []
        for _ in range(min(BATCH, len(self._waiting))):
            topic, payload = self._waiting.popleft()
            try:
                up = read_up(topic, payload)
            except MalformedMessage as error:
                desk.note(f"a message was left out: {error}")
                continue
            outcome.add(desk.arrived(up))
            if isinstance(up.message, Here):
                came.append((up.box, up.message))
        return outcome, came

"""What has come from boxes and is not taken yet: no more than there may be, and read when it is taken. In one loop."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from companion.tournament.desk.outcome import Outcome
from companion.tournament.wire import Here, MalformedMessage, read_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.tournament.desk.desk import Desk

MOST_WAITING = 20_000
"""Messages in memory; a record line has some 300 bytes."""
BATCH = 500
"""Messages that are taken in one go."""


TOGETHER_S = 0.02
"""What comes within it is taken together; what comes after a longer rest, at once."""


class Inbox:
    """A bounded queue of messages as they came. wake: called when they are due that were not when it was asked."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._wake = wake
        self._not_before_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, topic: str, payload: bytes) -> bool:
        """Take a message; tell whether there was room for it."""
        has_room = len(self._waiting) < MOST_WAITING
        if has_room:
            self._waiting.append((topic, payload))
        return has_room

    def is_due(self) -> bool:
        """Tell whether something is to be taken now."""
        loop = asyncio.get_running_loop()
        is_rested = loop.time() >= self._not_before_s
        if self._waiting and not is_rested and self._timer is None:
            self._timer = loop.call_at(self._not_before_s, self._rested)
        return bool(self._waiting) and is_rested

    def close(self) -> None:
        """Wake nobody any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rested(self) -> None:
        self._timer = None
        self._wake()

    def take(self, desk: Desk) -> tuple[Outcome, list[tuple[str, Here]]]:
        """Have the desk take the oldest; give what it makes of them, and which boxes said how they stand.

        What cannot be read is a note.
        """
        self._not_before_s = asyncio.get_running_loop().time() + TOGETHER_S
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

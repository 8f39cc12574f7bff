"""Sends what boxes are told: of each box in order, of many at once, and no more in memory than there may be.

How far the desk has a record is said once in a while, and the newest alone: a box has many lines under way, so nothing
waits for it, and a race of ten lines that come one after the other takes two answers and not ten. Whatever else a box
is told goes at once, after what waits for it.

What cannot be sent is dropped, with all that waits for the same box: a box that comes back is asked how it stands, and
then told everything that it should know. So nothing here has to last.

In the event loop of the desk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import CompanionError, Unavailable
from companion.tournament.organiser.clock import left_ms
from companion.tournament.wire import Clock, Have, down_topic, write_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from companion.ports import EventLink
    from companion.tournament.event.event import Event
    from companion.tournament.wire import ToBox

AT_ONCE = 32
"""So many boxes are told something at the same time; each publishing waits for its broker."""
HAVE_APART_S = 0.2
"""Seconds between two answers of how far records have come."""
MOST_WAITING = 4_000
"""Messages for one box; a record of 100,000 lines that is moved takes 2,000."""


class Sending:
    """What waits for each box. lost: told of a box that was not told something it will not be told again by itself."""

    def __init__(self, link: EventLink, event: str, lost: Callable[[str, str], None]) -> None:
        self._link, self._event, self._lost = link, event, lost
        self._waiting: dict[str, deque[ToBox]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._haves: dict[str, dict[str, Have]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def send(self, sends: Iterable[tuple[str, ToBox]]) -> None:
        """Have boxes be told; returns at once."""
        for box, message in sends:
            if isinstance(message, Have):
                self._haves.setdefault(box, {})[message.match] = message
                continue
            self._send_haves(box)
            self._send(box, message)
        if self._haves and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HAVE_APART_S, self._answer)

    def _answer(self) -> None:
        self._timer = None
        for box in list(self._haves):
            self._send_haves(box)

    def _send_haves(self, box: str) -> None:
        for have in self._haves.pop(box, {}).values():
            self._send(box, have)

    def _send(self, box: str, message: ToBox) -> None:
        waiting = self._waiting.setdefault(box, deque())
        if waiting and _is_newer(message, waiting[-1]):
            waiting.pop()
        if len(waiting) >= MOST_WAITING:
            waiting.clear()
            self._lost(box, "too much waits for it")
        waiting.append(message)
        if box not in self._tasks:
            self._tasks[box] = asyncio.create_task(self._serve(box, waiting))

    async def close(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, box: str, waiting: deque[ToBox]) -> None:
        topic = down_topic(self._event, box)
        try:
            while waiting:
                async with self._slots:
                    message = waiting.popleft()
                    await self._link.publish(topic, write_message(message))
        except Unavailable:
            waiting.clear()
        except CompanionError as error:
            waiting.clear()
            self._lost(box, str(error))
        finally:
            self._waiting.pop(box, None)
            self._tasks.pop(box, None)


def as_of(sends: Iterable[tuple[str, ToBox]], event: Event, now: datetime) -> list[tuple[str, ToBox]]:
    """Give what boxes are told, with the round's clock as it is now: the log has it as of its line."""
    return [(box, _now(message, event, now) if isinstance(message, Clock) else message) for box, message in sends]


def _now(message: Clock, event: Event, now: datetime) -> Clock:
    clock = event.rounds[message.round - 1].clock if 0 < message.round <= len(event.rounds) else None
    return message if clock is None else replace(message, left_ms=left_ms(clock, now), is_running=clock.is_running)


def _is_newer(message: ToBox, before: ToBox) -> bool:
    """Tell whether a message says all that the one before it does: how far a match has come."""
    return isinstance(message, Have) and isinstance(before, Have) and message.match == before.match

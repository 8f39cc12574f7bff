"""The right of way of refereeing over pages, within one interpreter.

Python lets one thread compute at a time, and a thread that wants to gets its turn only once another has had its own
(`launch.HANDOVER_S`). From an edge to its place on the display the box gives the interpreter away some forty times, at
every block on the bus: each time a busy thread of the web's would have it for a turn. So whoever works on a press takes
the way, and the web's threads look before each piece of work whether it is free, and wait where it is not. They wait
for `LONGEST_S` at most, and then have `RELIEF_S` for themselves: a button that never rests does not end the pages.

To take the way a thread needs the interpreter first, and Python gives no waiting thread its turn while another lets go
of it and takes it again, as one does that reads sockets: the one that waits is woken each time, comes too late, and its
patience begins anew. An edge has waited 10 ms so. Hence whoever gives way also rests for a moment every `WORK_S`.

Threads: any. Holds no lock while it waits but its own.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_S = 0.05
"""Longer than a whole picture takes on the slowest bus."""
RELIEF_S = 0.02
WORK_S = 0.0002
REST_S = 0.00002
"""With what the system adds about a tenth of a millisecond: long enough for a thread that waits to be woken."""


class RightOfWay:
    """Who has it, by name; free while nobody has. clock: a monotonic clock in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._holders: set[str] = set()
        self._relieved_until = self._rested = 0.0

    @property
    def is_free(self) -> bool:
        """Tell whether nobody has it."""
        return not self._holders

    def take(self, name: str) -> None:
        """Have it, until `give`; taking it again changes nothing."""
        with self._changed:
            self._holders.add(name)

    def give(self, name: str) -> None:
        """Have it no more; may be called again."""
        with self._changed:
            self._holders.discard(name)
            if not self._holders:
                self._changed.notify_all()

    def give_way(self) -> None:
        """Wait until it is free; called before each piece of work that is less urgent, from any thread."""
        now = self._clock()
        if now - self._rested > WORK_S:
            time.sleep(REST_S)
            now = self._rested = self._clock()
        if not self._holders or now < self._relieved_until:
            return
        with self._changed:
            if not self._changed.wait_for(lambda: not self._holders, LONGEST_S):
                self._relieved_until = self._clock() + RELIEF_S

"""What is said of many like things at once: the first is, and then how many there were. Runs in one thread."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

QUIET_NS = 60 * SECOND
"""So long nothing more is said of a thing that has been said."""
MOST_THINGS = 64
"""Different things that are told apart; any further one counts as "other things"."""


class Bursts:
    """Says the first of a kind, and once every `QUIET_NS` how many came after it.

    say: takes a line. clock: CLOCK_MONOTONIC, ns.
    """

    def __init__(self, say: Callable[[str], None], clock: Callable[[], int]) -> None:
        self._say, self._clock = say, clock
        self._of: dict[str, tuple[int, int]] = {}  # said when, and how many have come since

    def note(self, thing: str) -> None:
        """Take note of one."""
        if self.is_first(thing):
            self._say(thing)

    def is_first(self, thing: str) -> bool:
        """Take note of one; tell whether it is to be said as it is."""
        kept = thing if thing in self._of or len(self._of) < MOST_THINGS else "other things"
        said = self._of.get(kept)
        self._of[kept] = (self._clock(), 0) if said is None else (said[0], said[1] + 1)
        return said is None

    def sweep(self) -> None:
        """Sum up what has been quiet for long enough; called now and then."""
        now_ns = self._clock()
        for thing, (said_ns, count) in list(self._of.items()):
            if now_ns - said_ns >= QUIET_NS:
                self._sum_up(thing, count, now_ns, (now_ns - said_ns) // SECOND)

    def _sum_up(self, thing: str, count: int, now_ns: int, seconds: int) -> None:
        if not count:
            del self._of[thing]
            return
        self._of[thing] = now_ns, 0
        self._say(f"{thing}: {count} more within {seconds} s")

    def finish(self) -> None:
        """Sum up what is left."""
        for thing, (_, count) in self._of.items():
            if count:
                self._say(f"{thing}: {count} more")
        self._of.clear()


class OnePerBurst(logging.Filter):
    """Lets the first of equal log lines through."""

    def __init__(self, bursts: Bursts) -> None:
        super().__init__()
        self._bursts = bursts

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line is written."""
        return self._bursts.is_first(f"{record.name}: {str(record.msg).strip()}")

"""How Linux 6.1 makes events of interrupts (`gpiolib-cdev.c`), step by step and badly scheduled. Pure, seeded.

The interrupt takes the stamp and a number at once. The line's thread takes four steps, with pauses between them in
which anything may happen: take the stamp (or, without one, the time and a number of its own), wipe it, read the level,
take the number and queue the event.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

import gpiod


@dataclass
class _Line:
    offset: int
    level: bool = False
    stamp: int = 0
    number: int = 0
    is_due: bool = False
    step: int | None = None
    taken: int = 0
    read: bool = False
    queued: int = 0
    due_ns: int = 0
    woken_ns: int = 0


class Interrupts:
    """Lines of one request; `events` is the kernel's queue, which never runs over here.

    latest_ns: how late a thread is at most to begin, and with each step. is_prompt: once it has begun it does not wait.
    """

    def __init__(self, rng: random.Random, offsets: list[int], latest_ns: int, *, is_prompt: bool = False) -> None:
        self._rng, self._latest_ns, self._is_prompt = rng, latest_ns, is_prompt
        self._lines = {offset: _Line(offset) for offset in offsets}
        self._number = self._turn = 0
        self._agenda: list[tuple[int, int, _Line]] = []
        self.events: list[gpiod.EdgeEvent] = []
        self.longest_ns = 0
        """The longest that a thread took from its interrupt to its event."""

    def play(self, edges: list[tuple[int, int]]) -> None:
        """Change lines at these instants (time, offset), and let the threads run to their ends."""
        for t_ns, offset in sorted(edges):
            self._run(t_ns)
            self._interrupt(self._lines[offset], t_ns)
        self._run(None)

    def _run(self, until_ns: int | None) -> None:
        while self._agenda and (until_ns is None or self._agenda[0][0] < until_ns):
            now_ns, _, line = heapq.heappop(self._agenda)
            self._step(line, now_ns)

    def _interrupt(self, line: _Line, now_ns: int) -> None:
        line.level = not line.level
        line.stamp, line.number = now_ns, self._next()
        if not line.is_due:
            line.is_due, line.due_ns = True, now_ns
        if line.step is None:
            line.step = 0
            self._later(line, now_ns)

    def _step(self, line: _Line, now_ns: int) -> None:
        if line.step == 0:
            line.is_due, line.woken_ns = False, line.due_ns
            line.taken = line.stamp
            if not line.stamp:
                line.taken, line.number = now_ns, self._next()
        elif line.step == 1:
            line.stamp = 0
        elif line.step == 2:
            line.read = line.level
        else:
            self._queue(line)
            self.longest_ns = max(self.longest_ns, now_ns - line.woken_ns)
            line.step = 0 if line.is_due else None
            if line.is_due:
                self._later(line, now_ns)
            return
        line.step += 1
        self._later(line, now_ns)

    def _queue(self, line: _Line) -> None:
        line.queued += 1
        kind = gpiod.EdgeEvent.Type.RISING_EDGE if line.read else gpiod.EdgeEvent.Type.FALLING_EDGE
        self.events.append(gpiod.EdgeEvent(kind.value, line.taken, line.offset, line.number, line.queued))

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _later(self, line: _Line, now_ns: int) -> None:
        self._turn += 1
        may_wait = line.step == 0 or not self._is_prompt
        is_late = may_wait and self._rng.random() < 0.3
        pause_ns = self._rng.randint(0, self._latest_ns) if is_late else self._rng.randint(1, 50)
        heapq.heappush(self._agenda, (now_ns + pause_ns, self._turn, line))

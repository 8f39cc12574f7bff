"""What one pod has given and must keep yet: edges on their way, until somebody says that they are safe.

A pod forgets in the order of its numbers, so an edge of no use, and one that an earlier run has taken for good, wait
for those before them. Knows no port and no thread; its owner's lock guards it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.core.pods.link import Mark

if TYPE_CHECKING:
    from companion.core.pods.link import LineEdge

MOST_KEPT = 768
"""Edges that a pod is let keep, of the 1,024 that it has room for: what is pressed next must not be lost for those."""


class Counted(NamedTuple):
    """Whose numbers they are: a pod's unique id in hexadecimal, and the boot as it says it."""

    device: str
    start: int


class Outstanding:
    """Of one boot of a pod."""

    def __init__(self, counted: Counted) -> None:
        self.counted = counted
        self.is_full = False
        """More is not safe than a pod is let keep: the oldest of it is given up."""
        self._epoch = 0
        self._waiting: deque[int] = deque()
        self._end = 0

    def add(self, edge: LineEdge) -> None:
        """An edge goes on its way."""
        self._see(edge.mark)
        self._waiting.append(edge.number)

    def skip(self, mark: Mark) -> None:
        """Edges before this mark go nowhere; nothing can lose them."""
        self._see(mark)

    def safe(self, number: int) -> None:
        """Every edge before this number is safe."""
        while self._waiting and self._waiting[0] < number:
            self._waiting.popleft()
        if len(self._waiting) < MOST_KEPT // 2:
            self.is_full = False

    def all_safe(self) -> None:
        """Every edge so far is."""
        self._waiting.clear()

    def mark(self) -> Mark | None:
        """Give up to where the pod may forget; None before anything came."""
        if not self._epoch:
            return None
        return Mark(self._epoch, self._waiting[0] if self._waiting else self._end)

    def _see(self, mark: Mark) -> None:
        if mark.epoch != self._epoch:  # it counts anew
            self._waiting.clear()
            self._epoch, self._end = mark.epoch, 0
        self._end = max(self._end, mark.next_seq)
        while self._waiting and self._end - self._waiting[0] > MOST_KEPT:
            self._waiting.popleft()
            self.is_full = True

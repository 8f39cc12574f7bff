"""When a line that floods is tried again, and for how long. Pure.

A line whose interrupts never rest makes the threads of the others wait. So it is given back, and read again by itself
after a pause: for as long as it makes few edges. Each trial that fails doubles the pause.
"""

from __future__ import annotations

from companion.core.timing.events import SECOND

FIRST_PAUSE_NS, LONGEST_PAUSE_NS = 2 * SECOND, 32 * SECOND
MOST_EDGES = 100
"""A trial in which there were more within `TRIAL_NS` has failed: two presses of a bouncing switch make fewer."""
TRIAL_NS = SECOND


class SetAside:
    """One line that was given back at `now_ns`. is_tried: it is read again by itself."""

    def __init__(self, now_ns: int) -> None:
        self._pause_ns = FIRST_PAUSE_NS
        self._next_ns = now_ns + self._pause_ns
        self._edges_ns: list[int] = []
        self.is_tried = False

    def is_due(self, now_ns: int) -> bool:
        """Tell whether it is to be tried again."""
        return not self.is_tried and now_ns >= self._next_ns

    def begin(self) -> None:
        """It is tried again."""
        self.is_tried = True
        self._edges_ns = []

    def count(self, edges_ns: list[int]) -> bool:
        """Count edges of a trial; tell whether there are too many."""
        newest_ns = max(edges_ns, default=0)
        self._edges_ns = [t_ns for t_ns in (*self._edges_ns, *edges_ns) if newest_ns - t_ns < TRIAL_NS]
        return len(self._edges_ns) > MOST_EDGES

    def end(self, now_ns: int) -> None:
        """The trial has failed."""
        self.is_tried = False
        self._pause_ns = min(2 * self._pause_ns, LONGEST_PAUSE_NS)
        self._next_ns = now_ns + self._pause_ns

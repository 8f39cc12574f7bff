"""What of a pod's times cannot be: who was caught at what, how lately, and what is said of it. Pure.

Four things can be seen (`DoubtCause`): a round trip that contradicts those before it, which the clock mapping tells; an
edge that is dated after it came, which the mapping tells too; one that is dated before the edge before it; and one that
is dated before a reading that the pod had told, longer than its loop takes. The last may be a frame that was lost and
sent again: only when it happens again and again is the clock in doubt for it.

A pod that dates its edges early by no more than HELD_NS, or by less than the time to the round trip before, cannot be
told from an honest one whose line is slow. Nobody can: all that is known of its edges is what it says.
"""

from __future__ import annotations

from collections import deque

from companion.core.pods.link_events import Doubt, DoubtCause
from companion.core.timing.events import MS, SECOND

DOUBT_NS = 30 * SECOND
"""A pod's clock is in doubt for so long after it was last caught."""
SWAPPED_NS = MS
"""Edges within the time of an interrupt may be stamped in another order than they are numbered."""
HELD_NS = 25 * MS
"""An honest pod says an edge so soon after a reading that is later than its stamp; else it was held, or sent again."""
MOST_HELD = 3
"""So many edges that were held, within DOUBT_NS, are no longer taken for a frame that was lost."""


class Doubts:
    """Of one pod, over its boots. Ticks are microseconds of its counter."""

    def __init__(self) -> None:
        self._unsaid: list[Doubt] = []
        self._caught_ns: int | None = None
        self._held_ns: deque[int] = deque(maxlen=MOST_HELD)
        self._told_ticks: int | None = None
        self._edge_ticks: int | None = None

    @property
    def is_in_doubt(self) -> bool:
        """Tell whether the pod was caught lately."""
        return self._caught_ns is not None

    def begin_anew(self) -> None:
        """The pod's counter began anew: nothing is before or after what it showed."""
        self._told_ticks = self._edge_ticks = None

    def told(self, ticks: int | None) -> None:
        """The pod has told this reading, and edges before it have had the time to come; None: nobody knows."""
        self._told_ticks = ticks

    def catch(self, cause: DoubtCause, by_ns: int, now_ns: int) -> None:
        """Something cannot be, by so much (0: nobody knows)."""
        self._caught_ns = now_ns
        self._unsaid.append(Doubt(cause, by_ns))

    def is_early(self, ticks: int, now_ns: int) -> bool:
        """See whether the next edge is dated before what the pod had said before it."""
        back_ns = 0 if self._edge_ticks is None else (self._edge_ticks - ticks) * 1000
        self._edge_ticks = ticks if self._edge_ticks is None else max(self._edge_ticks, ticks)
        if back_ns > SWAPPED_NS:
            self.catch(DoubtCause.BACKWARDS, back_ns, now_ns)
            return True
        held_ns = 0 if self._told_ticks is None else (self._told_ticks - ticks) * 1000
        if held_ns <= HELD_NS:
            return False
        self._held_ns.append(now_ns)
        if len(self._held_ns) == MOST_HELD and now_ns - self._held_ns[0] <= DOUBT_NS:
            self._caught_ns = now_ns
        self._unsaid.append(Doubt(DoubtCause.HELD, held_ns, self.is_in_doubt))
        return True

    def say(self, now_ns: int) -> list[Doubt]:
        """Give what has not been said, and that nothing has been wrong for a while."""
        said, self._unsaid = self._unsaid, []
        if self._caught_ns is not None and now_ns - self._caught_ns > DOUBT_NS:
            self._caught_ns = None
            said.append(Doubt(None, 0, is_in_doubt=False))
        return said

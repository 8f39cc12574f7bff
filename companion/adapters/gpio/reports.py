"""Reports of edges that bear no numbers, as lgpio gives them: before which of them others may have been lost. Pure.

What lgpio 0.2 does (tried on kernel lines, and read). It has a request for each line, for which the kernel keeps 16
events and drops the *oldest*: a thread of lgpio's that is late loses a contact's first edges. It numbers nothing, so a
loss must be told from times alone. Each report has its edge's stamp and the time at which it came:

- Edges can only have been dropped before an edge if the queue was full when that edge was read: if at least 16 of its
  line had happened by the time of its report. Then the line's edges since the last moment at which lgpio surely
  emptied its queue are in doubt: a report, of any line, that came before shows such a moment at its stamp, if an edge
  after its coming was reported in good time too.
- Whatever comes between two threads goes through a pipe that holds 4,096 reports, and is lost where that is full: the
  next edge of every line is then in doubt.

An edge whose report was not prompt is judged by the reports that follow it. It waits until one of them, of any line (in
a reading lgpio sorts all by their stamps), is of an edge after its own report, or until there was none for as long as
its own report took, and `HOLD_NS`: what was read with it would have come by then, and 16 edges have not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.gpio.losses import Losses
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.adapters.gpio.lines.levels import RawEdge

PERHAPS_LOST = "edges may have been lost: lgpio was late, and the kernel keeps 16 of a line for it"
KERNEL_KEEPS = 16
"""Events of a request of one line."""
PIPE_KEEPS = 4096 - 128
"""Reports in lgpio's pipe, less those that it writes at once."""
PROMPT_NS = MS // 2
"""A report that comes so soon after its edge follows no loss: no 16 edges of a contact fit into that time."""
HOLD_NS = 20 * MS
"""How long an edge waits for the next report, well within the source's `delay_ns`: one thread of Python's hands all on,
and other threads' work comes between."""
CYCLE_NS = MS
"""lgpio looks at all lines at least so often while it runs."""


class Report(NamedTuple):
    """An edge, and when it was reported."""

    came_ns: int
    edge: RawEdge


class Reports:
    """Reports in the order in which they came; `suspects`: lines that may have lost edges since that was last taken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._waiting: dict[str, deque[Report]] = {line: deque() for line in lines}
        self._came_ns: deque[int] = deque(maxlen=PIPE_KEEPS)
        self._alive: list[tuple[int, int]] = []  # when a report came, and the newest stamp by then
        self._after_full_pipe: set[str] = set()
        self.suspects: set[str] = set()
        self.losses = Losses(PERHAPS_LOST)

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest edge that waits; None where none does."""
        return min((reports[0].edge.t_ns - 1 for reports in self._waiting.values() if reports), default=None)

    def is_waiting(self, line: str) -> bool:
        """Tell whether edges of a line wait to be judged."""
        return bool(self._waiting[line])

    def put(self, report: Report) -> None:
        """Take the next report."""
        self._waiting[report.edge.line].append(report)
        if len(self._came_ns) == PIPE_KEEPS and self._came_ns[0] > report.edge.t_ns:
            self._after_full_pipe |= self._waiting.keys()
            self.suspects |= self._waiting.keys()
        self._came_ns.append(report.came_ns)
        newest_ns = max(report.edge.t_ns, self._alive[-1][1] if self._alive else report.edge.t_ns)
        self._alive.append((report.came_ns, newest_ns))
        if len(self._alive) > 2 * PIPE_KEEPS:
            del self._alive[:PIPE_KEEPS]

    def give(self, now_ns: int | None) -> list[RawEdge]:
        """Give the edges that can be judged. now_ns: None waits for none."""
        return [edge for reports in self._waiting.values() for edge in self._judged(reports, now_ns)]

    def _judged(self, reports: deque[Report], now_ns: int | None) -> list[RawEdge]:
        out: list[RawEdge] = []
        while reports:
            verdict = self._is_after_loss(reports, now_ns)
            if verdict is None:
                break
            edge = reports.popleft().edge
            if verdict:
                self.suspects.add(edge.line)
                edge = edge._replace(lost_since_ns=self._emptied_ns(edge.t_ns))
            if edge.line in self._after_full_pipe:
                self._after_full_pipe.discard(edge.line)
                edge = edge._replace(lost_since_ns=0)
            out.append(edge)
        return out

    def _is_after_loss(self, reports: deque[Report], now_ns: int | None) -> bool | None:
        """Tell whether edges may have been lost before the first of a line's reports; None: it is too early to say."""
        came_ns, edge = reports[0]
        if len(reports) >= KERNEL_KEEPS:
            return reports[KERNEL_KEEPS - 1].edge.t_ns <= came_ns
        last_ns, newest_ns = self._alive[-1]
        if came_ns - edge.t_ns < PROMPT_NS or newest_ns > came_ns + CYCLE_NS:
            return False
        is_quiet = now_ns is None or now_ns - last_ns >= HOLD_NS + came_ns - edge.t_ns
        return False if is_quiet else None

    def _emptied_ns(self, t_ns: int) -> int:
        """When the queues were surely emptied last before an edge at `t_ns`.

        lgpio may stand still within a look, with some lines' queues emptied and others not yet. So an edge that was
        reported shows only that its look had ended by then; of the look before, that it had emptied them all.
        """
        return self._newest_ns(self._newest_ns(t_ns))

    def _newest_ns(self, by_ns: int) -> int:
        """Give the newest stamp that was reported before an instant, 0 where none was."""
        count = bisect_left(self._alive, (by_ns, 0))
        return self._alive[count - 1][1] if count else 0

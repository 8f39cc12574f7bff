"""A pod's edges by their numbers: which is next, which wait for the pod's clock, which are handed on. Pure.

The pod numbers its edges and keeps each until it is acknowledged: until nothing can lose it any more. What has come is
told at once, so that it is not sent again meanwhile; what was not told to have come is sent again. An edge is taken only
if its number is the next one: nothing is taken twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.pods.link_events import LineEdge, LineLevels, Mark
from companion.core.pods.link_states import LinkCause
from companion.core.pods.messages import Ack, Baseline, Edges, Heard, PodEdge

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.pods.pod_clock import Placed


class KeptEdges:
    """The edges of one boot of the pod.

    boot: as the pod says it, None before any. epoch: the host's own number of it, as one boot number may come twice.
    placed: how many edges of the pod have been given, those of earlier boots too.
    """

    def __init__(self, boot: int | None = None, epoch: int = 1, placed: int = 0) -> None:
        self.boot = boot
        self.epoch = epoch
        self.placed = placed
        self.has_lost = False
        """Edges were lost since the levels were last told."""
        self._next: int | None = None  # the number of the next edge to be taken; None before any levels
        self._due = 0  # `_next` once all that was kept before the call is here
        self._held: list[PodEdge | LineLevels] = []
        self._levels = 0
        self._overruns = 0
        self._acknowledged = self._told = self._told_heard = 0

    @property
    def is_complete(self) -> bool:
        """Tell whether all that the pod had kept before the call is here."""
        return self._next is not None and self._next >= self._due

    @property
    def has_begun(self) -> bool:
        """Tell whether levels have been told, before which there is nothing to give."""
        return self._next is not None

    @property
    def is_holding(self) -> bool:
        """Tell whether anything waits to be given."""
        return bool(self._held)

    def anew(self, boot: int | None) -> KeptEdges:
        """Give those of the pod's next boot."""
        return KeptEdges(boot, self.epoch + 1, self.placed)

    def let_go(self) -> None:
        """Forget what waits to be given: the pod has it still, and sends it again after the next Hello."""
        if any(isinstance(event, LineLevels) for event in self._held):
            self._next = None
        elif self._next is not None:
            self._next -= len(self._held)
        self._told_heard = min(self._told_heard, self._next or 0)
        self._held = []

    def acknowledge(self, mark: Mark) -> None:
        """Every edge before `mark` is safe; one of an earlier boot says nothing any more."""
        if mark.epoch == self.epoch:
            self._acknowledged = max(self._acknowledged, mark.next_seq)

    def answers(self) -> list[Ack | Heard]:
        """Give what the pod may forget, and what has come beyond that, where it has not been told yet."""
        if self.boot is None or self._next is None:
            return []
        found: list[Ack | Heard] = []
        if self._acknowledged > self._told:
            self._told = self._acknowledged
            found.append(Ack(self.boot, self._acknowledged))
        if self._next > max(self._told_heard, self._told):
            self._told_heard = self._next
            found.append(Heard(self.boot, self._next))
        return found

    def cause(self, baseline: Baseline) -> LinkCause:
        """Tell what it means to the talk that the pod has kept these."""
        if self._next is not None and not baseline.next_seq <= self._next <= baseline.next_seq + baseline.waiting:
            return LinkCause.RENUMBERED
        if not baseline.waiting:
            return LinkCause.LEVELS
        return LinkCause.BACKLOG_AFTER_LOSS if self.has_lost else LinkCause.BACKLOG

    def rebase(self, baseline: Baseline, now_ns: int) -> None:
        """Take the levels before what the pod has kept: the first ones, or others, as far as nothing lies between."""
        is_all = baseline.waiting == 0
        if self._next is None:
            self._next = self._acknowledged = self._told = self._told_heard = baseline.next_seq
            is_news = True
        else:
            is_news = is_all and not self._held and baseline.active != self._levels
        if is_news:
            self._levels = baseline.active
            self._held.append(LineLevels(baseline.active, now_ns))
        self._due = baseline.next_seq + baseline.waiting
        self.has_lost = self.has_lost and not is_all

    def number(self, message: Edges) -> None:
        """Keep the edges that are next; those before have been taken, those after a gap will come again."""
        if self._next is None or message.first_seq > self._next:
            return
        self._told = min(self._told, message.first_seq)  # it sends what it need not: say it again
        self._told_heard = min(self._told_heard, message.first_seq)
        new = message.edges[self._next - message.first_seq :]
        self._held += new
        self._next += len(new)

    def newly_lost(self, overruns: int) -> int:
        """Give how many more edges the pod has lost than it had said before; `overruns` is what it says now."""
        lost, self._overruns = overruns - self._overruns, overruns
        return lost

    def give(self, place: Callable[[int], Placed]) -> list[LineEdge | LineLevels]:
        """Give all that waits, its stamps put on the host's clock by `place`. Levels come before their edges."""
        held, before = self._held, (self._levels, self.placed)
        try:
            given = self._give(held, place)
        except BaseException:  # nothing has changed: it is given once more, or sent again
            self._levels, self.placed = before
            raise
        self._held = []
        return given

    def _give(self, held: list[PodEdge | LineLevels], place: Callable[[int], Placed]) -> list[LineEdge | LineLevels]:
        seq = (self._next or 0) - sum(isinstance(event, PodEdge) for event in held)
        given: list[LineEdge | LineLevels] = []
        for event in held:
            if isinstance(event, PodEdge):
                given += self._placed(event, seq, place(event.ticks))
                seq += 1
                self.placed += 1
            else:
                given.append(event)
        return _levels_before_edges(given)

    def _placed(self, edge: PodEdge, seq: int, at: Placed) -> list[LineEdge]:
        """Give an edge on the host's clock; one that repeats its line's level stands for two changes."""
        placed = LineEdge(edge.line, edge.active, at.t_ns, at.error_ns, Mark(self.epoch, seq + 1), at.disbelieved)
        bit = 1 << edge.line
        was_active, self._levels = bool(self._levels & bit), self._levels & ~bit | (bit if edge.active else 0)
        if was_active is not edge.active:
            return [placed]
        mark = Mark(self.epoch, seq)  # the pair is handed on together
        return [placed._replace(active=not edge.active, mark=mark), placed._replace(t_ns=at.t_ns + 1)]


def _levels_before_edges(events: list[LineEdge | LineLevels]) -> list[LineEdge | LineLevels]:
    """Put the instant of levels before that of the edges that follow them."""
    out: list[LineEdge | LineLevels] = []
    earliest_ns: int | None = None
    for event in reversed(events):
        placed = event
        if isinstance(event, LineEdge):
            earliest_ns = event.t_ns if earliest_ns is None else min(earliest_ns, event.t_ns)
        elif earliest_ns is not None:
            placed = event._replace(t_ns=min(event.t_ns, earliest_ns - 1))
        out.append(placed)
    return out[::-1]

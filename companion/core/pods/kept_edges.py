"""A pod's edges by their numbers: which is next, which wait for the pod's clock, which are handed on. Pure.

The pod numbers its edges and keeps each until it is acknowledged: until nothing can lose it any more. What has come is
told at once, so that it is not sent again meanwhile; what was not told to have come is sent again. An edge is taken
only if its number is the next one: nothing is taken twice.

Nor by two runs of the host: what an earlier one had taken for good, and could not acknowledge any more, comes again. It
is not given, and the levels before the first edge that is are as it left them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.pods.link_events import LineEdge, LineLevels, Mark, Passed
from companion.core.pods.link_states import LinkCause
from companion.core.pods.messages import Ack, Baseline, Edges, Heard, PodEdge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.pods.pod_clock import Placed
    from companion.core.timing.events import Origin

MOST_HELD = 1024
"""Edges that may wait for the pod's clock: as many as a pod keeps, so that an honest one never has more to say."""


class _Answers:
    """What the pod has been told. safe: edges below this number are; told, heard: what it was told of that, and of what
    has come."""

    def __init__(self, number: int = 0) -> None:
        self.safe = self._told = self._heard = number

    def unsay(self, number: int, heard: int) -> None:
        """Of edges from these numbers on nothing has been told: safe ones, and those that have come."""
        self._told, self._heard = min(self._told, number), min(self._heard, heard)

    def take(self, boot: int, next_seq: int) -> list[Ack | Heard]:
        """Give what is to be told now; next_seq: of the first edge that has not come."""
        found: list[Ack | Heard] = []
        if self.safe > self._told:
            self._told = self.safe
            found.append(Ack(boot, self.safe))
        if next_seq > max(self._heard, self._told):
            self._heard = next_seq
            found.append(Heard(boot, next_seq))
        return found


class KeptEdges:
    """The edges of one boot of the pod.

    boot: as the pod says it, None before any. epoch: the host's own number of it, as one boot number may come twice.
    placed: how many edges of the pod have been given, those of earlier boots too. passed: by line, the newest edge that
    an earlier run of the host has taken for good.
    """

    def __init__(
        self, boot: int | None = None, epoch: int = 1, placed: int = 0, passed: Mapping[int, Origin] | None = None
    ) -> None:
        self.boot = boot
        self._passed = dict(passed or {})
        self.epoch = epoch
        self.placed = placed
        self.has_lost = False
        """Edges were lost since the levels were last told."""
        self._next: int | None = None  # the number of the next edge to be taken; None before any levels
        self._due = 0  # `_next` once all that was kept before the call is here
        self._held: list[PodEdge | LineLevels] = []
        self._refused = 0  # edges below this number were told to have no room here
        self._levels = 0
        self._overruns = 0
        self._answers = _Answers()

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

    def anew(self, boot: int | None, passed: Mapping[int, Origin] | None = None) -> KeptEdges:
        """Give those of the pod's next boot."""
        return KeptEdges(boot, self.epoch + 1, self.placed, passed)

    def let_go(self) -> None:
        """Forget what waits to be given: the pod has it still, and sends it again after the next Hello."""
        if any(isinstance(event, LineLevels) for event in self._held):
            self._next = None
        elif self._next is not None:
            self._next -= len(self._held)
        self._answers.unsay(self._answers.safe, self._next or 0)
        self._held = []

    def acknowledge(self, mark: Mark) -> None:
        """Every edge before `mark` is safe; one of an earlier boot says nothing any more."""
        if mark.epoch == self.epoch:
            self._answers.safe = max(self._answers.safe, mark.next_seq)

    def acknowledge_again(self) -> None:
        """The pod has edges yet: say again what it may forget, since that may be lost on the line."""
        self._answers.unsay(self._answers.safe - 1, self._next or 0)

    def answers(self) -> list[Ack | Heard]:
        """Give what the pod may forget, and what has come beyond that, where it has not been told yet."""
        if self.boot is None or self._next is None:
            return []
        return self._answers.take(self.boot, self._next)

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
            baseline = self._after_passed(baseline)
            self._next = baseline.next_seq
            self._answers = _Answers(self._next)
            is_news = True
        else:
            is_news = is_all and not self._held and baseline.active != self._levels
        if is_news:
            self._levels = baseline.active
            self._held.append(LineLevels(baseline.active, now_ns))
        self._due = baseline.next_seq + baseline.waiting
        self.has_lost = self.has_lost and not is_all

    def _after_passed(self, baseline: Baseline) -> Baseline:
        """Give the levels as the edges left them that an earlier run has taken.

        Numbers that the pod has not come to are of another start that drew the same number.
        """
        end = baseline.next_seq + baseline.waiting
        if any(origin.number >= end for origin in self._passed.values()):
            self._passed.clear()
        active = baseline.active
        for line, origin in self._passed.items():
            if origin.number >= baseline.next_seq:
                active = active & ~(1 << line) | (origin.active << line)
        return baseline._replace(active=active)

    def number(self, message: Edges) -> int:
        """Keep the edges that are next; those before have been taken, those after a gap will come again.

        Gives how many more had no room. No pod has kept so many at once: one that goes on without being acknowledged is
        none, or its clock cannot be known.
        """
        if self._next is None or message.first_seq > self._next:
            return 0
        self._answers.unsay(message.first_seq, message.first_seq)  # it sends what it need not: say it again
        new = message.edges[self._next - message.first_seq :]
        taken = new[: max(MOST_HELD - len(self._held), 0)]
        self._held += taken
        self._next += len(taken)
        end = message.first_seq + len(message.edges)
        refused = end - max(self._next, self._refused)
        self._refused = max(self._refused, end)
        return max(refused, 0)

    def newly_lost(self, overruns: int) -> int:
        """Give how many more edges the pod has lost than it had said before; `overruns` is what it says now."""
        lost, self._overruns = overruns - self._overruns, overruns
        return lost

    def give(self, place: Callable[[int], Placed]) -> list[LineEdge | LineLevels | Passed]:
        """Give all that waits, its stamps put on the host's clock by `place`. Levels come before their edges."""
        held, before = self._held, (self._levels, self.placed)
        try:
            given = self._give(held, place)
        except BaseException:  # nothing has changed: it is given once more, or sent again
            self._levels, self.placed = before
            raise
        self._held = []
        return given

    def _give(
        self, held: list[PodEdge | LineLevels], place: Callable[[int], Placed]
    ) -> list[LineEdge | LineLevels | Passed]:
        seq = (self._next or 0) - sum(isinstance(event, PodEdge) for event in held)
        given: list[LineEdge | LineLevels | Passed] = []
        for event in held:
            if isinstance(event, PodEdge) and self._is_passed(event.line, seq):
                seq += 1
                given.append(Passed(Mark(self.epoch, seq)))
            elif isinstance(event, PodEdge):
                given += self._placed(event, seq, place(event.ticks))
                seq += 1
                self.placed += 1
            else:
                given.append(event)
        return _levels_before_edges(given)

    def _is_passed(self, line: int, seq: int) -> bool:
        origin = self._passed.get(line)
        return origin is not None and seq <= origin.number

    def _placed(self, edge: PodEdge, seq: int, at: Placed) -> list[LineEdge]:
        """Give an edge on the host's clock; one that repeats its line's level stands for two changes."""
        placed = LineEdge(edge.line, edge.active, at.t_ns, at.error_ns, Mark(self.epoch, seq + 1), seq, at.disbelieved)
        bit = 1 << edge.line
        was_active, self._levels = bool(self._levels & bit), self._levels & ~bit | (bit if edge.active else 0)
        if was_active is not edge.active:
            return [placed]
        mark = Mark(self.epoch, seq)  # the pair is handed on together
        return [placed._replace(active=not edge.active, mark=mark), placed._replace(t_ns=at.t_ns + 1)]


def _levels_before_edges(events: list[LineEdge | LineLevels | Passed]) -> list[LineEdge | LineLevels | Passed]:
    """Put the instant of levels before that of the edges that follow them."""
    out: list[LineEdge | LineLevels | Passed] = []
    earliest_ns: int | None = None
    for event in reversed(events):
        placed = event
        if isinstance(event, LineEdge):
            earliest_ns = event.t_ns if earliest_ns is None else min(earliest_ns, event.t_ns)
        elif isinstance(event, LineLevels) and earliest_ns is not None:
            placed = event._replace(t_ns=min(event.t_ns, earliest_ns - 1))
        out.append(placed)
    return out[::-1]

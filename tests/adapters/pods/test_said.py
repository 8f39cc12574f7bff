"""What a pod has said outlives a fall of its port's thread: nothing is lost, doubled or out of its order."""

from __future__ import annotations

import pytest

from companion.adapters.pods.port_thread import Opened, Said, Trouble
from companion.core.pods.kept_edges import KeptEdges
from companion.core.pods.link_events import LineEdge, Overrun
from companion.core.pods.messages import Baseline, Edges, PodEdge
from companion.core.pods.pod_clock import Placed

FIRST, SECOND, THIRD = (Trouble(text, is_lost=False) for text in ("first", "second", "third"))


class Taker:
    """Takes what is handed on, and fails at one of them so often."""

    def __init__(self, at: object, times: int) -> None:
        self.at, self.left, self.taken = at, times, list[object]()

    def take(self, event: object) -> None:
        if event == self.at and self.left:
            self.left -= 1
            raise RuntimeError("broken")
        self.taken.append(event)


def handed_on(taker: Taker) -> tuple[list[object], int]:
    said, falls = Said(), 0
    said.add([FIRST, SECOND, THIRD, Opened()])
    while True:
        try:
            said.hand_on(taker.take)
        except RuntimeError:
            falls += 1
        else:
            return taker.taken, falls


def test_a_fall_is_made_good_with_the_very_event_at_which_it_came() -> None:
    assert handed_on(Taker(SECOND, 1)) == ([FIRST, SECOND, THIRD, Opened()], 1)


def test_what_can_never_be_handed_on_is_told_as_an_edge_that_was_lost_and_holds_up_nothing() -> None:
    assert handed_on(Taker(SECOND, 100)) == ([FIRST, Overrun(1), THIRD, Opened()], 2)


def test_edges_that_could_not_be_placed_are_given_the_next_time() -> None:
    kept = KeptEdges(boot=1)
    kept.rebase(Baseline(boot=1, active=0, next_seq=0, waiting=0), 0)
    kept.give(lambda ticks: Placed(ticks, 1))
    kept.number(Edges(1, 0, 0, (PodEdge(0, True, 10), PodEdge(0, False, 20))))

    def fail(ticks: int) -> Placed:
        if ticks == 20:
            raise RuntimeError("broken")
        return Placed(ticks, 1)

    with pytest.raises(RuntimeError):
        kept.give(fail)
    given = [event for event in kept.give(lambda ticks: Placed(ticks, 1)) if isinstance(event, LineEdge)]
    assert [(edge.active, edge.t_ns) for edge in given] == [(True, 10), (False, 20)]
    assert kept.placed == 2

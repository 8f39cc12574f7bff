"""What the host holds of a pod's edges before it knows the pod's clock: how many, none twice, none lost."""

import pytest

from companion.core.pods.kept_edges import MOST_HELD, KeptEdges
from companion.core.pods.link_events import LineEdge, LineLevels, Mark
from companion.core.pods.messages import Ack, Baseline, Edges, Heard, PodEdge
from companion.core.pods.pod_clock import Placed

BOOT = 7
FRAME = 12
"""Edges of a frame; any number does."""


def frames(first: int, end: int) -> list[Edges]:
    """Edges `first` to `end` (which is not one), on one line that goes to and fro, as a pod sends them."""
    edges = [PodEdge(0, number % 2 == 0, 1_000 * number) for number in range(end)]
    starts = range(first, end, FRAME)
    return [Edges(BOOT, start, 0, tuple(edges[start : min(start + FRAME, end)])) for start in starts]


def begun() -> KeptEdges:
    """Those of a pod whose levels have been told, and which has no edge yet."""
    kept = KeptEdges(BOOT)
    kept.rebase(Baseline(BOOT, 0, 0, 0), now_ns=0)
    return kept


def placed(ticks: int) -> Placed:
    """The host's clock is the pod's."""
    return Placed(ticks * 1_000, 0)


def taken(kept: KeptEdges) -> list[int]:
    """The numbers of the edges that are given now."""
    return [event.number for event in kept.give(placed) if isinstance(event, LineEdge)]


def test_no_more_edges_are_held_than_a_pod_keeps_and_each_that_has_no_room_is_counted_once() -> None:
    kept = begun()
    kept.give(placed)
    refused = [kept.number(frame) for _ in range(3) for frame in frames(4, MOST_HELD + 300)]
    assert sum(refused) == 0, "there is a gap before them: they come again"
    refused = [kept.number(frame) for _ in range(3) for frame in frames(0, MOST_HELD + 300)]
    assert sum(refused) == 8, "of the frame that has not room enough; those after it come after a gap"
    assert kept.number(*frames(MOST_HELD, MOST_HELD + FRAME)) == 4, "those of it that were not counted before"
    assert taken(kept) == list(range(MOST_HELD))


def test_levels_that_wait_take_up_the_room_of_an_edge() -> None:
    kept = begun()
    assert sum(kept.number(frame) for frame in frames(0, MOST_HELD)) == 1
    assert [type(event) for event in kept.give(placed)] == [LineLevels] + [LineEdge] * (MOST_HELD - 1)


def test_what_had_no_room_is_not_said_to_have_come_and_is_taken_when_it_is_sent_again() -> None:
    kept = begun()
    kept.give(placed)
    for frame in frames(0, MOST_HELD + 300):
        kept.number(frame)
    assert kept.answers() == [Heard(BOOT, MOST_HELD)]
    first = taken(kept)
    assert [kept.number(frame) for frame in frames(MOST_HELD, MOST_HELD + 300)] == [0] * 25
    assert first + taken(kept) == list(range(MOST_HELD + 300))
    kept.acknowledge(Mark(kept.epoch, MOST_HELD + 300))
    assert kept.answers() == [Ack(BOOT, MOST_HELD + 300)]


def test_edges_that_cannot_be_placed_yet_are_given_once_and_whole_afterwards() -> None:
    kept = begun()
    kept.give(placed)
    for frame in frames(0, 30):
        kept.number(frame)

    def place_half(ticks: int) -> Placed:
        if ticks > 15_000:
            raise ArithmeticError("the clock is not known")
        return placed(ticks)

    with pytest.raises(ArithmeticError):
        kept.give(place_half)
    assert kept.placed == 0
    assert [(e.number, e.active, e.t_ns) for e in kept.give(placed) if isinstance(e, LineEdge)] == [
        (number, number % 2 == 0, number * 1_000_000) for number in range(30)
    ]
    assert kept.placed == 30
    assert not kept.is_holding

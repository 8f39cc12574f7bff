"""A seat's own filters at the arbiter: for its lines alone, for those that come later too, and taken off again."""

from __future__ import annotations

from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, Levels, Press
from companion.core.timing.filters import OwnFilters

LINES = {"red a": LineTiming(seat="red"), "blue a": LineTiming(seat="blue")}
LATER = {"red b": LineTiming(seat="red")}
LONG = {"red": OwnFilters(accept_ns=100 * MS)}


def presses(arbiter: Arbiter, at_ms: int) -> list[str]:
    """Touch every line for 50 ms, and give those that were pressed."""
    for line in ("red a", "blue a", "red b"):
        arbiter.feed("panel", Edge(line, True, at_ms * MS, 0))
        arbiter.feed("panel", Edge(line, False, (at_ms + 50) * MS, 0))
        at_ms += 200
    return [event.line for event in arbiter.advance((at_ms + 500) * MS) if isinstance(event, Press)]


def test_own_filters_hold_for_the_lines_of_their_seat_and_those_that_come_later_until_they_are_taken_off() -> None:
    arbiter = Arbiter(LINES, {"panel": 0})
    arbiter.feed("panel", Levels(frozenset(), frozenset((*LINES, *LATER)), 0))
    arbiter.advance(MS)
    arbiter.retime(LONG)
    arbiter.add(LATER)
    assert presses(arbiter, 1000) == ["blue a"]

    arbiter.retime({})
    assert presses(arbiter, 3000) == ["red a", "blue a", "red b"]

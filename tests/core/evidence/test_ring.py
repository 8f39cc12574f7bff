"""What is kept of the sources' events: bounded for each line by itself, in order, with its gaps told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.evidence.ring import REPORTS, EdgeRing
from companion.core.evidence.written import EdgeSeen, LevelsSeen, Lost
from companion.core.timing.events import SECOND, Edge, Levels, SourceFault, Turned

if TYPE_CHECKING:
    from collections.abc import Sequence

RED, BLUE = "red first", "blue second"


def edge(line: str, t_ns: int, active: bool = True) -> Edge:
    return Edge(line, active, t_ns, 20_000)


def times(entries: Sequence[object], line: str) -> list[int]:
    return [entry.t_ns for entry in entries if isinstance(entry, EdgeSeen) and entry.line == line]


def test_a_line_that_floods_pushes_out_nothing_of_the_others_and_its_gap_is_told() -> None:
    ring = EdgeRing(edges_a_line=10)
    ring.feed("gpiod", edge(BLUE, 0))
    for t_ns in range(1, 10_001):
        ring.feed("gpiod", edge(RED, t_ns))
    entries = ring.between(0, SECOND)
    assert times(entries, BLUE) == [0]
    assert times(entries, RED) == [1, 2, 3, 4, 5, 9_996, 9_997, 9_998, 9_999, 10_000]
    (gap,) = [entry for entry in entries if isinstance(entry, Lost)]
    assert (gap.source, gap.lost, gap.since_ns, gap.t_ns, gap.lines) == ("box", 9_990, 6, 9_995, (RED,))


def test_memory_stays_bounded_however_long_and_whatever_is_given() -> None:
    ring = EdgeRing(edges_a_line=10)
    for t_ns in range(5_000):
        ring.feed("gpiod", edge(RED, t_ns))
        ring.feed("gpiod", SourceFault("gpiod", "lost", t_ns, 1))
    assert len(ring.between(0, SECOND)) <= 10 + 1 + REPORTS


def test_a_loss_names_the_lines_that_it_may_have_hit() -> None:
    ring = EdgeRing()
    ring.feed("gpiod", SourceFault("gpiod", "lost", 5, 2, lines=(BLUE,)))
    ring.feed("gpiod", SourceFault("gpiod", "gone", 6))
    assert [entry.lines for entry in ring.between(5, SECOND) if isinstance(entry, Lost)] == [(BLUE,), None]


def test_a_line_is_whole_again_once_its_gap_is_too_old() -> None:
    ring = EdgeRing(edges_a_line=4)
    for t_ns in range(10):
        ring.feed("gpiod", edge(RED, t_ns))
    ring.forget(9)
    ring.feed("gpiod", edge(RED, 10))
    assert [type(entry) for entry in ring.between(9, 10)] == [EdgeSeen, EdgeSeen]
    assert times(ring.between(9, 10), RED) == [9, 10]


def test_what_was_forgotten_is_told_where_it_is_asked_for() -> None:
    ring = EdgeRing()
    ring.feed("gpiod", edge(RED, 1))
    ring.feed("gpiod", edge(RED, 20))
    ring.forget(10)
    first, second = ring.between(5, 30)
    assert isinstance(first, Lost)
    assert (first.since_ns, first.t_ns, first.source) == (5, 10, "box")
    assert isinstance(second, EdgeSeen)
    assert [type(entry) for entry in ring.between(10, 30)] == [EdgeSeen]


def test_events_of_several_sources_come_in_the_order_of_time_and_equal_ones_as_they_came() -> None:
    ring = EdgeRing()
    ring.feed("gpiod", Levels(frozenset({RED}), frozenset({RED, BLUE}), 1))
    ring.feed("pods", edge(BLUE, 7))
    ring.feed("gpiod", edge(RED, 7))
    ring.feed("gpiod", edge(RED, 3, active=False))
    ring.feed("gpiod", SourceFault("gpiod", "2 edges were lost", 5, 2))
    ring.feed("gpiod", Turned(1, 6))
    assert ring.between(1, 7) == [
        LevelsSeen(t_ns=1, source="gpiod", closed=(RED,), open=(BLUE,)),
        EdgeSeen(t_ns=3, line=RED, active=False, error_ns=20_000, source="gpiod", merged_ns=0),
        Lost(t_ns=5, source="gpiod", lost=2, text="2 edges were lost"),
        EdgeSeen(t_ns=7, line=BLUE, active=True, error_ns=20_000, source="pods", merged_ns=0),
        EdgeSeen(t_ns=7, line=RED, active=True, error_ns=20_000, source="gpiod", merged_ns=0),
    ]

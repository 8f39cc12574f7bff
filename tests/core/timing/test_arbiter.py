"""The arbiter: one stream in the order of time, however the events are delivered."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.arbiter import Arbiter, LateDelivery
from companion.core.timing.debounce import Debouncer, LineTiming
from companion.core.timing.events import MS, Edge, Levels, Press, SourceFault, Turned

DELAY = 30 * MS
NAMES = ("red first", "blue first", "green first")


def arbiter(**timings: LineTiming) -> Arbiter:
    lines = {name: LineTiming() for name in NAMES} | {k.replace("_", " "): v for k, v in timings.items()}
    made = Arbiter(Debouncer(lines), DELAY)
    made.feed(Levels(frozenset(), frozenset(lines), 0))
    assert made.advance(DELAY) == []
    return made


def presses(events: list[object]) -> list[tuple[str, int]]:
    return [(event.line, event.t_ns // MS) for event in events if isinstance(event, Press)]


def test_a_press_waits_for_the_worst_delivery_delay_and_its_confirmation() -> None:
    made = arbiter()
    made.feed(Edge("red first", True, 100 * MS, 0))
    assert made.next_deadline() == 130 * MS
    assert presses(made.advance(131 * MS)) == []
    assert made.next_deadline() == 132 * MS
    assert presses(made.advance(132 * MS)) == [("red first", 100)]


def test_an_earlier_press_delivered_later_comes_first() -> None:
    made = arbiter()
    made.feed(Edge("red first", True, 110 * MS, 0))
    assert presses(made.advance(125 * MS)) == []
    made.feed(Edge("blue first", True, 100 * MS, 0))
    assert presses(made.advance(200 * MS)) == [("blue first", 100), ("red first", 110)]


def test_a_contact_with_a_long_confirmation_holds_back_what_came_after_it() -> None:
    made = arbiter(red_first=LineTiming(confirm_ns=500 * MS))
    made.feed(Edge("red first", True, 100 * MS, 0))
    made.feed(Edge("blue first", True, 101 * MS, 0))
    assert presses(made.advance(400 * MS)) == []
    assert made.settled_ns == 100 * MS - 1
    assert presses(made.advance(630 * MS)) == [("red first", 100), ("blue first", 101)]


def test_a_glitch_lets_go_of_what_it_held_back() -> None:
    made = arbiter()
    made.feed(Edge("red first", True, 100 * MS, 0))
    made.feed(Edge("red first", False, 101 * MS, 0))
    made.feed(Edge("blue first", True, 102 * MS, 0))
    assert presses(made.advance(150 * MS)) == []
    assert presses(made.advance(151 * MS)) == [("blue first", 102)]


def test_an_edge_later_than_its_source_states_is_reported_and_keeps_its_time() -> None:
    made = arbiter()
    made.advance(200 * MS)
    made.feed(Edge("red first", True, 100 * MS, 0))
    out = made.advance(201 * MS)
    assert out[0] == LateDelivery("red first", 100 * MS, 70 * MS)
    assert presses(out) == [("red first", 100)]


def test_an_edge_of_the_very_instant_that_is_settled_already_is_late() -> None:
    made = arbiter()
    made.advance(200 * MS)
    made.feed(Edge("red chief", True, 170 * MS, 0))
    assert made.advance(200 * MS)[0] == LateDelivery("red chief", 170 * MS, 0)
    made.feed(Edge("blue chief", True, 170 * MS + 1, 0))
    assert not any(isinstance(event, LateDelivery) for event in made.advance(300 * MS))


def test_an_edge_at_the_beginning_of_the_clock_is_not_late() -> None:
    made = Arbiter(Debouncer({"red chief": LineTiming()}), DELAY)
    assert made.settled_ns < 0
    made.feed(Edge("red chief", True, 0, 0))
    assert [type(event) for event in made.advance(100 * MS)] == [Press]


def test_what_happens_at_one_instant_comes_in_the_order_of_its_delivery() -> None:
    made = arbiter()
    turns = [Turned(steps, 100 * MS) for steps in (2, -1, 3, 1)]
    for turn in turns:
        made.feed(turn)
    assert made.advance(200 * MS) == turns


def test_what_happened_at_the_settled_instant_itself_is_given_out() -> None:
    made = arbiter()
    made.feed(Turned(1, 170 * MS))
    assert made.advance(made.next_deadline() or 0) == [Turned(1, 170 * MS)]
    assert made.settled_ns == 170 * MS


def test_with_nothing_under_way_there_is_no_deadline() -> None:
    assert arbiter().next_deadline() is None


def test_a_fault_of_a_source_does_not_wait() -> None:
    made = arbiter()
    fault = SourceFault("gpiod", "3 edges were lost", 100 * MS, 3)
    made.feed(fault)
    assert made.advance(1) == [fault]


def test_the_knob_turns_in_the_order_of_time_with_the_presses() -> None:
    made = arbiter()
    made.feed(Turned(1, 105 * MS))
    made.feed(Edge("red first", True, 100 * MS, 0))
    out = made.advance(200 * MS)
    assert [type(event).__name__ for event in out] == ["Press", "Turned"]


@given(st.integers(0, 10**6), st.integers(1, 25))
def test_the_order_of_delivery_within_the_delay_never_changes_the_outcome(seed: int, count: int) -> None:
    rng = random.Random(seed)
    edges = []
    for line in NAMES:
        now_ns = 50 * MS
        for index in range(count):
            now_ns += rng.randrange(50_000, 40 * MS)
            edges.append(Edge(line, index % 2 == 0, now_ns, 0))
    arrivals = sorted((edge.t_ns + rng.randrange(0, DELAY), edge) for edge in edges)
    end_ns = max(edge.t_ns for edge in edges) + 20_000 * MS
    straight, shuffled = arbiter(), arbiter()
    for edge in sorted(edges, key=lambda e: e.t_ns):
        straight.feed(edge)
    expected = straight.advance(end_ns)
    got = []
    for at_ns, edge in arrivals:
        got += shuffled.advance(at_ns)
        shuffled.feed(edge)
        got += shuffled.advance(at_ns)
    got += shuffled.advance(end_ns)
    assert not any(isinstance(event, LateDelivery) for event in got)
    assert presses(got) == presses(expected)
    assert sorted(map(repr, got)) == sorted(map(repr, expected))

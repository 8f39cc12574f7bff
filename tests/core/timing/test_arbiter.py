"""The arbiter: one stream in the order of time, however the events are delivered."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.arbiter import Arbiter, LateDelivery, Pending
from companion.core.timing.contacts import ContactLimits, LineTiming
from companion.core.timing.events import MS, SECOND, Dropped, Edge, Levels, Press, Rejected, SourceFault, Touch, Turned

if TYPE_CHECKING:
    from collections.abc import Sequence

PANEL, PHONES = "panel", "phones"
DELAY = 30 * MS
NAMES = ("red first", "blue first", "green first")


def arbiter(**timings: LineTiming) -> Arbiter:
    lines = {name: LineTiming() for name in NAMES} | {k.replace("_", " "): v for k, v in timings.items()}
    made = Arbiter(lines, {PANEL: DELAY})
    made.feed(PANEL, Levels(frozenset(), frozenset(lines), 0))
    assert made.advance(DELAY) == []
    return made


def presses(events: Sequence[object]) -> list[tuple[str, int]]:
    return [(event.line, event.t_ns // MS) for event in events if isinstance(event, Press)]


def test_a_press_waits_for_the_worst_delivery_delay_and_its_acceptance() -> None:
    made = arbiter()
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    assert made.next_deadline() == 102 * MS  # when it is to be shown
    made.advance(102 * MS)
    assert made.next_deadline() == 130 * MS
    assert presses(made.advance(131 * MS)) == []
    assert made.next_deadline() == 132 * MS
    assert presses(made.advance(132 * MS)) == [("red first", 100)]


def test_an_earlier_press_delivered_later_comes_first() -> None:
    made = arbiter()
    made.feed(PANEL, Edge("red first", True, 110 * MS, 0))
    assert presses(made.advance(125 * MS)) == []
    made.feed(PANEL, Edge("blue first", True, 100 * MS, 0))
    assert presses(made.advance(200 * MS)) == [("blue first", 100), ("red first", 110)]


def test_a_contact_with_a_long_acceptance_holds_back_what_came_after_it() -> None:
    made = arbiter(red_first=LineTiming(accept_ns=500 * MS))
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    made.feed(PANEL, Edge("blue first", True, 101 * MS, 0))
    assert presses(made.advance(400 * MS)) == []
    assert made.settled_ns == 100 * MS - 1
    assert presses(made.advance(630 * MS)) == [("red first", 100), ("blue first", 101)]


def test_a_rejected_contact_lets_go_of_what_it_held_back() -> None:
    made = arbiter()
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    made.feed(PANEL, Edge("red first", False, 101 * MS, 0))
    made.feed(PANEL, Edge("blue first", True, 102 * MS, 0))
    assert presses(made.advance(150 * MS - 1)) == []
    assert presses(made.advance(150 * MS)) == [("blue first", 102)]  # red's could count from 100.000001 ms at best


def test_an_edge_later_than_its_source_states_is_reported_and_keeps_its_time() -> None:
    made = arbiter()
    made.advance(200 * MS)
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    out = made.advance(201 * MS)
    assert out[0] == LateDelivery(PANEL, 100 * MS, 70 * MS)
    assert presses(out) == [("red first", 100)]


def test_an_edge_of_the_very_instant_that_is_settled_already_is_late() -> None:
    made = arbiter()
    made.advance(200 * MS)
    made.feed(PANEL, Edge("red chief", True, 170 * MS, 0))
    assert made.advance(200 * MS)[0] == LateDelivery(PANEL, 170 * MS, 0)
    made.feed(PANEL, Edge("blue chief", True, 170 * MS + 1, 0))
    assert not any(isinstance(event, LateDelivery) for event in made.advance(300 * MS))


def test_an_edge_at_the_beginning_of_the_clock_is_not_late() -> None:
    made = Arbiter({"red chief": LineTiming()}, {PANEL: DELAY})
    assert made.settled_ns < 0
    made.feed(PANEL, Edge("red chief", True, 0, 0))
    assert [type(event) for event in made.advance(100 * MS)] == [Press]


def test_what_happens_at_one_instant_comes_in_the_order_of_its_delivery() -> None:
    made = arbiter()
    turns = [Turned(steps, 100 * MS) for steps in (2, -1, 3, 1)]
    for turn in turns:
        made.feed(PANEL, turn)
    assert made.advance(200 * MS) == turns


def test_what_happened_at_the_settled_instant_itself_is_given_out() -> None:
    made = arbiter()
    made.feed(PANEL, Turned(1, 170 * MS))
    assert made.next_deadline() == 200 * MS
    assert made.advance(200 * MS) == [Turned(1, 170 * MS)]
    assert made.settled_ns == 170 * MS


def test_with_nothing_under_way_there_is_no_deadline() -> None:
    assert arbiter().next_deadline() is None


def test_a_fault_of_a_source_does_not_wait() -> None:
    made = arbiter()
    fault = SourceFault("gpiod", "3 edges were lost", 100 * MS, 3)
    made.feed(PANEL, fault)
    assert made.advance(1) == [fault]


def test_the_knob_turns_in_the_order_of_time_with_the_presses() -> None:
    made = arbiter()
    made.feed(PANEL, Turned(1, 105 * MS))
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    out = made.advance(200 * MS)
    assert [type(event).__name__ for event in out] == ["Press", "Turned"]


# What a source holds back ---------------------------------------------------------------------------------------------


def test_a_press_in_time_is_not_passed_over_while_its_source_holds_edges() -> None:
    """Pressed at 2.9 s while the program stood still; its source holds it back until 3.255 s, for a missing number."""
    made = arbiter()
    made.feed(PANEL, Edge("blue first", True, 100 * MS, 0))
    made.advance(2850 * MS)
    held_ns = 2900 * MS - 1
    for now_ms in (3250, 3251, 3254):
        assert made.advance(now_ms * MS, {PANEL: held_ns}) == []
        assert made.settled_ns == held_ns
    made.feed(PANEL, Edge("red first", True, 2900 * MS, 0))
    out = made.advance(3255 * MS, {PANEL: None})
    assert presses(out) == [("red first", 2900)]
    assert not any(isinstance(event, LateDelivery) for event in out)
    assert made.settled_ns == 3225 * MS


def test_what_one_source_holds_back_waits_for_all_and_is_taken_by_each_for_itself() -> None:
    made = Arbiter(dict.fromkeys(NAMES, LineTiming()), {PANEL: DELAY, PHONES: 150 * MS})
    made.feed(PANEL, Levels(frozenset(), frozenset(NAMES[:1]), 0))
    made.feed(PHONES, Levels(frozenset(), frozenset(NAMES[1:]), 0))
    made.feed(PANEL, Edge("red first", True, 1000 * MS, 0))
    assert presses(made.advance(1032 * MS)) == []
    assert presses(list(made.taken())) == [("red first", 1000)]
    assert made.taken() == []
    made.feed(PHONES, Edge("blue first", True, 990 * MS, 0))
    assert made.next_deadline() == 992 * MS  # blue's is to be shown
    made.advance(1100 * MS)
    assert presses(list(made.taken())) == []
    assert presses(made.advance(1149 * MS)) == [("blue first", 990)]
    assert presses(list(made.taken())) == [("blue first", 990)]
    assert made.next_deadline() == 1150 * MS
    assert presses(made.advance(1150 * MS)) == [("red first", 1000)]


def test_a_source_that_gives_nothing_is_waited_for_all_the_same() -> None:
    made = Arbiter(dict.fromkeys(NAMES, LineTiming()), {PANEL: 0, PHONES: 150 * MS})
    made.feed(PANEL, Turned(1, 100 * MS))
    assert made.advance(249 * MS) == []
    assert made.advance(250 * MS) == [Turned(1, 100 * MS)]


def test_presses_of_one_instant_come_in_the_order_of_their_sources_names() -> None:
    for first, second in ((PANEL, PHONES), (PHONES, PANEL)):
        made = Arbiter(dict.fromkeys(NAMES, LineTiming()), {PHONES: DELAY, PANEL: DELAY})
        for source in (first, second):
            made.feed(source, Edge("red first" if source == PANEL else "blue first", True, 100 * MS, 0))
        assert presses(made.advance(400 * MS)) == [("red first", 100), ("blue first", 100)]


def test_twenty_switches_that_bounce_late_are_told_once_and_not_edge_by_edge() -> None:
    made = arbiter()
    late: list[LateDelivery] = []
    for turn in range(40):
        now_ns = (1000 + turn) * MS
        made.advance(now_ns)
        for line in NAMES:
            made.feed(PANEL, Edge(line, turn % 2 == 0, now_ns - 100 * MS, 0))
        late += [event for event in made.advance(now_ns) if isinstance(event, LateDelivery)]
    assert late == [LateDelivery(PANEL, 900 * MS, 70 * MS, 3)]
    assert not [e for e in made.advance(2000 * MS - 1) if isinstance(e, LateDelivery)]
    rest = [event for event in made.advance(2000 * MS) if isinstance(event, LateDelivery)]
    assert rest == [LateDelivery(PANEL, 901 * MS, 70 * MS, 117)]
    assert not [e for e in made.advance(9000 * MS) if isinstance(e, LateDelivery)]


def test_a_burst_that_comes_late_is_told_by_its_earliest_and_its_worst() -> None:
    made = arbiter()
    made.advance(1000 * MS)
    made.feed(PANEL, Edge("green first", True, 900 * MS, 0))
    assert made.advance(1000 * MS)[0] == LateDelivery(PANEL, 900 * MS, 70 * MS)
    for now_ms, line, t_ms in ((1100, "red first", 800), (1200, "blue first", 700), (1300, "red first", 1200)):
        made.advance(now_ms * MS)
        made.feed(PANEL, Edge(line, t_ms != 1200, t_ms * MS, 0))
    late = [event for event in made.advance(2000 * MS) if isinstance(event, LateDelivery)]
    assert late == [LateDelivery(PANEL, 700 * MS, 470 * MS, 3)]


def test_the_limits_hold_for_what_counts_and_for_what_is_shown() -> None:
    made = Arbiter({"red first": LineTiming()}, {PANEL: DELAY}, ContactLimits(settle_ns=5 * MS))
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    made.advance(105 * MS - 1)
    assert made.pending().presses == ()
    made.advance(105 * MS)
    assert made.pending().presses == (Press("red first", 100 * MS, 0),)
    assert presses(made.advance(135 * MS - 1)) == []
    assert presses(made.advance(135 * MS)) == [("red first", 100)]


def test_a_source_of_which_no_delay_is_known_has_given_all_at_once() -> None:
    made = arbiter()
    made.feed(PHONES, Levels(frozenset(), frozenset(NAMES), 0))
    made.advance(99 * MS)
    made.feed(PHONES, Edge("red first", True, 100 * MS, 0))
    assert made.next_deadline() == 100 * MS
    assert made.advance(102 * MS) == []
    assert made.taken() == [Press("red first", 100 * MS, 0)]


def test_without_a_source_all_is_settled_by_now() -> None:
    made = Arbiter({}, {})
    assert made.advance(5) == []
    assert made.settled_ns == 5


def test_a_press_that_is_dropped_is_told_when_that_was_certain() -> None:
    made = arbiter(red_first=LineTiming(repeat_ns=500 * MS))
    for t_ms, active in ((100, True), (200, False), (600, True)):
        made.feed(PANEL, Edge("red first", active, t_ms * MS, 0))
    made.feed(PANEL, Edge("blue first", True, 601 * MS, 0))
    out = [event for event in made.advance(900 * MS) if isinstance(event, Press | Dropped)]
    assert [(event.line, event.t_ns // MS) for event in out] == [
        ("red first", 100), ("blue first", 601), ("red first", 600)
    ]  # fmt: skip
    assert isinstance(out[-1], Dropped)


# What is shown at once ------------------------------------------------------------------------------------------------


def test_a_press_is_shown_as_soon_as_it_is_accepted_and_until_it_is_given_out() -> None:
    made = arbiter()
    made.feed(PANEL, Edge("red first", True, 100 * MS, 5))
    made.advance(102 * MS - 1)
    assert made.pending() == Pending()
    made.advance(102 * MS)
    assert made.pending() == Pending((Press("red first", 100 * MS, 5),))
    assert made.advance(131 * MS) == []
    assert made.pending().presses == (Press("red first", 100 * MS, 5),)
    assert presses(made.advance(132 * MS)) == [("red first", 100)]
    assert made.pending() == Pending()


def test_what_was_shown_and_is_not_confirmed_vanishes() -> None:
    made = arbiter()
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    made.advance(103 * MS)
    assert len(made.pending().presses) == 1
    made.feed(PANEL, Edge("red first", False, 101 * MS, 0))  # on its way when the press was shown
    assert presses(made.advance(160 * MS)) == []
    assert made.pending() == Pending()


def test_contacts_under_way_are_told_in_the_order_of_time() -> None:
    slow = LineTiming(accept_ns=500 * MS)
    made = arbiter(red_first=slow, blue_first=slow, green_first=slow)
    for t_ms, line in ((100, "green first"), (101, "red first"), (101, "blue first")):
        made.feed(PANEL, Edge(line, True, t_ms * MS, 0))
    made.advance(200 * MS)
    assert [touch.line for touch in made.pending().unsettled] == ["green first", "blue first", "red first"]


def test_nobody_waits_to_be_shown_for_another_s_long_acceptance() -> None:
    made = arbiter(red_first=LineTiming(accept_ns=500 * MS, seat="red"))
    made.feed(PANEL, Edge("red first", True, 100 * MS, 0))
    made.feed(PANEL, Edge("blue first", True, 101 * MS, 0))
    made.advance(103 * MS)
    assert presses(list(made.pending().presses)) == [("blue first", 101)]
    assert made.pending().unsettled == (Touch("red first", 100 * MS),)
    assert made.advance(400 * MS) == []
    assert presses(list(made.pending().presses)) == [("blue first", 101)]
    made.advance(600 * MS)
    assert presses(list(made.pending().presses)) == [("red first", 100), ("blue first", 101)]
    assert made.pending().unsettled == ()


def test_a_late_press_is_not_shown_beside_itself() -> None:
    made = arbiter()
    made.advance(1000 * MS)
    made.feed(PANEL, Edge("red first", True, 500 * MS, 0))
    assert presses(made.advance(1000 * MS)) == [("red first", 500)]
    assert made.pending() == Pending()


# Properties -----------------------------------------------------------------------------------------------------------

TIMINGS = {
    "red first": LineTiming(accept_ns=60 * MS, seat="red"),
    "red second": LineTiming(accept_ns=60 * MS, seat="red"),
    "blue first": LineTiming(),
    "green first": LineTiming(bounce_ns=0, accept_ns=0, repeat_ns=70 * MS),
}
SOURCE_OF = {"red first": PANEL, "red second": PANEL, "blue first": PHONES, "green first": PANEL}


@given(st.integers(0, 10**6), st.integers(1, 25))
def test_delivery_and_holding_back_never_change_the_outcome(seed: int, count: int) -> None:
    rng = random.Random(seed)
    edges = []
    for line in TIMINGS:
        now_ns = 50 * MS
        for index in range(count):
            now_ns += rng.randrange(50_000, 60 * MS)
            edges.append(Edge(line, index % 2 == 0, now_ns, 0))
    edges.sort(key=lambda edge: edge.t_ns)
    end_ns = edges[-1].t_ns + 20 * SECOND
    straight, held = (Arbiter(TIMINGS, {PANEL: DELAY, PHONES: 2 * DELAY}) for _ in range(2))
    for edge in edges:
        straight.feed(SOURCE_OF[edge.line], edge)
    expected = straight.advance(end_ns)
    got, left, taken = [], list(edges), []
    for now_ns in sorted(rng.randrange(0, edges[-1].t_ns) for _ in range(30)):
        given_ns = now_ns - rng.randrange(0, 300 * MS)  # what came after is held back
        for edge in [edge for edge in left if edge.t_ns <= given_ns]:
            left.remove(edge)
            held.feed(SOURCE_OF[edge.line], edge)
        got += held.advance(now_ns, {PANEL: given_ns, PHONES: given_ns})
        taken += held.taken()
    for edge in left:
        held.feed(SOURCE_OF[edge.line], edge)
    got += held.advance(end_ns)
    assert got == expected
    assert any(isinstance(event, (Press, Rejected)) for event in expected)
    assert sorted(taken + held.taken()) == sorted(event for event in got if isinstance(event, Press))
    assert held.advance(end_ns + SECOND) == []
    assert held.pending() == Pending()


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
        straight.feed(PANEL, edge)
    expected = straight.advance(end_ns)
    got = []
    for at_ns, edge in arrivals:
        got += shuffled.advance(at_ns)
        shuffled.feed(PANEL, edge)
        got += shuffled.advance(at_ns)
    got += shuffled.advance(end_ns)
    assert not any(isinstance(event, LateDelivery) for event in got)
    assert got == expected

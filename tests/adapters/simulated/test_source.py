"""The simulated panel's source: announced times stand, nothing comes early, an autorepeat is no second press."""

import select

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.simulated.source import SimulatedSource
from companion.core.errors import Malformed
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH
from companion.core.timing.events import MS, Edge, Levels, Turned

LINES = (*BUTTON_BY_LABEL, KNOB_PUSH)


class Clock:
    def __init__(self):
        self.now_ns = 1_000 * MS

    def __call__(self):
        return self.now_ns


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def source(clock):
    source = SimulatedSource(clock, LINES)
    source.open()
    source.read()
    yield source
    source.close()


def readable(source, seconds):
    return bool(select.select([source.fileno()], [], [], seconds)[0])


def test_the_first_event_is_the_levels_of_all_lines_with_what_was_held_before(clock):
    source = SimulatedSource(clock, LINES)
    source.edge("red fourth", True, 10 * MS)
    source.open()
    try:
        assert readable(source, 5)
        assert source.read() == [Levels(frozenset({"red fourth"}), frozenset(LINES), clock.now_ns)]
    finally:
        source.close()


def test_a_release_is_given_when_it_is_due_and_with_its_own_time(source, clock):
    t_ns = clock.now_ns
    source.press("red fourth", t_ns, hold_ns=80 * MS)
    assert readable(source, 5)
    assert source.read() == [Edge("red fourth", True, t_ns, 20_000)]
    clock.now_ns += 79 * MS
    assert source.read() == []
    clock.now_ns += 5 * MS
    assert source.read() == [Edge("red fourth", False, t_ns + 80 * MS, 20_000)]


def test_fileno_wakes_for_an_edge_announced_ahead(source, clock):
    source.edge("blue first", True, clock.now_ns + 3_600_000 * MS)
    assert not readable(source, 0)
    clock.now_ns += 3_600_000 * MS
    source.edge("blue first", False, clock.now_ns)
    assert readable(source, 5)
    assert [edge.active for edge in source.read()] == [True, False]


def test_a_repeated_key_holds_the_line_and_is_no_second_press(source, clock):
    start_ns = clock.now_ns
    seen = []
    for _ in range(10):
        source.press("red fourth", clock.now_ns, hold_ns=120 * MS)
        seen += source.read()
        clock.now_ns += 33 * MS
    clock.now_ns += 200 * MS
    seen += source.read()
    assert seen == [
        Edge("red fourth", True, start_ns, 20_000),
        Edge("red fourth", False, start_ns + 9 * 33 * MS + 120 * MS, 20_000),
    ]


def test_a_press_after_the_release_is_a_second_press(source, clock):
    source.press("red fourth", clock.now_ns)
    clock.now_ns += 300 * MS
    source.press("red fourth", clock.now_ns)
    clock.now_ns += 300 * MS
    assert [edge.active for edge in source.read()] == [True, False, True, False]


def test_an_edge_may_state_its_own_error(source, clock):
    source.press(KNOB_PUSH, clock.now_ns, error_ns=5 * MS)
    source.turn(-2, clock.now_ns)
    assert source.read() == [Edge(KNOB_PUSH, True, clock.now_ns, 5 * MS), Turned(-2, clock.now_ns)]


def test_an_unknown_line_is_refused_by_name_and_leaves_nothing_behind(source, clock):
    with pytest.raises(Malformed, match="no line 'pink chief'"):
        source.press("pink chief", clock.now_ns)
    with pytest.raises(Malformed, match="no line 'pink chief'"):
        source.feed([Turned(1, 0), Edge("pink chief", True, 0, 0)], clock.now_ns)
    clock.now_ns += 1_000 * MS
    assert source.read() == []


def test_it_can_be_closed_and_opened_again(source, clock):
    source.edge("red fourth", True, clock.now_ns)
    source.read()
    source.close()
    with pytest.raises(Malformed, match="not open"):
        source.fileno()
    source.open()
    assert source.read() == [Levels(frozenset({"red fourth"}), frozenset(LINES), clock.now_ns)]


@given(
    st.lists(st.tuples(st.sampled_from(LINES), st.booleans(), st.integers(0, 10**9)), max_size=40),
    st.lists(st.integers(0, 2 * 10**8), max_size=20),
)
def test_any_schedule_comes_out_sorted_complete_and_never_early(edges, steps):
    clock = Clock()
    source = SimulatedSource(clock, LINES)
    source.open()
    source.read()
    start_ns = clock.now_ns + 1
    source.feed([Edge(line, active, t_ns, 7) for line, active, t_ns in edges], start_ns)
    seen = []
    for step in [*steps, 10**10]:
        clock.now_ns += step
        events = source.read()
        assert all(event.t_ns <= clock.now_ns for event in events)
        seen += events
    source.close()
    expected = sorted(edges, key=lambda edge: edge[2])
    assert seen == [Edge(line, active, start_ns + t_ns, 7) for line, active, t_ns in expected]

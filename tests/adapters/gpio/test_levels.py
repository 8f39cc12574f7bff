"""Properties of the bookkeeping: whatever the edges, lines alternate and levels plus edges give the truth."""

from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.gpio.lines.levels import LineBook, RawEdge
from companion.core.timing.events import Edge, Levels

LABELS = ("a", "b", "c")

raw_edges = st.lists(
    st.tuples(st.integers(10, 10_000), st.sampled_from(LABELS), st.booleans()),
    unique_by=lambda edge: (edge[0] // 2, edge[1]),
).map(lambda edges: [RawEdge(t_ns, line, active) for t_ns, line, active in sorted(edges)])


def true_history(edges):
    """Keep the edges that a contact can make: each line's alternating, from open."""
    active, out = set[str](), []
    for edge in edges:
        if edge.active != (edge.line in active):
            (active.add if edge.active else active.discard)(edge.line)
            out.append(edge)
    return out


def follow(events, upto_ns=None):
    active = set()
    for event in events:
        if upto_ns is not None and event.t_ns > upto_ns:
            break
        if isinstance(event, Levels):
            active = set(event.active)
        else:
            (active.add if event.active else active.discard)(event.line)
    return active


@given(raw_edges)
def test_every_lines_edges_alternate_whatever_is_reported(edges):
    book = LineBook(LABELS, 5)
    active = dict.fromkeys(LABELS, False)
    for event in sorted(
        (e for e in book.start(set(), 0, []) + book.edges(edges) if isinstance(e, Edge)), key=lambda e: (e.t_ns, e.line)
    ):
        assert event.active is not active[event.line]
        active[event.line] = event.active


@given(raw_edges, st.integers(0, 10_001))
def test_levels_read_at_any_instant_and_the_queued_edges_count_each_change_once(edges, t_ns):
    history = true_history(edges)
    found = follow([edge for edge in history if edge.t_ns <= t_ns])
    events = LineBook(LABELS, 5).start(found, t_ns, history)
    assert isinstance(events[0], Levels)
    assert events[0].active == frozenset()
    assert events[1:] == [Edge(edge.line, edge.active, edge.t_ns, 5) for edge in history]


@given(raw_edges, st.integers(0, 10_001), st.integers(0, 500))
def test_levels_read_a_little_late_are_put_right_by_the_edges(edges, t_ns, late_ns):
    history = true_history(edges)
    found = follow([edge for edge in history if edge.t_ns <= t_ns + late_ns])
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    events = book.again(found, t_ns, history)
    (levels,) = (event for event in events if isinstance(event, Levels))
    assert levels.active == follow([edge for edge in history if edge.t_ns <= t_ns])
    assert [event.t_ns for event in events] == sorted(event.t_ns for event in events)
    assert follow(events) == follow(history)


def test_an_edge_that_the_levels_already_count_is_told_as_it_is():
    book = LineBook(LABELS, 5)
    book.start({"a"}, 1000, [])
    assert book.edges([RawEdge(990, "a", True)]) == [Edge("a", True, 990, 5)]


def test_a_merged_edge_whose_report_comes_after_the_levels_is_as_uncertain_as_any():
    """0.68 ms outside ±0.12 was seen: the levels' instant was taken for the edge before it."""
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    book.again({"a"}, 5_000, [])
    assert book.edges([RawEdge(3_000, "a", True, since_ns=1_000)]) == [placed("a", True, 1_000, 3_000)]


def test_a_line_is_missed_only_after_the_delay_and_not_while_its_report_is_on_its_way():
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    assert book.missed({"a"}, 100, 50) == []
    assert book.missed({"a"}, 149, 50) == []
    assert book.missed({"a"}, 151, 50) == ["a"]
    book.edges([RawEdge(100, "a", True)])
    assert book.missed({"a"}, 400, 50) == []


def placed(line: str, active: bool, from_ns: int, to_ns: int) -> Edge:
    """An edge that may have been at any time between two, ±5 of its source."""
    half_ns = (to_ns - from_ns + 1) // 2
    return Edge(line, active, from_ns + half_ns, 5 + half_ns, merged_ns=half_ns)


def test_a_level_that_does_not_alternate_is_two_edges_on_both_sides_of_its_stamp_as_far_as_its_thread_may_have_waited():
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    book.edges([RawEdge(1_000, "a", True), RawEdge(2_000, "a", False)])
    told = book.edges([RawEdge(9_000, "a", False, wait_ns=3_000)])
    assert told == [placed("a", True, 6_000, 9_000), placed("a", False, 9_001, 12_000)]


def test_the_missing_twin_of_an_edge_is_not_before_its_lines_edge_before_it_nor_after_the_next():
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    book.edges([RawEdge(1_000, "a", True), RawEdge(8_000, "a", False)])
    told = book.edges([RawEdge(9_000, "a", False, wait_ns=3_000), RawEdge(9_500, "a", True)])
    assert told == [placed("a", True, 8_000, 9_000), placed("a", False, 9_001, 9_500), Edge("a", True, 9_500, 5)]


def test_a_merged_edge_is_in_the_middle_of_where_it_may_have_been_but_not_before_its_lines_last_stamp():
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    told = book.edges([RawEdge(3_000, "a", True, since_ns=1_000), RawEdge(4_000, "a", False, since_ns=500)])
    assert told == [placed("a", True, 1_000, 3_000), placed("a", False, 3_000, 4_000)]


@given(st.integers(1, 9), st.integers(1, 9))
def test_an_interval_of_odd_length_makes_no_edge_come_before_the_one_before_it(first_ns, second_ns):
    """By one nanosecond it did: then the contacts took an opening before its closing, and the line stayed pressed."""
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    raw = [RawEdge(1_000, "a", False, wait_ns=first_ns), RawEdge(1_000 + second_ns, "a", False, wait_ns=9)]
    earliest = [event.earliest_ns for event in book.edges(raw) if isinstance(event, Edge)]
    assert earliest == sorted(earliest)


def test_what_was_lost_is_a_mark_of_its_own_and_no_older_than_the_lines_last_edge():
    book = LineBook(LABELS, 5)
    book.start(set(), 0, [])
    told = book.edges([RawEdge(3_000, "a", True, lost_since_ns=1_000), RawEdge(4_000, "a", False, lost_since_ns=500)])
    assert told == [
        Edge("a", True, 3_000, 5, lost_since_ns=1_000), Edge("a", False, 4_000, 5, lost_since_ns=3_000),
    ]  # fmt: skip


def test_levels_told_anew_of_some_lines_leave_the_others_as_they_are():
    book = LineBook(LABELS, 5)
    book.start({"a", "b"}, 0, [])
    assert book.again(set(), 1_000, [], ["a"]) == [Levels(frozenset(), frozenset({"a"}), 1_000)]
    assert book.edges([RawEdge(2_000, "b", False)]) == [Edge("b", False, 2_000, 5)]

"""Debouncing by time stamps: what is a press, when it was, and which lines are not believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.debounce import (
    CHATTERING,
    HELD_AT_START,
    STUCK,
    TABLE,
    UNTIMED,
    Cause,
    Debouncer,
    FaultLimits,
    LineState,
    LineTiming,
    _Line,
)
from companion.core.timing.events import MS, SECOND, Edge, Glitch, Levels, LineFault, Press, Release, Touch

LINE = "red first"


def debouncer(timing: LineTiming | None = None, *lines: str) -> Debouncer:
    names = lines or (LINE,)
    made = Debouncer({name: timing or LineTiming() for name in names})
    assert made.feed(Levels(frozenset(), frozenset(names), 0)) == []
    return made


def run(made: Debouncer, *edges: tuple[float, bool], until_ms: float = 900) -> list[object]:
    out: list[object] = []
    for at_ms, active in edges:
        out += made.feed(Edge(LINE, active, round(at_ms * MS), 20_000))
    return [event for event in out + made.advance(round(until_ms * MS)) if not isinstance(event, Touch)]


def test_the_first_edge_of_a_bouncing_contact_is_the_press() -> None:
    bounce = [(100, True), (100.4, False), (101, True), (101.2, False), (104, True), (104.5, False), (107, True)]
    out = run(debouncer(), *bounce, (200, False))
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, 200 * MS)]


def test_confirmation_longer_than_the_first_contact_does_not_make_the_press_later() -> None:
    out = run(debouncer(LineTiming(confirm_ns=300 * MS)), (100, True), (101, False), (102, True), (600, False))
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, 600 * MS)]


def test_a_contact_shorter_than_the_confirmation_is_a_counted_glitch() -> None:
    made = debouncer()
    assert run(made, (100, True), (101.9, False)) == [Glitch(LINE, 100 * MS, 1)]
    assert run(made, (1000, True), (1000.1, False), until_ms=1100) == [Glitch(LINE, 1000 * MS, 2)]


def test_a_contact_of_exactly_the_confirmation_time_is_a_press() -> None:
    assert Press(LINE, 100 * MS, 20_000) in run(debouncer(), (100, True), (102, False))


def test_several_spikes_do_not_add_up_to_a_press() -> None:
    spikes = [(100 + 5 * i + part, active) for i in range(10) for part, active in ((0, True), (0.2, False))]
    assert run(debouncer(), *spikes) == [Glitch(LINE, 100 * MS, 1)]


def test_a_press_is_deaf_until_quiet_for_the_bounce_time() -> None:
    release_bounce = [(200, False), (205, True), (206, False), (219, True), (219.5, False)]
    out = run(debouncer(), (100, True), *release_bounce)
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, round(219.5 * MS))]


def test_a_second_press_after_the_bounce_time_counts() -> None:
    out = run(debouncer(), (100, True), (150, False), (170, True), (200, False))
    assert [e.t_ns for e in out if isinstance(e, Press)] == [100 * MS, 170 * MS]


def test_zero_confirmation_and_zero_bounce_take_every_contact_at_once() -> None:
    made = debouncer(LineTiming(0, 0))
    out = run(made, (100, True), (100.1, False), (100.2, True), (100.3, False))
    assert [e.t_ns for e in out if isinstance(e, Press)] == [100 * MS, round(100.2 * MS)]


def test_a_tremor_seat_with_a_second_of_both_makes_one_press_at_the_first_touch() -> None:
    taps = [
        (100, True),
        (180, False),
        (350, True),
        (420, False),
        (600, True),
        (1700, False),
        (1900, True),
        (1950, False),
    ]
    out = run(debouncer(LineTiming(SECOND, SECOND)), *taps, until_ms=5000)
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, 1950 * MS)]


def test_a_line_held_at_start_is_named_never_a_press_and_well_again_after_letting_go() -> None:
    made = Debouncer({LINE: LineTiming()})
    assert made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 0)) == [LineFault(LINE, HELD_AT_START, 0)]
    out = run(made, (5000, False), (6000, True), (6100, False), until_ms=7000)
    assert out == [LineFault(LINE, None, 5500 * MS), Press(LINE, 6000 * MS, 20_000), Release(LINE, 6100 * MS)]


def test_an_excluded_line_stays_excluded_while_it_is_restless() -> None:
    made = Debouncer({LINE: LineTiming()})
    made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 0))
    assert run(made, (100, False), (400, True), (450, False), (800, True), until_ms=3000) == []
    assert made.state_of(LINE) is LineState.EXCLUDED


def test_a_stuck_line_keeps_its_press_and_is_then_excluded_by_name() -> None:
    out = run(debouncer(), (100, True), until_ms=20_000)
    stuck_ns = 10_100 * MS
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, stuck_ns), LineFault(LINE, STUCK, stuck_ns)]


def test_a_chattering_line_is_excluded_and_its_contact_is_no_press() -> None:
    chatter = [(100 + i, i % 2 == 0) for i in range(300)]
    out = run(debouncer(LineTiming(confirm_ns=5 * MS)), *chatter, until_ms=500)
    assert out[:2] == [Glitch(LINE, 100 * MS, 1), LineFault(LINE, CHATTERING, 300 * MS)]
    assert not any(isinstance(event, Press) for event in out)


def test_a_contact_that_never_settles_does_not_hold_up_the_others_for_ever() -> None:
    made = Debouncer({LINE: LineTiming()}, FaultLimits(chatter_edges=10_000))
    made.feed(Levels(frozenset(), frozenset({LINE}), 0))
    restless = [(100 + 1.5 * i, i % 2 == 0) for i in range(1000)]
    out = run(made, *restless, until_ms=1700)
    assert LineFault(LINE, CHATTERING, 1102 * MS) in out
    assert made.earliest_contact() is None


def test_levels_after_lost_edges_release_and_exclude_what_cannot_be_timed() -> None:
    made = debouncer(None, LINE, "red fourth")
    made.feed(Edge(LINE, True, 100 * MS, 0))
    out = made.feed(Levels(frozenset({"red fourth"}), frozenset({LINE, "red fourth"}), 300 * MS))
    assert LineFault("red fourth", UNTIMED, 300 * MS) in out
    assert Release(LINE, 300 * MS) in made.advance(400 * MS)


def test_levels_of_unknown_lines_change_nothing_and_a_line_they_do_not_name_stays_unknown() -> None:
    made = debouncer(None, LINE, "red hunter")
    fresh = Debouncer({LINE: LineTiming(), "red hunter": LineTiming()})
    assert made.feed(Levels(frozenset({"green chief"}), frozenset({"green chief"}), 5)) == []
    assert fresh.feed(Levels(frozenset(), frozenset({LINE}), 0)) == []
    assert (fresh.state_of(LINE), fresh.state_of("red hunter")) == (LineState.RELEASED, LineState.UNKNOWN)


def test_every_line_held_at_the_start_is_named() -> None:
    names = frozenset({"red hunter", LINE})
    out = Debouncer({name: LineTiming() for name in names}).feed(Levels(names, names, 7))
    assert out == [LineFault(LINE, HELD_AT_START, 7), LineFault("red hunter", HELD_AT_START, 7)]


def test_levels_do_not_swallow_a_press_that_was_confirmed_before_them() -> None:
    made = debouncer(None, LINE, "red hunter")
    made.feed(Edge(LINE, True, 100 * MS, 0))
    out = made.feed(Levels(frozenset({LINE, "red hunter"}), frozenset({LINE, "red hunter"}), 300 * MS))
    assert out == [Press(LINE, 100 * MS, 0), LineFault("red hunter", UNTIMED, 300 * MS)]


def test_levels_that_find_a_bouncing_press_closed_again_do_not_exclude_it() -> None:
    made = debouncer()
    assert run(made, (100, True), (150, False), until_ms=155) == [Press(LINE, 100 * MS, 20_000)]
    assert made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 160 * MS)) == []
    assert made.state_of(LINE) is LineState.PRESSED


def test_several_lines_come_in_the_order_in_which_they_fall_due_not_in_that_of_their_names() -> None:
    made = debouncer(None, LINE, "red hunter", "red maiden")
    for line, at_ms in (("red maiden", 100), ("red hunter", 101), (LINE, 101)):
        made.feed(Edge(line, True, at_ms * MS, 0))
    assert [event.line for event in made.advance(200 * MS)] == ["red maiden", LINE, "red hunter"]


def test_the_next_deadline_is_that_of_the_line_that_is_due_first_and_none_while_all_is_quiet() -> None:
    made = Debouncer({LINE: LineTiming(), "red hunter": LineTiming(confirm_ns=9 * MS)}, FaultLimits(stuck_ns=SECOND))
    assert made.next_deadline() is None
    made.feed(Edge("red hunter", True, 100 * MS, 0))
    assert made.next_deadline() == 109 * MS
    made.feed(Edge(LINE, True, 101 * MS, 0))
    assert made.next_deadline() == 103 * MS
    made.advance(110 * MS)
    assert made.next_deadline() == 1100 * MS


def test_a_touch_says_which_line_and_when_and_without_confirmation_the_press_follows_at_once() -> None:
    assert debouncer().feed(Edge(LINE, True, 5, 0)) == [Touch(LINE, 5)]
    at_once = debouncer(LineTiming(confirm_ns=0)).feed(Edge(LINE, True, 5, 3))
    assert at_once == [Touch(LINE, 5), Press(LINE, 5, 3)]


def test_without_a_bounce_time_a_short_contact_is_a_glitch_at_once() -> None:
    made = debouncer(LineTiming(confirm_ns=2 * MS, bounce_ns=0))
    made.feed(Edge(LINE, True, 100 * MS, 0))
    assert made.feed(Edge(LINE, False, 101 * MS, 0)) == [Glitch(LINE, 100 * MS, 1)]


def test_an_edge_of_exactly_a_second_ago_is_no_longer_chatter() -> None:
    made = Debouncer({LINE: LineTiming()}, FaultLimits(chatter_edges=2))
    made.feed(Levels(frozenset(), frozenset({LINE}), 0))
    out = run(made, (100, True), (300, False), (1100, True), until_ms=1150)
    assert [event.t_ns for event in out if isinstance(event, Press)] == [100 * MS, 1100 * MS]


def test_a_contact_that_never_settles_is_chatter_although_it_is_closed_when_its_time_is_over() -> None:
    made = Debouncer({LINE: LineTiming(confirm_ns=5 * MS)}, FaultLimits(unsettled_ns=10 * MS))
    made.feed(Levels(frozenset(), frozenset({LINE}), 0))
    out = run(made, (100, True), (101, False), (112, True), until_ms=200)
    assert out == [Glitch(LINE, 100 * MS, 1), LineFault(LINE, CHATTERING, 115 * MS)]


def test_an_edge_of_an_unknown_line_changes_nothing() -> None:
    assert debouncer().feed(Edge("green first", True, 5, 0)) == []


def test_the_state_of_an_unknown_line_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        debouncer().state_of("green first")


gaps = st.lists(st.integers(1, 40 * MS), min_size=1, max_size=60)


@given(gaps, st.lists(st.integers(0, 3000 * MS), max_size=20))
def test_what_comes_out_does_not_depend_on_when_time_is_advanced(widths: list[int], stops: list[int]) -> None:
    edges, now_ns = [], 0
    for index, width in enumerate(widths):
        now_ns += width
        edges.append(Edge(LINE, index % 2 == 0, now_ns, 0))
    end_ns = now_ns + 30 * SECOND
    plain, stepped = debouncer(), debouncer()
    expected = [event for edge in edges for event in plain.feed(edge)] + plain.advance(end_ns)
    got: list[object] = []
    for instant, edge in sorted(
        [(e.t_ns, e) for e in edges] + [(s, None) for s in stops if s < now_ns], key=lambda p: p[0]
    ):
        got += stepped.advance(instant - 1) + stepped.feed(edge) if edge else stepped.advance(instant - 1)
    assert got + stepped.advance(end_ns) == expected


@given(gaps)
def test_every_press_is_an_active_edge_and_presses_never_touch(widths: list[int]) -> None:
    made, edges, now_ns = debouncer(), [], 0
    for index, width in enumerate(widths):
        now_ns += width
        edges.append(Edge(LINE, index % 2 == 0, now_ns, 0))
    out = [event for edge in edges for event in made.feed(edge)] + made.advance(now_ns + 30 * SECOND)
    presses = [event.t_ns for event in out if isinstance(event, Press)]
    assert set(presses) <= {edge.t_ns for edge in edges if edge.active}
    releases = [event.t_ns for event in out if isinstance(event, Release)]
    assert len(releases) == len(presses)
    assert all(a < b for a, b in zip(presses, releases, strict=True))


def test_the_table_says_what_becomes_of_a_line_in_every_state_for_every_level() -> None:
    assert set(TABLE) == set(LineState)
    assert {cause for row in TABLE.values() for cause in row} == set(Cause)
    assert all({Cause.ACTIVE, Cause.INACTIVE} <= set(row) for row in TABLE.values())
    assert [state for state in LineState if Cause.CONFIRMED in TABLE[state]] == [LineState.CONTACT]
    assert [state for state in LineState if Cause.FAULT not in TABLE[state]] == [LineState.EXCLUDED]
    assert {state for row in TABLE.values() for state in row.values()} == set(LineState) - {LineState.UNKNOWN}


@pytest.mark.parametrize("state", LineState)
@pytest.mark.parametrize("cause", Cause)
def test_what_is_not_in_the_table_leaves_a_line_as_it_was(state: LineState, cause: Cause) -> None:
    line = _Line(LINE, LineTiming(), state)
    if cause in TABLE[state]:
        line.follow(cause)
        assert line.state is TABLE[state][cause]
    else:
        with pytest.raises(KeyError):
            line.follow(cause)
        assert line.state is state

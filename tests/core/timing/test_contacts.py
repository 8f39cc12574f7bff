"""Contacts: what is a press, when it was, and which lines take none."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.contact import BEGINNING
from companion.core.timing.contacts import (
    CHATTERING,
    CONCESSION_NS,
    HELD_AT_START,
    NEVER_FIRM,
    OVERLAPPED,
    REPEATED,
    SICK_LINE,
    STUCK,
    TABLE,
    TOO_SHORT,
    UNTIMED,
    Cause,
    ContactLimits,
    Contacts,
    LineState,
    LineTiming,
    _Chatter,
    _Line,
)
from companion.core.timing.events import (
    MS,
    SECOND,
    Dropped,
    Edge,
    Levels,
    LineFault,
    Press,
    Rejected,
    Release,
    Touch,
    Unheard,
)

LINE = "red first"
YELLOW = ("yellow first", "yellow second", "yellow third", "yellow fourth")
SLOW = LineTiming(accept_ns=300 * MS, seat="yellow")


def contacts(timing: LineTiming | None = None, *lines: str, limits: ContactLimits | None = None) -> Contacts:
    names = lines or (LINE,)
    made = Contacts({name: timing or LineTiming() for name in names}, limits)
    assert made.feed(Levels(frozenset(), frozenset(names), 0)) == []
    return made


def slow() -> Contacts:
    return contacts(SLOW, *YELLOW)


def play(made: Contacts, *edges: tuple[float, bool, str], until_ms: float) -> list[object]:
    out: list[object] = []
    for at_ms, active, line in edges:
        out += made.feed(Edge(line, active, round(at_ms * MS), 20_000))
    return [event for event in out + made.advance(round(until_ms * MS)) if not isinstance(event, Touch)]


def run(made: Contacts, *edges: tuple[float, bool], until_ms: float = 900) -> list[object]:
    return play(made, *((at_ms, active, LINE) for at_ms, active in edges), until_ms=until_ms)


def held(line: int, from_ms: float, to_ms: float) -> tuple[tuple[float, bool, str], ...]:
    return (from_ms, True, YELLOW[line]), (to_ms, False, YELLOW[line])


def instants(out: Sequence[object]) -> list[float]:
    return [event.t_ns / MS for event in out if isinstance(event, Press)]


def presses(out: list[object]) -> list[tuple[str, float]]:
    return [(event.line, event.t_ns / MS) for event in out if isinstance(event, Press)]


# The contact and its instant ------------------------------------------------------------------------------------------


def test_the_first_edge_of_a_bouncing_contact_is_the_press() -> None:
    bounce = [(100, True), (100.4, False), (101, True), (101.2, False), (104, True), (104.5, False), (107, True)]
    out = run(contacts(), *bounce, (200, False))
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, 200 * MS)]


def test_an_acceptance_longer_than_the_first_closure_does_not_make_the_press_later() -> None:
    out = run(contacts(LineTiming(accept_ns=300 * MS)), (100, True), (109, False), (110, True), (600, False))
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, 600 * MS)]


def test_a_closure_shorter_than_the_settling_time_is_rejected() -> None:
    made = contacts()
    assert run(made, (100, True), (101.9, False)) == [Rejected(LINE, 100 * MS, round(101.9 * MS), NEVER_FIRM)]


def test_a_contact_of_exactly_the_acceptance_time_is_a_press() -> None:
    assert instants(run(contacts(), (100, True), (102, False))) == [100]


@pytest.mark.parametrize(("to_ms", "is_press"), [(399.999, False), (400, True)])
def test_a_contact_lasts_to_the_edge_that_ended_it(to_ms: float, is_press: bool) -> None:
    out = run(contacts(LineTiming(accept_ns=300 * MS)), (100, True), (to_ms, False))
    assert instants(out) == ([100] if is_press else [])
    assert is_press or out == [Rejected(LINE, 100 * MS, round(to_ms * MS), TOO_SHORT)]


def test_a_contact_that_is_open_when_its_acceptance_is_due_is_a_press_once_it_closes_again() -> None:
    made = contacts(LineTiming(accept_ns=300 * MS))
    assert run(made, (100, True), (390, False), until_ms=405) == []
    assert run(made, (409, True), until_ms=409) == [Press(LINE, 100 * MS, 20_000)]


def test_the_acceptance_time_begins_with_the_firm_closure_and_not_with_the_first_edge() -> None:
    flicker = [(100, True), (101, False), (110, True)]
    assert instants(run(contacts(LineTiming(accept_ns=30 * MS)), *flicker, (139, False))) == []
    assert instants(run(contacts(LineTiming(accept_ns=30 * MS)), *flicker, (140, False))) == [100]


def test_spikes_without_a_firm_closure_do_not_add_up_to_a_press() -> None:
    spikes = [(100 + 5 * i + part, active) for i in range(10) for part, active in ((0, True), (0.2, False))]
    assert run(contacts(), *spikes) == [Rejected(LINE, 100 * MS, round(145.2 * MS), NEVER_FIRM)]


@pytest.mark.parametrize("spikes", [3, 50])
def test_spikes_before_a_closure_move_it_by_the_bounce_time_at_most_and_say_so(spikes: int) -> None:
    closes_ms = 100 + 15 * spikes
    flicker = [(100 + 15 * i + part, active) for i in range(spikes) for part, active in ((0, True), (0.05, False))]
    (press,) = run(contacts(), *flicker, (closes_ms, True), until_ms=closes_ms + 5)
    assert isinstance(press, Press)
    assert press.t_ns == (closes_ms - 15) * MS
    assert press.remark == f"flickered for {closes_ms - 100:.1f} ms: counts from its first edge in the last 20 ms"


def test_a_flicker_of_exactly_the_bounce_time_is_the_instant_without_a_remark() -> None:
    spikes = [(100, True), (100.1, False), (110, True), (110.1, False)]
    assert run(contacts(), *spikes, (120, True), until_ms=130) == [Press(LINE, 100 * MS, 20_000)]
    (press,) = run(contacts(), *spikes, (120.001, True), until_ms=130)
    assert isinstance(press, Press)
    assert (press.t_ns, bool(press.remark)) == (110 * MS, True)


def test_a_rejected_contact_lends_its_time_to_no_press() -> None:
    out = run(contacts(), (100, True), (101, False), (121.001, True), (200, False))
    assert instants(out) == [121.001]


def test_a_press_is_over_when_the_line_has_been_open_for_the_bounce_time() -> None:
    release_bounce = [(200, False), (205, True), (206, False), (219, True), (219.5, False)]
    out = run(contacts(), (100, True), *release_bounce)
    assert out == [Press(LINE, 100 * MS, 20_000), Release(LINE, round(219.5 * MS))]


def test_a_second_press_after_the_bounce_time_counts() -> None:
    assert instants(run(contacts(), (100, True), (150, False), (170, True), (200, False))) == [100, 170]


def test_without_any_time_every_closure_is_a_press() -> None:
    at_once = contacts(LineTiming(0, 0), limits=ContactLimits(settle_ns=0))
    assert instants(run(at_once, (100, True), (100.1, False), (100.2, True), (100.3, False))) == [100, 100.2]


def test_without_an_acceptance_time_a_closure_has_to_be_firm_still() -> None:
    assert instants(run(contacts(LineTiming(accept_ns=0)), (100, True), (101.9, False))) == []
    assert instants(run(contacts(LineTiming(accept_ns=0)), (100, True), (102, False))) == [100]


def test_a_touch_is_told_once_a_contact_before_it_is_a_press() -> None:
    made = contacts()
    assert made.feed(Edge(LINE, True, 5 * MS, 3)) == [Touch(LINE, 5 * MS)]
    assert made.feed(Edge(LINE, False, 6 * MS, 3)) + made.feed(Edge(LINE, True, 7 * MS, 3)) == []


# Tremor, repetition, resting hands ------------------------------------------------------------------------------------


def test_a_tremor_player_s_firm_press_is_a_press_and_not_chatter() -> None:
    shaking = [(100 + 40 * i + part, active) for i in range(60) for part, active in ((0, True), (25, False))]
    made = contacts(LineTiming(bounce_ns=50 * MS, accept_ns=150 * MS), limits=ContactLimits(chatter_edges=40))
    assert run(made, *shaking, until_ms=3000) == [Press(LINE, 100 * MS, 20_000), Release(LINE, 2485 * MS)]


def test_within_the_repetition_time_a_press_is_dropped_aloud() -> None:
    made = contacts(LineTiming(repeat_ns=500 * MS))
    out = run(made, (100, True), (200, False), (699.999, True), (760, False), until_ms=800)
    again_ns = round(699.999 * MS)
    assert out[2:] == [Dropped(LINE, again_ns, 20_000, again_ns + 2 * MS, REPEATED)]
    assert run(made, (1000, True), (1050, False), until_ms=1100) == [
        Press(LINE, 1000 * MS, 20_000), Release(LINE, 1050 * MS),
    ]  # fmt: skip


def test_the_repetition_time_is_counted_from_the_end_of_the_press_s_contact() -> None:
    out = run(contacts(LineTiming(repeat_ns=500 * MS)), (100, True), (300, False), (800, True), (850, False))
    assert instants(out) == [100, 800]


def test_a_contact_within_the_repetition_time_keeps_nobody_waiting() -> None:
    made = contacts(LineTiming(accept_ns=10 * MS, repeat_ns=500 * MS))
    run(made, (100, True), (200, False), (300, True), until_ms=305)
    assert (made.earliest_press(305 * MS), made.unsettled(305 * MS)) == (None, ())


def test_a_hand_that_rested_longer_than_ten_seconds_does_not_lose_its_next_press() -> None:
    out = run(contacts(), (100, True), (15_000, False), (15_020, True), (15_100, False), until_ms=16_000)
    stuck_ns = 10_100 * MS
    assert out == [
        Press(LINE, 100 * MS, 20_000), Release(LINE, stuck_ns, is_seen=False), LineFault(LINE, STUCK, stuck_ns),
        Release(LINE, 15_000 * MS), LineFault(LINE, None, 15_020 * MS),
        Press(LINE, 15_020 * MS, 20_000), Release(LINE, 15_100 * MS),
    ]  # fmt: skip


def test_a_button_let_go_for_less_than_the_bounce_time_is_still_the_same_contact() -> None:
    out = run(contacts(), (100, True), (15_000, False), (15_019.999, True), (15_100, False), until_ms=16_000)
    assert instants(out) == [100]


def test_after_a_rest_the_repetition_time_counts_from_its_end() -> None:
    made = contacts(LineTiming(repeat_ns=500 * MS))
    out = run(made, (100, True), (15_000, False), (15_499, True), (15_600, False), until_ms=16_000)
    assert (instants(out), [event.why for event in out if isinstance(event, Dropped)]) == ([100], [REPEATED])


# A seat's contacts together -------------------------------------------------------------------------------------------


def test_feather_taps_of_a_seat_s_buttons_lend_no_time() -> None:
    out = play(slow(), *held(0, 100, 150), *held(1, 300, 360), *held(2, 500, 900), until_ms=1000)
    assert [(e.line, e.t_ns // MS) for e in out if isinstance(e, Press)] == [(YELLOW[2], 500)]


def test_the_touches_before_a_press_are_told() -> None:
    out = play(slow(), *held(0, 100, 150), *held(1, 300, 360), *held(0, 450, 470), *held(2, 500, 900), until_ms=1000)
    (press,) = (event for event in out if isinstance(event, Press))
    assert press.remark == "touched 3 times in the 0.4 s before"


def test_one_touch_is_told_in_the_singular_and_only_with_the_next_press() -> None:
    made = slow()
    out = play(made, *held(0, 100, 150), *held(2, 500, 900), *held(2, 1000, 1400), until_ms=2000)
    remarks = [event.remark for event in out if isinstance(event, Press)]
    assert remarks == ["touched once in the 0.4 s before", ""]


def test_a_usual_seat_s_short_contacts_are_not_told() -> None:
    made = contacts(LineTiming(seat="red"))
    assert run(made, (100, True), (101, False), (150, True), until_ms=160)[1:] == [Press(LINE, 150 * MS, 20_000)]


def test_of_overlapping_contacts_the_accepted_one_counts_from_the_end_of_the_last_other() -> None:
    edges = [(100, True, YELLOW[0]), (150, True, YELLOW[1]), (200, True, YELLOW[2]), (250, False, YELLOW[0])]
    out = play(slow(), *edges, (330, False, YELLOW[2]), until_ms=800)
    assert presses(out) == [(YELLOW[1], 330)]
    (press,) = (event for event in out if isinstance(event, Press))
    assert press.remark.startswith("counts from when another button of its seat was let go")


def test_four_covered_buttons_cannot_be_chosen_from_later() -> None:
    covered = [(100 + i, True, line) for i, line in enumerate(YELLOW)]
    chosen = [(2000 + i, False, line) for i, line in enumerate(YELLOW[1:])]
    made = slow()
    assert presses(play(made, *covered, until_ms=1990)) == []
    assert presses(play(made, *chosen, until_ms=2100)) == [(YELLOW[0], 2002)]


def test_two_buttons_let_go_at_once_are_no_press() -> None:
    edges = [(100, True, YELLOW[0]), (110, True, YELLOW[1]), (900, False, YELLOW[0]), (900, False, YELLOW[1])]
    out = play(slow(), *edges, until_ms=1000)
    assert out == [
        Rejected(YELLOW[0], 100 * MS, 900 * MS, OVERLAPPED), Rejected(YELLOW[1], 110 * MS, 900 * MS, OVERLAPPED),
    ]  # fmt: skip


def test_a_contact_that_ends_a_moment_after_the_other_was_alone_for_that_moment() -> None:
    edges = [(100, True, YELLOW[0]), (110, True, YELLOW[1]), (900, False, YELLOW[0]), (900.001, False, YELLOW[1])]
    assert presses(play(slow(), *edges, until_ms=1000)) == [(YELLOW[1], 900)]


def test_a_contact_that_began_when_the_other_ended_does_not_overlap_with_it() -> None:
    edges = [(100, True, YELLOW[0]), (150, False, YELLOW[0]), (150, True, YELLOW[1])]
    (press,) = (event for event in play(slow(), *edges, until_ms=800) if isinstance(event, Press))
    assert (press.t_ns, press.remark) == (150 * MS, "touched once in the 0.1 s before")


def test_a_hand_resting_on_a_press_of_its_own_does_not_lame_the_seat_s_other_buttons() -> None:
    out = play(slow(), (100, True, YELLOW[0]), *held(1, 900, 1300), until_ms=1400)
    assert presses(out) == [(YELLOW[0], 100), (YELLOW[1], 900)]


def test_two_buttons_held_for_too_long_are_stuck_and_hold_up_nobody() -> None:
    edges = [(100, True, YELLOW[0]), (110, True, YELLOW[1])]
    made = slow()
    assert play(made, *edges, until_ms=10_200) == [
        LineFault(YELLOW[0], STUCK, 10_100 * MS), LineFault(YELLOW[1], STUCK, 10_110 * MS),
    ]  # fmt: skip
    assert made.earliest_press(10_200 * MS) is None
    assert play(made, (11_000, False, YELLOW[0]), until_ms=11_500) == [
        Rejected(YELLOW[0], 100 * MS, 11_000 * MS, OVERLAPPED), LineFault(YELLOW[0], None, 11_020 * MS),
    ]  # fmt: skip


def test_an_acceptance_of_up_to_twenty_milliseconds_takes_each_button_by_itself() -> None:
    for accept_ns, expected in ((CONCESSION_NS, [100, 110]), (CONCESSION_NS + 1, [])):
        made = contacts(LineTiming(accept_ns=accept_ns, seat="yellow"), *YELLOW)
        out = play(made, (100, True, YELLOW[0]), (110, True, YELLOW[1]), until_ms=900)
        assert instants(out) == expected


def test_another_seat_s_contact_does_not_matter() -> None:
    made = contacts(LineTiming(accept_ns=300 * MS, seat="yellow"), YELLOW[0])
    other = Contacts({YELLOW[0]: SLOW, "blue first": LineTiming(accept_ns=300 * MS, seat="blue")})
    edges = [(100, True, YELLOW[0]), (110, True, "blue first"), (900, False, "blue first")]
    assert presses(play(other, *edges, until_ms=1000)) == [(YELLOW[0], 100), ("blue first", 110)]
    assert presses(play(made, (100, True, YELLOW[0]), until_ms=1000)) == [(YELLOW[0], 100)]


# Sick lines -----------------------------------------------------------------------------------------------------------


def chatter(count: int, from_ms: float = 100.0, half_ms: float = 0.5) -> list[tuple[float, bool]]:
    return [(from_ms + half_ms * i, i % 2 == 0) for i in range(count)]


def test_a_line_with_too_many_edges_and_only_short_closures_is_sick() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    assert run(made, *chatter(20), until_ms=110) == []
    assert run(contacts(limits=ContactLimits(chatter_edges=20)), *chatter(21), until_ms=110) == [
        Rejected(LINE, 100 * MS, 110 * MS, CHATTERING), LineFault(LINE, CHATTERING, 110 * MS),
    ]  # fmt: skip


@pytest.mark.parametrize(("closed_ms", "is_sick"), [(0.999999, True), (1, False)])
def test_one_closure_that_is_not_short_says_that_a_hand_is_at_work(closed_ms: float, is_sick: bool) -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    out = run(made, (100, True), (100 + closed_ms, False), *chatter(60, 102), until_ms=900)
    assert any(isinstance(event, LineFault) for event in out) is is_sick


def test_a_closure_of_a_second_ago_speaks_for_nobody_any_more() -> None:
    limits = ContactLimits(chatter_edges=20)
    spread = [(1001 + 8 * i + part, active) for i in range(10) for part, active in ((0, True), (0.5, False))]
    for end_ms, is_sick in ((81, False), (80.5, True)):
        out = run(contacts(limits=limits), (60, True), (end_ms, False), *spread, (1080.5, True), until_ms=1080.5)
        assert any(isinstance(event, LineFault) for event in out) is is_sick


def test_a_sick_line_is_well_once_its_edges_are_a_second_old() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    run(made, *chatter(22), until_ms=115)
    assert made.advance(round(1100.5 * MS) - 1) == []
    assert made.advance(round(1100.5 * MS)) == [LineFault(LINE, None, round(1100.5 * MS))]


def test_a_press_on_a_sick_line_is_dropped_aloud_and_the_next_one_counts() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    run(made, *chatter(22), until_ms=115)
    out = run(made, (200, True), (300, False), (320, True), (400, False), until_ms=500)
    assert out == [
        Dropped(LINE, 200 * MS, 20_000, 202 * MS, SICK_LINE), LineFault(LINE, None, 320 * MS),
        Press(LINE, 320 * MS, 20_000), Release(LINE, 400 * MS),
    ]  # fmt: skip


def test_a_press_that_begins_to_chatter_is_kept_and_released() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=150))
    spikes = [(160 + 15 * i + part, active) for i in range(70) for part, active in ((0, True), (0.5, False))]
    out = run(made, (100, True), (150, False), *spikes, *chatter(40, 1205), until_ms=1220)
    assert out[0] == Press(LINE, 100 * MS, 20_000)
    release, fault = out[1:]
    assert isinstance(fault, LineFault)
    assert release == Release(LINE, fault.t_ns)


def test_a_sick_line_that_is_not_read_is_not_well_and_is_only_a_second_after_it_is_read_again() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    run(made, *chatter(22), until_ms=115)
    made.feed(Unheard(frozenset({LINE, "nobody's"}), 120 * MS))
    assert made.advance(60 * SECOND) == []
    assert made.lines.sick == {LINE}
    assert made.feed(Levels(frozenset(), frozenset({LINE}), 70 * SECOND)) == []
    assert made.advance(71 * SECOND - 1) == []
    assert made.advance(71 * SECOND) == [LineFault(LINE, None, 71 * SECOND)]
    assert made.lines.sick == frozenset()


def test_a_sick_line_that_chatters_still_when_it_is_read_again_stays_sick() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    run(made, *chatter(22), until_ms=115)
    made.feed(Unheard(frozenset({LINE}), 120 * MS))
    made.feed(Levels(frozenset(), frozenset({LINE}), 70 * SECOND))
    assert run(made, *chatter(10, 70_100), until_ms=70_200) == []
    made.feed(Unheard(frozenset({LINE}), 70_300 * MS))
    assert made.advance(100 * SECOND) == []
    assert made.lines.sick == {LINE}


def test_a_sick_line_that_is_closed_when_it_is_read_again_is_a_hand_s() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    run(made, *chatter(22), until_ms=115)
    made.feed(Unheard(frozenset({LINE}), 120 * MS))
    made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 70 * SECOND))
    (dropped,) = made.advance(70_010 * MS)
    assert isinstance(dropped, Dropped)
    assert made.lines.sick == frozenset()


# Levels ---------------------------------------------------------------------------------------------------------------


def test_a_line_held_at_start_is_named_never_a_press_and_well_as_soon_as_it_is_let_go() -> None:
    made = Contacts({LINE: LineTiming()})
    assert made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 0)) == [LineFault(LINE, HELD_AT_START, 0)]
    out = run(made, (5000, False), (5020, True), (6100, False), until_ms=7000)
    assert out == [LineFault(LINE, None, 5020 * MS), Press(LINE, 5020 * MS, 20_000), Release(LINE, 6100 * MS)]


def test_levels_after_lost_edges_release_and_drop_aloud_what_cannot_be_timed() -> None:
    made = contacts(None, LINE, "red fourth")
    made.feed(Edge(LINE, True, 100 * MS, 0))
    out = made.feed(Levels(frozenset({"red fourth"}), frozenset({LINE, "red fourth"}), 300 * MS))
    assert out == [Press(LINE, 100 * MS, 0), Dropped("red fourth", 300 * MS, 0, 300 * MS, UNTIMED)]
    assert made.advance(400 * MS) == [Release(LINE, 300 * MS, is_seen=False)]
    assert made.state_of("red fourth") is LineState.IGNORED


def test_an_untimed_press_that_is_held_on_is_stuck_once() -> None:
    made = contacts()
    made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 300 * MS))
    assert made.advance(40_000 * MS) == [LineFault(LINE, STUCK, 10_300 * MS)]


def test_levels_of_unknown_lines_change_nothing_and_a_line_they_do_not_name_stays_unknown() -> None:
    made = contacts(None, LINE, "red hunter")
    fresh = Contacts({LINE: LineTiming(), "red hunter": LineTiming()})
    assert made.feed(Levels(frozenset({"green chief"}), frozenset({"green chief"}), 5)) == []
    assert fresh.feed(Levels(frozenset(), frozenset({LINE}), 0)) == []
    assert (fresh.state_of(LINE), fresh.state_of("red hunter")) == (LineState.RELEASED, LineState.UNKNOWN)


def test_every_line_held_at_the_start_is_named() -> None:
    names = frozenset({"red hunter", LINE})
    out = Contacts({name: LineTiming() for name in names}).feed(Levels(names, names, 7))
    assert out == [LineFault(LINE, HELD_AT_START, 7), LineFault("red hunter", HELD_AT_START, 7)]


def test_levels_that_find_a_press_closed_again_do_not_end_it() -> None:
    made = contacts()
    assert run(made, (100, True), (150, False), until_ms=155) == [Press(LINE, 100 * MS, 20_000)]
    assert made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 160 * MS)) == []
    assert made.state_of(LINE) is LineState.PRESSED


def test_a_closing_that_was_lost_within_a_contact_lies_between_the_contact_s_beginning_and_what_was_found() -> None:
    made = contacts(LineTiming(bounce_ns=10 * MS))
    made.feed(Edge(LINE, True, 100 * MS, 5))
    made.feed(Edge(LINE, False, 101 * MS, 5))
    made.feed(Levels(frozenset({LINE}), frozenset({LINE}), 111 * MS - 1))
    (press,) = made.advance(120 * MS)
    assert isinstance(press, Press)
    assert (press.t_ns, press.t_ns - press.error_ns) == (111 * MS - 1, 100 * MS - 5)


# Deadlines and what is shown ------------------------------------------------------------------------------------------


def after_a_loss(*before_ms: float, back_to_ms: float, at_ms: float = 134.5, is_lost: bool = True) -> Press:
    """The press of a line that closed and opened as said, then closes for good; what lay between may have been lost."""
    made = contacts()
    out: list[object] = []
    for number, at in enumerate(before_ms):
        out += made.feed(Edge(LINE, number % 2 == 0, round(at * MS), 20_000))
    lost_ns = round(back_to_ms * MS) - 20_000 if is_lost else None
    out += made.feed(Edge(LINE, True, round(at_ms * MS), 20_000, lost_since_ns=lost_ns))
    (press,) = (event for event in out + made.advance(SECOND) if isinstance(event, Press))
    return press


def reaches(press: Press, at_ms: float) -> bool:
    return press.t_ns - press.error_ns <= round(at_ms * MS)


@pytest.mark.parametrize(("opened_ms", "counts_ms"), [(115.7, 115.2), (108.0, 134.5)])
def test_where_a_firm_closure_may_have_been_lost_the_press_may_be_as_old_as_the_contact_before_it(
    opened_ms: float, counts_ms: float
) -> None:
    """115.7: still within the bounce time, so it is the same contact. 108: that one was rejected meanwhile."""
    press = after_a_loss(100, 101, opened_ms - 0.5, opened_ms, back_to_ms=opened_ms)
    assert press.t_ns == round(counts_ms * MS)
    assert reaches(press, 100)
    assert not reaches(press, 99.9)


def test_what_was_lost_reaches_no_further_than_the_bounce_time_before_it() -> None:
    press = after_a_loss(90, 90.5, 100, 100.5, back_to_ms=115)
    assert reaches(press, 100)
    assert not reaches(press, 99.9)


def test_a_press_that_counted_is_not_the_beginning_of_the_next_one() -> None:
    made = contacts()
    run(made, (100, True), (110, False), until_ms=130.5)
    out = made.feed(Edge(LINE, True, 134 * MS, 24 * MS, lost_since_ns=110 * MS))
    (press,) = (event for event in out + made.advance(SECOND) if isinstance(event, Press))
    assert (press.t_ns, press.error_ns) == (134 * MS, 24 * MS)


def test_where_nothing_can_have_been_lost_a_rejected_contact_widens_no_press() -> None:
    press = after_a_loss(100, 100.5, back_to_ms=134.5, is_lost=False)
    assert (press.t_ns, press.error_ns) == (round(134.5 * MS), 20_000)


def test_an_edge_of_which_little_is_known_is_not_one_before_which_others_were_lost() -> None:
    """A ± of 2 ms reached back into a contact that had been rejected."""
    made = contacts()
    run(made, (100, True), (100.5, False), until_ms=130)
    made.feed(Edge(LINE, True, 134 * MS, 30 * MS, merged_ns=29 * MS))
    assert [event for event in made.advance(SECOND) if isinstance(event, Press)] == [Press(LINE, 134 * MS, 30 * MS)]


# Edges that were merged -----------------------------------------------------------------------------------------------


def merged(active: bool, from_ms: float, to_ms: float) -> Edge:
    """An edge that may have been at any time between two."""
    half_ns = round((to_ms - from_ms) * MS / 2)
    return Edge(LINE, active, round((from_ms + to_ms) / 2 * MS), 20_000 + half_ns, merged_ns=half_ns)


def test_a_chain_that_only_looks_firm_is_no_press() -> None:
    """Closed at 100, open at 101, closed at 101.1, open at 102.9, of which the last three are one event."""
    made = contacts()
    made.feed(Edge(LINE, True, 100 * MS, 20_000))
    made.feed(merged(False, 100, 102.9))
    assert [type(event) for event in made.advance(SECOND)] == [Rejected]


def test_a_merged_closing_is_firm_from_the_latest_instant_on_that_it_may_have_been() -> None:
    for opened_ms, is_press in ((103.999, False), (104, True)):
        made = contacts()
        out = made.feed(merged(True, 100, 102)) + made.feed(Edge(LINE, False, round(opened_ms * MS), 20_000))
        presses = [event for event in out + made.advance(SECOND) if isinstance(event, Press)]
        assert presses == ([Press(LINE, 101 * MS, MS + 20_000)] if is_press else [])


def test_a_merged_opening_ends_a_closure_at_the_earliest_that_it_may_have_been_though_it_comes_after_the_deadline() -> (
    None
):
    for from_ms, is_press in ((101.999, False), (102, True)):
        made = contacts()
        made.feed(Edge(LINE, True, 100 * MS, 20_000))
        out = made.feed(merged(False, from_ms, 103.999)) + made.advance(SECOND)
        assert any(isinstance(event, Press) for event in out) is is_press


def test_an_acceptance_time_is_held_only_by_what_was_surely_closed() -> None:
    for from_ms, is_press in ((399, False), (400, True)):
        made = contacts(LineTiming(accept_ns=300 * MS))
        made.feed(Edge(LINE, True, 100 * MS, 20_000))
        out = made.feed(merged(False, from_ms, 410)) + made.advance(SECOND)
        assert any(isinstance(event, Press) for event in out) is is_press


def test_an_opening_is_as_long_as_it_surely_was() -> None:
    """Else one press would be two, where the opening of its bounce was merged."""
    for closed_ms, presses in ((231.999, [100]), (232, [100, 232])):
        made = contacts()
        out = made.feed(Edge(LINE, True, 100 * MS, 20_000)) + made.feed(merged(False, 200, 212))
        out += made.feed(Edge(LINE, True, round(closed_ms * MS), 20_000)) + made.advance(SECOND)
        assert instants(out) == presses


@pytest.mark.parametrize(("last_ms", "from_ms", "to_ms"), [(120, 100, 104), (122, 102, 118.5), (125, 118, 118.5)])
def test_a_merged_closing_that_may_be_within_the_bounce_time_counts_as_far_as_it_may(
    last_ms: float, from_ms: float, to_ms: float
) -> None:
    """A wrong first was told: the ± was that of the closing after it, though nobody knew that it was not this one."""
    made = contacts(limits=ContactLimits(settle_ns=6 * MS))
    out = made.feed(merged(True, 100, 104)) + made.feed(Edge(LINE, False, 105 * MS, 20_000))
    out += made.feed(merged(True, 118, 118.5)) + made.feed(Edge(LINE, False, 119 * MS, 20_000))
    out += made.feed(Edge(LINE, True, round(last_ms * MS), 20_000)) + made.advance(SECOND)
    (press,) = (event for event in out if isinstance(event, Press))
    half_ns = round((to_ms - from_ms) * MS / 2)
    assert (press.t_ns, press.error_ns) == (round(from_ms * MS) + half_ns, 20_000 + half_ns)


def test_a_closure_that_may_have_been_firm_leaves_it_open_what_the_press_counts_from() -> None:
    made = contacts()
    out = made.feed(Edge(LINE, True, 100 * MS, 20_000)) + made.feed(merged(False, 101, 103))
    out += made.feed(Edge(LINE, True, 121 * MS, 20_000)) + made.advance(SECOND)
    (press,) = (event for event in out if isinstance(event, Press))
    assert press.t_ns - press.error_ns <= 100 * MS < press.t_ns


@pytest.mark.parametrize(("closed_ms", "is_told"), [(20, True), (19.9, False)])
def test_a_contact_that_may_have_been_a_hands_but_is_not_known_to_be_firm_is_told_and_a_merged_glitch_is_not(
    closed_ms: float, is_told: bool
) -> None:
    made = contacts()
    made.feed(Edge(LINE, True, 100 * MS, 20_000))
    out = made.feed(merged(False, 101, 100 + closed_ms)) + made.advance(SECOND)
    assert [type(event) for event in out] == [Dropped if is_told else Rejected]


def test_merged_closings_of_less_than_a_millisecond_do_not_speak_for_a_hand() -> None:
    made = contacts(limits=ContactLimits(chatter_edges=20))
    made.feed(merged(True, 100, 100.5))
    made.feed(merged(False, 101, 101.6))
    out = run(made, *chatter(60, 102), until_ms=900)
    assert any(isinstance(event, LineFault) for event in out)


def test_several_lines_come_in_the_order_in_which_they_fall_due() -> None:
    made = contacts(None, LINE, "red hunter", "red maiden")
    for line, at_ms in (("red maiden", 100), ("red hunter", 101), (LINE, 101)):
        made.feed(Edge(line, True, at_ms * MS, 0))
    assert [event.line for event in made.advance(200 * MS)] == ["red maiden", LINE, "red hunter"]


def test_the_next_deadline_is_that_of_the_line_that_is_due_first_and_none_while_all_is_quiet() -> None:
    made = Contacts({LINE: LineTiming(), "red hunter": LineTiming(accept_ns=9 * MS)}, ContactLimits(stuck_ns=SECOND))
    assert made.next_deadline() is None
    made.feed(Edge("red hunter", True, 100 * MS, 0))
    assert made.next_deadline() == 102 * MS
    made.advance(102 * MS)
    assert made.next_deadline() == 109 * MS
    made.feed(Edge(LINE, True, 105 * MS, 0))
    assert made.next_deadline() == 107 * MS
    made.advance(110 * MS)
    assert made.next_deadline() == 1100 * MS


def test_a_contact_that_is_not_firm_holds_up_nobody_for_longer_than_the_bounce_time() -> None:
    made = contacts()
    run(made, *chatter(150, 100, 1.5), until_ms=323.5)
    earliest_ns = made.earliest_press(round(323.5 * MS))
    assert earliest_ns is not None
    assert earliest_ns >= 303 * MS


def test_what_people_should_know_of_is_a_firm_contact_or_one_that_goes_on_flickering() -> None:
    made = slow()
    play(made, (100, True, YELLOW[0]), until_ms=101.9)
    assert made.unsettled(round(101.9 * MS)) == ()
    made.advance(102 * MS)
    assert made.unsettled(102 * MS) == (Touch(YELLOW[0], 100 * MS),)
    made.advance(400 * MS)
    assert made.unsettled(400 * MS) == ()
    flickering = contacts()
    run(flickering, *chatter(25, 100, 1), until_ms=120)
    assert flickering.unsettled(120 * MS) == ()
    assert flickering.unsettled(120 * MS + 1) == (Touch(LINE, 100 * MS),)


def test_an_edge_of_an_unknown_line_changes_nothing() -> None:
    assert contacts().feed(Edge("green first", True, 5, 0)) == []


def test_the_state_of_an_unknown_line_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        contacts().state_of("green first")


# Properties -----------------------------------------------------------------------------------------------------------

gaps = st.lists(st.integers(1, 40 * MS), min_size=1, max_size=60)
timings = st.builds(
    LineTiming,
    bounce_ns=st.sampled_from([0, 5 * MS, 20 * MS, 50 * MS]),
    accept_ns=st.sampled_from([0, 2 * MS, 21 * MS, 90 * MS]),
    repeat_ns=st.sampled_from([0, 100 * MS]),
    seat=st.just("yellow"),
)
LIMITS = ContactLimits(chatter_edges=12, stuck_ns=SECOND)


def edges_of(widths: dict[str, list[int]]) -> list[Edge]:
    out = []
    for line, gaps_ns in widths.items():
        for index, t_ns in enumerate(itertools.accumulate(gaps_ns)):
            out.append(Edge(line, index % 2 == 0, t_ns, 7))
    return sorted(out, key=lambda edge: (edge.t_ns, edge.line))


several = st.dictionaries(st.sampled_from(YELLOW[:3]), gaps, min_size=1)


@given(timings, several, st.lists(st.integers(0, 3000 * MS), max_size=30))
def test_what_comes_out_does_not_depend_on_when_time_is_advanced(
    timing: LineTiming, widths: dict[str, list[int]], stops: list[int]
) -> None:
    edges = edges_of(widths)
    end_ns = edges[-1].t_ns + 30 * SECOND
    plain, stepped = (contacts(timing, *YELLOW, limits=LIMITS) for _ in range(2))
    expected = [event for edge in edges for event in plain.feed(edge)] + plain.advance(end_ns)
    got: list[object] = []
    left = list(edges)
    for stop_ns in sorted(stop for stop in stops if stop < edges[-1].t_ns):
        while left and left[0].t_ns <= stop_ns:
            got += stepped.feed(left.pop(0))
        got += stepped.advance(stop_ns)
    got += [event for edge in left for event in stepped.feed(edge)]
    assert got + stepped.advance(end_ns) == expected


def closures(edges: list[Edge], line: str, end_ns: int) -> list[tuple[int, int]]:
    own = [edge for edge in edges if edge.line == line]
    ends = [edge.t_ns for edge in own[1:]] + [end_ns]
    return [(edge.t_ns, to_ns) for edge, to_ns in zip(own, ends, strict=True) if edge.active]


@given(timings, gaps)
def test_a_press_is_never_more_than_the_bounce_time_before_its_contact_closes_firmly(
    timing: LineTiming, widths: list[int]
) -> None:
    edges = edges_of({LINE: widths})
    end_ns = edges[-1].t_ns + 30 * SECOND
    made = contacts(timing, limits=LIMITS)
    out = [event for edge in edges for event in made.feed(edge)] + made.advance(end_ns)
    closed = closures(edges, LINE, end_ns)
    for press in (event for event in out if isinstance(event, Press)):
        firm_ns = next(a for a, b in closed if b - a >= LIMITS.settle_ns and a >= press.t_ns)
        assert firm_ns - press.t_ns <= timing.bounce_ns
        assert press.t_ns in {edge.t_ns for edge in edges if edge.active}


@given(timings, several)
def test_a_press_in_company_counts_from_an_edge_of_its_seat_within_its_own_contact(
    timing: LineTiming, widths: dict[str, list[int]]
) -> None:
    edges = edges_of(widths)
    end_ns = edges[-1].t_ns + 30 * SECOND
    made = contacts(timing, *YELLOW, limits=LIMITS)
    out = [event for edge in edges for event in made.feed(edge)] + made.advance(end_ns)
    for press in (event for event in out if isinstance(event, Press)):
        assert press.t_ns in {edge.t_ns for edge in edges if edge.active or edge.line != press.line}
        closed = closures(edges, press.line, end_ns)
        assert any(a <= press.t_ns <= b + timing.bounce_ns for a, b in closed)


@given(timings, several)
def test_nothing_is_accepted_from_before_what_was_said_to_be_the_earliest(
    timing: LineTiming, widths: dict[str, list[int]]
) -> None:
    edges = edges_of(widths)
    made = contacts(timing, *YELLOW, limits=LIMITS)
    settled_ns = -1
    for edge in edges:
        earlier_ns = edge.t_ns - 1
        out = made.advance(earlier_ns)
        assert all(event.t_ns > settled_ns for event in out if isinstance(event, Press))
        earliest_ns = made.earliest_press(earlier_ns)
        settled_ns = max(settled_ns, earlier_ns if earliest_ns is None else min(earlier_ns, earliest_ns - 1))
        assert all(event.t_ns > settled_ns for event in made.feed(edge) if isinstance(event, Press))
    out = made.advance(edges[-1].t_ns + 30 * SECOND)
    assert all(event.t_ns > settled_ns for event in out if isinstance(event, Press))


@given(several)
def test_every_contact_is_told_and_every_press_is_let_go_or_stuck(widths: dict[str, list[int]]) -> None:
    edges = edges_of(widths)
    made = contacts(LineTiming(accept_ns=90 * MS, seat="yellow"), *YELLOW, limits=LIMITS)
    out = [event for edge in edges for event in made.feed(edge)] + made.advance(edges[-1].t_ns + 30 * SECOND)
    touches = [event for event in out if isinstance(event, Touch)]
    told = [event for event in out if isinstance(event, (Press, Rejected))]
    stuck = [event for event in out if isinstance(event, LineFault) and event.text == STUCK]
    assert len(told) <= len(touches) <= len(told) + len(stuck)
    assert sum(isinstance(event, Release) for event in out) == sum(isinstance(event, Press) for event in out)


@given(gaps)
def test_a_usual_press_begins_with_an_active_edge_and_presses_never_touch(widths: list[int]) -> None:
    edges = edges_of({LINE: widths})
    made = contacts()
    out = [event for edge in edges for event in made.feed(edge)] + made.advance(edges[-1].t_ns + 30 * SECOND)
    starts = [event.t_ns for event in out if isinstance(event, Press)]
    assert set(starts) <= {edge.t_ns for edge in edges if edge.active}
    ends = [event.t_ns for event in out if isinstance(event, Release)]
    assert all(a < b for a, b in zip(starts, ends, strict=True))
    assert all(end < start for end, start in zip(ends, starts[1:], strict=False))


# The table ------------------------------------------------------------------------------------------------------------


def test_the_table_says_what_becomes_of_a_line_in_every_state_for_every_level() -> None:
    assert set(TABLE) == set(LineState)
    assert {cause for row in TABLE.values() for cause in row} == set(Cause)
    assert all({Cause.ACTIVE, Cause.INACTIVE} <= set(row) for row in TABLE.values())
    assert [state for state in LineState if Cause.ACCEPTED in TABLE[state]] == [LineState.FIRM]
    assert {state for row in TABLE.values() for state in row.values()} == set(LineState) - {LineState.UNKNOWN}


@pytest.mark.parametrize("state", LineState)
@pytest.mark.parametrize("cause", Cause)
def test_what_is_not_in_the_table_leaves_a_line_as_it_was(state: LineState, cause: Cause) -> None:
    line = _Line(LINE, LineTiming(), _Chatter(deque()), state)
    if cause in TABLE[state]:
        line.follow(cause)
        assert line.state is TABLE[state][cause]
    else:
        with pytest.raises(KeyError):
            line.follow(cause)
        assert line.state is state
    assert line.edge == BEGINNING


def test_where_edges_are_missing_before_a_press_its_uncertainty_covers_them_all_for_its_firm_closure_may_be_one() -> (
    None
):
    contacts = Contacts({"red first": LineTiming(bounce_ns=20 * MS)})
    contacts.feed(Levels(frozenset(), frozenset({"red first"}), 0))
    contacts.feed(Edge("red first", True, 5 * SECOND, 300 * MS))
    (press,) = [event for event in contacts.advance(6 * SECOND) if isinstance(event, Press)]
    assert (press.t_ns, press.error_ns) == (5 * SECOND, 300 * MS)

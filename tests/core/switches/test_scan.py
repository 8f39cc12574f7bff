"""One scan, way by way; what holds of every scan, whatever is pressed and however late it is told, is drawn."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.core.switches.scan import TABLES, ScanAct, ScanCause, ScanStage, SwitchScan
from companion.core.switches.ways import LONGEST_NS, SHORTEST_NS, SwitchScanning, Way, begun_at
from companion.core.timing.events import MS, SECOND

S = SECOND


class Driven:
    """A scan on a clock of the test's own: its turns are when it asks for them, presses are told `late_ns` after."""

    def __init__(self, scan: SwitchScan, *, late_ns: int = 0, now_ns: int = 100 * SECOND) -> None:
        self.scan, self.late_ns, self.now_ns = scan, late_ns, now_ns
        self.shown: list[tuple[int, int | None]] = []
        scan.begin(now_ns)
        self._see()

    def _see(self) -> None:
        if not self.shown or self.shown[-1][1] != self.scan.which:
            self.shown.append((self.now_ns, self.scan.which))

    def until(self, at_ns: int) -> None:
        """Let time pass."""
        while self.now_ns < at_ns:
            shown, settled = self.scan.next_shown(), self.scan.next_settled()
            due = [at_ns, *([shown] if shown else []), *([settled + self.late_ns] if settled else [])]
            self.now_ns = max(self.now_ns + 1, min(due))
            self.scan.advance(self.now_ns, self.now_ns - self.late_ns)
            self._see()

    def press(self, at_ns: int, *, is_moving: bool = False) -> bool:
        """Have a press made at `at_ns`, which is told late."""
        self.until(at_ns + self.late_ns)
        self.scan.advance(self.now_ns, at_ns - 1)
        taken = self.scan.press(at_ns, self.now_ns, "x", is_moving=is_moving)
        self._see()
        return taken

    def release(self, at_ns: int) -> None:
        """Have the switch let go."""
        self.until(at_ns + self.late_ns)
        self.scan.advance(self.now_ns, at_ns - 1)
        self.scan.release(at_ns, self.now_ns, "x")
        self._see()


def driven(how: SwitchScanning, count: int = 4, *, must_end: bool = True, late_ns: int = 0) -> Driven:
    return Driven(SwitchScan(how, count, must_end=must_end), late_ns=late_ns)


def test_the_next_is_shown_after_each_dwell_and_a_press_picks_what_is_offered() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=2))
    box.until(102 * S + S // 2)
    assert [index for _, index in box.shown] == [0, 1, 2]
    assert box.press(102 * S + S // 2)
    assert (box.scan.which, box.scan.is_fixed, box.scan.picked) == (2, True, True)


def test_a_press_that_is_told_late_picks_what_was_shown_when_it_was_made() -> None:
    box = driven(SwitchScanning(dwell_ns=3 * S // 10), late_ns=S)
    assert box.press(100 * S + 4 * S // 10)
    assert [index for _, index in box.shown][:4] == [0, 1, 2, 3]
    assert box.scan.which == 1
    assert box.scan.is_fixed


def test_what_was_offered_last_is_played_once_all_loops_are_over() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=2))
    box.until(107 * S + S // 2)
    assert not box.scan.is_fixed
    box.until(108 * S)
    assert [index for _, index in box.shown] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert (box.scan.which, box.scan.is_fixed, box.scan.picked) == (3, True, False)


def test_a_press_made_before_the_end_and_told_after_it_still_picks() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=1), late_ns=S)
    box.until(104 * S + S // 2)
    assert not box.scan.is_fixed
    assert box.press(102 * S + 9 * S // 10 + S)
    assert (box.scan.which, box.scan.picked) == (3, True)


def test_where_nobody_must_play_nothing_is_offered_after_the_loops_until_a_press_begins_anew() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=1), must_end=False)
    box.until(104 * S)
    assert (box.scan.stage, box.scan.which) == (ScanStage.RESTING, None)
    assert box.press(110 * S)
    assert (box.scan.stage, box.scan.which) == (ScanStage.OFFERING, 0)
    assert box.press(111 * S + S // 2)
    assert (box.scan.which, box.scan.is_fixed) == (1, True)


def test_with_two_switches_one_moves_and_the_other_picks_and_time_moves_nothing() -> None:
    box = driven(SwitchScanning(way=Way.STEP, dwell_ns=S, loops=2))
    box.press(101 * S, is_moving=True)
    box.until(103 * S)
    assert box.scan.which == 1
    box.press(103 * S, is_moving=True)
    box.press(103 * S + 1)
    assert (box.scan.which, box.scan.is_fixed) == (2, True)


def test_with_two_switches_the_time_of_all_loops_ends_it_and_so_does_moving_on_past_them() -> None:
    waits = driven(SwitchScanning(way=Way.STEP, dwell_ns=S, loops=2))
    waits.press(101 * S, is_moving=True)
    waits.until(107 * S + S // 2)
    assert not waits.scan.is_fixed
    waits.until(108 * S)
    assert (waits.scan.which, waits.scan.is_fixed, waits.scan.picked) == (1, True, False)
    moves = driven(SwitchScanning(way=Way.STEP, dwell_ns=S, loops=1))
    for at in range(1, 5):
        assert not moves.scan.is_fixed
        moves.press(100 * S + at * MS, is_moving=True)
    assert (moves.scan.which, moves.scan.is_fixed, moves.scan.picked) == (3, True, False)


def test_held_it_moves_on_and_letting_go_picks() -> None:
    box = driven(SwitchScanning(way=Way.INVERSE, dwell_ns=S, loops=2))
    box.until(101 * S + S // 2)
    assert box.scan.which == 0
    box.press(101 * S + S // 2)
    box.until(104 * S)
    assert box.scan.which == 2
    box.release(104 * S)
    assert (box.scan.which, box.scan.is_fixed, box.scan.picked) == (2, True, True)


def test_a_switch_that_is_never_let_go_ends_with_what_was_offered_last() -> None:
    box = driven(SwitchScanning(way=Way.INVERSE, dwell_ns=S, loops=1))
    box.press(101 * S)
    box.until(105 * S)
    assert (box.scan.which, box.scan.is_fixed, box.scan.picked) == (3, True, False)


def test_letting_go_of_what_was_not_held_picks_nothing() -> None:
    box = driven(SwitchScanning(way=Way.INVERSE, dwell_ns=S))
    box.release(100 * S + S // 2)
    assert box.scan.stage is ScanStage.OFFERING
    box.press(101 * S)
    box.scan.release(101 * S + 1, 101 * S + 1, "another")
    assert box.scan.stage is ScanStage.HELD


def test_what_was_picked_can_be_taken_back_for_a_dwell_and_each_time_costs_a_loop() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=2, again=True))
    box.press(101 * S + 1)
    assert (box.scan.stage, box.scan.which) == (ScanStage.PICKED, 1)
    box.press(101 * S + S // 2)
    assert (box.scan.stage, box.scan.which) == (ScanStage.OFFERING, 0)
    box.press(102 * S)
    assert (box.scan.which, box.scan.is_fixed) == (0, True)


def test_what_nobody_takes_back_stands_after_a_dwell() -> None:
    box = driven(SwitchScanning(dwell_ns=S, loops=2, again=True))
    box.press(101 * S + 1)
    box.until(102 * S - 10 * MS)
    assert not box.scan.is_fixed
    box.until(102 * S + 20 * MS)
    assert (box.scan.which, box.scan.is_fixed) == (1, True)


def test_a_press_made_before_anything_was_shown_means_nothing() -> None:
    box = driven(SwitchScanning(again=True))
    assert not box.scan.press(100 * S - 1, 100 * S)
    assert box.scan.stage is ScanStage.OFFERING
    box.press(100 * S + 1)
    box.press(100 * S + S // 2)  # again
    assert not box.scan.press(100 * S + S // 2 - 1, box.now_ns)
    assert box.scan.stage is ScanStage.OFFERING


def test_a_box_that_stood_still_shows_everything_for_a_whole_dwell_still() -> None:
    scan = SwitchScan(SwitchScanning(dwell_ns=S, loops=1), 3, must_end=True)
    scan.begin(100 * S)
    scan.advance(105 * S, 105 * S)
    assert (scan.which, scan.next_shown()) == (1, 106 * S)
    scan.advance(106 * S, 106 * S)
    assert (scan.which, scan.next_settled()) == (2, 107 * S)


def test_a_person_s_own_order_begins_where_it_was_set_to() -> None:
    how = SwitchScanning(order=begun_at((1, 0, 3, 2), 2))
    assert how.order == (3, 2, 1, 0)
    assert how.in_order(range(2)) == (1, 0)


@pytest.mark.parametrize("way", Way)
def test_every_stage_of_the_table_leads_on_and_a_cause_that_is_not_in_it_is_refused(way: Way) -> None:
    table = TABLES[way]
    assert {step.after for row in table.values() for step in row.values()} <= {*table, ScanStage.FIXED}
    assert all(isinstance(step.act, ScanAct) for row in table.values() for step in row.values())
    scan = SwitchScan(SwitchScanning(way=way), 2, must_end=True)
    with pytest.raises(Illegal, match="not while"):
        scan._follow(ScanCause.STOOD, 0, 0)


# -- drawn -------------------------------------------------------------------------------------------------------------


class Tap(NamedTuple):
    """A press so long after the one before, held so long; moving: by the moving switch."""

    after_ns: int
    held_ns: int
    moving: bool


HOW = st.builds(
    SwitchScanning,
    way=st.sampled_from(Way),
    dwell_ns=st.integers(SHORTEST_NS, LONGEST_NS),
    loops=st.integers(1, 4),
    again=st.booleans(),
)
TAPS = st.lists(st.builds(Tap, st.integers(1, 8 * SECOND), st.integers(1, 6 * SECOND), st.booleans()), max_size=8)


def play(how: SwitchScanning, count: int, taps: list[Tap], late_ns: int) -> tuple[Driven, int]:
    """Press and let go as drawn until all is over; give the presses that were taken too."""
    box = Driven(SwitchScan(how, count, must_end=True), late_ns=late_ns)
    at_ns, taken = 100 * SECOND, 0
    for tap in taps:
        at_ns += tap.after_ns
        taken += box.press(at_ns, is_moving=tap.moving)
        at_ns += tap.held_ns
        box.release(at_ns)
    box.until(100 * SECOND + how.bound_ns + late_ns + 60 * SECOND)
    return box, taken


@given(HOW, st.integers(2, 4), TAPS, st.integers(0, SECOND))
def test_a_press_is_never_a_free_option_whatever_is_done_the_scan_ends_within_its_bound(
    how: SwitchScanning, count: int, taps: list[Tap], late_ns: int
) -> None:
    box, _ = play(how, count, taps, late_ns)
    assert box.scan.is_fixed
    assert box.scan.which in range(count)
    assert box.shown[-1][0] <= 100 * SECOND + how.bound_ns + late_ns * (len(taps) + 1)


@given(HOW, st.integers(2, 4), TAPS, st.integers(1, SECOND))
def test_how_late_presses_are_told_changes_nothing_of_what_an_unbroken_scan_picks(
    how: SwitchScanning, count: int, taps: list[Tap], late_ns: int
) -> None:
    way = Way.AUTOMATIC if how.way is Way.INVERSE else how.way  # a hold moves on once it is known
    calm = SwitchScanning(way=way, dwell_ns=how.dwell_ns, loops=how.loops)
    first, second = (play(calm, count, taps, late)[0].scan for late in (0, late_ns))
    assert (first.which, first.picked) == (second.which, second.picked)


@given(HOW, st.integers(2, 4), TAPS, st.integers(0, SECOND))
def test_no_press_is_counted_twice(how: SwitchScanning, count: int, taps: list[Tap], late_ns: int) -> None:
    box, taken = play(how, count, taps, late_ns)
    assert taken <= len(taps)
    if box.scan.picked:
        assert taken > 0
    if not taken:
        assert box.scan.which == (count - 1 if how.way is Way.AUTOMATIC else 0)

"""Reading the press tool's log and comparing orders."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hil.patterns import Plan, burst, plan, press
from tests.hil.truth import Passed, Played, as_played, compare, read_log, read_loop_log


def played_to_the_dot(planned: Plan, width_ns: int = 0) -> list[Played]:
    return [Played(0, e.gpio, e.level, e.at_us * 1000, e.at_us * 1000 + width_ns) for e in planned.edges]


def test_a_log_line_is_five_integers() -> None:
    assert read_log("0 17 0 1000 2000\n1 4 1 3 4\n") == [Played(0, 17, 0, 1000, 2000), Played(1, 4, 1, 3, 4)]
    with pytest.raises(ValueError, match="line 2 of the press log is not five integers: '0 17 0 10'"):
        read_log("0 17 0 1000 2000\n0 17 0 10\n")


def test_a_wires_log_says_when_a_change_was_seen_and_passed_on() -> None:
    (edge,) = read_loop_log("4 0 900 1000 2000\n")
    assert edge == Passed(4, 0, seen_ns=900, before_ns=1000, after_ns=2000)
    assert [edge.holds(t_ns) for t_ns in (999, 1000, 2000, 2001)] == [False, True, True, False]
    assert edge.holds(2001, 1)


@pytest.mark.parametrize(("t_ns", "miss_ns"), [(999, -1), (1000, 0), (1500, 0), (2000, 0), (2007, 7)])
def test_a_time_misses_its_bracket_by_so_much(t_ns: int, miss_ns: int) -> None:
    edge = Played(0, 17, 0, 1000, 2000)
    assert edge.miss_ns(t_ns) == miss_ns
    assert edge.holds(t_ns) == (miss_ns == 0)
    assert edge.holds(t_ns, 7)
    assert edge.holds(t_ns, 1) == (abs(miss_ns) <= 1)


def test_strokes_find_their_edges_in_the_log() -> None:
    planned = plan(burst(random.Random(3), range(4, 9)))
    strokes = as_played(planned, played_to_the_dot(planned))
    assert [stroke.gpio for stroke in strokes] == [stroke.gpio for stroke in planned.strokes]
    assert [stroke.first.before_ns for stroke in strokes] == [stroke.at_us * 1000 for stroke in planned.strokes]
    assert [stroke.drift_us for stroke in strokes] == [0] * 5


def test_the_log_of_another_plan_is_refused() -> None:
    planned = plan(burst(random.Random(3), range(4, 9)))
    log = played_to_the_dot(planned)
    with pytest.raises(ValueError, match="a log of 9 edges does not belong to this plan of 10"):
        as_played(planned, log[:-1])
    with pytest.raises(ValueError, match="does not belong"):
        as_played(planned, [replace(log[0], level=1), *log[1:]])


@pytest.mark.parametrize(("late_ns", "width_ns", "drift_us"), [(0, 0, 0), (3_000_000, 0, 3000), (0, 2_000, 2)])
def test_a_stroke_that_the_emulator_stretched_shows_its_drift(late_ns: int, width_ns: int, drift_us: int) -> None:
    planned = plan(press(random.Random(1), 5, 0, 1_000))
    down, up = played_to_the_dot(planned, width_ns)
    up = replace(up, before_ns=up.before_ns + late_ns, after_ns=up.after_ns + late_ns)
    assert as_played(planned, [down, up])[0].drift_us == drift_us


def test_the_true_order_is_right() -> None:
    assert compare("abcd", "abcd").is_right
    assert compare("abcd", "abcd").pairs == 6


@pytest.mark.parametrize(
    ("told", "lost", "extra", "wrong_first", "misordered"),
    [
        ("bacd", "", "", True, 1),
        ("abdc", "", "", False, 1),
        ("dcba", "", "", True, 6),
        ("acd", "b", "", False, 0),
        ("bcd", "a", "", True, 0),
        ("abcda", "", "a", False, 0),
        ("xabcd", "", "x", True, 0),
        ("", "abcd", "", True, 0),
    ],
)
def test_each_way_of_being_wrong_is_counted(
    told: str,
    lost: str,
    extra: str,
    wrong_first: bool,
    misordered: int,
) -> None:
    found = compare("abcd", told)
    assert not found.is_right
    assert ("".join(map(str, found.lost)), "".join(map(str, found.extra))) == (lost, extra)
    assert (found.wrong_first, found.misordered_pairs) == (wrong_first, misordered)


@given(st.permutations(range(7)))
def test_misordered_pairs_are_those_that_sorting_must_swap(order: list[int]) -> None:
    swaps, row = 0, list(order)
    for end in range(len(row), 1, -1):
        for i in range(end - 1):
            if row[i] > row[i + 1]:
                row[i], row[i + 1] = row[i + 1], row[i]
                swaps += 1
    assert compare(range(7), order).misordered_pairs == swaps


def test_a_true_order_with_a_name_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        compare("aba", "ab")

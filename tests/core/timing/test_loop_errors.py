"""What a loop of wire tells: matching edges to changes of the output, the figures of a line, the worst difference."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.events import MS, Edge
from companion.core.timing.loop_errors import Answered, Change, Paired, figures, pair, worst_difference

WIDTH_NS = 8_000
"""How wide the brackets are made here."""


def changes(pulses, *, width_ns=WIDTH_NS, pulse_ns=20 * MS):
    return [
        Change(n % 2 == 0, n * pulse_ns, n * pulse_ns + (width_ns(n) if callable(width_ns) else width_ns))
        for n in range(2 * pulses)
    ]


def answered(made, error_ns):
    """An edge for each change, so far behind the middle of its bracket."""
    return [
        Edge("red first", change.active, (change.before_ns + change.after_ns) // 2 + error_ns(n), 20_000)
        for n, change in enumerate(made)
    ]


def told(made, edges, line="red first", elsewhere=0):
    return figures(line, 4, pair(made, edges), elsewhere)


def test_every_change_finds_its_edge_and_the_error_is_told_with_its_sign():
    made = changes(3)
    errors = [-2_000, 0, 1_000, 0, 7_000, 0]
    line = told(made, answered(made, errors.__getitem__))
    assert (line.pulses, line.lost, line.spurious, line.disturbed) == (3, 0, 0, 0)
    assert (line.error.min_ns, line.error.median_ns, line.error.max_ns) == (-2_000, 1_000, 7_000)
    assert line.bracket_ns == WIDTH_NS // 2
    assert (line.least_ns, line.most_ns) == (-2_000 - 4_000, 7_000 + 4_000)


def test_the_errors_are_those_of_closings_which_presses_are_made_of():
    made = changes(5)
    line = told(made, answered(made, lambda n: 1_000 if n % 2 == 0 else 3 * MS))
    assert line.error.max_ns == 1_000


def test_an_edge_that_does_not_come_is_lost_and_moves_no_figure():
    made = changes(10)
    edges = answered(made, lambda n: 2_000)
    line = told(made, [edge for n, edge in enumerate(edges) if n not in (6, 9)])
    assert (line.lost, line.spurious) == (2, 0)
    assert line.error.min_ns == line.error.max_ns == 2_000


def test_an_edge_too_many_is_spurious_and_the_first_one_is_the_stamp():
    made = changes(2)
    edges = answered(made, lambda n: 0)
    bounce = [Edge("red first", False, edges[0].t_ns + 1 * MS, 0), Edge("red first", True, edges[0].t_ns + 2 * MS, 0)]
    line = told(made, [*edges, *bounce])
    assert (line.lost, line.spurious, line.error.max_ns) == (0, 2, 0)


def test_a_line_that_sees_nothing_has_no_figures():
    assert told(changes(3), []) is None


def test_a_stamp_from_before_the_write_is_an_error_below_zero_and_no_loss():
    made = changes(4)
    line = told(made, answered(made, lambda n: -4 * MS))
    assert (line.lost, line.error.max_ns) == (0, -4 * MS)


def test_a_write_that_was_interrupted_says_nothing_about_the_stamp():
    made = changes(10, width_ns=lambda n: 9 * MS if n == 4 else WIDTH_NS)
    edges = [Edge("red first", change.active, change.before_ns + 4_000, 0) for change in made]
    line = told(made, edges)
    assert (line.disturbed, line.lost) == (1, 0)
    assert (line.error.min_ns, line.error.max_ns, line.bracket_ns) == (0, 0, WIDTH_NS // 2)


def test_the_worst_difference_is_between_two_lines_with_both_brackets():
    made = changes(5)
    early = told(made, answered(made, lambda n: -1_000), "red first")
    late = told(made, answered(made, lambda n: 9_000), "blue first")
    between = told(made, answered(made, lambda n: 0), "green first")
    worst = worst_difference([early, between, late])
    assert (worst.late, worst.early) == ("blue first", "red first")
    assert worst.ns == 10_000 + WIDTH_NS


def test_one_line_with_a_wide_spread_is_not_compared_with_itself():
    made = changes(5)
    wide = told(made, answered(made, lambda n: 50_000 if n == 4 else -50_000), "red first")
    calm = told(made, answered(made, lambda n: 0), "blue first")
    assert worst_difference([wide, calm]).ns == 50_000 + WIDTH_NS
    assert worst_difference([wide]).ns == 100_000 + WIDTH_NS


def test_matching_keeps_its_answers_in_the_order_of_the_changes():
    made = changes(1)
    edges = answered(made, lambda n: 0)
    assert pair(made, reversed(edges)) == Paired(
        (Answered(made[0], edges[0].t_ns), Answered(made[1], edges[1].t_ns)), 0
    )


@given(st.integers(0, 2**32), st.integers(1, 40_000), st.integers(0, 2 * MS))
def test_the_truth_lies_within_the_bracket_of_every_figure(seed, width_ns, jitter_ns):
    """Wherever in its bracket a line really changed: the true errors lie within the bounds, the median within its ±."""
    chance = random.Random(seed)
    made = changes(20, width_ns=lambda n: chance.randrange(1, width_ns + 1))
    truths = [chance.randint(change.before_ns, change.after_ns) for change in made]
    errors = [chance.randint(-jitter_ns, jitter_ns) for _ in made]
    edges = [Edge("x", c.active, t + e, 0) for c, t, e in zip(made, truths, errors, strict=True)]
    line = told(made, edges)
    counted = [e for c, e in zip(made, errors, strict=True) if c.active and c.width_ns <= 2 * line.bracket_ns]
    assert line.lost == line.spurious == 0
    assert line.least_ns <= min(counted)
    assert max(counted) <= line.most_ns
    assert abs(line.error.median_ns - sorted(counted)[len(counted) // 2]) <= line.bracket_ns + 2 * jitter_ns
    assert line.least_ns <= line.error.min_ns <= line.error.median_ns <= line.error.max_ns <= line.most_ns


@given(st.permutations(range(4)))
def test_the_order_of_the_lines_does_not_change_the_worst_difference(order):
    made = changes(3)
    lines = [told(made, answered(made, lambda n, k=k: 1_000 * k * k), f"line {k}") for k in order]
    assert worst_difference(lines).ns == 9_000 + WIDTH_NS


@pytest.mark.parametrize("shift_ns", [-3 * MS, 0, 12 * MS])
def test_what_all_lines_have_in_common_decides_nothing(shift_ns):
    made = changes(3)
    lines = [told(made, answered(made, lambda n, k=k: shift_ns + k), f"line {k}") for k in (0, 500)]
    assert worst_difference(lines).ns == 500 + WIDTH_NS

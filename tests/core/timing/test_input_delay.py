"""The longest that an input device takes, from pushes that close a wired button too."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.core.timing.events import MS, SECOND
from companion.core.timing.input_delay import LEAST_TRIALS, InputDelay, delay_of, paired

WIRED = [n * SECOND for n in range(1, 41)]


def test_each_push_is_later_by_its_own_delay_whatever_the_order_in_which_they_came() -> None:
    stamps = [at + n * MS for n, at in enumerate(WIRED)]
    random.Random(3).shuffle(stamps)
    assert paired(WIRED, stamps) == [n * MS for n in range(40)]


def test_a_device_may_be_first() -> None:
    assert paired([SECOND, 3 * SECOND], [SECOND - 5 * MS, 3 * SECOND + MS]) == [-5 * MS, MS]


def test_a_press_without_a_push_and_a_push_without_a_press_are_left_out() -> None:
    pushes = [SECOND, 3 * SECOND, 5 * SECOND]
    assert paired(pushes, [SECOND + MS, 4 * SECOND, 5 * SECOND + 2 * MS]) == [MS, 2 * MS]
    assert paired([], [SECOND]) == []
    assert paired(pushes, []) == []


def test_a_push_belongs_to_one_press_alone() -> None:
    assert paired([SECOND], [SECOND + MS, SECOND + 2 * MS]) == [MS]


def test_too_few_pushes_say_nothing() -> None:
    assert delay_of([MS] * (LEAST_TRIALS - 1)) is None
    assert delay_of([MS] * LEAST_TRIALS) == InputDelay(LEAST_TRIALS, MS, MS, MS)


def test_what_lies_between_two_switches_and_a_polling_that_is_not_known_are_added() -> None:
    never_first = InputDelay(40, 2 * MS, 5 * MS, 9 * MS)
    assert never_first.bound_ns(8 * MS) == 9 * MS
    assert never_first.bound_ns(None) == 9 * MS + 7 * MS
    was_first = InputDelay(40, -3 * MS, 5 * MS, 9 * MS)
    assert was_first.bound_ns(8 * MS) == 12 * MS
    assert InputDelay(40, -9 * MS, -6 * MS, -9 * MS).bound_ns(8 * MS) == 0


@given(st.lists(st.integers(-300 * MS, 300 * MS), min_size=LEAST_TRIALS, max_size=40))
def test_the_bound_is_never_below_what_was_seen(delays: list[int]) -> None:
    found = delay_of(paired(WIRED, [at + delay for at, delay in zip(WIRED, delays, strict=False)]))
    assert found is not None
    assert found.least_ns <= found.median_ns <= found.worst_ns == max(delays)
    assert found.bound_ns(8 * MS) >= max(0, *delays)

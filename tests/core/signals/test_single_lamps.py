"""Lamps in buttons: lit, blinking, and never on more than three times in a second, whatever they are told."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.signals.rhythms import LEAST_RISE_NS
from companion.core.signals.single_lamps import BLINK_NS, SingleLamps
from companion.core.timing.events import MS, SECOND

LAMPS = ("red first", "red second", "blue third")


def test_what_is_lit_stays_lit_and_nothing_is_due():
    lamps = SingleLamps()
    lamps.show({"red first"})
    assert lamps.on(0) == {"red first"}
    assert lamps.next_change(0) is None
    assert lamps.on(5 * SECOND) == {"red first"}
    lamps.show(())
    assert lamps.on(5 * SECOND) == set()


def test_what_blinks_is_on_and_off_for_the_same_time():
    lamps = SingleLamps()
    lamps.show({"red first"}, {"red second"})
    now_ns: int | None = 0
    seen = []
    for _ in range(6):
        assert now_ns is not None
        seen.append((now_ns // BLINK_NS, lamps.on(now_ns)))
        now_ns = lamps.next_change(now_ns)
    both, one = frozenset({"red first", "red second"}), frozenset({"red first"})
    assert seen == [(0, both), (1, one), (2, both), (3, one), (4, both), (5, one)]


def test_a_lamp_that_is_asked_for_again_too_soon_goes_on_as_soon_as_it_may():
    lamps = SingleLamps()
    lamps.show({"red first"})
    lamps.on(0)
    lamps.show(())
    lamps.on(50 * MS)
    lamps.show({"red first"})
    assert lamps.on(100 * MS) == set()
    assert lamps.next_change(100 * MS) == LEAST_RISE_NS
    assert lamps.on(LEAST_RISE_NS) == {"red first"}


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(
    st.lists(
        st.tuples(st.integers(1, 300), st.sets(st.sampled_from(LAMPS)), st.sets(st.sampled_from(LAMPS))),
        min_size=20, max_size=60,
    )
)  # fmt: skip
def test_whatever_is_told_no_lamp_goes_on_more_than_three_times_in_a_second(told):
    lamps, now_ns = SingleLamps(), 0
    before: frozenset[str] = frozenset()
    rises: dict[str, list[int]] = {lamp: [] for lamp in LAMPS}

    def look(at_ns):
        nonlocal before
        on = lamps.on(at_ns)
        for lamp in on - before:
            rises[lamp].append(at_ns)
        before = on

    for ms, lit, blinking in told:
        lamps.show(lit, blinking)
        look(now_ns)
        end_ns = now_ns + ms * MS
        while (due_ns := lamps.next_change(now_ns)) is not None and due_ns < end_ns:
            assert due_ns > now_ns
            now_ns = due_ns
            look(now_ns)
        now_ns = end_ns
        look(now_ns)
    for times in rises.values():
        assert all(later - earlier >= LEAST_RISE_NS for earlier, later in pairwise(times))

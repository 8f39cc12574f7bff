"""Clocks counted on by a display: what stands there at an instant, and when that changes next."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.panel import Colour
from companion.core.ruling.view import Clock, View
from companion.core.shown.scene import Final, Idle, Scene
from companion.core.shown.timed.low_times import LowTimes
from companion.core.shown.timed.ticking import as_of, clocks_of, lowest, next_tick
from companion.core.timing.events import MS, SECOND
from companion.screens.text.wording import left


def clock(left_ns: int, *, runs: bool = True, **more: Any) -> Clock:
    return Clock("time", Colour.RED, left_ns, 1_000, runs, **more)


CLOCKS = st.builds(
    clock, st.integers(-50 * SECOND, 7_300 * SECOND), runs=st.booleans(), held_ns=st.integers(0, 9 * SECOND),
    pace=st.sampled_from([None, (1, 1), (3, 4), (1, 4), (-1, 2)]),
)  # fmt: skip


ROUNDED_NS = 10
"""A clock that receives, or spends more slowly, is told to some nanoseconds."""


def seen(one: Clock, now_ns: int) -> tuple[str, int]:
    """What a display shows of a clock."""
    now = one.as_of(now_ns)
    return left(now.left_ns), -(-now.held_ns // SECOND) if now.is_running else 0


@given(CLOCKS, st.integers(1_000, 10**10))
def test_what_is_shown_stands_until_the_next_tick_and_changes_with_it(one: Clock, now_ns: int) -> None:
    tick_ns = next_tick([one], now_ns)
    if tick_ns is None:
        assert seen(one, now_ns) == seen(one, now_ns + 10**12)
        return
    assert tick_ns > now_ns
    assert seen(one, max(now_ns, tick_ns - ROUNDED_NS)) == seen(one, now_ns)
    assert seen(one, tick_ns + ROUNDED_NS) != seen(one, now_ns) or abs(one.left(tick_ns)) < SECOND // 5


def test_a_held_clock_stands_and_then_runs() -> None:
    one = clock(60 * SECOND, held_ns=3 * SECOND)
    assert [one.left(1_000 + s * SECOND) // SECOND for s in (0, 3, 4, 64)] == [60, 60, 59, -1]
    assert one.as_of(1_000 + SECOND).held_ns == 2 * SECOND


@pytest.mark.parametrize(
    ("left_ms", "says"),
    [(20_000, "0:20"), (20_001, "0:21"), (19_999, "0:20.0"), (4_210, "0:04.3"), (1, "0:00.1"), (0, "0:00.0"),
     (-99, "0:00.0"), (-4_290, "−0:04.2"), (-63_900, "−1:03"), (3_720_000, "1:02:00")],
)  # fmt: skip
def test_little_time_is_told_in_tenths_and_what_is_spent_with_a_minus(left_ms: int, says: str) -> None:
    assert left(left_ms * MS) == says


def test_only_a_scene_with_clocks_is_counted_on() -> None:
    view = View(scores=(), score_label="points", clocks=(clock(60 * SECOND),))
    scene = Scene(Idle("Game", view))
    (one,) = clocks_of(as_of(scene, 1_000 + 5 * SECOND))
    assert one.left_ns == 55 * SECOND
    over = Scene(Final("Game", view, ()))
    assert as_of(over, 10**12) is over
    assert clocks_of(over) == ()


def test_little_time_is_told_once_for_each_clock_and_not_for_one_that_stands() -> None:
    low = LowTimes()
    runs = (clock(15 * SECOND, low_ns=10 * SECOND), Clock("time", Colour.BLUE, SECOND, 0, False, low_ns=10 * SECOND))
    assert lowest(runs, 0) == 1_000 + 5 * SECOND
    assert not low.advance(2_000, 1, lambda: runs)
    assert low.next_deadline() == 1_000 + 5 * SECOND
    assert not low.advance(5 * SECOND, 1, lambda: ())
    assert low.advance(6 * SECOND, 1, lambda: ())
    again = (clock(30 * SECOND, low_ns=10 * SECOND),)
    assert not low.advance(60 * SECOND, 2, lambda: again), "once a match"
    assert low.next_deadline() is None

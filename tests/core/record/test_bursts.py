"""What is said again and again: a few times, then how often; every one is counted, once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.core.record.bursts import OTHERS, Bursts
from companion.core.timing.events import MS, SECOND


def test_the_first_are_said_and_the_others_counted_until_the_window_ends() -> None:
    bursts = Bursts(3)
    assert [bursts.feed("red", t, f"at {t}", 2) for t in range(5)] == [True, True, True, False, False]
    assert bursts.next_deadline() == 10 * SECOND
    assert bursts.advance(10 * SECOND - 1) == []
    (burst,) = bursts.advance(10 * SECOND)
    assert (burst.key, burst.left_out, burst.amount, burst.lasted, burst.last) == ("red", 2, 4, "10 s", "at 4")
    assert bursts.feed("red", 10 * SECOND)


def test_a_burst_that_goes_on_is_told_ever_less_often() -> None:
    bursts = Bursts(3, longest_ns=40 * SECOND)
    told = []
    for t_ns in range(0, 200 * SECOND, 100 * MS):
        told += bursts.advance(t_ns)
        bursts.feed("red", t_ns)
    assert [burst.lasted for burst in told] == ["10 s", "20 s", "40 s", "40 s", "40 s", "40 s"]
    assert [burst.left_out for burst in told] == [97, 200, 400, 400, 400, 400]


def test_keys_are_bounded_and_those_beyond_are_one() -> None:
    bursts = Bursts(1, keys=10)
    assert sum(bursts.feed(str(number), 0) for number in range(1000)) == 11
    assert [burst.key for burst in bursts.end(SECOND)] == [OTHERS]


def test_nothing_is_due_where_all_was_said() -> None:
    bursts = Bursts(2)
    bursts.feed("red", 0)
    assert (bursts.next_deadline(), bursts.advance(20 * SECOND), bursts.end(20 * SECOND)) == (None, [], [])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3 * SECOND)), max_size=300))
def test_what_is_said_and_what_is_counted_is_all_that_came(steps: list[tuple[str, int]]) -> None:
    bursts, now_ns, said, told = Bursts(2), 0, 0, 0
    for key, later_ns in steps:
        now_ns += later_ns
        told += sum(burst.left_out for burst in bursts.advance(now_ns))
        said += bursts.feed(key, now_ns)
    told += sum(burst.left_out for burst in bursts.end(now_ns))
    assert said + told == len(steps)

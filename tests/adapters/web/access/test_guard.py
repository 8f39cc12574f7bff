"""PIN, sessions and throttle, on a clock of the test's own."""

from __future__ import annotations

import pytest

from companion.adapters.web.access.guard import (
    MOST_SESSIONS,
    Guard,
    Throttled,
    WorkNeeded,
)  # fmt: skip
from companion.adapters.web.access.puzzles import zero_bits
from companion.adapters.web.access.tries import FIRST_WAIT_NS, FREE_OF_ALL, LONGEST_WAIT_NS, MOST_CALLERS, Tries
from companion.core.errors import Malformed


class Clock:
    def __init__(self) -> None:
        self.now_ns = 10**15

    def __call__(self) -> int:
        return self.now_ns


def wrong(guard: Guard, address: str, times: int) -> list[str | Throttled | WorkNeeded | None]:
    return [guard.log_in(address, "000000") for _ in range(times)]


def test_the_wait_doubles_with_each_wrong_pin_up_to_an_hour() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    assert wrong(guard, "a", 5) == [None] * 5
    waits = []
    for _ in range(8):
        throttled = guard.log_in("a", "000000")
        assert isinstance(throttled, Throttled)
        waits.append(throttled.wait_ns)
        clock.now_ns += throttled.wait_ns
        assert guard.log_in("a", "000000") is None
    assert waits[:3] == [FIRST_WAIT_NS, 2 * FIRST_WAIT_NS, 4 * FIRST_WAIT_NS]
    assert waits[-1] == LONGEST_WAIT_NS


def test_one_who_is_throttled_does_not_throttle_another() -> None:
    guard = Guard("123456", Clock())
    wrong(guard, "a", 6)
    assert isinstance(guard.log_in("a", "123456"), Throttled)
    assert isinstance(guard.log_in("b", "123456"), str)


def test_a_right_pin_from_another_address_is_looked_at_after_however_many_wrong_ones_of_others() -> None:
    guard = Guard("123456", Clock())
    for number in range(FREE_OF_ALL):
        assert guard.log_in(f"address {number}", "000000") is None
    needed = guard.log_in("referee", "123456")
    assert isinstance(needed, WorkNeeded)
    assert isinstance(guard.log_in("referee", "123456", work=solved(guard, "referee")), str)


def test_the_box_s_own_machine_and_a_session_wait_for_nobody_s_wrong_pins() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    token = guard.log_in("referee", "123456")
    for number in range(1000):
        guard.tries.wrong(f"address {number}")
    wrong(guard, "referee", 1)
    assert isinstance(guard.log_in("127.0.0.1", "123456"), str)
    assert isinstance(guard.log_in("referee", "123456", str(token)), str)
    wrong(guard, "::1", 50)
    clock.now_ns += 10**9
    assert isinstance(guard.log_in("::1", "123456"), str)


def test_work_is_worth_one_try_of_the_caller_who_asked_and_goes_stale() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    for number in range(2 * FREE_OF_ALL):
        guard.tries.wrong(f"address {number}")
    work = solved(guard, "a")
    assert isinstance(guard.log_in("b", "123456", work=work), WorkNeeded)
    assert isinstance(guard.log_in("a", "123456", work=(work[0], work[1] - 1)), WorkNeeded)
    assert guard.log_in("a", "000000", work=work) is None
    assert isinstance(guard.log_in("a", "123456", work=work), WorkNeeded)
    stale = solved(guard, "a")
    clock.now_ns += 601 * 10**9
    assert isinstance(guard.log_in("a", "123456", work=stale), WorkNeeded)


@pytest.mark.parametrize("puzzle", ["", ".", "0.0.0.0", "0.9.a.é", "\udcff", "1" * 128])
def test_a_puzzle_that_the_box_did_not_make_is_worth_nothing(puzzle: str) -> None:
    guard = Guard("123456", Clock())
    for number in range(FREE_OF_ALL):
        guard.tries.wrong(f"address {number}")
    assert isinstance(guard.log_in("a", "123456", work=(puzzle, 1)), WorkNeeded)


def solved(guard: Guard, caller: str) -> tuple[str, int]:
    """A caller's puzzle with its answer: the first number that solves it, so that no smaller one does."""
    puzzle, bits = guard.puzzle(caller)
    return puzzle, next(number for number in range(1 << 30) if zero_bits(puzzle, number) >= bits)


# -- brute force, by the bounds that `tries` states --------------------------------------------------------------------


def test_an_address_gets_eleven_tries_in_its_first_hour_and_thirty_four_in_a_day() -> None:
    clock = Clock()
    tries, begun_ns = Tries(clock), clock.now_ns
    made = []
    while clock.now_ns < begun_ns + 24 * 3600 * 10**9:
        tries.wrong("a")
        made.append(clock.now_ns - begun_ns)
        clock.now_ns += tries.wait_ns("a")
    assert sum(at_ns < 3600 * 10**9 for at_ns in made) == 11
    assert len(made) == 34


def test_however_many_addresses_there_are_the_work_bounds_the_tries_of_an_hour() -> None:
    clock = Clock()
    tries, hashes_a_second = Tries(clock), 10**8
    made = 0
    until_ns = clock.now_ns + 3600 * 10**9
    while clock.now_ns < until_ns:
        tries.wrong(f"address {made}")
        made += 1
        clock.now_ns += (1 << tries.bits("another")) * 10**9 // hashes_a_second
    assert made < 28_000


def test_wrong_pins_are_forgotten_after_a_day_and_by_a_right_one() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    wrong(guard, "a", 4)
    assert isinstance(guard.log_in("a", "123456"), str)
    assert wrong(guard, "a", 5) == [None] * 5
    clock.now_ns += 24 * 3600 * 10**9
    assert wrong(guard, "a", 5) == [None] * 5


def test_what_is_kept_about_strangers_and_sessions_is_bounded() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    for number in range(MOST_CALLERS + 100):
        guard.tries.wrong(f"address {number}")
    assert len(guard.tries._by_caller) <= MOST_CALLERS
    clock.now_ns += 48 * 3600 * 10**9
    tokens = [guard.log_in("a", "123456") for _ in range(MOST_SESSIONS + 1)]
    assert not guard.is_referee(str(tokens[0]))
    assert guard.is_referee(str(tokens[-1]))


@pytest.mark.parametrize("token", [None, "", "x", "\udcff", "é" * 50])
def test_a_token_that_is_none_opens_nothing(token: str | None) -> None:
    guard = Guard("123456", Clock())
    guard.log_in("a", "123456")
    assert not guard.is_referee(token)


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12345a", "１２３４"])
def test_a_pin_has_four_to_twelve_digits(pin: str) -> None:
    with pytest.raises(Malformed, match="4 to 12 digits"):
        Guard(pin, Clock())
    assert Guard("123456", Clock()).log_in("a", pin) is None

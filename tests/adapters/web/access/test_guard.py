"""PIN, sessions and throttle, on a clock of the test's own."""

from __future__ import annotations

import pytest

from companion.adapters.web.access.guard import (
    FIRST_WAIT_NS,
    FREE_TRIES_OF_ALL,
    LONGEST_WAIT_NS,
    MOST_ADDRESSES,
    MOST_SESSIONS,
    Guard,
    Throttled,
)  # fmt: skip
from companion.core.errors import Malformed


class Clock:
    def __init__(self) -> None:
        self.now_ns = 10**15

    def __call__(self) -> int:
        return self.now_ns


def wrong(guard: Guard, address: str, times: int) -> list[str | Throttled | None]:
    return [guard.log_in(address, "000000") for _ in range(times)]


def test_the_wait_doubles_with_each_wrong_pin_up_to_ten_minutes() -> None:
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


def test_many_addresses_together_get_few_tries_and_the_referee_waits_at_most_half_a_minute() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    for number in range(FREE_TRIES_OF_ALL):
        assert guard.log_in(f"address {number}", "000000") is None
    waiting = guard.log_in("referee", "123456")
    assert isinstance(waiting, Throttled)
    assert waiting.wait_ns <= FIRST_WAIT_NS
    clock.now_ns += waiting.wait_ns
    assert isinstance(guard.log_in("referee", "123456"), str)


def test_wrong_pins_are_forgotten_after_an_hour_and_by_a_right_one() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    wrong(guard, "a", 4)
    assert isinstance(guard.log_in("a", "123456"), str)
    assert wrong(guard, "a", 5) == [None] * 5
    clock.now_ns += 3600 * 10**9
    assert wrong(guard, "a", 1) == [None]


def test_what_is_kept_about_strangers_and_sessions_is_bounded() -> None:
    clock = Clock()
    guard = Guard("123456", clock)
    for number in range(MOST_ADDRESSES + 100):
        clock.now_ns += FIRST_WAIT_NS
        guard.log_in(f"address {number}", "0")
    assert len(guard._by_address) <= MOST_ADDRESSES
    clock.now_ns += 3600 * 10**9
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

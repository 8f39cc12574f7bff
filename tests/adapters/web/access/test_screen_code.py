"""The code on the box's display: one at a time, for a minute, for whoever asked, and three wrong ones at most."""

from __future__ import annotations

import pytest

from companion.adapters.web.access.screen_code import LIFE_NS, MOST_WRONG, REST_NS, ScreenCodes
from companion.core.errors import Illegal
from tests.adapters.web.access.test_guard import Clock


def test_the_code_opens_once_for_whoever_asked() -> None:
    codes = ScreenCodes(Clock())
    shown = codes.ask("a")
    assert codes.is_shown
    assert codes.take(shown.ticket, f" {shown.code[:3].lower()} {shown.code[3:]}")
    assert not codes.is_shown
    assert not codes.take(shown.ticket, shown.code)


def test_another_page_can_neither_use_nor_spoil_it() -> None:
    codes = ScreenCodes(Clock())
    shown = codes.ask("a")
    for ticket in ("", "guessed", "\udcff", shown.code):
        assert not any(codes.take(ticket, shown.code) for _ in range(MOST_WRONG))
    assert codes.take(shown.ticket, shown.code)


def test_three_wrong_codes_end_it() -> None:
    codes = ScreenCodes(Clock())
    shown = codes.ask("a")
    assert not any(codes.take(shown.ticket, wrong) for wrong in ("", "\udcff", "AAAAAA"))
    assert not codes.is_shown
    assert not codes.take(shown.ticket, shown.code)


def test_it_is_gone_after_a_minute() -> None:
    clock = Clock()
    codes = ScreenCodes(clock)
    shown = codes.ask("a")
    clock.now_ns += LIFE_NS
    assert not codes.is_shown
    assert not codes.take(shown.ticket, shown.code)


def test_there_is_one_at_a_time_and_a_rest_after_it_whoever_asks() -> None:
    clock = Clock()
    codes = ScreenCodes(clock)
    codes.ask("a")
    for wait_ns in (0, LIFE_NS, REST_NS - 1):
        clock.now_ns += wait_ns
        with pytest.raises(Illegal, match="wait for"):
            codes.ask("b")
    clock.now_ns += 1
    assert codes.ask("b").caller == "b"


def test_whoever_asks_and_does_not_use_it_waits_longer_each_time() -> None:
    clock = Clock()
    codes = ScreenCodes(clock)
    shown = 0
    for _ in range(24 * 60):
        clock.now_ns += 60 * 10**9
        try:
            codes.ask("a")
        except Illegal:
            continue
        shown += 1
    assert shown <= 30
    assert codes.ask("b")

"""Presses that wait for their card: which of them count, which are late, and that all of them come out again."""

from __future__ import annotations

from companion.core.match.waiting.early_presses import EarlyPresses, Waited
from companion.core.panel import Colour
from companion.core.record.lines import PressLine

SEATED = (Colour.RED, Colour.YELLOW)


def press(colour: Colour, t_ns: int) -> PressLine:
    return PressLine(colour=colour, role="hunter", t_ns=t_ns)


def waiting(*presses: PressLine, closed_ns: int | None = None) -> EarlyPresses:
    early = EarlyPresses()
    for each in presses:
        early.add(each)
    if closed_ns is not None:
        early.close(closed_ns)
    return early


def test_the_first_press_of_a_seat_counts_and_its_second_does_not() -> None:
    early = EarlyPresses()
    assert early.add(press(Colour.RED, 10))
    assert not early.add(press(Colour.RED, 20))
    assert early.add(press(Colour.YELLOW, 30))
    assert len(early) == 3


def test_a_press_made_after_the_close_is_late_and_one_made_before_counts_however_late_it_comes() -> None:
    early = waiting(press(Colour.RED, 10), closed_ns=50)
    assert not early.add(press(Colour.BLUE, 51))
    assert early.add(press(Colour.YELLOW, 50))
    assert early.late() == (press(Colour.BLUE, 51),)


def test_the_race_has_the_first_in_time_of_each_seat_in_the_order_of_time() -> None:
    early = waiting(press(Colour.RED, 30), press(Colour.YELLOW, 20), press(Colour.RED, 10))
    assert early.in_race(SEATED) == (press(Colour.RED, 10), press(Colour.YELLOW, 20))


def test_nobody_without_a_seat_and_nobody_late_is_in_the_race() -> None:
    early = waiting(press(Colour.RED, 10), press(Colour.GREEN, 11), press(Colour.YELLOW, 60), closed_ns=50)
    assert early.in_race(SEATED) == (press(Colour.RED, 10),)


def test_nothing_is_late_before_the_close() -> None:
    assert waiting(press(Colour.RED, 10**12)).late() == ()


def test_what_waited_comes_out_once_in_time_and_late_apart_in_the_order_it_came() -> None:
    first, late, second = press(Colour.RED, 10), press(Colour.BLUE, 51), press(Colour.YELLOW, 9)
    early = waiting(first, closed_ns=50)
    early.add(late)
    early.add(second)
    assert list(early) == [first, late, second]
    assert early.take() == Waited((first, second), True, 50, (late,))
    assert early.take() == Waited((), False, None, ())
    assert not early


def test_after_it_was_emptied_a_new_race_waits_with_no_close() -> None:
    early = waiting(press(Colour.RED, 10), closed_ns=50)
    early.take()
    assert early.add(press(Colour.RED, 60))
    assert early.late() == ()

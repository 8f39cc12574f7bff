"""What is kept of presses that are not durable yet: from when they are accepted until nothing can lose them."""

from __future__ import annotations

from companion.core.match.waiting.unrecorded import Instant, Unrecorded, instant_of, unknown_to
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.timing.events import Press

RED = Press("red first", 10, 5)
BLUE = Press("blue second (phone)", 20, 5)


def kept(*presses: Press) -> Unrecorded:
    unrecorded = Unrecorded()
    for press in presses:
        assert unrecorded.take(press)
    return unrecorded


def test_a_press_is_known_by_whose_it_is_and_when_it_was_made() -> None:
    assert instant_of(RED) == Instant(10, Colour.RED)
    assert instant_of(BLUE) == Instant(20, Colour.BLUE)
    assert instant_of(Press(KNOB_PUSH, 10, 5)) is None


def test_the_knobs_push_is_not_kept_and_no_press_twice() -> None:
    unrecorded = kept(RED)
    assert not unrecorded.take(RED)
    assert not unrecorded.take(Press(KNOB_PUSH, 11, 5))
    assert len(unrecorded) == 1


def test_a_press_that_has_no_place_in_the_order_of_time_yet_is_kept_however_much_is_durable() -> None:
    unrecorded = kept(RED)
    unrecorded.dealt_with((), [Instant(10, Colour.RED)], 3)
    assert unrecorded.durable(100) == []


def test_a_press_that_was_dealt_with_is_kept_until_what_follows_from_it_is_durable() -> None:
    unrecorded = kept(RED, BLUE)
    unrecorded.fed(RED)
    unrecorded.dealt_with((), [Instant(10, Colour.RED)], 3)
    assert unrecorded.durable(2) == []
    assert unrecorded.durable(3) == [RED]
    assert unrecorded.durable(3) == []
    assert len(unrecorded) == 1


def test_a_press_that_waits_for_its_card_is_kept_until_its_line_is_durable() -> None:
    unrecorded = kept(RED)
    unrecorded.fed(RED)
    unrecorded.dealt_with([Instant(10, Colour.RED)], (), 3)
    assert unrecorded.durable(3) == []
    unrecorded.dealt_with((), [Instant(10, Colour.RED)], 6)
    assert unrecorded.durable(5) == []
    assert unrecorded.durable(6) == [RED]


def test_a_press_that_became_no_line_was_an_answer_and_is_not_kept() -> None:
    unrecorded = kept(RED, BLUE)
    unrecorded.fed(RED)
    unrecorded.dealt_with((), [Instant(20, Colour.BLUE)], 3)
    assert unrecorded.durable(0) == [RED]


def test_when_the_match_is_given_up_nothing_is_kept_any_more() -> None:
    unrecorded = kept(RED, BLUE)
    unrecorded.fed(RED)
    assert unrecorded.give_up() == [RED, BLUE]
    unrecorded.dealt_with((), (), 1)
    assert unrecorded.durable(1) == []
    assert len(unrecorded) == 0


def test_what_the_record_has_already_is_not_put_into_it_again() -> None:
    assert unknown_to([Instant(10, Colour.RED)], [BLUE, RED]) == [BLUE]
    assert unknown_to([Instant(10, Colour.BLUE), Instant(20, Colour.RED)], [BLUE, RED]) == [RED, BLUE]

"""What a player is told of the own newest press: whether it counts, and else why not."""

from __future__ import annotations

import pytest

from companion.core.panel import BUTTON_BY_LABEL, Colour
from companion.core.play.commands import Choose, CloseRace, EndMatch, EnterCard, NoCard, TakeBack
from companion.core.ruling.offers import line_key
from companion.core.shown.own_presses import OwnPress, PressFate, ahead
from companion.core.timing.events import MS
from tests.core.play.test_commands import Desk, two

RED, YELLOW = Colour.RED, Colour.YELLOW


def own(box: Desk) -> dict[Colour, OwnPress]:
    return {press.colour: press for press in box.session.snapshot(round(box.now_ms * MS)).own_presses}


def fates(box: Desk) -> dict[str, PressFate]:
    return {str(colour): press.fate for colour, press in own(box).items()}


def racing() -> Desk:
    """Two players, a card that red's hunter claims from, and red's press."""
    box = two()
    box.ask(EnterCard(card="red hunter"), 2000)
    box.ask(EnterCard(card="buffalo"), 2300)
    box.ask(EnterCard(card="teepee"), 2600)
    box.press("red hunter", 3000)
    box.run(3300)
    return box


def test_a_press_that_counts_is_told_with_its_number() -> None:
    box = racing()
    assert own(box) == {RED: OwnPress(BUTTON_BY_LABEL["red fourth"], 1, PressFate.COUNTS, is_new=True)}


def test_a_second_press_in_a_race_is_no_play() -> None:
    box = racing()
    box.press("red chief", 3400)
    box.run(3700)
    assert own(box)[RED][1:] == (2, PressFate.PLAYED, True)


def test_a_press_after_the_close_is_too_late() -> None:
    box = racing()
    box.ask(CloseRace(), 3500)
    box.press("yellow chief", 3900)
    box.run(4300)
    assert fates(box) == {"red": PressFate.COUNTS, "yellow": PressFate.LATE}


def test_a_press_while_another_chooses_is_not_yours() -> None:
    box = racing()
    box.ask(CloseRace(), 3500)
    box.run(6000)
    box.press("yellow chief", 6500)
    box.run(7000)
    assert own(box)[YELLOW][1:] == (1, PressFate.NOT_YOURS, True)
    decision = box.session.match.must_decide()  # type: ignore[union-attr]
    assert decision is not None
    box.ask(Choose(option=line_key(decision.options[0].line)), 7500)
    assert not own(box)[YELLOW].is_new


def test_a_press_that_chooses_answers_and_one_that_picks_nothing_is_told() -> None:
    box = racing()
    box.ask(CloseRace(), 3500)
    box.run(6000)
    box.press("red hunter", 6500)
    box.run(6900)
    assert own(box)[RED][1:] == (2, PressFate.NOTHING, True)
    box.press("red chief", 7500)
    box.run(8000)
    assert own(box)[RED].fate is PressFate.ANSWERS


def test_a_press_before_its_card_waits_then_counts_or_had_no_card() -> None:
    box = two()
    box.press("red hunter", 2000)
    box.run(2500)
    assert fates(box) == {"red": PressFate.WAITS}
    box.ask(EnterCard(card="red hunter"), 2600)
    assert fates(box) == {"red": PressFate.COUNTS}
    other = two()
    other.press("red hunter", 2000)
    other.press("red chief", 2200)
    other.run(2500)
    assert fates(other) == {"red": PressFate.PLAYED}
    other.press("yellow chief", 5300)
    other.run(5700)
    assert fates(other)["yellow"] is PressFate.LATE
    other.ask(NoCard(), 8000)
    assert fates(other) == {"red": PressFate.NO_CARD, "yellow": PressFate.NO_CARD}


def test_a_press_that_was_taken_back_counts_no_more() -> None:
    box = racing()
    box.ask(TakeBack(reason="a bump", by="Ann", line=5), 3500)
    assert fates(box) == {"red": PressFate.TAKEN_BACK}


def test_a_press_is_old_once_the_next_card_lies() -> None:
    box = racing()
    box.ask(CloseRace(), 3500)
    box.run(6000)
    box.press("red chief", 7500)
    box.press("yellow chief", 7900)
    box.run(8400)
    assert own(box)[YELLOW].is_new
    box.ask(EnterCard(card="buffalo"), 9000)
    assert not own(box)[YELLOW].is_new


def test_while_others_are_withheld_only_presses_that_are_new_are_told_and_never_as_old() -> None:
    shown = (OwnPress(BUTTON_BY_LABEL["red first"], 3, PressFate.COUNTS, is_new=True),)
    later = OwnPress(BUTTON_BY_LABEL["red first"], 3, PressFate.TAKEN_BACK, is_new=False)
    own_one = OwnPress(BUTTON_BY_LABEL["yellow first"], 1, PressFate.COUNTS, is_new=False)
    assert ahead(shown, (later, own_one)) == (own_one._replace(is_new=True),)


@pytest.mark.parametrize("colour", ["blue", "red"])
def test_a_press_of_nobody_s_seat_and_one_after_the_end_do_nothing(colour: str) -> None:
    box = two()
    if colour == "red":
        box.ask(EndMatch(), 2000)
        box.store = False
    else:
        box.ask(EnterCard(card="buffalo"), 2000)
    box.press(f"{colour} first", 2300)
    box.run(2800)
    assert fates(box) == {colour: PressFate.NOTHING}


def test_the_box_itself_keeps_what_hammering_was() -> None:
    box = racing()
    for number in range(40):
        box.press("red chief", 3400 + 60 * number, hold_ms=30)
    box.run(5900)
    assert own(box)[RED][1:] == (41, PressFate.PLAYED, True)

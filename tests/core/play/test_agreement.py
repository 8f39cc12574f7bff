"""Everybody agrees to allowances and long acceptance times before the first race: one press each, or by the referee."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.match.effects import Began
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import Consent, NewMatch, Player
from companion.core.record.lines import Conditions, Names, PressLine, Remark, Setup
from companion.core.shown.scene import Idle, Lobby, Question
from companion.core.timing.events import MS
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from tests.core.play.test_commands import Desk

RED, YELLOW, GREEN, BLUE, _ = Colour


def stated(_setup: Setup, window_ns: int, confirmed: tuple[Colour, ...]) -> Conditions:
    """Conditions of a box that is none, with who has agreed."""
    return Conditions("test 1", "", window_ns // MS, 1000, {}, 2, 200, confirmed, ())


def waiting(**table: Any) -> Desk:
    """Red, yellow and blue are to agree that yellow has an allowance."""
    options: dict[str, Any] = {"allowances_ms": {YELLOW: 800}, **table}
    return Desk(seats=("red", "yellow", "blue"), conditions=stated, **options)


def confirmed(box: Desk) -> tuple[Colour, ...]:
    setup = box.lines[0]
    assert isinstance(setup, Setup)
    assert setup.conditions is not None
    return setup.conditions.confirmed


def test_a_match_with_an_allowance_begins_once_every_seat_has_pressed_a_button_of_its_own() -> None:
    box = waiting()
    assert isinstance(box.body, Question)
    assert (box.lines, box.body.missing) == ([], (RED, YELLOW, BLUE))
    assert "YEL: −800 ms allowance" in lines(box.scene)
    box.press("blue chief", 2000)
    box.press("blue hunter", 2200)  # a second time says nothing new
    box.press("green hunter", 2300)  # has no seat
    box.press("yellow maiden", 2400)
    box.run(2700)
    assert isinstance(box.body, Question)
    assert (box.lines, box.body.missing) == ([], (RED,))
    assert {"agreed: YEL BLU", "Agree: press a button", "RED"} <= set(lines(box.scene))
    box.press("red chief", 3000)
    box.run(3300)
    assert isinstance(box.body, Idle)
    assert confirmed(box) == (RED, YELLOW, BLUE)
    assert not any(isinstance(line, (PressLine, Remark)) for line in box.lines)  # a consent is no play


@pytest.mark.parametrize("size", [(128, 64), (256, 64)])
def test_the_small_display_shows_who_has_agreed_and_who_must(size: tuple[int, int]) -> None:
    box = Desk(seats=tuple(Colour), allowances_ms=dict.fromkeys(list(Colour)[:4], 60_000))
    box.press("red chief", 2000)
    box.run(2300)
    shown = [placed.text for placed in draw(box.scene, size).placed]
    assert "agreed: RED" in shown
    assert {"Agree: press a button", "YEL GRN BLU PUR", "RED: −60 s allowance"} <= set(shown)


def test_a_long_acceptance_time_is_agreed_to_and_a_usual_one_is_not() -> None:
    slow = PlaySettings(accepts_ns={RED: 300 * MS, GREEN: 400 * MS})
    box = Desk(seats=("red", "yellow"), play=slow)
    assert isinstance(box.body, Question)
    assert box.body.lines[1] == "RED: accepts after 300 ms"
    usual = Desk(seats=("red", "yellow"), play=PlaySettings(accepts_ns={RED: 20 * MS, GREEN: 400 * MS}))
    assert isinstance(usual.body, Idle)


def test_the_referee_agrees_for_a_seat_and_is_named_in_the_record() -> None:
    box = waiting(names={RED: "Ada"})
    assert box.ask(Consent(seat=YELLOW, by="Ann"), 2000).says == "Ann agrees for yellow"
    with pytest.raises(Illegal, match="not asked"):
        box.ask(Consent(seat=GREEN, by="Ann"), 2200)
    with pytest.raises(Illegal, match="not asked"):
        box.ask(Consent(seat=YELLOW, by="Bob"), 2400)
    box.press("red chief", 2600)
    box.run(2800)
    box.ask(Consent(seat=BLUE, by="Ann"), 3000)
    assert confirmed(box) == (RED, YELLOW, BLUE)
    assert isinstance(box.lines[1], Names)
    remark = box.lines[2]
    assert isinstance(remark, Remark)
    assert (remark.text, remark.source) == ("Ann gave the consent of yellow, blue to the allowances", "Ann")
    with pytest.raises(Illegal, match="not asked"):
        box.ask(Consent(seat=RED, by="Ann"), 4000)


def test_a_match_from_the_desk_waits_as_the_boxs_own_seating_does() -> None:
    box = Desk(seats=("red", "yellow"))
    box.ask(NewMatch(seats=(Player(RED), Player(BLUE, allowance_ms=500)), abandon=True), 2000)
    assert isinstance(box.body, Question)
    assert (box.session.match, box.begun, box.gave_up()) == (None, 1, True)
    for at_ms, button in ((3000, "red chief"), (3200, "blue chief")):
        box.press(button, at_ms)
    box.run(3500)
    assert isinstance(box.body, Idle)
    assert [seat.colour for seat in box.session.match.setup.seats] == [RED, BLUE]
    assert [effect for effect in box.effects if isinstance(effect, Began)] == [Began("apache"), Began("apache")]


def test_a_match_that_its_game_refuses_is_not_agreed_to_and_nothing_is_given_up() -> None:
    box = Desk(seats=("red", "yellow"))
    with pytest.raises((Illegal, Malformed)):
        box.ask(NewMatch(seats=(Player(RED, allowance_ms=500),), variants=("no such",), abandon=True), 2000)
    assert isinstance(box.body, Idle)
    assert not box.gave_up()


def test_the_boxs_own_seating_asks_too_and_the_knob_leads_back_to_it() -> None:
    box = Desk(seats=(), start=False, allowances_ms={YELLOW: 800}, conditions=stated)
    box.press("red chief", 2000)
    box.press("yellow chief", 2200)
    box.click(2500)
    box.run(2800)
    assert isinstance(box.body, Question)
    assert box.body.missing == (RED, YELLOW)
    box.press("red chief", 3000)
    box.click(3300)
    box.run(3600)
    assert isinstance(box.body, Lobby)
    assert box.body.seats == (RED, YELLOW)
    box.click(4000)
    box.run(4300)
    assert isinstance(box.body, Question)
    assert box.body.missing == (RED, YELLOW)  # what was agreed before is asked anew
    box.press("yellow chief", 4500)
    box.press("red chief", 4700)
    box.run(5000)
    assert confirmed(box) == (RED, YELLOW)


def test_without_allowances_nobody_is_asked_and_nobody_has_agreed() -> None:
    box = Desk(seats=("red", "yellow"), conditions=stated)
    assert isinstance(box.body, Idle)
    assert confirmed(box) == ()

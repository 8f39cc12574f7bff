"""How long what is shown stays: settings, and "until dismissed", at the whole box."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.match.effects import Sound, Tone
from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, Dismiss, EnterCard
from companion.core.record.lines import PressLine
from companion.core.shown.alarms import Alarms
from companion.core.shown.scene import Choosing, Idle, Results, Standing
from companion.core.shown.times import Times
from companion.core.timing.events import MS, SECOND, SourceFault
from tests.core.play.test_commands import Desk

RED, YELLOW, *_ = Colour
STAYS = Times(menu_ns=None, notice_ns=None, page_ns=None, order_ns=None, alarm_ns=None)
LONG_MS = 3_600_000


def box(times: Times, **more: Any) -> Desk:
    return Desk(("red", "yellow"), "apache", times=times, **more)


def raced(times: Times) -> Desk:
    """Red and yellow have each played a hunter for a buffalo; the order is final."""
    it = box(times)
    it.ask(EnterCard(card="buffalo"), 2000)
    it.press("red chief", 2500)
    it.press("yellow hunter", 2600)
    it.run(3000)
    return it


def test_a_notice_stays_until_the_knob_is_pushed_which_then_opens_no_menu() -> None:
    it = box(STAYS)
    it.ask(EnterCard(card="buffalo"), 2000)
    it.run(LONG_MS)
    assert it.scene.notice == "revealed: buffalo"
    it.click(LONG_MS + 100)
    it.run(LONG_MS + 400)
    assert it.scene.notice == ""
    assert isinstance(it.body, Idle)
    assert it.body.menu is None
    it.click(LONG_MS + 500)
    it.run(LONG_MS + 800)
    assert it.body.menu is not None


def test_a_press_takes_a_notice_away_and_counts_all_the_same() -> None:
    it = box(STAYS)
    it.ask(EnterCard(card="buffalo"), 2000)
    it.press("red hunter", 2500)
    it.run(2800)
    assert it.scene.notice == ""
    assert [line.colour for line in it.lines if isinstance(line, PressLine)] == [RED]


def test_a_notice_that_a_press_brings_is_not_taken_away_by_that_press() -> None:
    it = raced(STAYS)
    it.press("red hunter", 3200)
    it.run(3500)
    assert it.scene.notice.startswith("too late")


@pytest.mark.parametrize(("times", "is_there"), [(Times(notice_ns=20 * SECOND), True), (Times(), False)])
def test_a_notice_stays_as_long_as_is_set(times: Times, is_there: bool) -> None:
    it = box(times)
    it.ask(EnterCard(card="buffalo"), 2000)
    it.run(2000 + 19_000)
    assert bool(it.scene.notice) is is_there


def test_a_menu_stays_until_it_is_closed_by_an_item_of_its_own() -> None:
    it = box(STAYS)
    it.turn(1, 2000)
    it.run(LONG_MS)
    assert it.menu().items[-1].label == "close the menu"
    it.pick("close the menu", LONG_MS + 100)
    it.run(LONG_MS + 500)
    assert it.body.menu is None
    assert "close the menu" not in [item.label for item in _menu_of(box(Times())).items]


def _menu_of(it: Desk) -> Any:
    it.turn(1, 2000)
    it.run(2100)
    return it.menu()


def choosing(times: Times) -> Desk:
    """Somebody must choose between booty and teepees."""
    it = box(times)
    for at_ms, card in ((1500, "red hunter"), (2000, "buffalo"), (2400, "teepee")):
        it.ask(EnterCard(card=card), at_ms)
    it.press("red hunter", 3000)
    it.ask(CloseRace(), 3500)
    it.run(3800)
    assert it.session.match.must_decide() is not None  # type: ignore[union-attr]
    return it


def test_the_order_before_a_choice_goes_by_the_knob() -> None:
    it = choosing(STAYS)
    it.run(LONG_MS)
    assert isinstance(it.body, Standing)
    if it.scene.notice:
        it.click(LONG_MS + 10)
        it.run(LONG_MS + 300)
    it.click(LONG_MS + 400)
    it.run(LONG_MS + 800)
    assert isinstance(it.body, Choosing)


def test_the_order_before_a_choice_goes_by_a_button_of_whoever_chooses_and_that_picks_nothing() -> None:
    it = choosing(STAYS)
    it.run(20_000)
    lines = len(it.lines)
    it.press("red chief", 20_100)
    it.run(20_400)
    assert isinstance(it.body, Choosing)
    assert len(it.lines) == lines  # neither a choice nor a press that counts nowhere


def test_another_seats_button_does_not_take_the_order_away() -> None:
    it = choosing(STAYS)
    it.run(20_000)
    it.press("yellow chief", 20_100)
    it.run(20_400)
    assert isinstance(it.body, Standing)


def test_pages_of_results_are_turned_by_the_knob() -> None:
    it = raced(STAYS)
    it.run(LONG_MS)
    assert isinstance(it.body, Results)
    assert it.body.focus == -1
    at_ms, seen = LONG_MS, []
    for _ in range(len(it.body.turns) + 2):
        at_ms += 500
        it.click(at_ms)
        it.run(at_ms + 400)
        seen.append(it.body.focus if isinstance(it.body, Results) else None)
    assert seen[:2] == [0, 1]


def test_a_press_begins_the_next_race_whatever_page_stands() -> None:
    it = raced(STAYS)
    it.run(20_000)
    it.press("red warrior", 20_500)
    it.run(20_900)
    assert isinstance(it.body, Standing)


def test_the_alarm_of_what_has_passed_stays_until_it_is_dismissed_and_one_that_lasts_stays() -> None:
    alarms = Alarms(None)
    alarms.hear(SourceFault("gpiod", "gpiod lost 3 edges", 5 * SECOND))
    alarms.raise_("disk", "the disk is full")
    alarms.pass_(LONG_MS * 1_000_000)
    assert len(alarms.texts()) == 2
    assert alarms.can_be_dismissed
    alarms.dismiss()
    assert alarms.texts() == ("the disk is full",)
    assert not alarms.can_be_dismissed


def test_at_the_box_the_knob_dismisses_such_an_alarm() -> None:
    it = box(STAYS)
    it.session.alarm_passed("thread x", "a thread ended")
    it.run(LONG_MS)
    assert it.scene.alarms == ("a thread ended",)
    it.click(LONG_MS + 100)
    it.run(LONG_MS + 400)
    assert it.scene.alarms == ()
    assert not [effect for effect in it.effects if isinstance(effect, Sound) and effect.tone is Tone.REFUSED]


def test_the_desk_dismisses_for_a_box_without_a_knob() -> None:
    it = box(STAYS)
    it.session.alarm_passed("thread x", "a thread ended")
    it.run(3000)
    assert it.session.snapshot(3000 * MS).can_be_dismissed
    assert it.ask(Dismiss(), 3100).says == "dismissed"
    assert it.scene.alarms == ()
    assert not it.session.snapshot(3500 * MS).can_be_dismissed


def test_nothing_is_due_where_everything_stays() -> None:
    it = box(STAYS)
    it.turn(1, 2000)
    it.run(3000)
    deadline = it.session.next_deadline(0)
    assert deadline is None or deadline < LONG_MS * 1_000_000

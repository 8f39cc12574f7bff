"""Alarms, notices and the seams between offer, seating and match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.errors import Illegal
from companion.core.match.effects import Recorded, TookIn
from companion.core.match.match import Match, PlaySettings
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import EndMatch, TakeBack
from companion.core.record.lines import Close, PressLine, Remark, Reveal
from companion.core.shown.scene import Idle, Lobby, Question, Standing
from companion.core.timing.arbiter import LateDelivery
from companion.core.timing.events import MS, Press, SourceFault
from companion.games import registry
from companion.games.apache.lines import Claim
from tests.core.play.virtual_box import VirtualBox, unfinished


def test_lost_edges_are_an_alarm_for_a_minute_and_a_remark_for_ever() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.box.advance(2000 * MS, [("gpiod", SourceFault("gpiod", "gpiod lost 3 edges", 2000 * MS, 3))])
    box.now_ms = 2000
    box.run(3000)
    assert box.scene.alarms == ("gpiod lost 3 edges",)
    assert box.lines[-1].text == "gpiod lost 3 edges"  # type: ignore[attr-defined]
    box.run(62_500)
    assert box.scene.alarms == ()


def test_faults_before_a_match_are_noted_when_it_begins() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    box.session.feed(SourceFault("gpiod", "gpiod lost 3 edges", 2000 * MS, 3))
    box.session.note("RPi.GPIO takes the time itself", "gpiozero")
    box.click(2500)
    box.run(3000)
    assert [getattr(line, "text", "") for line in box.lines] == [
        "", "gpiod lost 3 edges", "RPi.GPIO takes the time itself",
    ]  # fmt: skip


def test_a_fault_after_the_end_is_not_written_into_the_record() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.pick("end of the game", 2000)
    box.click(2500)
    box.run(2800)
    box.session.feed(SourceFault("gpiod", "gpiod lost 3 edges", 2900 * MS, 3))
    assert box.types() == ["setup", "end"]


def test_a_late_delivery_is_noted_with_how_late_it_was() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.session.feed(LateDelivery("gpiod", 5, 12 * MS, 3))
    box.run(1200)
    assert box.lines[-1].text == "3 edges came up to 12.0 ms later than gpiod states"  # type: ignore[attr-defined]


def test_the_alarm_of_a_part_stands_until_it_is_well_and_is_logged_once() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for _ in range(2):
        box.session.alarm("display 1", "the display does not answer")
    box.run(1300)
    assert box.logs() == ["fault: the display does not answer"]
    box.session.alarm("display 1", None)
    assert box.scene.alarms == ()


def test_the_newest_alarm_comes_first() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.session.alarm("a", "first")
    box.session.alarm("b", "second")
    assert box.scene.alarms == ("second", "first")


def test_a_hold_at_the_offer_is_refused_and_a_turn_moves() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    box.edge(KNOB_PUSH, True, 2000)
    box.edge(KNOB_PUSH, False, 3300)
    box.turn(1, 3500)
    box.run(3700)
    assert box.tones() == ["refused"]
    assert isinstance(box.body, Question)
    assert box.body.menu.cursor == 1


def test_without_an_offer_there_is_nothing_to_resume() -> None:
    with pytest.raises(LookupError):
        VirtualBox(seats=("red", "yellow")).session.resume()


def test_holding_the_knob_with_nothing_done_is_refused() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.edge(KNOB_PUSH, True, 2000)
    box.edge(KNOB_PUSH, False, 3300)
    box.run(3500)
    assert box.scene.notice == "refused: there is nothing to take back"


def test_taking_back_early_presses_records_them_as_ignored() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.press("red hunter", 2000)
    box.edge(KNOB_PUSH, True, 2200)
    box.run(3300)
    assert box.body.lines == ("1 press without a card",)
    box.edge(KNOB_PUSH, False, 3400)
    box.click(3600)
    box.run(4000)
    assert box.types() == ["setup", "press"]


def test_a_menu_closes_by_itself() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.turn(1, 2000)
    box.run(2100)
    assert box.body.menu.items[0].label == "buffalo"
    box.run(12_200)
    assert isinstance(box.body, Idle)
    assert box.body.menu is None


def test_turning_left_first_goes_to_the_last_item_and_a_push_alone_opens_the_menu() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.turn(-1, 2000)
    box.run(2100)
    assert box.menu().items[box.menu().cursor].label == "end of the game"
    box.run(13_000)
    box.click(13_100)
    box.run(13_400)
    assert box.menu().cursor == 0


def test_the_end_can_be_declined() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.pick("end of the game", 2000)
    box.turn(1, 2500)
    box.click(2600)
    box.run(2900)
    assert box.types() == ["setup"]
    assert isinstance(box.body, Idle)


def test_a_question_left_alone_goes_away() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.pick("end of the game", 2000)
    assert isinstance(box.body, Question)
    box.run(30_000)
    assert isinstance(box.body, Idle)


def test_a_chord_in_the_game_order_is_a_play() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    box.reveal("red fourth", 2000)
    assert box.types() == ["setup", "press"]


def test_a_chord_while_somebody_chooses_is_that_button() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for index, card in enumerate(("red hunter", "buffalo", "teepee")):
        box.reveal(card, 2000 + 1000 * index)
    box.press("red hunter", 5500)
    box.run(11_000)
    box.reveal("red chief", 11_100)
    assert box.types()[-1] == "claim"


def test_a_choice_by_the_knob_and_back() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for index, card in enumerate(("red chief", "green warrior", "blue hunter", "totem pole", "teepee")):
        box.reveal(card, 2000 + 1000 * index)
    box.press("red chief", 7500)
    box.run(13_000)
    groups = [item.label for item in box.menu().items]
    detail = next(index for index, label in enumerate(groups) if "totem" in label)
    if detail:
        box.turn(detail, 13_050)
    box.click(13_100)
    box.run(13_400)
    assert box.body.page == 1
    box.turn(-1, 13_500)
    box.click(13_600)
    box.run(13_900)
    assert box.body.page == 0
    box.press("red hunter", 14_000)  # picks nothing: there are two kinds
    box.run(14_200)
    assert "picks nothing here" in box.scene.notice
    assert box.types()[-1] == "judge"


def test_an_entered_card_that_the_record_refuses_leaves_everything_as_it_was() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    match = box.session.match
    assert match is not None
    state, option = match.judge.state, match.cards()[0]
    with pytest.raises(Illegal, match="not a card"):
        match.reveal(replace(option, line=Claim(colour=Colour.RED, take="booty")), 5)
    assert match.judge.state is state
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["red hunter"]


def test_what_a_match_refuses_says_why() -> None:
    match = Match(registry.find, PlaySettings())
    for attribute in ("game", "setup"):
        with pytest.raises(Illegal, match="not begun"):
            getattr(match, attribute)
    box = VirtualBox(seats=("red", "yellow"))
    running = box.session.match
    assert running is not None
    for refused in (lambda: running.close(5), running.undo, running.was_play):
        with pytest.raises(Illegal):
            refused()
    box.press("red hunter", 2000)
    box.run(2100)
    with pytest.raises(Illegal, match="not been entered"):
        running.end()


def test_while_the_end_is_being_stored_the_push_does_not_leave() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.store = False
    box.pick("end of the game", 2000)
    box.click(2500)
    box.run(2900)
    box.click(3000)
    box.run(3300)
    assert not isinstance(box.body, Lobby)
    box.store = True
    box.run(3400)
    box.click(3500)
    box.run(3800)
    assert isinstance(box.body, Lobby)


def test_a_reboot_after_a_judging_was_taken_back_asks_for_the_card_again() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.reveal("red hunter", 2000)
    before.press("red hunter", 20_000)
    before.run(23_500)
    before.command(TakeBack(reason="another card", by="Ann", line=5))
    before.run(23_600)
    assert before.types()[-2:] == ["judge", "undo"]
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, same_clock=False))
    box.click(2000)
    box.run(2300)
    assert isinstance(box.body, Standing)
    assert box.body.menu is not None


def test_a_race_that_was_closed_when_the_box_stopped_is_judged_when_it_goes_on() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.reveal("red hunter", 2000)
    before.press("red hunter", 20_000)
    before.run(23_500)
    assert before.types()[-2:] == ["close", "judge"]
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines[:-1], same_clock=False))
    box.click(2000)
    box.run(2300)
    assert box.types() == ["restart", "judge"]


def test_a_reboot_in_the_pause_of_a_round_of_order_judges_it() -> None:
    before = VirtualBox(seats=("red", "yellow"), game="order")
    before.press("red fourth", 2000)
    before.press("yellow fourth", 2005)
    before.run(2200)
    assert before.types()[-1] == "close"
    box = VirtualBox(seats=("red", "yellow"), game="order", unfinished=unfinished(before.lines, same_clock=False))
    box.click(2000)
    box.run(2300)
    assert box.types() == ["restart", "judge"]


def test_after_a_kill_within_a_race_the_same_clock_goes_on_collecting() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.reveal("red hunter", 1500)
    before.press("red hunter", 2000)
    before.run(2100)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    box.session.resume()
    box.press("yellow hunter", 3000)
    box.run(3200)
    assert box.types() == ["press", "close", "judge"]


def test_every_button_that_names_the_same_choice_picks_it() -> None:
    box = VirtualBox(seats=("red", "yellow"), variants=("shared-booty",))
    for index, card in enumerate(("red chief", "blue chief", "green chief", "purple hunter", "totem pole")):
        box.reveal(card, 2000 + 1000 * index)
    box.press("red chief", 7500)
    box.run(13_000)
    box.press("green chief", 13_100)  # an ally anyway, as the blue chief is: prisoner blue or green take the same cards
    box.run(13_500)
    assert box.types()[-1] == "claim"
    assert "purple hunter" not in box.body.turns[0].cards


def cut_off(box: VirtualBox, *, same_clock: bool = True) -> VirtualBox:
    """Kill a box now and start it again: it has what was durable, and what was kept."""
    again = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(box.lines, same_clock, box.kept))
    again.click(2000)
    again.run(2300)
    return again


def test_presses_that_wait_for_their_card_outlive_the_program_with_their_times() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.press("yellow hunter", 9000, error_ns=70_000)
    before.press("red hunter", 9010)
    before.run(9100)
    assert before.types() == ["setup"]
    box = cut_off(before)
    assert isinstance(box.body, Idle | Standing)
    box.reveal("red hunter", 2400)
    box.run(20_000)
    presses = [line for line in box.lines if isinstance(line, PressLine)]
    assert [(line.colour, line.t_ns // MS, line.error_ns) for line in presses] == [
        ("yellow", 9000, 70_000), ("red", 9010, 20_000),
    ]  # fmt: skip
    assert box.types()[-1] == "judge"
    assert box.kept == []


def test_after_a_power_cut_presses_that_waited_are_a_race_of_their_own_clock() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.press("yellow hunter", 9000)
    before.run(9100)
    box = cut_off(before, same_clock=False)
    assert box.types() == ["remark", "restart"]
    assert not any(isinstance(effect, Recorded) for effect in box.effects)
    box.reveal("red hunter", 2400)
    assert box.types() == ["remark", "restart", "reveal", "press", "close", "judge"]
    assert box.lines[4] == Close()


def test_a_press_whose_line_is_in_the_record_is_not_played_again() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.store = False
    before.reveal("red hunter", 2000)
    before.press("red hunter", 9000)
    before.run(9200)
    assert before.types()[-1] == "press"
    assert [press.t_ns // MS for press in before.kept] == [9000]
    box = cut_off(before)
    box.run(20_000)
    assert box.types() == ["close", "judge"]


def test_a_press_that_was_too_late_for_its_race_is_so_after_a_power_cut_too() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.reveal("red hunter", 2000)
    before.press("red hunter", 9000)
    before.press("yellow hunter", 9001)
    before.run(9200)
    kept = Press("yellow third", 9300 * MS, 20_000)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, same_clock=False, kept=[kept]))
    box.click(2000)
    box.run(2300)
    assert [line.t_ns // MS for line in box.lines if isinstance(line, PressLine)] == [9300]
    assert box.types() == ["press", "restart"]
    assert box.logs() == ["ignored: yellow maiden: closed"]


def test_nothing_is_kept_of_a_match_that_is_not_taken_up() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.press("yellow hunter", 9000)
    before.run(9100)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, kept=before.kept))
    box.kept = list(before.kept)
    box.turn(1, 2000)
    box.click(2100)
    box.run(2400)
    assert box.gave_up()
    assert box.kept == []


def test_presses_in_the_seating_and_of_the_knob_are_not_kept() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    box.press("red hunter", 2000)
    box.click(3000)
    box.run(4000)
    assert not any(isinstance(effect, TookIn) for effect in box.effects)


def test_a_fault_that_is_noticed_after_the_end_is_in_the_record_too() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    box.command(EndMatch())
    box.run(2000)
    assert box.types()[-1] == "end"
    box.session.note("an edge came late", "gpiod")
    box.run(2100)
    assert box.lines[-1] == Remark(text="an edge came late", source="gpiod")

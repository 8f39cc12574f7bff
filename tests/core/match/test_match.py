"""Whole matches on a virtual clock: edges in, record, scenes and tones out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Illegal
from companion.core.match.corrections.another_card import another_card, can_have_another
from companion.core.match.match import PlaySettings
from companion.core.panel import KNOB_PUSH, Colour, Position
from companion.core.record.lines import Close, PressLine, Reveal, Setup, Undo
from companion.core.ruling.judge import judge_record
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, Question, Results, Standing, Status
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.games.apache.cards import Role
from tests.core.play.virtual_box import VirtualBox, live_rulings, unfinished


def cards(box: VirtualBox) -> list[str]:
    return [line.card for line in box.lines if isinstance(line, Reveal)]


def presses(box: VirtualBox) -> list[tuple[str, int]]:
    return [(f"{p.colour} {p.role}", p.t_ns // MS) for p in box.lines if isinstance(p, PressLine)]


def example(**table: Any) -> VirtualBox:
    """Red hunter, buffalo and teepee face up; nothing pressed yet."""
    box = VirtualBox(seats=("red", "yellow"), **table)
    box.reveal("red hunter", 2000)
    box.reveal("buffalo", 4000)
    box.reveal("teepee", 6000)
    return box


def test_a_pow_wow_from_edges_to_the_settled_record() -> None:
    box = example()
    box.press("yellow hunter", 7412)
    box.press("red hunter", 7431)
    box.run(7480)
    assert box.types()[-2:] == ["close", "judge"]  # every seat has pressed
    box.run(9100)
    assert isinstance(box.body, Choosing)
    assert box.body.seat is Colour.RED
    assert "punished" in box.tones()
    box.press("red warrior", 9200)  # the second of red's own four buttons: the second choice
    box.run(9400)
    assert box.types()[-1] == "claim"
    assert isinstance(box.body, Results)
    assert [turn.result for turn in box.body.turns] == ["punished", "claimed"]
    assert box.body.turns[1].cards == ("red hunter", "teepee")
    assert presses(box) == [("yellow hunter", 7412), ("red hunter", 7431)]


def test_the_live_box_and_replay_cannot_disagree() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.run(14_000)
    box.press("red chief", 14_100)
    box.run(15_000)
    out = list(judge_record(box.record(), registry.find))
    assert [type(ruling).__name__ for ruling in out] == ["Order", "HandSettled", "Resume", "ApacheOutcome"]
    assert out == live_rulings(box)


def test_the_live_box_and_replay_cannot_disagree_over_several_rulings_of_one_line() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.reveal("red hunter", 2000)
    for colour, at_ms in (("blue", 3000), ("red", 3010), ("yellow", 3020)):
        box.press(f"{colour} hunter", at_ms)
    box.run(6000)
    out = list(judge_record(box.record(), registry.find))
    assert [getattr(ruling, "colour", None) for ruling in out] == [None, "blue", "red", "yellow", None, None]
    assert out == live_rulings(box)


def test_the_provisional_order_comes_after_the_settling_time_and_the_final_one_at_the_end_of_the_window() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.run(7033)
    assert isinstance(box.body, Standing)
    assert box.body.status is Status.PROVISIONAL
    assert box.body.closes_at_ns == 10_000 * MS
    box.run(10_040)
    assert [line.t_ns for line in box.lines if isinstance(line, Close)] == [10_000 * MS]


def test_a_seat_with_an_extension_lengthens_the_window_until_it_has_pressed() -> None:
    play = PlaySettings(extensions_ns={Colour.YELLOW: 4 * SECOND})
    box = VirtualBox(seats=("red", "yellow", "blue"), play=play)
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.run(3100)
    assert box.body.closes_at_ns == 10_000 * MS
    box.press("yellow hunter", 3500)
    box.run(3600)
    assert box.body.closes_at_ns == 6000 * MS


def test_a_press_after_the_window_is_too_late_shown_and_recorded() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.press("yellow hunter", 6000.001)
    box.run(6200)
    assert box.types()[-3:] == ["close", "judge", "press"]
    assert "too late" in box.scene.notice
    assert box.tones()[-1] == "ignored"


def test_a_press_at_the_very_end_of_the_window_counts() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.press("yellow hunter", 6000)
    box.run(6200)
    assert box.types()[-4:] == ["press", "press", "close", "judge"]


def test_the_referee_closes_with_the_knob() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.pick("close now", 3200)
    assert box.types()[-2:] == ["close", "judge"]


def test_presses_before_their_card_is_entered_wait_with_their_times_and_count() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.press("red hunter", 2000)
    box.press("yellow hunter", 2010)
    box.run(3500)
    assert isinstance(box.body, Standing)
    assert box.body.status is Status.CLOSED
    assert [row.gap_ns for row in box.body.rows] == [0, 10 * MS]
    assert box.types() == ["setup"]
    box.press("red hunter", 3600)  # the answer: which card was it
    box.run(4000)
    assert cards(box) == ["red hunter"]
    assert presses(box) == [("red hunter", 2000), ("yellow hunter", 2010)]
    assert box.types()[-2:] == ["close", "judge"]


def test_early_presses_without_any_card_are_recorded_as_ignored() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.press("red hunter", 2000)
    box.run(6000)
    box.pick("none: do not count", 6000)
    assert box.types() == ["setup", "press"]
    out = list(judge_record(box.record(), registry.find))
    assert out[0].reason == "nothing revealed"  # type: ignore[attr-defined]


def test_a_late_hand_just_after_the_close_is_not_taken_for_the_card() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.press("red hunter", 2000)
    box.press("yellow hunter", 5400)  # 0.4 s after the window
    box.run(5800)
    assert cards(box) == []
    assert [(c.short, r) for c, r in box.body.late] == [("YEL", Role.HUNTER)]
    box.pick("buffalo", 7000)
    assert presses(box) == [("red hunter", 2000), ("yellow hunter", 5400)]
    assert box.types() == ["setup", "reveal", "press", "close", "press", "judge"]


def long_after_its_card() -> VirtualBox:
    """Red hunter face up; red presses 18 s later and is punished, as there is nothing to claim."""
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 20_000)
    box.run(25_000)
    return box


def test_a_race_long_after_its_reveal_is_judged_with_the_cards_known_and_nobody_is_asked() -> None:
    box = long_after_its_card()
    assert box.types()[-2:] == ["close", "judge"]
    assert isinstance(box.body, Results)
    assert box.body.turns[0].result == "punished"


def test_one_push_says_that_another_card_was_turned_and_the_race_is_judged_again_with_it() -> None:
    box = long_after_its_card()
    box.click(26_000)
    box.run(26_300)
    assert isinstance(box.body, Question)
    assert box.body.title == "Another card?"
    box.pick("buffalo", 26_400)
    assert box.types()[-4:] == ["judge", "undo", "reveal", "judge"]
    assert box.scene.notice == "judged again with: buffalo"
    box.run(29_000)
    assert isinstance(box.body, Results)
    assert box.body.turns[0].cards == ("red hunter", "buffalo")
    undone = next(line for line in box.lines if isinstance(line, Undo))
    assert (undone.by, undone.reason) == ("knob", "another card was turned")


def test_another_card_can_be_named_by_its_button_while_the_knob_is_held() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("buffalo", 2000)
    box.press("red hunter", 20_000)
    box.click(26_000)
    box.run(26_300)
    box.reveal("red hunter", 26_400)
    assert cards(box) == ["buffalo", "red hunter"]
    box.run(29_000)
    assert box.body.turns[0].result == "claimed"


def test_the_second_push_leaves_the_judging_as_it_was() -> None:
    box = long_after_its_card()
    box.click(26_000)
    box.click(26_500)
    box.run(27_000)
    assert isinstance(box.body, Results)
    assert box.types()[-1] == "judge"


def test_once_the_next_card_is_turned_no_other_can_belong_to_the_race_before() -> None:
    box = long_after_its_card()
    assert box.session.match is not None
    assert can_have_another(box.session.match)
    box.pick("buffalo", 26_000)
    assert box.types()[-1] == "reveal"
    assert not can_have_another(box.session.match)
    before = box.types()
    with pytest.raises(Illegal, match="no race has been judged that another card could belong to"):
        another_card(box.session.match, "teepee", 27 * SECOND, "Ann")
    assert box.types() == before


def test_presses_that_wait_for_a_card_keep_the_race_before_as_it_is() -> None:
    box = long_after_its_card()
    box.press("yellow hunter", 27_000)
    box.run(27_200)
    assert box.session.match is not None
    assert not can_have_another(box.session.match)


def test_the_card_held_with_the_knob_is_a_reveal_and_keeps_the_press_in_case_it_was_a_play() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.reveal("yellow hunter", 4000)
    assert cards(box) == ["red hunter", "yellow hunter"]
    box.pick("it was a play", 5000)
    assert presses(box) == [("yellow hunter", 4100)]
    assert box.types()[-3:] == ["reveal", "undo", "press"]
    assert isinstance(box.body, Standing)


def test_two_presses_while_the_knob_is_held_are_plays_at_their_times() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.edge(KNOB_PUSH, True, 3000)
    box.press("yellow hunter", 3100)
    box.press("red hunter", 3050)
    box.edge(KNOB_PUSH, False, 3300)
    box.run(3600)
    assert presses(box) == [("red hunter", 3050), ("yellow hunter", 3100)]
    assert cards(box) == ["red hunter"]


def test_a_press_after_the_knob_was_let_go_is_a_play() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.edge(KNOB_PUSH, True, 3000)
    box.edge(KNOB_PUSH, False, 3100)
    box.press("red hunter", 3105)
    box.run(3300)
    assert presses(box) == [("red hunter", 3105)]


def test_a_leaned_on_knob_swallows_no_press() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.edge(KNOB_PUSH, True, 3000)
    box.press("red hunter", 6500)
    box.press("yellow hunter", 8500)
    box.run(20_000)
    assert presses(box) == [("red hunter", 6500), ("yellow hunter", 8500)]
    assert any("knob push: stuck" in text for text in box.scene.alarms)


def test_the_window_waits_for_a_press_whose_meaning_the_held_knob_leaves_open() -> None:
    box = VirtualBox(seats=("red", "yellow", "blue"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.edge(KNOB_PUSH, True, 5800)
    box.press("yellow hunter", 5900)
    box.press("blue hunter", 5950)
    box.run(6100)
    assert "close" not in box.types()
    box.edge(KNOB_PUSH, False, 6200)
    box.run(6400)
    assert [p for p, _ in presses(box)] == ["red hunter", "yellow hunter", "blue hunter"]
    assert box.types()[-2:] == ["close", "judge"]


def test_a_card_that_cannot_be_there_is_refused_with_a_tone_and_a_reason() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for at_ms in (2000, 3000, 4000):
        box.reveal("red chief", at_ms)
    assert cards(box) == ["red chief"] * 2
    assert box.tones()[-1] == "refused"
    assert box.scene.notice == "refused: no red chief left to reveal"


def test_holding_the_knob_asks_once_and_takes_back_the_newest_line() -> None:
    box = example()
    box.edge(KNOB_PUSH, True, 8000)
    box.run(9100)
    assert isinstance(box.body, Question)
    assert box.body.lines == ("revealed: teepee",)
    box.edge(KNOB_PUSH, False, 9200)
    box.click(9500)
    box.run(10_000)
    assert box.types()[-1] == "undo"
    assert box.session.match is not None
    assert dict(box.session.match.game.view(box.session.match.judge.state).table).get("teepee") is None


def test_taking_back_can_be_declined() -> None:
    box = example()
    box.edge(KNOB_PUSH, True, 8000)
    box.edge(KNOB_PUSH, False, 9200)
    box.turn(1, 9400)
    box.click(9500)
    box.run(10_000)
    assert "undo" not in box.types()
    assert isinstance(box.body, Idle)


def test_a_taken_back_judging_asks_for_the_card_again_and_a_taken_back_close_reopens_the_race() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.run(10_200)
    assert box.types()[-2:] == ["close", "judge"]
    hold_and_confirm(box, 11_000)
    assert isinstance(box.body, Standing)
    assert box.body.status is Status.CLOSED
    hold_and_confirm(box, 14_000)
    box.run(30_000)
    assert box.body.status is Status.PROVISIONAL
    box.press("yellow hunter", 30_100)
    box.pick("close now", 30_300)
    assert [p for p, _ in presses(box)] == ["red hunter", "yellow hunter"]


def hold_and_confirm(box: VirtualBox, at_ms: float) -> None:
    box.edge(KNOB_PUSH, True, at_ms)
    box.edge(KNOB_PUSH, False, at_ms + 1200)
    box.click(at_ms + 1500)
    box.run(at_ms + 2000)


def test_a_chief_chooses_the_kind_with_own_buttons_and_the_prisoner_with_that_indians_button() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for index, card in enumerate(("red chief", "green warrior", "blue hunter", "totem pole", "teepee")):
        box.reveal(card, 2000 + 1000 * index)
    box.press("red chief", 7500)
    box.run(13_000)
    assert isinstance(box.body, Choosing)
    assert box.body.page == 0
    labels = [item.label for item in box.body.menu.items]
    own = list(Role)[next(i for i, label in enumerate(labels) if "totem" in label)]
    box.press(f"red {own}", 13_100)
    box.run(13_300)
    assert box.body.page == 1
    assert {item.button for item in box.body.menu.items} == {"green warrior", "blue hunter", None}
    box.press("blue hunter", 13_500)
    box.run(13_800)
    assert isinstance(box.body, Results)
    assert box.body.turns[0].cards == ("red chief", "blue hunter", "totem pole")


def test_another_players_button_is_no_choice() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.run(12_000)
    box.press("yellow warrior", 12_100)
    box.run(12_400)
    assert isinstance(box.body, Choosing)
    assert box.types()[-1] == "press"  # recorded, ignored


def test_a_button_pressed_before_the_choice_was_shown_does_not_choose() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.press("red chief", 10_100)  # after the close, the final order is on the display
    box.run(13_000)
    assert isinstance(box.body, Choosing)


def test_nothing_is_shown_as_final_before_it_is_durable() -> None:
    box = example()
    box.store = False
    box.press("red hunter", 7000)
    box.run(10_500)
    assert isinstance(box.body, Standing)
    assert box.body.status is Status.SAVING
    assert {row.verdict for row in box.body.rows} == {None}
    box.run(20_000)
    assert isinstance(box.body, Standing)
    box.store = True
    box.run(20_100)
    box.run(22_000)
    assert isinstance(box.body, Choosing)


def test_a_journal_that_cannot_store_lets_play_go_on_not_recorded() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.store = False
    box.session.not_stored("the disk is full")
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.run(6200)
    assert isinstance(box.body, Results)
    assert box.body.status is Status.NOT_RECORDED
    assert not box.scene.recorded
    assert "not recorded: the disk is full" in box.scene.alarms
    box.store = True
    box.run(6300)
    assert box.scene.recorded
    assert box.body.status is Status.FINAL


def test_faults_of_lines_and_sources_are_alarms_and_remarks_and_never_presses() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.edge("red first", True, 2000)
    box.run(13_000)
    assert any("red first: stuck" in text for text in box.scene.alarms)
    assert box.types()[-1] == "remark"
    box.edge("red first", False, 14_000)
    box.run(15_000)
    assert box.scene.alarms == ()


def test_rejected_contacts_are_logged_by_name_and_not_recorded() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.press("red first", 2000, hold_ms=1)
    box.run(2200)
    assert box.logs() == ["red first: a contact of 1.0 ms is no press: it never closed firmly"]
    assert box.types() == ["setup"]


def test_a_long_acceptance_does_not_make_the_player_later() -> None:
    slow = {f"yellow {position}": LineTiming(accept_ns=500 * MS, seat="yellow") for position in Position}
    box = VirtualBox(seats=("red", "yellow"), timings=slow)
    box.reveal("red hunter", 2000)
    box.press("yellow hunter", 3000, hold_ms=700)
    box.press("red hunter", 3001)
    box.run(4000)
    assert presses(box) == [("yellow hunter", 3000), ("red hunter", 3001)]


def test_players_take_seats_with_their_buttons_and_the_knob_starts() -> None:
    box = VirtualBox(seats=(), start=False)
    assert isinstance(box.body, Lobby)
    box.press("blue maiden", 2000)
    box.press("red chief", 2300)
    box.press("blue chief", 2600)
    box.run(2800)
    assert box.body.seats == (Colour.BLUE, Colour.RED)
    assert "sits already" in box.scene.notice
    box.turn(3, 3000)
    box.click(3100)  # the first variant: on
    box.turn(-3, 3400)
    box.click(3500)
    box.run(3800)
    assert isinstance(box.body, Idle)
    setup = box.lines[0]
    assert isinstance(setup, Setup)
    assert [seat.colour for seat in setup.seats] == [Colour.BLUE, Colour.RED]
    assert setup.variants == ("warpath",)


def test_every_setting_of_the_lobby_can_be_turned_to() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    for index in range(1, 5):
        box.turn(1, 2000 + 300 * index)
        box.click(2100 + 300 * index)
    box.run(6000)
    values = {item.label: item.value for item in box.body.menu.items}
    assert values["game"] == "Order"
    assert values["first"] == "YEL"
    box.edge(KNOB_PUSH, True, 7000)
    box.edge(KNOB_PUSH, False, 8200)
    box.run(8400)
    assert box.body.seats == (Colour.RED,)


def test_one_player_alone_cannot_start() -> None:
    box = VirtualBox(seats=("red",), start=False)
    box.click(2000)
    box.run(2300)
    assert isinstance(box.body, Lobby)
    assert box.tones() == ["refused"]


def test_the_game_order_needs_no_card_and_goes_on_round_after_round() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    for start in (2000, 4000):
        box.press("red first", start)
        box.press("yellow third", start + 7)
        box.run(start + 1100)
    assert box.types() == ["setup", *["press", "press", "close", "judge"] * 2]
    assert isinstance(box.body, Results)


def test_in_the_game_order_a_second_slap_is_too_late_and_opens_no_new_round() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    box.press("red first", 2000)
    box.press("yellow first", 2010)
    box.press("red third", 2300)
    box.run(2500)
    assert isinstance(box.body, Standing)
    assert box.body.status is Status.CLOSED
    assert [(c.short, r) for c, r in box.body.late] == [("RED", "third")]
    box.run(3100)
    assert box.types() == ["setup", "press", "press", "close", "press", "judge"]
    out = list(judge_record(box.record(), registry.find))
    assert out[0].reason == "closed"  # type: ignore[attr-defined]


def test_a_choice_button_pressed_twice_begins_no_race() -> None:
    box = example()
    box.press("red hunter", 7000)
    box.run(12_000)
    box.press("red warrior", 12_100)
    box.press("red warrior", 12_400)
    box.run(13_000)
    assert box.types()[-2:] == ["claim", "press"]
    assert isinstance(box.body, Results)


def test_the_end_is_asked_for_shown_and_left_for_the_seating() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.pick("end of the game", 3000)
    assert isinstance(box.body, Question)
    box.click(3500)
    box.run(3800)
    assert isinstance(box.body, Final)
    assert box.body.leaders == (Colour.RED, Colour.YELLOW)
    box.click(4500)
    box.run(4800)
    assert isinstance(box.body, Lobby)
    assert box.gave_up()


def test_an_unfinished_match_is_offered_and_resumed_where_it_was() -> None:
    before = example()
    before.press("red hunter", 7000)
    before.run(12_000)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    assert isinstance(box.body, Question)
    box.click(2000)
    box.run(4000)
    assert isinstance(box.body, Choosing)
    assert box.body.menu.items == before.body.menu.items


def test_a_seated_players_press_resumes_and_counts() -> None:
    before = VirtualBox(seats=("red", "yellow"))
    before.reveal("red hunter", 1500)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    box.press("red hunter", 2500)
    box.run(2700)
    assert isinstance(box.body, Standing)
    assert presses(box) == [("red hunter", 2500)]


def test_after_a_reboot_within_a_race_it_takes_no_more_presses() -> None:
    before = example()
    before.press("red hunter", 7000)
    before.run(7500)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, same_clock=False))
    box.click(2000)
    box.run(2300)
    assert box.types() == ["remark", "close", "judge", "restart"]


def test_a_declined_match_is_given_up() -> None:
    before = example()
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines))
    box.turn(1, 2000)
    box.click(2100)
    box.run(2400)
    assert isinstance(box.body, Lobby)
    assert box.gave_up()


def test_in_order_a_valid_press_from_the_second_round_on_is_not_announced_as_too_late() -> None:
    box = VirtualBox(seats=("red", "yellow"), game="order")
    for round_ms in (2000, 5000, 8000):
        box.press("red fourth", round_ms)
        box.run(round_ms + 100)
        assert "too late" not in box.scene.notice
        box.press("yellow fourth", round_ms + 150)
        box.run(round_ms + 300)
        assert "too late" not in box.scene.notice
        assert box.body.late == ()
        box.run(round_ms + 2900)
    assert len([line for line in box.lines if isinstance(line, PressLine)]) == 6

"""A calibration as a desk asks for it: what the knob does, by name; what cannot be says why, and changes nothing."""

from __future__ import annotations

import pytest

from companion.core.calibration.trials import Way
from companion.core.errors import CompanionError, Illegal
from companion.core.panel import Colour
from companion.core.play.commands import AgreeToMeasured, Calibrate, Command, StepCalibration
from companion.core.shown.scene import Lobby
from tests.core.calibration.at_the_table import Table, supplies

RED, YELLOW, GREEN, BLUE, _ = Colour
QUICK = {RED: 1200, YELLOW: 400, BLUE: 450}


def quick(colour: Colour, number: int) -> float:
    return QUICK[colour] + 7 * (number % 5)


def asked(table: Table, command: Command) -> str:
    """Ask as a desk does, and give what was answered: what was done, or why not."""
    answers = table.command(command)
    table.run(table.now_ms + 100)
    (answer,) = answers
    return str(answer) if isinstance(answer, CompanionError) else answer.says


def begun(trials: int = 0) -> Table:
    """A table at which red's allowance is measured, asked for by a desk, with some trials of it."""
    table = Table()
    assert asked(table, Calibrate(RED)) == "the allowance of red is measured"
    assert asked(table, StepCalibration("begin")) == "the trials go on"
    for _ in range(trials):
        table.trial(quick)
        table.run(table.now_ms + 1000)
    return table


def test_a_desk_leads_it_from_the_first_trial_to_the_allowance() -> None:
    table = begun()
    table.play(quick)
    assert table.shown.proposal is not None
    for seat in table.shown.missing:
        assert asked(table, AgreeToMeasured(seat)) == f"{seat} agrees"
    assert isinstance(table.body, Lobby)
    assert [measured.colour for measured in table.measured()] == [RED]
    assert table.session.table.allowances_ms == {RED: table.measured()[0].allowance.ms}


def test_a_desk_pauses_and_goes_on() -> None:
    table = begun(trials=2)
    assert asked(table, StepCalibration("pause")) == "the trials rest"
    assert table.shown.stage == "paused"
    assert asked(table, StepCalibration("go on")) == "the trials go on"
    assert table.shown.stage == "trying"


def test_a_desk_says_how_a_seat_plays_before_its_first_trial_only() -> None:
    table = Table()
    asked(table, Calibrate(RED))
    says = asked(table, StepCalibration("plays", RED, Way.SWITCH))
    assert says == "red is measured as it plays: 1 switch"
    assert table.shown.seats[0].way is Way.SWITCH
    assert "say how the seat plays" in asked(table, StepCalibration("plays", RED))
    assert "green has no seat" in asked(table, StepCalibration("plays", GREEN, Way.SWITCH))
    asked(table, StepCalibration("begin"))
    assert "before its first trial" in asked(table, StepCalibration("plays", RED, Way.CHOICE))
    assert table.shown.seats[0].way is Way.SWITCH


def test_a_seat_leaves_only_in_a_pause_and_never_whom_it_is_about_or_the_last_to_compare_with() -> None:
    table = begun(trials=2)
    assert "pause first" in asked(table, StepCalibration("seat leaves", YELLOW))
    asked(table, StepCalibration("pause"))
    assert "say which seat" in asked(table, StepCalibration("seat leaves"))
    assert "without red there is nothing to measure" in asked(table, StepCalibration("seat leaves", RED))
    assert "without green there is" in asked(table, StepCalibration("seat leaves", GREEN))
    assert asked(table, StepCalibration("seat leaves", YELLOW)) == "yellow tries no longer"
    assert [seat.colour for seat in table.shown.seats] == [RED, BLUE]
    assert "without blue there is nothing" in asked(table, StepCalibration("seat leaves", BLUE))


def test_without_a_seat_that_missed_a_trial_the_round_of_the_others_is_whole() -> None:
    table = begun(trials=29)
    table.trial(lambda colour, number: None if colour is BLUE else quick(colour, number))
    table.run(table.now_ms + 10_000)  # blue is waited for, and does not press
    asked(table, StepCalibration("pause"))
    assert [len(seat.times_ms) for seat in table.shown.seats] == [30, 30, 29]
    assert table.shown.proposal is None
    asked(table, StepCalibration("seat leaves", BLUE))
    assert table.shown.proposal is not None
    assert table.shown.missing == (RED, YELLOW)


def test_leaving_changes_nothing_and_keeps_the_trials_for_another_time() -> None:
    table = begun(trials=3)
    kept = table.kept_trials()[-1]
    assert asked(table, StepCalibration("leave")) == "back to the seating; nothing is changed"
    assert isinstance(table.body, Lobby)
    assert table.session.table.allowances_ms is None
    again = Table(supplies=supplies(kept=kept))
    asked(again, Calibrate(RED))
    assert again.shown.kept == 3
    assert asked(again, StepCalibration("anew")) == "the trials begin anew"
    assert again.kept_trials() == [None]
    assert [seat.times_ms for seat in again.shown.seats] == [(), (), ()]
    assert "it has begun already" in asked(again, StepCalibration("anew"))


def test_only_seats_that_are_asked_agree_or_do_not() -> None:
    table = begun(trials=1)
    assert "red is not asked to agree" in asked(table, AgreeToMeasured(RED))
    assert "red is not asked to agree" in asked(table, AgreeToMeasured(RED, agrees=False))
    table.play(quick)
    assert "green is not asked" in asked(table, AgreeToMeasured(GREEN))
    asked(table, AgreeToMeasured(YELLOW))
    assert "yellow is not asked" in asked(table, AgreeToMeasured(YELLOW, agrees=False))  # it has agreed
    assert asked(table, AgreeToMeasured(BLUE, agrees=False)) == "blue does not agree"
    assert isinstance(table.body, Lobby)
    assert table.scene.notice == "BLU does not agree"
    assert table.measured() == []


def test_where_nothing_is_measured_a_step_is_refused() -> None:
    table = Table()
    assert asked(table, StepCalibration("begin")) == "no allowance is being measured"
    assert asked(table, AgreeToMeasured(RED)) == "no allowance is being measured"


def test_an_allowance_is_measured_only_of_who_has_a_seat_and_against_another() -> None:
    assert asked(Table(), Calibrate(GREEN)) == "green has no seat"
    assert "two seats are needed" in asked(Table("red"), Calibrate(RED))
    assert asked(Table(supplies=None), Calibrate(RED)) == "this box measures no allowances"


def test_nothing_is_measured_while_a_match_is_on_the_table() -> None:
    table = Table()
    table.pick("start", 2000)
    assert "a match is on the table" in asked(table, Calibrate(RED))


def test_whose_allowance_it_is_must_be_said_before_trials_begin() -> None:
    table = Table()
    table.pick("calibrate", 2000)
    assert asked(table, StepCalibration("begin")) == "no calibration has been begun"
    table.run(60_000)  # nothing goes on by itself
    table.press("red first", 60_100)
    table.run(60_300)
    with pytest.raises(Illegal, match="no calibration"):
        table.session.measuring.menu.pause()
    table.edge("knob push", True, 61_000)
    table.edge("knob push", False, 62_300)
    table.run(62_500)
    assert isinstance(table.body, Lobby)


def test_holding_the_knob_in_a_trial_rests_and_holding_it_again_leaves() -> None:
    table = begun(trials=1)
    table.until_asked()
    table.edge("knob push", True, table.now_ms + 100)
    table.edge("knob push", False, table.now_ms + 1500)
    table.run(table.now_ms + 2000)
    assert table.shown.stage == "paused"
    table.edge("knob push", True, table.now_ms + 100)
    table.edge("knob push", False, table.now_ms + 1500)
    table.run(table.now_ms + 2000)
    assert isinstance(table.body, Lobby)


def test_a_wide_interval_among_phones_says_by_how_much_their_clocks_may_differ() -> None:
    table = begun()
    for _ in range(30):
        table.until_asked()
        asked_ms, position = table.asked_ms, table.shown.asks
        for seat in table.shown.seats:
            took = quick(seat.colour, 0)
            table.press(f"{seat.colour} {position}", asked_ms + took, error_ns=5_000_000)
        table.run(asked_ms + 2500)
    shown = table.shown.proposal
    assert shown is not None
    assert (shown.difference_ms - shown.low_ms, shown.high_ms - shown.difference_ms) == (10, 10)


def test_a_word_that_was_said_for_another_trial_means_nothing() -> None:
    table = begun()
    table.until_asked()
    before = table.shown
    table.session.announced(7, 0, "no voice")
    assert table.shown == before

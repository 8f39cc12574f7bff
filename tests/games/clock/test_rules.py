"""`docs/games/clock.md`, heading by heading: each rule under its name, and each line that is refused."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import Close, JudgeLine, Line, Open, PressLine, Reveal, parse_line
from companion.games.clock.lines import (
    LINES,
    Adjust,
    Done,
    Fall,
    Flag,
    Late,
    Pass,
    Pause,
    RoundOver,
    Score,
    Start,
    Stopped,
    TooLate,
    TurnOver,
)
from tests.games.clock.table import CLOCK, MS, Table

RED, YELLOW, GREEN, BLUE, PURPLE = Colour

# -- increment, delay, per move, hourglass


def test_the_increment_comes_before_each_move_the_first_too() -> None:
    table = Table(main="60", extra="5")
    assert table.left() == {"red": 65_000, "yellow": 65_000}
    table.start(0)
    (turn,) = table.done("red", 8_000)
    assert turn == TurnOver(
        colour=RED, how="done", t_ns=8_000 * MS, spent_ns=8_000 * MS, left_ns=62_000 * MS, added_ns=5_000 * MS, moves=1,
        close=False,
    )  # fmt: skip
    table.done("yellow", 8_001)
    assert table.left() == {"red": 62_000, "yellow": 69_999}


def test_with_delay_the_main_time_runs_only_after_it() -> None:
    table = Table(main="60", extra="5", mode="delay")
    table.start(0)
    table.done("red", 5_000)
    table.done("yellow", 12_000)
    assert table.left() == {"red": 60_000, "yellow": 58_000}
    table.done("red", 12_500)
    assert table.left()["red"] == 60_000, "what is left of a delay is not saved"


def test_a_delay_goes_on_after_a_pause_where_it_was() -> None:
    table = Table(main="60", extra="5", mode="delay")
    table.start(0)
    table.pause(3_000)
    table.start(100_000)
    table.pause(103_000)
    assert table.left()["red"] == 59_000


def test_each_move_has_its_own_time_and_nothing_is_saved() -> None:
    table = Table(main="30", mode="move")
    table.start(0)
    table.done("red", 29_000)
    table.done("yellow", 30_000)
    assert table.left() == {"red": 30_000, "yellow": 30_000}


def test_the_hourglass_gives_what_is_spent_to_the_others_equally_and_the_rest_clockwise() -> None:
    table = Table("red yellow green blue", main="60", mode="hourglass")
    table.start(0)
    table.feed(Done(colour=RED, t_ns=11))
    assert [clock.left - 60_000 * MS for clock in table.state.seats] == [-11, 4, 4, 3]
    table.feed(Done(colour=YELLOW, t_ns=12))
    assert [clock.left - 60_000 * MS for clock in table.state.seats] == [-11, 3, 5, 3]


def test_more_time_comes_once_when_so_many_moves_are_completed() -> None:
    table = Table(main="60", extra="1", after="20", more="300")
    table.start(0)
    added = [ruling.added_ns for n in range(1, 51) for ruling in table.done("red" if n % 2 else "yellow", n)]
    assert [n for n, ns in enumerate(added, 1) if ns == 301_000 * MS] == [39, 40]
    assert set(added) == {1_000 * MS, 301_000 * MS}


# -- spent is remaining 0


def test_a_press_one_nanosecond_before_zero_is_in_time_and_at_zero_too_late() -> None:
    for spent, is_in_time in ((10_000 * MS - 1, True), (10_000 * MS, False)):
        table = Table("red yellow blue", main="10")
        table.start(0)
        rulings = table.feed(Done(colour=RED, t_ns=spent))
        assert isinstance(rulings[0], TurnOver) is is_in_time
        assert table.turn == "yellow"
        assert table.out() == ([] if is_in_time else ["red"])


def test_a_flag_falls_by_the_time_of_the_press_however_late_that_arrives() -> None:
    table = Table("red yellow blue", main="10")
    table.start(0)
    assert CLOCK.deadline(table.state).t_ns == 10_000 * MS
    table.done("red", 9_999)
    assert CLOCK.deadline(table.state).t_ns == 19_999 * MS
    (flag,) = table.falls("yellow", 19_999)
    assert flag == Flag(colour=YELLOW, t_ns=19_999 * MS, place=1, out=True)
    assert (table.turn, table.left()["blue"]) == ("blue", 10_000)
    table.pause(20_000)
    assert table.left()["blue"] == 9_999, "the next clock has run from the instant of the flag"


def test_who_has_fallen_is_out_and_the_last_one_s_clock_stops() -> None:
    table = Table(main="10", extra="2")
    table.start(0)
    assert table.falls("red", 12_000) == (
        Flag(colour=RED, t_ns=12_000 * MS, place=1, out=True), Stopped(left=(YELLOW,)),
    )  # fmt: skip
    assert (table.phase, table.left()["yellow"]) == ("paused", 12_000)
    assert table.refused(Start(t_ns=13_000 * MS)) == 4
    assert table.judge.outcome().leaders == (YELLOW,)


def test_below_zero_the_clock_goes_on_and_nothing_is_added_any_more() -> None:
    table = Table(main="10", extra="2", fallen="below")
    table.start(0)
    flag, turn = table.done("red", 15_000)
    assert flag == Flag(colour=RED, t_ns=12_000 * MS, place=1, out=False)
    assert (turn.left_ns, turn.added_ns) == (-3_000 * MS, 0)
    table.done("yellow", 30_000)
    table.pause(31_000)
    assert table.left() == {"red": -4_000, "yellow": -3_000}
    assert table.out() == ["red", "yellow"], "the signs tell whose flag fell first"
    assert [clock.over / MS for clock in table.state.seats] == [4_000, 3_000]


def test_below_zero_there_is_no_delay_either() -> None:
    table = Table(main="10", extra="5", mode="delay", fallen="below")
    table.start(0)
    table.done("red", 16_000)
    table.done("yellow", 16_001)
    table.pause(17_001)
    assert table.left()["red"] == -2_000


def test_of_several_that_fall_at_once_the_first_in_seat_order_is_first() -> None:
    table = Table("red yellow green", first="yellow", main="10", turns="all")
    table.start(0)
    rulings = table.pause(10_000)
    assert [ruling.colour for ruling in rulings if isinstance(ruling, Flag)] == ["yellow", "green"]
    assert rulings[-1] == Stopped(left=(RED,))
    assert table.left()["red"] == 0, "fewer than two are in: the last one's clock stops at that instant"


def test_a_time_per_move_begins_anew_below_zero_too() -> None:
    table = Table(main="10", mode="move", fallen="below")
    table.start(0)
    table.done("red", 14_000)
    assert table.left()["red"] == 10_000
    table.done("yellow", 14_001)
    (flag, _) = table.done("red", 30_000)
    assert (flag.place, flag.colour) == (1, "red")


# -- who moves


def test_the_turn_goes_clockwise_from_the_first() -> None:
    table = Table("red yellow blue", first="blue")
    table.start(0)
    for n, colour in enumerate(("blue", "red", "yellow", "blue")):
        assert table.turn == colour
        table.done(colour, n)


def test_all_at_once_each_clock_runs_until_its_player_is_done() -> None:
    table = Table("red yellow blue", main="60", turns="all")
    table.start(0)
    table.done("blue", 1_000)
    table.done("red", 2_000)
    assert table.refused(Done(colour=RED, t_ns=2_500 * MS)) == 7
    assert table.done("yellow", 3_000)[-1] == RoundOver(round=1, first=None)
    assert table.left() == {"red": 58_000, "yellow": 57_000, "blue": 59_000}
    assert table.phase == "ready"


def test_a_pass_holds_until_all_have_passed_and_the_first_to_pass_begins() -> None:
    table = Table("red yellow blue", main="60", turns="pass")
    table.start(0)
    table.done("red", 1)
    table.passes("yellow", 2)
    table.passes("blue", 3)
    assert table.turn == "red"
    table.done("red", 4)
    assert table.turn == "red", "only red has not passed"
    assert table.passes("red", 5)[-1] == RoundOver(round=1, first=YELLOW)
    assert (table.phase, table.turn, table.state.round) == ("ready", "yellow", 2)


def test_rounds_follow_each_other_at_once_where_that_was_agreed() -> None:
    table = Table(main="60", turns="pass", stops=False)
    table.start(0)
    table.passes("red", 1_000)
    table.passes("yellow", 2_000)
    assert (table.phase, table.turn) == ("running", "red")
    table.pause(5_000)
    assert table.left() == {"red": 56_000, "yellow": 59_000}


def test_who_falls_as_the_last_not_to_have_passed_ends_the_round() -> None:
    table = Table("red yellow blue", main="10", turns="pass")
    table.start(0)
    table.passes("red", 1)
    table.passes("yellow", 2)
    rulings = table.falls("blue", 10_002)
    assert rulings[-1] == RoundOver(round=1, first=RED)


# -- pauses, the unknown, new clocks


def test_nothing_runs_while_paused() -> None:
    table = Table(main="60")
    table.start(0)
    table.pause(1_000)
    table.start(500_000)
    table.pause(501_000)
    assert table.left() == {"red": 58_000, "yellow": 60_000}


def test_a_restart_pauses_at_the_last_recorded_values() -> None:
    table = Table(main="60")
    table.start(0)
    table.done("red", 5_000)
    table.restart()
    assert (table.phase, table.turn) == ("paused", "yellow")
    assert table.left() == {"red": 55_000, "yellow": 60_000}
    table.start(17)
    table.pause(1_017)
    assert table.left()["yellow"] == 59_000


def test_a_line_that_nobody_timed_takes_no_time() -> None:
    table = Table(main="60")
    table.start(None)
    table.done("red", None)
    table.done("yellow", 7_000)
    table.done("red", 8_000)
    assert table.left() == {"red": 59_000, "yellow": 60_000}


# -- taking back


def test_taking_back_puts_all_clocks_to_before_the_undone_press() -> None:
    table = Table("red yellow blue", main="60", extra="3")
    table.start(0)
    table.done("red", 5_000)
    table.done("yellow", 9_000)
    with pytest.raises(Illegal, match="pause them first"):
        table.undo()
    table.pause(11_000)
    table.undo()
    assert (table.phase, table.turn) == ("paused", "yellow")
    assert table.left() == {"red": 61_000, "yellow": 59_000, "blue": 63_000}
    table.undo()
    assert (table.turn, table.left()["red"]) == ("red", 58_000)
    table.undo()
    assert (table.phase, table.left()["red"]) == ("ready", 63_000)


def test_a_flag_that_is_taken_back_does_not_fall_again_by_that() -> None:
    table = Table(main="10")
    table.start(0)
    table.falls("red", 10_000)
    table.undo()
    assert (table.phase, table.out(), table.state.seats[0].left) == ("paused", [], 1)


def test_what_was_entered_is_taken_back_alone() -> None:
    table = Table(main="10")
    table.score("red", 5)
    table.adjust("red", 60)
    table.undo()
    assert table.left()["red"] == 10_000
    table.undo()
    assert table.state.seats[0].score is None


# -- close calls


def test_a_press_whose_uncertainty_reaches_the_flag_is_said_to_be_close() -> None:
    for error_ns, close in ((999_999, False), (1_000_000, True)):
        table = Table(main="10")
        table.start(0)
        (turn,) = table.done("red", 9_999, error_ns)
        assert turn.close is close


def test_a_press_after_the_flag_tells_by_how_much_and_how_sure_that_is() -> None:
    table = Table(main="10")
    table.start(0)
    table.falls("red", 10_000)
    (late,) = table.late("red", 10_002, 3 * MS)
    assert late == TooLate(colour=RED, t_ns=10_002 * MS, behind_ns=2 * MS, close=True)
    assert table.refused(Late(colour=RED, t_ns=10_003 * MS)) == 10


def test_below_zero_a_move_after_the_flag_may_be_close_too() -> None:
    for error_ns, close in ((1_000_000, False), (1_000_001, True)):
        table = Table(main="10", fallen="below")
        table.start(0)
        _, turn = table.done("red", 10_001, error_ns)
        assert turn.close is close


# -- by hand


def test_time_that_is_set_puts_a_flag_up_or_lets_it_fall() -> None:
    table = Table("red yellow blue", main="10")
    table.start(0)
    table.falls("red", 10_000)
    table.pause(11_000)
    table.by_hand("red_seconds", 120)
    assert (table.out(), table.left()["red"], table.phase) == ([], 120_000, "paused")
    assert table.by_hand("yellow_seconds", 0) == (Flag(colour=YELLOW, t_ns=None, place=1, out=True),)
    assert (table.turn, table.phase) == ("blue", "paused")


def test_time_is_given_and_taken_exactly() -> None:
    table = Table(main="10")
    table.start(0)
    table.pause(1.5)
    table.adjust("red", 120)
    table.adjust("yellow", -1)
    assert table.left() == {"red": 129_998.5, "yellow": 9_000}
    assert isinstance(table.adjust("yellow", -300)[0], Flag)
    assert table.left()["yellow"] == 0


def test_the_turn_the_moves_and_the_round_are_set() -> None:
    table = Table("red yellow blue", main="10", turns="pass")
    table.start(0)
    table.passes("red", 100)
    table.pause(1_000)
    for key, value in (("turn", 1), ("yellow_moves", 7), ("round", 4), ("blue_score", -3)):
        table.by_hand(key, value)
    assert (table.turn, table.state.ended, table.state.round) == ("red", (), 4)
    assert (table.state.seats[1].moves, table.state.seats[2].score) == (7, -3)


def test_a_turn_that_is_set_to_who_is_out_goes_to_the_next_at_the_start() -> None:
    table = Table("red yellow blue", main="10")
    table.start(0)
    table.falls("red", 10_000)
    table.pause(11_000)
    table.by_hand("turn", 1)
    table.start(20_000)
    assert table.turn == "yellow"


# -- the end


def test_most_points_lead_and_who_is_out_does_not() -> None:
    table = Table("red yellow blue", main="10")
    table.start(0)
    table.falls("red", 10_000)
    table.pause(10_001)
    for colour, points in (("red", 9), ("yellow", 4), ("blue", 4)):
        table.score(colour, points)
    outcome = table.end()[-1]
    assert outcome.over
    assert outcome.leaders == (YELLOW, BLUE)
    assert outcome.scores == {"red": 9, "yellow": 4, "blue": 4}
    assert outcome.fallen == (RED,)
    assert outcome.times["yellow"].left_ns == 9_999 * MS


# -- what is refused, each by its rule


def running(**more: str) -> Table:
    table = Table("red yellow blue", main="10", **more)
    table.start(1_000)
    table.done("red", 2_000)
    return table


@pytest.mark.parametrize(
    "line",
    [Reveal(card="king"), PressLine(colour=RED, role="first", t_ns=1), Close(), JudgeLine(), Fall(colour=GREEN, t_ns=1),
     Done(colour=PURPLE), Score(colour=GREEN, value=1)],
)  # fmt: skip
def test_lines_of_other_games_and_of_no_seat_are_refused(line: Line) -> None:
    assert running().refused(line) == (2 if isinstance(line, (Fall, Done, Score)) else 1)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (3, Start(t_ns=3_000 * MS)),
        (6, Pass(colour=YELLOW, t_ns=3_000 * MS)),
        (7, Done(colour=RED, t_ns=3_000 * MS)),
        (8, Done(colour=YELLOW, t_ns=2_000 * MS - 1)),
        (8, Pause(t_ns=1_999 * MS)),
        (9, Fall(colour=YELLOW, t_ns=12_000 * MS - 1)),
        (9, Fall(colour=RED, t_ns=12_000 * MS)),
        (9, Fall(colour=YELLOW)),
        (10, Late(colour=RED, t_ns=3_000 * MS)),
        (12, Score(colour=RED, value=1)),
        (12, Adjust(colour=RED, seconds=60)),
    ],
)
def test_what_a_running_clock_refuses(rule: int, line: Line) -> None:
    assert running().refused(line) == rule


@pytest.mark.parametrize("line", [Pause(), Done(colour=RED), Pass(colour=RED), Fall(colour=RED, t_ns=10_000 * MS)])
def test_what_clocks_that_stand_refuse(line: Line) -> None:
    assert Table(main="10", turns="pass").refused(line) == 5


def test_nothing_is_set_and_nothing_ends_while_the_clocks_run() -> None:
    table = running()
    with pytest.raises(Illegal, match="cannot be set by hand now"):
        table.by_hand("red_seconds", 5)
    with pytest.raises(Illegal, match="rule 11"):
        table.end()


def test_nothing_is_taken_from_who_has_nothing() -> None:
    table = Table(main="10")
    table.by_hand("red_seconds", 0)
    assert table.refused(Adjust(colour=RED, seconds=-10)) == 13


def test_a_seed_is_never_shown() -> None:
    with pytest.raises(Illegal):
        Table().feed(Open(seed="ab"))


@pytest.mark.parametrize(
    "raw",
    [b'{"type":"done"}', b'{"type":"score","colour":"red","value":10000}',
     b'{"type":"adjust","colour":"red","seconds":7}', b'{"type":"start","t_ns":-1}', b'{"type":"late","colour":"pink"}',
     b'{"type":"pass","colour":"red","error_ns":1.5}'],
)  # fmt: skip
def test_lines_that_cannot_be_read_are_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        parse_line(raw, 2, LINES)

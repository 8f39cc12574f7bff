"""What is chosen by one press whatever is on the display: readiness, the end of a turn, several seats at once."""

from __future__ import annotations

from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import Choose
from companion.core.record.lines import TimedLine
from companion.core.ruling.offers import line_key
from companion.core.shown.own_presses import PressFate
from companion.core.shown.scene import Choosing, Idle, Question
from companion.core.timing.events import MS
from companion.testing.virtual_box import VirtualBox
from tests.contract.turns import TURN_NS, Expired, Halt, HandOver, Ready, Tally
from tests.core.play.test_timed_choices import box_of, running


def timed(box: VirtualBox) -> list[tuple[str, int]]:
    """Give what was timed: its type and its millisecond."""
    lines = (line for line in box.lines if isinstance(line, TimedLine))
    return [(str(line.__struct_config__.tag), (line.t_ns or 0) // MS) for line in lines]


def fate(box: VirtualBox, colour: Colour) -> PressFate:
    now = box.session.snapshot(round(box.now_ms * MS))
    return next(press.fate for press in now.own_presses if press.colour is colour)


def test_one_press_says_ready_while_the_display_shows_the_table() -> None:
    box = box_of("red", "yellow", "blue")
    assert isinstance(box.body, Idle)
    box.press("blue fourth", 2000)
    box.run(2300)
    assert box.lines[-1] == Ready(colour=Colour.BLUE, t_ns=2000 * MS, error_ns=20_000)
    assert isinstance(box.body, Idle)
    assert fate(box, Colour.BLUE) is PressFate.ANSWERS


def test_presses_of_several_seats_in_one_millisecond_stand_in_the_order_of_time() -> None:
    box = box_of("red", "yellow", "blue")
    box.press("yellow first", 2000.3)
    box.press("red first", 2000.1)
    box.press("blue first", 2000.2)
    box.run(2300)
    assert [line.colour for line in box.lines if isinstance(line, Ready)] == ["red", "blue", "yellow"]


def test_what_an_earlier_press_has_taken_away_is_ignored_by_a_tone() -> None:
    box = running()
    box.press("red first", 3000)
    box.press("red second", 3000.4)
    box.run(3300)
    assert timed(box)[-1] == ("hand-over", 3000)
    assert box.tones()[-1] == "ignored"
    assert isinstance(box.body, Idle)  # and it opens no other choice of that seat
    assert fate(box, Colour.RED) is PressFate.NOTHING


def test_a_press_comes_before_a_deadline_that_is_later_and_after_one_that_is_earlier() -> None:
    end_ms = 2500 + TURN_NS // MS
    box = running()
    box.press("red first", end_ms - 0.2)
    box.run(end_ms + 400)
    assert box.lines[-1] == HandOver(colour=Colour.RED, t_ns=round((end_ms - 0.2) * MS), error_ns=20_000)
    box = running()
    box.press("red first", end_ms + 0.2)
    box.run(end_ms + 400)
    assert [line for line in box.lines if isinstance(line, (HandOver, Expired))] == [
        Expired(colour=Colour.RED, t_ns=end_ms * MS)
    ]


def test_the_knobs_open_menu_takes_no_press_away() -> None:
    box = running()
    box.turn(1, 3000)
    box.run(3100)
    box.press("red first", 3200)
    box.run(3400)
    assert timed(box)[-1] == ("hand-over", 3200)


def test_a_choice_that_the_knob_opened_for_a_seat_takes_no_press_of_it_away_and_stays() -> None:
    box = running()
    box.pick("Your tally", 3000)
    assert isinstance(box.body, Choosing)
    assert box.body.seat is Colour.RED
    box.turn(4, 3400)
    box.press("red first", 3500)
    box.run(3700)
    assert timed(box)[-1] == ("hand-over", 3500)
    assert isinstance(box.body, Choosing)
    assert box.body.menu.items[0].value == "5"


def test_a_choice_that_a_seat_opened_itself_is_answered_by_its_buttons_first() -> None:
    box = running()
    box.press("yellow first", 4000)  # it is red's turn: yellow's button brings its own tally onto the display
    box.run(4200)
    assert isinstance(box.body, Choosing)
    assert box.body.seat is Colour.YELLOW
    box.press("yellow fourth", 4400)
    box.run(4600)
    assert box.lines[-1] == Tally(colour=Colour.YELLOW, points=1)
    box.press("yellow first", 4700)
    box.press("red first", 4800)  # now it is yellow's turn, and it has its tally before it
    box.press("yellow second", 5000)
    box.press("yellow fourth", 5200)
    box.run(5400)
    assert box.lines[-1] == Tally(colour=Colour.YELLOW, points=3)
    box.press("yellow fourth", 5600)
    box.run(5800)
    assert timed(box)[-1] == ("hand-over", 5600)


def test_the_question_who_protests_is_answered_by_any_button() -> None:
    box = running()
    box.press("red first", 3000)
    box.run(3300)
    box.edge(KNOB_PUSH, True, 4000)
    box.run(5400)
    box.edge(KNOB_PUSH, False, 5500)
    box.run(5700)
    assert isinstance(box.body, Question)  # to take back: no question to the seats
    box.press("yellow first", 5800)
    box.run(6000)
    assert timed(box)[-1] == ("hand-over", 5800)


def test_while_the_knob_is_pushed_a_button_is_still_the_seats_own() -> None:
    box = running()
    box.edge(KNOB_PUSH, True, 3000)
    box.press("red first", 3100)
    box.edge(KNOB_PUSH, False, 3300)
    box.run(3600)
    assert timed(box)[-1] == ("hand-over", 3100)


def test_knob_and_page_reach_it_too() -> None:
    box = box_of()
    box.pick("Ready?", 2400)
    assert box.lines[-1] == Ready(colour=Colour.RED, t_ns=2500 * MS, error_ns=20_000)
    box.command(Choose(kind="ready", seat=Colour.YELLOW, option=line_key(Ready(colour=Colour.YELLOW))))
    box.run(box.now_ms + 200)
    assert [name for name, _ in timed(box)] == ["ready", "ready"]
    box.pick("Halt", box.now_ms + 10)
    box.turn(1, box.now_ms + 10)
    box.click(box.now_ms + 50)
    box.run(box.now_ms + 300)
    assert isinstance(box.lines[-1], Halt)

"""What is shown before it is certain: at once, only where a press would count, and gone where it is not confirmed."""

from __future__ import annotations

from typing import Any

from companion.core.panel import KNOB_PUSH, Colour
from companion.core.record.lines import PressLine
from companion.core.shown.scene import Choosing, Idle, Question, Standing, Status
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge
from companion.screens.oled.picture import render
from companion.screens.text.scene_lines import lines
from companion.screens.web.state import state_document
from companion.testing.virtual_box import SOURCE
from tests.core.play.virtual_box import VirtualBox

SLOW = {f"yellow {position}": LineTiming(accept_ns=300 * MS, seat="yellow") for position in ("first", "fourth")}


def order_box(*seats: str, **options: Any) -> VirtualBox:
    return VirtualBox(seats=seats or ("red", "yellow", "blue"), game="order", **options)


def places(box: VirtualBox) -> list[tuple[int, Colour, int]]:
    return [(row.place, row.colour, row.gap_ns) for row in box.body.rows]


def recorded(box: VirtualBox) -> list[str]:
    return [line.colour for line in box.lines if isinstance(line, PressLine)]


def test_the_first_press_of_a_race_is_shown_as_soon_as_it_is_accepted() -> None:
    box = order_box()
    box.edge("red first", True, 2000)
    box.run(2001.9)
    assert isinstance(box.body, Idle)
    box.run(2002)
    assert isinstance(box.body, Standing)
    assert (box.body.number, box.body.status, places(box)) == (1, Status.PROVISIONAL, [(1, Colour.RED, 0)])
    assert recorded(box) == []
    before = box.scene
    box.run(2040)
    assert recorded(box) == ["red"]
    assert box.body.rows == before.body.rows


def test_an_earlier_press_that_arrives_later_takes_its_place_among_what_is_shown() -> None:
    box = order_box()
    box.press("red first", 2000)
    box.run(2050)
    box.press("yellow first", 2060)
    box.press("blue first", 2061)
    box.run(2064)
    assert places(box) == [(1, Colour.RED, 0), (2, Colour.YELLOW, 60 * MS), (3, Colour.BLUE, 61 * MS)]
    assert recorded(box) == ["red"]


def test_what_is_not_confirmed_vanishes_and_the_box_is_as_before() -> None:
    box = order_box()
    box.box.advance(2000 * MS)
    before = box.scene
    box.box.advance(2010 * MS, [(SOURCE, Edge("red first", True, 2000 * MS, 0))])
    assert isinstance(box.body, Standing)
    box.box.advance(2040 * MS, [(SOURCE, Edge("red first", False, 2001 * MS, 0))])
    assert box.scene == before


def test_an_unsettled_contact_is_named_where_a_race_runs_and_holds_back_no_other_s_place() -> None:
    box = order_box(timings=SLOW)
    box.press("red first", 2000)
    box.edge("yellow first", True, 2010)
    box.press("blue first", 2020)
    box.run(2030)
    assert places(box) == [(1, Colour.RED, 0), (2, Colour.BLUE, 20 * MS)]
    assert box.body.unsettled == (Colour.YELLOW,)
    assert lines(box.scene)[1:4] == ("1 RED first first", "2 BLU first +20.0 ms", "YEL …")
    document = state_document(box.session.snapshot(round(box.now_ms * MS)), 1)
    assert document["race"]["unsettled"] == ["yellow"]
    assert [row["colour"] for row in document["race"]["rows"]] == ["red", "blue"]
    assert [seat["pressed"] for seat in document["seats"]] == ["first", None, "first"]
    without = render(box.scene, (128, 64))
    box.run(2350)
    assert places(box) == [(1, Colour.RED, 0), (2, Colour.YELLOW, 10 * MS), (3, Colour.BLUE, 20 * MS)]
    assert recorded(box) == ["red", "yellow", "blue"]
    assert without.tobytes() != render(box.scene, (128, 64)).tobytes()


def test_a_touch_that_is_let_go_vanishes_and_a_hand_that_only_touches_begins_no_race() -> None:
    box = order_box(timings=SLOW)
    box.press("yellow first", 1900, hold_ms=100)
    box.run(1950)
    assert isinstance(box.body, Idle)
    box.press("red first", 2000)
    box.press("yellow first", 2010, hold_ms=100)
    box.run(2050)
    assert isinstance(box.body, Standing)
    assert box.body.unsettled == (Colour.YELLOW,)
    box.run(2140)
    assert box.body.unsettled == ()


def test_while_the_knob_is_held_a_press_names_a_card_and_takes_no_place() -> None:
    box = VirtualBox()
    box.reveal("red hunter", 2000)
    for knob_ms, press_ms in ((3000, 3100), (4000, 4001)):
        box.edge(KNOB_PUSH, True, knob_ms)
        box.press("red maiden", press_ms)
        box.run(press_ms + 15)
        assert not isinstance(box.body, Standing)
        box.edge(KNOB_PUSH, False, knob_ms + 200)
        box.run(knob_ms + 400)
    assert box.types()[-2:] == ["reveal", "reveal"]


def test_a_press_without_a_card_is_shown_as_waiting_for_it() -> None:
    box = VirtualBox()
    box.press("red fourth", 2000)
    box.run(2010)
    assert (box.body.status, places(box)) == (Status.PROVISIONAL, [(1, Colour.RED, 0)])
    box.run(2100)
    assert (box.body.status, places(box)) == (Status.PROVISIONAL, [(1, Colour.RED, 0)])


def test_a_second_press_of_a_seat_one_of_nobody_s_and_one_too_late_take_no_place() -> None:
    box = order_box("red", "yellow", "blue")
    box.press("red first", 2000)
    box.press("red second", 2100)
    box.press("green first", 2101)
    box.press("yellow first", 5000.001)
    box.run(2110)
    assert places(box) == [(1, Colour.RED, 0)]
    box.run(5003)
    assert places(box) == [(1, Colour.RED, 0)]


def test_soon_after_a_close_a_press_begins_no_race_on_the_display() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.press("red hunter", 3000)
    box.press("yellow hunter", 3010)
    box.run(3300)
    assert box.session.match is not None
    box.press("red maiden", 3500)
    box.run(3510)
    assert not (isinstance(box.body, Standing) and box.body.status is Status.PROVISIONAL)


def test_a_question_is_answered_and_not_overlaid() -> None:
    box = order_box("red", "yellow")
    box.pick("end of the game", 2000)
    box.press("red first", 2400)
    box.run(2410)
    assert isinstance(box.body, Question)


def test_a_choice_is_answered_and_not_overlaid() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    for index, card in enumerate(("red chief", "green warrior", "blue hunter", "totem pole", "teepee")):
        box.reveal(card, 2000 + 1000 * index)
    box.press("red chief", 7500)
    box.run(13_000)
    asked = box.body
    assert isinstance(asked, Choosing)
    box.press("yellow chief", 13_100)
    box.run(13_110)
    assert box.body == asked


def test_a_new_match_forgets_what_was_shown_of_the_one_before() -> None:
    box = order_box("red", "yellow", "blue")
    box.press("blue first", 2000)
    box.run(2010)
    assert isinstance(box.body, Standing)
    box.session.begin(box.session.table.__class__(game="order", seats=(Colour.RED, Colour.YELLOW)), abandon=True)
    assert isinstance(box.body, Idle)

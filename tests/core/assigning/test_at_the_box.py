"""Assigning inputs at the whole box: asked for by the knob or a desk, before a match, and left again."""

from __future__ import annotations

import pytest

from companion.core.errors import CompanionError
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import AskInput, Command
from companion.core.shown.scene import Lobby, Question
from tests.core.play.virtual_box import VirtualBox


def box_of(*seats: str, can_assign: bool = True) -> VirtualBox:
    box = VirtualBox(seats, start=False)
    if can_assign:
        box.session.let_assign()
    return box


def asked(box: VirtualBox, command: Command) -> str:
    answers = box.command(command)
    box.run(box.now_ms + 100)
    (answer,) = answers
    return str(answer) if isinstance(answer, CompanionError) else answer.says


def hold(box: VirtualBox) -> None:
    box.edge(KNOB_PUSH, True, box.now_ms + 50)
    box.edge(KNOB_PUSH, False, box.now_ms + 1300)
    box.run(box.now_ms + 1600)


def test_a_button_is_picked_by_the_knob_and_what_it_is_now_is_shown_and_sounded() -> None:
    box = box_of()
    for label in ("buttons", "RED", "second"):
        box.pick(label, box.now_ms + 100)
    assert box.session.wanted_input == "red second"
    box.session.input_assigned("RED second is now key F of keyboard")
    box.run(box.now_ms + 50)
    assert box.session.wanted_input is None
    assert box.body.lines == ("RED second is now key F of keyboard",)
    assert box.menu().items[box.menu().cursor].label == "third"  # the next of that seat
    assert box.tones()[-1] == "accepted"
    assert box.logs()[-1] == "RED second is now key F of keyboard"


def test_what_is_pressed_there_is_named_and_takes_no_seat() -> None:
    box = box_of()
    box.pick("buttons", 2000)
    box.press("blue second", 3000)
    box.run(3200)
    assert box.body.lines == ("that is BLU second",)
    assert box.session.table.seats == ()


def test_holding_the_knob_leads_out_step_by_step() -> None:
    box = box_of()
    for label in ("buttons", "GRN", "fourth"):
        box.pick(label, box.now_ms + 100)
    for wanted, lines in ((None, ("GRN: which, from the left?",)), (None, ("Whose button?",))):
        hold(box)
        assert (box.session.wanted_input, box.body.lines) == (wanted, lines)
    hold(box)
    assert isinstance(box.body, Lobby)


def test_a_desk_asks_for_one_button_and_the_seating_says_what_it_is() -> None:
    box = box_of("red")
    assert asked(box, AskInput("red first")) == "press what shall be RED first"
    assert box.session.wanted_input == "red first"
    assert isinstance(box.body, Question)
    assert box.body.lines == ("Now press what shall be", "RED first")
    box.session.input_assigned("RED first is now BTN_A of pad")
    assert isinstance(box.body, Lobby)
    assert box.scene.notice == "RED first is now BTN_A of pad"


def test_what_was_assigned_is_taken_away_by_a_desk_or_by_the_knob() -> None:
    box = box_of("red")
    assert asked(box, AskInput("red first", forget=True)) == "RED first loses what was assigned to it"
    assert box.session.forgotten_input == "red first"
    box.session.input_assigned("RED first is nothing but itself")
    assert box.session.forgotten_input is None
    asked(box, AskInput(KNOB_PUSH))
    assert box.session.forgotten_input is None  # it is asked for, not taken away
    box.pick("take it away", box.now_ms + 100)
    assert box.session.forgotten_input == KNOB_PUSH


def test_a_desk_that_asks_no_more_leads_back_to_the_seating() -> None:
    box = box_of("red")
    asked(box, AskInput("red first"))
    assert asked(box, AskInput(None)) == "nothing is awaited any more"
    assert box.session.wanted_input is None
    assert isinstance(box.body, Lobby)
    box.session.input_assigned("too late")  # it was pressed just then: said, and nothing else follows
    assert (box.scene.notice, box.logs()[-1:]) == ("", [])


def test_asking_for_a_button_puts_the_invitation_away() -> None:
    box = box_of("red")
    box.session.invite("http://box", "1234")
    asked(box, AskInput("red first"))
    assert isinstance(box.body, Question)


@pytest.mark.parametrize("is_playing", [True, False])
def test_nothing_is_assigned_in_a_match_or_where_the_box_has_no_such_devices(is_playing: bool) -> None:
    box = box_of("red", "yellow", can_assign=is_playing)
    if is_playing:
        box.pick("start", 2000)
    assert "buttons are assigned before a match" in asked(box, AskInput("red first"))
    assert box.session.wanted_input is None


def test_a_match_that_begins_meanwhile_awaits_no_input_any_more() -> None:
    box = box_of("red", "yellow")
    asked(box, AskInput("red first"))
    box.session.begin(box.session.table)
    assert box.session.wanted_input is None
    box.press("red first", box.now_ms + 200)
    box.run(box.now_ms + 500)
    assert box.session.match is not None
    assert [press.colour for press in box.session.match.early] == [Colour.RED]

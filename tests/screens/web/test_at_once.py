"""A player's page and the state for all say what one press picks, whatever is on the display."""

from __future__ import annotations

from dataclasses import replace

from companion.core.panel import Colour
from companion.core.play.commands import Choose
from companion.core.ruling.view import View
from companion.core.timing.events import MS
from companion.screens.web.state import state_document
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.contract.turns import State, Turns
from tests.core.play.test_timed_choices import box_of, running
from tests.screens.web.test_player import RED, YELLOW, does, line, me


def test_every_button_says_ready_until_its_seat_is() -> None:
    box = box_of()
    assert does(box) == ["ready"] * 4
    assert does(box, YELLOW) == ["ready"] * 4
    box.press("red first", 2000)
    box.run(2200)
    assert does(box) == ["nothing now"] * 4
    assert does(box, YELLOW) == ["ready"] * 4


def test_whose_turn_it_is_hands_over_by_any_button_and_the_other_opens_what_it_may_do() -> None:
    box = running()
    assert line(box)[1] == "Your turn"
    assert does(box) == ["hand over"] * 4
    assert does(box, YELLOW) == ["Your tally"] * 4


class Unclocked(Turns):
    """The same without clocks to be seen."""

    def view(self, state: State, viewer: Colour | None = None) -> View:
        return replace(super().view(state, viewer), clocks=())


def test_without_race_and_clock_the_line_says_what_goes_on() -> None:
    box = VirtualBox(("red", "yellow"), "turns", find=only(Unclocked()), games=("turns",))
    box.command(Choose(result=("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")))
    box.run(box.now_ms + 100)
    box.press("red first", 2000)
    box.press("yellow first", 2500)
    box.run(2700)
    assert line(box) == ("turn", "Your turn", "Running.")
    assert line(box, YELLOW) == ("wait", "Get ready", "Red has the turn: running.")


class Reminding(Unclocked):
    """The same, with a reminder of what the box cannot see, and for a while nobody's turn."""

    def view(self, state: State, viewer: Colour | None = None) -> View:
        view = super().view(state, viewer)
        turn = None if len(state.ready) < 2 else view.turn
        return replace(view, turn=turn, hints=("keep the tallest", "pieces apart"))


def test_what_a_game_reminds_of_is_told_on_pages_where_no_race_is() -> None:
    box = VirtualBox(("red", "yellow"), "turns", find=only(Reminding()), games=("turns",))
    box.command(Choose(result=("oakum", "ashlar", "elvan", "firkin", "yawl", "bayou")))
    box.run(box.now_ms + 100)
    assert line(box)[2] == "Keep the tallest pieces apart."
    box.press("red first", 2000)
    box.press("yellow first", 2500)
    box.run(2700)
    assert line(box) == ("turn", "Your turn", "Running. Keep the tallest pieces apart.")
    says = state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["waits"]["says"]
    assert says == "Red has the turn. Keep the tallest pieces apart."


def test_a_choice_that_the_knob_opened_leaves_the_buttons_what_they_were() -> None:
    box = running()
    box.pick("Your tally", 3000)
    assert does(box) == ["hand over"] * 4
    assert [item.role for item in box.menu().items] == [None] * 4


def test_a_choice_that_the_seat_opened_itself_has_its_buttons() -> None:
    box = running()
    box.press("yellow first", 4000)
    box.run(4200)
    assert does(box, YELLOW) == ["−1", "+1", "+10", "enter 1"]
    assert does(box, RED) == ["hand over"] * 4


def test_the_state_says_it_of_an_offer_and_which_buttons_pick_it() -> None:
    offers = offers_of(running())
    assert [(offer["kind"], offer["at_once"], offer["by_buttons"]) for offer in offers[:2]] == [
        ("over", True, "Any of red's buttons: hand over."),
        ("halt", False, ""),
    ]
    assert me(running(), Colour.RED)["options"] == []


def offers_of(box: VirtualBox) -> list[dict[str, object]]:
    found: list[dict[str, object]] = state_document(box.session.snapshot(round(box.now_ms * MS)), 1)["offers"]
    return found

"""A table of an event at the seating: who sits where is said, not chosen; the match it leads to says where it is."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, UnknownGame
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.commands import NewMatch, Player, perform
from companion.core.play.seating import Table
from companion.core.record.lines import Event
from companion.core.shown.scene import Lobby
from tests.core.play.virtual_box import VirtualBox, unfinished

EVENT = Event("open", 2, 7, "0" * 64)
TABLE = Table(
    game="apache",
    seats=(Colour.RED, Colour.YELLOW),
    first=Colour.RED,
    names={Colour.RED: "Ada", Colour.YELLOW: "Ben"},
    event=EVENT,
)


@pytest.fixture
def box() -> VirtualBox:
    made = VirtualBox(seats=(), start=False)
    made.session.prepare(TABLE)
    return made


def press(box: VirtualBox, colour: str) -> None:
    box.press(f"{colour} first", box.now_ms + 500)
    box.run(box.now_ms + 1500)


def test_it_is_shown_with_its_players_and_without_what_the_event_decides(box: VirtualBox) -> None:
    scene = box.session.scene()
    assert isinstance(scene.body, Lobby)
    labels = [item.label for item in scene.body.menu.items]
    assert (scene.body.menu.title, scene.notice) == ("Round 2, table 7", "Round 2, table 7: Ada, Ben")
    assert labels[0] == "start"
    assert not {"game", "first", "dead heat", "window", "practice", "timing"} & set(labels)


def test_a_press_says_who_sits_there_and_another_colour_is_refused(box: VirtualBox) -> None:
    press(box, "yellow")
    assert box.session.scene().notice == "Ben sits at yellow"
    press(box, "blue")
    assert box.session.scene().notice == "Round 2, table 7: Ada, Ben"
    assert box.session.table == TABLE


def test_nobody_is_made_to_stand_up_by_the_knob(box: VirtualBox) -> None:
    box.edge(KNOB_PUSH, True, box.now_ms + 100)
    box.edge(KNOB_PUSH, False, box.now_ms + 2000)
    box.run(box.now_ms + 2500)
    assert box.session.scene().notice == "the event says who plays at this table"
    assert box.session.table.seats == TABLE.seats


def test_the_match_says_where_it_is_played_and_the_next_one_does_not(box: VirtualBox) -> None:
    box.click(box.now_ms + 100)
    box.run(box.now_ms + 1000)
    assert box.session.match is not None
    assert box.session.match.setup.event == EVENT
    box.session.match.end()
    box.run(box.now_ms + 1000)
    box.session.leave()
    assert box.session.table.event is None
    assert box.session.table.seats == TABLE.seats


def test_a_page_that_begins_the_same_seats_begins_the_events_match(box: VirtualBox) -> None:
    perform(box.session, NewMatch(seats=(Player(Colour.RED), Player(Colour.YELLOW))), 0)
    assert box.session.match is not None
    assert box.session.match.setup.event == EVENT


@pytest.mark.parametrize(
    "command",
    [
        NewMatch(seats=(Player(Colour.YELLOW), Player(Colour.RED))),
        NewMatch(seats=(Player(Colour.RED), Player(Colour.YELLOW), Player(Colour.BLUE))),
        NewMatch(seats=(Player(Colour.RED), Player(Colour.YELLOW)), game="order"),
    ],
)
def test_a_page_that_begins_anything_else_begins_none_of_the_event(box: VirtualBox, command: NewMatch) -> None:
    perform(box.session, command, 0)
    assert box.session.match is not None
    assert box.session.match.setup.event is None


def test_while_a_match_is_at_the_table_nothing_is_prepared_nor_offered() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    table = box.session.table
    with pytest.raises(Illegal, match="something else is at the table"):
        box.session.prepare(TABLE)
    with pytest.raises(Illegal, match="something else is at the table"):
        box.session.offer(unfinished(VirtualBox(seats=("red", "yellow")).lines))
    assert box.session.table == table
    assert not box.session.can_be_prepared


def test_a_table_that_cannot_be_played_changes_nothing() -> None:
    box = VirtualBox(seats=(), start=False)
    before = box.session.table
    with pytest.raises(UnknownGame):
        box.session.prepare(Table(game="whist", seats=TABLE.seats, event=EVENT))
    with pytest.raises(Illegal):
        box.session.prepare(Table(game="apache", event=EVENT))
    assert box.session.table == before


def test_what_is_announced_is_shown_at_the_seating_and_in_a_match(box: VirtualBox) -> None:
    box.session.announce("lunch at noon")
    assert box.session.scene().notice == "lunch at noon"
    box.click(box.now_ms + 100)
    box.run(box.now_ms + 1000)
    box.session.announce("five minutes left")
    assert box.session.scene().notice == "five minutes left"
    box.run(box.now_ms + 10_000)
    assert box.session.scene().notice == ""


def test_a_match_of_another_box_is_offered_and_declined_as_one_that_was_cut_off(box: VirtualBox) -> None:
    box.session.offer(unfinished(VirtualBox(seats=("red", "yellow")).lines, same_clock=False))
    assert box.session.is_offering
    assert box.session.at_event() is None
    box.session.decline()
    assert box.session.can_be_prepared

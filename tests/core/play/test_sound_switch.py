"""The sound is switched by the knob and by the desk at any time, and stays as it was set through matches."""

from __future__ import annotations

from companion.core.play.commands import EndMatch, LeaveMatch, TurnSound
from companion.core.shown.scene import Lobby, MenuItem
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import VirtualBox


def labels(box: VirtualBox) -> list[str]:
    return [item.label for item in box.menu().items]


def pick(box: VirtualBox, label: str, at_ms: float) -> None:
    """Turn the knob to an item of the open menu and push it."""
    items, cursor = labels(box), box.menu().cursor
    if (steps := items.index(label) - cursor) != 0:
        box.turn(steps, at_ms)
    box.click(at_ms + 100)
    box.run(at_ms + 300)


def test_a_box_without_a_buzzer_has_no_switch_for_it() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    assert "sound" not in labels(box)


def test_it_is_switched_in_the_seating() -> None:
    box = VirtualBox(seats=("red", "yellow"), start=False)
    box.session.sounds.is_there = True
    assert MenuItem("sound", "on") in box.menu().items
    pick(box, "sound", 2000)
    assert not box.session.sounds.is_on
    assert MenuItem("sound", "off") in box.menu().items
    pick(box, "sound", 3000)
    assert box.session.sounds.is_on


def test_it_is_switched_during_a_match_and_writes_nothing() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.session.sounds.is_there = True
    box.run(2000)
    before = len(box.lines)
    box.turn(1, 2100)
    box.run(2200)
    pick(box, "sound", 2300)
    assert not box.session.sounds.is_on
    assert len(box.lines) == before


def test_it_stays_as_it_was_set_when_the_match_is_left() -> None:
    box = Desk(seats=("red", "yellow"))
    box.session.sounds.is_there = True
    assert box.ask(TurnSound(on=False), 1500).says == "the box is silent until its sound is switched on again"
    box.ask(EndMatch(), 2200)
    box.ask(LeaveMatch(), 2500)
    assert isinstance(box.body, Lobby)
    assert MenuItem("sound", "off") in box.menu().items
    assert box.ask(TurnSound(on=True), 3000).says == "the box sounds"
    assert box.session.sounds.is_on


def test_the_desk_switches_it_before_a_match_too() -> None:
    box = Desk(seats=("red", "yellow"), start=False)
    box.ask(TurnSound(on=False), 1500)
    assert not box.session.sounds.is_on

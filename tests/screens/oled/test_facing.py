"""Whom a picture turns toward: whoever must act and sits behind the display; else it stays as it is mounted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from companion.core.panel import Colour
from companion.core.shown.scene import Choosing, Idle, Scene
from companion.games import registry
from companion.screens.oled.facing import is_for, turning, waited_for
from companion.screens.oled.large.drawing import drawing
from companion.screens.oled.picture import draw
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from tests.core.play.test_switch_elsewhere import PLAY
from tests.screens.scenes import SCENES

RED, GREEN, BLUE = Colour.RED, Colour.GREEN, Colour.BLUE
SIZE = (128, 64)
CHOOSING = SCENES["choosing"]


def test_a_choice_is_for_whoever_has_it():
    assert waited_for(CHOOSING) == (RED,)
    assert is_for(CHOOSING, {RED})
    assert not is_for(CHOOSING, {GREEN})


def test_a_choice_of_both_sides_turns_toward_nobody():
    body = CHOOSING.body
    assert isinstance(body, Choosing)
    both = Scene(replace(body, others=(GREEN,)))
    assert not is_for(both, {RED})
    assert is_for(both, {RED, GREEN})


@pytest.mark.parametrize("name", ["standing", "standing-final", "lobby", "final", "idle-menu"])
def test_what_waits_for_nobody_stays_as_it_is_mounted(name):
    assert waited_for(SCENES[name]) == ()
    assert not is_for(SCENES[name], set(Colour))


def test_between_races_it_turns_toward_whose_turn_it_is():
    body = SCENES["idle"].body
    assert isinstance(body, Idle)
    turn = body.view.turn
    assert turn is not None
    assert is_for(SCENES["idle"], {turn})
    assert not is_for(Scene(replace(body, held=True)), {turn}), "somebody is at the knob"


@pytest.mark.parametrize("name", ["scanned-idle", "scanned-final"])
def test_what_a_seat_scans_between_races_and_at_the_end_is_for_that_seat(name):
    assert waited_for(SCENES[name]) == (RED,)
    assert is_for(SCENES[name], {RED})
    assert not is_for(SCENES[name], {GREEN})


def test_with_clocks_it_stays_turned_while_whose_clock_runs_scans():
    games = tuple(registry.names())
    box = VirtualBox(("red", "yellow"), "clock", find=registry.find, games=games, seeds=OneSeed(), play=PLAY)
    box.press("red first", 1500)
    box.run(2500)
    assert is_for(box.scene, {RED})
    box.press("red first", 3000)
    box.run(3300)
    assert box.session.switches.cued()
    assert is_for(box.scene, {RED})


def test_with_clocks_it_turns_toward_whose_clock_runs():
    body = SCENES["clocks-two"].body
    assert isinstance(body, Idle)
    (running,) = (clock.seat for clock in body.view.clocks if clock.is_running)
    assert running is not None
    assert is_for(SCENES["clocks-two"], {running})


@pytest.mark.parametrize("letters", ["usual", "large"])
def test_the_picture_is_the_same_but_upside_down_and_so_are_the_rows_that_come_first(letters):
    upright, turned = drawing(letters)(CHOOSING, SIZE, 0), drawing(letters, {RED})(CHOOSING, SIZE, 0)
    assert turned.image.tobytes() == upright.image.transpose(Image.Transpose.ROTATE_180).tobytes()
    assert turned.image.tobytes() != upright.image.tobytes()


def test_rows_that_come_first_are_turned_with_the_picture():
    def lined(scene, size, page=0):
        canvas = draw(scene, size, page)
        canvas.first = (8, 24)
        return canvas

    assert turning(lined, {RED})(CHOOSING, SIZE, 0).first == (40, 56)
    assert turning(lined, {GREEN})(CHOOSING, SIZE, 0).first == (8, 24)

"""What seats are told of a running box: of a race as it goes, of faults, and of what scanning offers one alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from companion.app.signals.following import SignalFollower
from companion.core.match.effects import Cue
from companion.core.panel import Colour
from companion.core.profiles.holding import sitter_of
from companion.core.profiles.profile import Profile, Screens
from companion.core.signals.board import Lit, SignBoard
from companion.core.signals.signs import Outlet, Sign
from companion.core.timing.events import MS
from companion.ports import Sound, Tone
from tests.app.test_loop import Rig

if TYPE_CHECKING:
    from companion.app.signals.thread import SignalThread

RED, YELLOW = Colour.RED, Colour.YELLOW


class Told:
    """Stands in for the thread: what it was told, in order."""

    def __init__(self):
        self.shown, self.given, self.cues = [], [], []

    def show(self, signs):
        if not self.shown or self.shown[-1] != dict(signs):
            self.shown.append(dict(signs))

    def give(self, sign, seats):
        self.given.append((sign, tuple(seats)))

    def leave_out(self, unwanted):
        self.left_out = unwanted

    def cue(self, seat, number):
        self.cues.append((seat, number))


class ToldRig(Rig):
    """A box, and what its seats were told."""

    def __init__(self):
        super().__init__()
        self.told = Told()
        self.box.follow(SignalFollower(cast("SignalThread", self.told)))


@pytest.fixture
def rig():
    made = ToldRig()
    yield made
    made.loop.close()


def test_a_race_is_told_as_it_goes(rig):
    def press(label):
        return lambda: rig.source.press(label, rig.now_ns())

    rig.run((1.0, press("red first")), (1.5, press("yellow first")), until_s=4.0)
    assert rig.told.shown == [
        {RED: Sign.OPEN, YELLOW: Sign.OPEN},
        {RED: Sign.ACCEPTED, YELLOW: Sign.OPEN},
        {RED: Sign.ACCEPTED, YELLOW: Sign.ACCEPTED},
        {RED: Sign.FIRST},
    ]
    assert rig.told.given == [(Sign.ACCEPTED, (RED,)), (Sign.ACCEPTED, (YELLOW,)), (Sign.FIRST, (RED,))]


def test_a_press_that_does_not_count_is_told_to_its_seat_alone(rig):
    def press():
        rig.source.press("red first", rig.now_ns())
        rig.source.press("red second", rig.now_ns() + 300 * MS)

    rig.run((1.0, press), until_s=1.9)
    assert (Sign.IGNORED, (RED,)) in rig.told.given


def test_a_new_fault_is_told_to_everybody_once(rig):
    def fault():
        rig.box.alarm("disk", "the disk is full")

    def another():
        rig.box.alarm("display 1", "the display does not answer")

    rig.run((1.0, fault), (2.0, another), until_s=3.0)
    assert rig.told.given == [(Sign.ALARM, (RED, YELLOW)), (Sign.ALARM, (RED, YELLOW))]


def test_time_concerns_everybody_and_what_answers_the_knob_nobody(rig):
    def sound():
        for tone in (Tone.TIME_LOW, Tone.TIME_UP, Tone.REFUSED, Tone.ACCEPTED):
            follower.sound(Sound(tone))

    follower = SignalFollower(rig.told)
    rig.box.follow(follower)
    rig.run((1.0, sound), until_s=2.0)
    assert rig.told.given == [(Sign.TIME_LOW, (RED, YELLOW)), (Sign.TIME_UP, (RED, YELLOW))]


def test_a_cue_goes_to_the_motor_of_its_seat(rig):
    follower = SignalFollower(rig.told)
    follower.cue(Cue(YELLOW, 3, "the fourth"))
    follower.cue(Cue(YELLOW, 0, ""))
    assert rig.told.cues == [(YELLOW, 3), (YELLOW, 0)]
    assert rig.told.given == []


def test_by_what_somebody_wants_to_be_told_belongs_to_them_and_holds_while_they_sit(rig):
    ann = Profile(name="Ann", screens=Screens(signals=("tones", "motor")))
    rig.told.left_out = None
    session = rig.box.box.session
    session.match.settings.sitters[RED] = sitter_of(ann)
    rig.box.turn()
    assert rig.told.left_out == {Lit(RED, Outlet.LAMP)}
    session.match.settings.sitters.clear()
    rig.box.turn()
    assert rig.told.left_out == frozenset()


def test_a_lamp_that_is_not_wanted_stays_off_and_the_motor_tells_all_the_same():
    board = SignBoard()
    board.left_out = frozenset({Lit(RED, Outlet.LAMP)})
    board.give(Sign.FIRST, (RED, YELLOW), 0)
    assert board.on(0) == {Lit(RED, Outlet.MOTOR), Lit(YELLOW, Outlet.MOTOR), Lit(YELLOW, Outlet.LAMP)}
    assert board.given(0) == {YELLOW: Sign.FIRST}

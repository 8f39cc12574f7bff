"""When the buzzer may be heard: off by the settings, by hand, and at night to the minute."""

from __future__ import annotations

from datetime import time

import pytest

from companion.app.signals.hushed import HushedBuzzer, is_night
from companion.config.settings import Sound as SoundSettings
from companion.core.panel import Colour
from companion.core.profiles.holding import sitter_of
from companion.core.profiles.profile import Profile, Screens
from companion.ports import Sound, Tone

TAKEN = Sound(Tone.ACCEPTED, (Colour.RED,))


class Beeper:
    def __init__(self):
        self.played, self.calls = [], []

    def open(self):
        self.calls.append("open")

    def play(self, sound):
        self.played.append(sound)

    def close(self):
        self.calls.append("close")


def hushed(now=time(12), **settings):
    beeper = Beeper()
    return HushedBuzzer(beeper, SoundSettings(**settings), lambda: now), beeper


@pytest.mark.parametrize(
    ("hours", "now", "expected"),
    [
        ("22:00-07:00", time(21, 59, 59), False),
        ("22:00-07:00", time(22, 0), True),
        ("22:00-07:00", time(23, 59, 59), True),
        ("22:00-07:00", time(0, 0), True),
        ("22:00-07:00", time(6, 59, 59, 999_999), True),
        ("22:00-07:00", time(7, 0), False),
        ("13:00-14:30", time(14, 29), True),
        ("13:00-14:30", time(14, 30), False),
        ("13:00-14:30", time(12, 59), False),
        ("08:00-08:00", time(3), True),
        ("", time(3), False),
    ],
)
def test_the_night_begins_and_ends_at_its_minute(hours, now, expected):
    assert is_night(hours, now) is expected
    buzzer, beeper = hushed(now, night=hours)
    buzzer.play(TAKEN)
    assert beeper.played == ([] if expected else [TAKEN])


def test_the_clock_is_looked_at_for_each_tone():
    times = iter([time(21, 59), time(22, 0), time(7, 0)])
    beeper = Beeper()
    buzzer = HushedBuzzer(beeper, SoundSettings(night="22:00-07:00"), lambda: next(times))
    for _ in range(3):
        buzzer.play(TAKEN)
    assert beeper.played == [TAKEN, TAKEN]


@pytest.mark.parametrize("settings", [{"enabled": False}, {"volume": 0}])
def test_what_the_settings_switch_off_is_not_heard(settings):
    buzzer, beeper = hushed(**settings)
    buzzer.play(TAKEN)
    assert beeper.played == []


def test_the_switch_is_turned_at_any_time():
    buzzer, beeper = hushed()
    buzzer.switch.turn()
    buzzer.play(TAKEN)
    buzzer.switch.turn()
    buzzer.play(TAKEN)
    assert beeper.played == [TAKEN]


def test_without_the_seats_tones_it_is_not_said_whose_it_is():
    buzzer, beeper = hushed(seat_tones=False)
    buzzer.play(TAKEN._replace(follows=True))
    assert beeper.played == [Sound(Tone.ACCEPTED, (), follows=True)]


def test_it_is_opened_and_closed_with_the_buzzer():
    buzzer, beeper = hushed()
    buzzer.open()
    buzzer.close()
    assert beeper.calls == ["open", "close"]


def test_whoever_wants_no_tone_of_their_own_has_none_and_the_others_keep_theirs():
    buzzer, beeper = hushed()
    buzzer.sitters = lambda: {Colour.RED: sitter_of(Profile(name="Ann", screens=Screens(signals=("lamp",))))}
    buzzer.play(Sound(Tone.FIRST, (Colour.RED, Colour.BLUE)))
    assert beeper.played == [Sound(Tone.FIRST, (Colour.BLUE,))]

"""Which tones say what was done and ruled, and whom each is about."""

from __future__ import annotations

from companion.core.match.effects import Sound, Tone, sounds_of
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import EnterCard, PlayNone
from companion.core.ruling.offers import Offer
from companion.core.ruling.rulings import Order, Place, Settled
from companion.core.timing.events import SECOND
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import VirtualBox

RED, YELLOW, BLUE = Colour.RED, Colour.YELLOW, Colour.BLUE


def place(number: int, colour: Colour, verdict: str | None = None) -> Place:
    return Place(place=number, colour=colour, role="chief", t_ns=number, gap_ns=0, verdict=verdict)


def order(*places: Place) -> Order:
    return Order(race=1, order=places)


def sounded(box: VirtualBox, since: int = 0) -> list[Sound]:
    return [effect for effect in box.effects if isinstance(effect, Sound)][since:]


def test_who_was_first_is_said_and_then_who_is_punished() -> None:
    punished = Settled(race=1, colour=YELLOW, role="chief", result="punished")
    found = sounds_of((order(place(1, RED), place(2, YELLOW, "punish")), punished), None)
    assert found == [Sound(Tone.FIRST, (RED,)), Sound(Tone.PUNISHED, (YELLOW,), follows=True)]


def test_whoever_was_first_and_is_punished_is_not_called_first() -> None:
    punished = Settled(race=1, colour=RED, role="chief", result="punished")
    assert sounds_of((order(place(1, RED, "punish")), punished), None) == [Sound(Tone.PUNISHED, (RED,))]


def test_who_must_choose_is_called_by_name_after_who_was_first() -> None:
    offer = Offer(kind="claim", prompt="", seat=BLUE, required=True)
    assert sounds_of((order(place(1, RED)),), offer) == [
        Sound(Tone.FIRST, (RED,)), Sound(Tone.CHOOSE, (BLUE,), follows=True)
    ]  # fmt: skip
    assert sounds_of((), offer) == [Sound(Tone.CHOOSE, (BLUE,))]


def test_where_nothing_is_to_be_told_it_is_only_taken() -> None:
    assert sounds_of((), None) == [Sound(Tone.ACCEPTED)]
    assert sounds_of((order(place(1, RED)),), None) == [Sound(Tone.FIRST, (RED,))]
    assert sounds_of((order(),), None) == [Sound(Tone.ACCEPTED)]


def test_each_press_is_answered_to_its_own_seat() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    since = len(sounded(box))
    box.press("yellow hunter", 3000)
    box.press("red hunter", 3010)
    box.press("yellow hunter", 3200)
    box.run(3300)
    told = sounded(box, since)
    assert told[:2] == [Sound(Tone.ACCEPTED, (YELLOW,)), Sound(Tone.ACCEPTED, (RED,))]
    assert Sound(Tone.IGNORED, (YELLOW,)) in told


def test_a_press_of_a_seat_that_does_not_play_is_ignored_to_that_seat() -> None:
    box = VirtualBox(seats=("red", "yellow"))
    box.reveal("red hunter", 2000)
    box.press("purple hunter", 3000)
    box.run(3500)
    assert sounded(box)[-1] == Sound(Tone.IGNORED, (Colour.PURPLE,))


def test_a_press_before_a_spoken_card_has_ended_is_refused_to_its_own_seat() -> None:
    box = Desk(("red", "yellow"), "apache", PlaySettings(is_spoken=True, announcement_ns=10 * SECOND))
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("yellow hunter", 3000)
    box.run(3500)
    assert sounded(box)[-1] == Sound(Tone.REFUSED, (YELLOW,))


def test_a_card_that_is_laid_face_down_is_answered_to_its_own_seat() -> None:
    box = Desk(("red", "yellow", "blue"), "apache", timing="untimed", dead_heat="clockwise")
    box.ask(EnterCard(card="buffalo"), 2000)
    since = len(sounded(box))
    box.press("yellow hunter", 3000)
    box.ask(PlayNone(seat=BLUE), 4000)
    box.press("blue hunter", 5000)
    box.run(5500)
    told = [(YELLOW, Tone.ACCEPTED), (BLUE, Tone.ACCEPTED), (BLUE, Tone.ACCEPTED)]
    assert sounded(box, since) == [Sound(tone, (colour,)) for colour, tone in told]
    box.press("red chief", 6000)
    box.run(6100)  # all are shown
    box.press("yellow hunter", 6200)
    box.run(6250)
    assert sounded(box)[-1] == Sound(Tone.IGNORED, (YELLOW,))

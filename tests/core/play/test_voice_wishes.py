"""What can be wished of the box's voice: by the knob at any time, and by a button of a seat that nobody plays."""

from __future__ import annotations

from typing import Any

from companion.core.match.effects import AskVoice, VoiceWish
from companion.core.match.match import PlaySettings
from companion.games import registry
from companion.testing.virtual_box import VirtualBox


def box(*seats: str, start: bool = True, **play: Any) -> VirtualBox:
    made = VirtualBox(
        seats, "apache", find=registry.find, games=("apache",), start=start, play=PlaySettings(speaks=True, **play)
    )
    made.effects.clear()
    return made


def wishes(at: VirtualBox) -> list[VoiceWish]:
    return [effect.wish for effect in at.effects if isinstance(effect, AskVoice)]


def test_the_knob_has_the_voice_in_a_match_and_each_wish_is_passed_on():
    at = box("red", "yellow")
    for number, (label, wish) in enumerate(
        [("say it again", VoiceWish.AGAIN), ("speak slower", VoiceWish.SLOWER), ("speak louder", VoiceWish.LOUDER)]
    ):
        start_ms = 3000 + 3000 * number
        at.pick("voice …", start_ms)
        at.pick(label, start_ms + 1000)
        assert wishes(at)[-1] is wish
    assert len(wishes(at)) == 3


def test_the_seating_has_them_too():
    at = box(start=False)
    at.pick("speak faster", 3000)
    assert wishes(at) == [VoiceWish.FASTER]


def test_without_a_voice_no_menu_speaks_of_one():
    at = VirtualBox(("red", "yellow"), "apache", find=registry.find, games=("apache",))
    at.turn(1, 3000)
    at.run(3200)
    assert not [item for item in at.menu().items if "voice" in item.label]


def test_a_button_of_a_seat_that_nobody_plays_has_it_said_again_and_takes_no_seat():
    at = box(start=False, again="purple fourth")
    at.press("purple fourth", 2000)
    at.press("red first", 2500)
    at.run(3000)
    assert wishes(at) == [VoiceWish.AGAIN]
    assert [str(seat) for seat in at.session.table.seats] == ["red"]


def test_the_same_button_is_a_players_own_where_that_seat_plays():
    at = box("red", "purple", again="purple fourth")
    before = len(at.lines)
    at.press("purple fourth", 2000)
    at.run(2500)
    assert wishes(at) == []
    assert at.session.match is not None
    assert at.session.match.early or len(at.lines) > before

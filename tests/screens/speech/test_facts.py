"""What is said of a match, how much of it by wordiness, once each; and what is hidden or private never is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.app.speech.spellings import spellings
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.snapshot import Secret, Snapshot
from companion.core.ruling.offers import Offer
from companion.core.shown.scene import Choosing, Menu, MenuItem
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.screens.everybody.public import public_state
from companion.screens.speech.facts import Wordiness, spoken_document
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.private import Whisperer
from companion.screens.speech.pronounced import pronounced
from companion.testing.virtual_box import VirtualBox


class Heard:
    """A box of Apache, and all that a voice beside it has said."""

    def __init__(self, *seats: str, wordiness: Wordiness = Wordiness.NORMAL, **more: Any) -> None:
        self.box = VirtualBox(seats, "apache", find=registry.find, games=("apache",), **more)
        self.narrator = Narrator(wordiness)
        self.said: list[str] = []
        self.look()

    def snapshot(self) -> Snapshot:
        return self.box.session.snapshot(round(self.box.now_ms * MS))

    def look(self) -> list[str]:
        fresh = [piece.text for piece in self.narrator.told(public_state(self.snapshot()))]
        self.said += fresh
        return fresh

    def run(self, until_ms: float) -> list[str]:
        """Let time pass in steps, with a look after each; give what was said."""
        before = len(self.said)
        while self.box.now_ms < until_ms:
            self.box.run(min(until_ms, self.box.now_ms + 50))
            self.look()
        return self.said[before:]


def race(heard: Heard) -> list[str]:
    heard.box.pick("buffalo", 2000)
    heard.look()
    heard.box.press("red chief", 5000)
    heard.box.press("yellow chief", 5083)
    return heard.run(12_000)


def test_a_race_is_told_place_by_place_and_then_as_a_whole_once():
    heard = Heard("red", "yellow")
    said = race(heard)
    assert "Revealed: buffalo." in heard.said
    assert said[0] == "Red chief is first."
    assert "2: yellow chief +83.0 ms." in said
    [order] = [text for text in said if text.startswith("Pow-Wow 1, final.")]
    assert "1: red chief is first, punished: no red chief is face up." in order
    assert said.index("Red chief is first.") < said.index(order)
    assert heard.look() == []


def test_each_card_is_one_sentence_and_the_turn_is_said_after_it():
    heard = Heard("red", "yellow")
    heard.run(1500)
    heard.box.store = False
    heard.box.pick("red hunter", 2000)
    assert heard.run(2500) == []  # neither the card, which is not stored, nor what follows from it
    heard.box.store = True
    heard.box.session.stored(10)
    assert heard.run(9000) == ["Revealed: red hunter.", "Yellow turns the next card."]
    heard.box.pick("buffalo", 10_000)
    assert [one for one in heard.run(12_000) if "uffalo" in one] == ["Revealed: buffalo."]


def test_who_has_just_heard_the_card_is_not_told_it_again():
    heard = Heard("red", "yellow")
    heard.run(1500)
    heard.box.pick("buffalo", 2000)
    told = heard.narrator.told(public_state(heard.snapshot()), knows_card=True)
    assert [piece.text for piece in told if "uffalo" in piece.text] == []


def test_little_said_is_without_times_and_provisional_places():
    said = race(Heard("red", "yellow", wordiness=Wordiness.BRIEF))
    assert [text for text in said if "Pow-Wow" in text] == [
        "Pow-Wow 1, final. 1: red chief, punished. 2: yellow chief, punished."
    ]
    assert "ms" not in " ".join(said)
    assert "is first" not in " ".join(said)


def test_much_said_has_the_table_and_the_scores():
    said = race(Heard("red", "yellow", wordiness=Wordiness.FULL))
    assert "On the table: 1 buffalo." in said
    assert "Cards: red 0, yellow 0." in said


def test_a_ruling_that_is_being_saved_is_not_told_and_what_was_told_before_not_again():
    heard = Heard("red", "yellow")
    heard.box.store = False
    said = race(heard)
    assert not [text for text in said if "final" in text]


def test_nobodys_place_is_said_before_all_may_see_it():
    heard = Heard("red", "yellow", allowances_ms={Colour.YELLOW: 3000}, play=PlaySettings(window_ns=10 * SECOND))
    for colour in (Colour.RED, Colour.YELLOW):
        heard.box.session.consent(colour, "Ann")
    heard.run(1500)
    heard.box.pick("buffalo", 2000)
    heard.look()
    heard.box.press("red chief", 5000)
    said = heard.run(6000)
    assert "Red has pressed." in said
    assert not [text for text in said if "chief" in text]


def test_a_choice_is_said_with_the_button_of_each_option():
    heard = Heard("red", "yellow", variants=("wedding",))
    for number, card in enumerate(("buffalo", "teepee", "green maiden")):
        heard.box.pick(card, 2000 + 1000 * number)
    heard.box.pick("red hunter", 6000)
    heard.look()
    heard.box.press("red hunter", 9000)
    heard.box.press("yellow chief", 9050)
    said = " ".join(heard.run(16_000))
    assert "Red must choose: " in said
    assert "Red chief: 1 buffalo." in said


def test_an_alarm_is_said_also_at_the_first_look_and_once():
    heard = Heard("red", "yellow")
    heard.box.session.alarm("display 1", "the display is gone")
    assert heard.look() == ["Fault: the display is gone."]
    assert heard.look() == []
    late = Narrator()
    assert [piece.text for piece in late.told(public_state(heard.snapshot()))] == ["Fault: the display is gone."]


def test_the_knob_is_heard_at_the_box_and_on_no_page():
    heard = Heard("red", "yellow")
    heard.box.turn(1, 2000)
    said = heard.run(2300)
    item = heard.box.menu().items[heard.box.menu().cursor].label
    assert any(text.lower() == f"{item}." for text in said)
    pages = [one["says"].lower() for one in spoken_document(public_state(heard.snapshot()))]
    assert f"{item}." not in pages


def test_what_a_menu_asks_is_said_before_its_items_and_not_again_with_each_step():
    heard = Heard("red", "yellow")
    heard.run(1500)
    heard.box.press("yellow chief", 2500)
    said = heard.run(9000)
    [place] = [index for index, text in enumerate(said) if text == "Which card?"]
    menu = heard.box.menu()
    assert said[place + 1] == f"{menu.items[menu.cursor].label.capitalize()}."
    heard.box.turn(1, 9500)
    assert len(heard.run(9900)) == 1, "the next item alone"
    assert "Which card?" not in str(spoken_document(public_state(heard.snapshot()))), "pages ask by themselves"


@pytest.mark.slow  # walks through a whole match
@pytest.mark.no_cover  # counting branches makes it three times as slow
def test_what_a_seat_scans_is_said_each_time_its_cursor_comes_there_and_what_it_is_about_once():
    heard = Heard("red", "yellow", play=PlaySettings(switches={Colour.RED: SwitchScanning(dwell_ns=SECOND, loops=2)}))
    heard.run(1500)
    heard.box.press("yellow hunter", 2500)
    heard.run(7000)
    heard.box.press("red chief", 7100)
    count = len(heard.box.menu().items)
    said = heard.run(7200 + (count + 2) * 1000)
    assert "Which card?" in heard.said
    assert heard.said.count("Which card?") == 1
    assert len([text for text in said if text == f"{heard.box.menu().items[1].label.capitalize()}."]) == 2


def test_each_step_of_a_choice_is_asked_before_what_there_is_to_choose():
    public = public_state(Heard("red", "yellow").snapshot())
    asked = Menu("which pile?", (MenuItem("left", role="chief"), MenuItem("right", role="warrior")), 0)
    offer = Offer("move", Colour.RED, "your move", (), required=True)
    assert public.match is not None
    match = replace(public.match, offers=(offer,))
    narrator = Narrator()
    narrator.told(public)
    said = []
    for menu in (replace(asked, title=offer.prompt), asked, replace(asked, cursor=1), replace(asked, seat=Colour.RED)):
        scene = replace(public.scene, body=Choosing(None, Colour.RED, menu))
        said.append([piece.text for piece in narrator.told(replace(public, scene=scene, match=match))])
    buttons = "Red chief: left. Red warrior: right."
    assert said == [
        ["Red must choose (your move).", buttons], ["Which pile?"], ["Right."], ["Left."],
    ]  # fmt: skip


def test_a_secret_is_whispered_to_its_seat_and_said_to_nobody_else():
    heard = Heard("red", "yellow")
    secret = Secret(
        Colour.RED, "bid", (MenuItem("two stones", role="warrior"), MenuItem("three stones", role="maiden"))
    )
    snapshot = heard.snapshot()
    object.__setattr__(snapshot, "secrets", (secret,))
    [mine] = [piece.text for piece in Whisperer(Colour.RED).told(snapshot)]
    assert mine == "For you alone. Bid. Second button: two stones. Third button: three stones."
    assert Whisperer(Colour.YELLOW).told(snapshot) == []
    assert "stones" not in " ".join(piece.text for piece in Narrator().told(public_state(snapshot)))


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("2: yellow chief +83.0 ms.", "2: yellow chief 83 milliseconds behind."),
        ("red first ±20 µs", "red first give or take 20 microseconds"),
        ("blue -1.00 s", "blue 1 second before"),
        ("Ann has 4:05 left.", "Ann has 4 minutes 5 seconds left."),
        ("0:04.2", "4 seconds"),
        ("Revealed: red ten.", "Revealed: red ten."),
    ],
)
def test_signs_are_said_as_words(shown, said):
    assert pronounced(shown, "en", spellings("en")) == said

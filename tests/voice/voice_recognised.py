"""A whole match is spoken into files, and understood again by a machine that could as well hear something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion.app.speech.spellings import spellings
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.everybody.public import public_state
from companion.screens.speech.facts import Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.pronounced import pronounced
from tests.voice.hearing import Ear, spoken, words_of
from tests.whole.at_the_box import AtTheBox
from tests.whole.tabled import Tabled

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_WORDS = 40
"""Longer sentences list many choices; the shorter ones have the same words."""
UNDERSTOOD = 0.9
"""So much of what is said is understood whole, to the last word; of the rest nothing is taken for something else."""


@pytest.fixture(scope="module")
def ear() -> Ear:
    return Ear()


@pytest.fixture(scope="module")
def match() -> list[str]:
    """Give all that is said of a whole match of Apache, each sentence once."""
    table = Tabled(registry.find("apache"), 1, "box")
    narrator, said = Narrator(Wordiness.BRIEF), list[str]()
    run: Callable[[float], None] = table.box.run

    def narrated(until_ms: float) -> None:
        run(until_ms)
        snapshot = table.box.session.snapshot(round(table.box.now_ms * MS))
        pieces = narrator.told(public_state(snapshot))
        said.extend(pronounced(piece.text, "en", spellings("en")) for piece in pieces if not piece.group)

    table.box.run = narrated  # type: ignore[method-assign]
    players = AtTheBox(table)
    players.sit_down()
    players.play()
    return [text for text in dict.fromkeys(said) if "?" not in text and len(words_of(text).split()) <= MOST_WORDS]


def without_number(words: str) -> str:
    """Leave out which race it was: five and nine, thirteen and thirty are one to this ear, and people see the race."""
    return re.sub(r"^pow wow .* final", "pow wow final", words)


def said_in(text: str) -> str:
    return without_number(words_of(text))


def test_a_whole_match_is_understood_again(match, ear, tmp_path):
    sounds = spoken(match, tmp_path)
    heard = {text: without_number(ear.hears(sound) or "") for text, sound in sounds.items()}
    wrong = {said_in(text): words for text, words in heard.items() if words != said_in(text)}
    everything = {said_in(text) for text in match}
    assert any("the match is over" in words for words in everything)
    assert sum(words.startswith("pow wow") for words in everything) > 10
    assert len(wrong) <= (1 - UNDERSTOOD) * len(match), wrong
    taken_for_others = {said: words for said, words in wrong.items() if words in everything}
    assert not taken_for_others


def swapped(order: str) -> str | None:
    """Give the order of a race with its first two the other way round; None of a race with one place."""
    found = re.fullmatch(r"(.* 1: )([^.]*?)(\.? 2: )([^.]*?)(\..*)", order)
    return None if found is None or found[2] == found[4] else "".join(found.group(1, 4, 3, 2, 5))


def test_an_order_with_two_places_swapped_is_not_taken_for_the_true_one(match, ear, tmp_path):
    orders = [text for text in match if "final" in text and swapped(text) is not None][:6]
    assert len(orders) == 6
    understood = 0
    false = spoken([swapped(text) or "" for text in orders], tmp_path)
    for true, (said, sound) in zip(orders, false.items(), strict=True):
        heard = without_number(ear.hears(sound) or "")
        assert heard != said_in(true)
        understood += heard == said_in(said)
    assert understood >= 5


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("Red hunter is first.", "Yellow hunter is first."),
        ("Revealed: green maiden.", "Revealed: green warrior."),
        ("2: blue maiden 83 milliseconds behind.", "2: blue maiden 38 milliseconds behind."),
        ("Purple turns the next card.", "Blue turns the next card."),
    ],
)
def test_a_wrong_name_card_or_number_is_heard_as_what_it_is(said, true, ear, tmp_path):
    heard = ear.hears(spoken([said], tmp_path)[said])
    assert heard == words_of(said)
    assert heard != words_of(true)

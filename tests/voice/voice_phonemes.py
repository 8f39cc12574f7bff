"""What is said in each language, by the phonemes of espeak-ng: what must be heard occurs in what was spoken."""

from __future__ import annotations

import pytest

from companion.app.speech.spellings import spellings
from companion.core.panel import Colour
from companion.core.shown.scene import Row
from companion.screens.speech.pronounced import pronounced
from companion.screens.text.history import row_says
from tests.voice.phonemes import LANGUAGES, phonemes

HEARD = {
    "en": ("83 milliseconds behind", "give or take 20 microseconds"),
    "it": ("83 millisecondi dopo", "più o meno 20 microsecondi"),
    "fr": ("83 millisecondes après", "à 20 microsecondes près"),
    "de": ("83 Millisekunden dahinter", "auf 20 Mikrosekunden genau"),
}
"""What a person says of +83.0 ms and ±20 µs."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_times_and_uncertainties_are_said_as_people_say_them(language):
    for shown, said in zip(("+83.0 ms", "±20 µs"), HEARD[language], strict=True):
        assert phonemes(pronounced(shown, language, spellings(language)), language) == phonemes(said, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_clock_shows_is_said_in_minutes_and_seconds(language):
    minutes, seconds = pronounced("1:05", language).split(" ", 2)[0], pronounced("0:05", language)
    assert minutes == "1"
    assert phonemes(seconds, language) in phonemes(pronounced("4:05", language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sign_or_unit_as_a_screen_has_it_is_not_what_is_said(language):
    """Without the words for signs another thing is heard: so these tests can fail."""
    assert phonemes("+83.0 ms ±20 µs", language) != phonemes(pronounced("+83.0 ms ±20 µs", language), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [2, 3, 11, 21, 80, 91])
def test_a_place_in_a_sentence_sounds_as_its_number(language, number):
    row = Row(number, Colour.RED, "hunter", 66_000_000, 0)
    said = phonemes(pronounced(f"{number}: {row_says(row)}.", language, spellings(language)), language)
    assert phonemes(f"{number}.", language) in said
    assert phonemes(f"{number + 1}.", language) not in said.removeprefix(phonemes(f"{number}.", language))

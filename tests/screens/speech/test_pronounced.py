"""What a voice is given in each language: signs, units and the short forms of a small display are words."""

from __future__ import annotations

import pytest

from companion.app.speech.spellings import spellings
from companion.config.languages import language
from companion.core.panel import Colour
from companion.core.record.lines import Reveal
from companion.core.ruling.looks import look_of
from companion.core.ruling.offers import Offer, Option
from companion.core.shown.scene import Choosing, Menu, MenuItem
from companion.core.words.texts import capital, in_language
from companion.games import registry
from companion.screens.speech.announced import by_buttons, item_says
from companion.screens.speech.pronounced import WORDS, pronounced

SAID = [
    ("en", "1 200 F", "1, 200 francs"),
    ("it", "1 scasso 200 F", "1 scasso 200 franchi"),
    ("fr", "1 200 F", "1, 200 francs"),
    ("fr", "1\u202f200 ms", "1200 millisecondes"),
    ("de", "1 200 F", "1, 200 Francs"),
    ("de", "1.000 µs", "1.000 Mikrosekunden"),
    ("en", "1.00 s", "1 second"),
    ("de", "Rot muss wählen (Nr. 1/9, Mitte).", "Rot muss wählen (Nummer 1 von 9, Mitte)."),
    ("it", "Rosso deve scegliere (n. 1/9, centro).", "Rosso deve scegliere (numero 1 di 9, centro)."),
    ("fr", "Rouge (tuile 1/9).", "Rouge (tuile 1 sur 9)."),
    ("it", "2 totem + prig..", "2 totem + prigioniero."),
    ("it", "VER punti 3.", "verde punti 3."),
    ("de", "Von Hand setzen ….", "Von Hand setzen."),
    ("de", "±5", "auf 5 genau"),
    ("fr", "+5 min", "plus 5 minutes"),
    ("de", "Pow-Wow 3, endgültig.", "Pau-Wau 3, endgültig."),
    ("es", "Rojo ….", "Rojo."),
]


@pytest.mark.parametrize(("code", "shown", "said"), SAID)
def test_short_forms_and_signs_are_words(code, shown, said):
    assert pronounced(shown, code, spellings(code)) == said


@pytest.mark.parametrize("code", WORDS)
@pytest.mark.parametrize("colour", Colour)
def test_a_colour_in_three_letters_is_its_whole_name(code, colour):
    words = language(code)
    assert pronounced(str(in_language(colour.short, words)), code, spellings(code)) == str(
        in_language(colour.says, words)
    )


def test_a_button_has_its_own_name_in_each_language_and_a_place_where_it_has_none():
    apache, manitou = (look_of(registry.find(name), None) for name in ("apache", "big-manitou"))
    assert in_language(apache.button_says("chief"), language("it")) == "Capo"
    assert in_language(apache.button_says("chief"), language("de")) == "Häuptling"
    assert in_language(manitou.button_says("first"), language("fr")) == "premier"


def test_options_are_said_with_the_button_of_each_and_both_in_the_language():
    game = registry.find("apache")
    look = look_of(game, None)
    offer = Offer("prisoner", Colour.RED, "prisoner", (Option("green chief", Reveal(card="green chief")),))
    item = MenuItem("green chief", button="green chief")
    body = Choosing(1, Colour.RED, Menu("prisoner", (item, MenuItem("back", role="hunter"))))
    said = by_buttons(offer, body, game.roles, look)
    assert said == "Green chief: green chief. Red hunter: back."
    assert in_language(said, language("it")) == "Verde Capo: Capo verde. Rosso Cacciatore: back."
    assert in_language(capital(item_says(item, look)), language("de")) == "Grüner Häuptling"

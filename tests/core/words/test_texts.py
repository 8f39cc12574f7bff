"""Texts for people: English as they stand, and in another language by what they remember."""

from __future__ import annotations

from copy import copy, deepcopy
from gettext import NullTranslations

import msgspec
import pytest

from companion.core.errors import Illegal
from companion.core.words.encoding import builtins, encode, encoder
from companion.core.words.language import ENGLISH, Language, Signs
from companion.core.words.texts import PROGRAM, Text, capital, in_language, joined, listed, number, plain, text, texts

WORDS = {
    "{colour} takes {card}": "{card} nimmt {colour}",
    "red": "rot",
    "ace": "Ass",
    "{parts} and {last}": "{parts} und {last}",
    "{parts} or {last}": "{parts} oder {last}",
    "it is {time} s": "es ist {time} s",
    "broken {x}": "kaputt {y}",
    "{} of {}": "{1} von {0}",
}
PLURALS = {"{count} card of {colour}": ("{count} Karte von {colour}", "{count} Karten von {colour}")}


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        return WORDS.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return PLURALS[msgid1][n != 1]


NO_GAME = NullTranslations()
GERMAN = Language("de", "Deutsch", lambda package: German() if package == PROGRAM else NO_GAME, Signs(",", "."))


def test_a_text_is_the_english_sentence() -> None:
    says = text("{colour} takes {card}").format(colour=text("red"), card="ace")
    assert says == "red takes ace"
    assert hash(says) == hash("red takes ace")
    found: dict[str, int] = {says: 1}
    assert found["red takes ace"] == 1
    assert in_language(says, ENGLISH) == "red takes ace"
    assert type(in_language(says, ENGLISH)) is str


def test_what_is_filled_in_is_told_too() -> None:
    says = text("{colour} takes {card}").format(colour=text("red"), card=text("ace"))
    assert in_language(says, GERMAN) == "Ass nimmt rot"
    whole = text("{colour} takes {card}").format(colour=says, card="7")
    assert in_language(whole, GERMAN) == "7 nimmt Ass nimmt rot"


@pytest.mark.parametrize(("count", "english", "german"), [
    (1, "1 card of red", "1 Karte von rot"),
    (4, "4 cards of red", "4 Karten von rot"),
])  # fmt: skip
def test_a_number_of_things(count: int, english: str, german: str) -> None:
    says = texts("{count} card of {colour}", "{count} cards of {colour}", count, colour=text("red"))
    assert says == english
    assert in_language(says, GERMAN) == german


def test_a_list_is_in_words() -> None:
    red = text("red")
    assert [listed(parts) for parts in ((), (red,), (red, "b"), (red, "b", "c"))] == [
        "", "red", "red and b", "red, b and c",
    ]  # fmt: skip
    assert in_language(listed((red, "b", "c"), "or"), GERMAN) == "rot, b oder c"
    assert in_language(joined((red, "{x}"), "; "), GERMAN) == "rot; {x}"
    assert joined(()) == ""


def test_the_first_letter_is_large_in_the_language_it_is_said_in() -> None:
    assert capital(text("red")) == "Red"
    assert in_language(capital(text("red")), GERMAN) == "Rot"
    assert in_language(capital("own name"), GERMAN) == "Own name"
    assert capital("") == ""


def test_numbers_have_the_signs_of_the_language() -> None:
    says = text("it is {time} s").format(time=number("5,200.25"))
    assert says == "it is 5,200.25 s"
    assert in_language(says, GERMAN) == "es ist 5.200,25 s"


def test_a_message_without_a_translation_is_english() -> None:
    assert in_language(text("nothing of {it}").format(it=text("red")), GERMAN) == "nothing of rot"
    assert in_language(text("{colour} takes {card}", "some.game").format(colour=1, card=2), GERMAN) == "1 takes 2"


def test_a_translation_that_cannot_be_filled_in_harms_nobody() -> None:
    assert in_language(text("broken {x}").format(x=1), GERMAN) == "broken 1"


def test_by_place() -> None:
    assert in_language(text("{} of {}").format(text("red"), 2), GERMAN) == "2 von rot"
    assert text("{0} of {1}").format(1, 2) == "1 of 2"


def test_an_error_says_its_text() -> None:
    """`str(error)` does not make a plain string of it, so that a refusal is told in whatever language."""
    error = Illegal(text("{colour} takes {card}").format(colour=text("red"), card="7"))
    assert in_language(str(error), GERMAN) == "7 nimmt rot"


def test_a_copy_remembers_too() -> None:
    says = text("{colour} takes {card}").format(colour=text("red"), card="7")
    for other in (copy(says), deepcopy(says)):
        assert in_language(other, GERMAN) == "7 nimmt rot"


class Holder(msgspec.Struct, frozen=True):
    """A value with a text in it, and in what it holds."""

    says: str
    more: dict[str, object]


def test_documents_are_in_a_language_and_what_is_kept_is_in_english() -> None:
    held = Holder(text("red"), {"list": [text("ace"), None, 1.5], "many": (listed((text("red"), "b")),)})
    assert encode(held) == b'{"says":"red","more":{"list":["ace",null,1.5],"many":["red and b"]}}'
    assert encoder(ENGLISH)(held) == encode(held)
    assert encoder(GERMAN)(held) == b'{"says":"rot","more":{"list":["Ass",null,1.5],"many":["rot und b"]}}'
    assert type(builtins(held)["says"]) is str
    for write in (encode, encoder(GERMAN)):
        with pytest.raises(NotImplementedError, match="object has no place"):
            write(object())


def test_plain_is_no_text_any_more() -> None:
    says = text("red")
    assert isinstance(says, Text)
    assert type(plain(says)) is str
    assert plain(says) == "red"

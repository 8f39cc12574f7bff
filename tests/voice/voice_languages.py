"""Whole matches in each language, from the narrator through queue and voice: by the phonemes that espeak-ng makes.

What is judged is the text that reaches `espeak-ng` on its standard input, with the voice that it is told to take: a
program in its place on the path notes both, and is silent.
"""

from __future__ import annotations

import re
import time
from functools import cache, partial
from typing import TYPE_CHECKING

import pytest

from companion.adapters.voice import EspeakNg
from companion.app.speech.box_voices import Aloud
from companion.app.speech.spellings import spellings
from companion.app.speech.voice_thread import VoiceThread
from companion.config.languages import Languages, language
from companion.core.panel import Colour
from companion.core.ruling.looks import card_says
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import Manner, Urgency
from companion.core.timing.events import MS
from companion.core.words.texts import in_language, text
from companion.games import registry
from companion.screens.everybody.public import public_state
from companion.screens.speech.facts import Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.pronounced import pronounced
from tests.voice.phonemes import LANGUAGES, phonemes
from tests.whole.at_the_box import AtTheBox
from tests.whole.tabled import Tabled

if TYPE_CHECKING:
    from collections.abc import Callable


DECKS = ("apache", "big-manitou", "les-apaches")
"""The games with cards that speak all languages; what a game of `claim` has is named by its own file, in one."""
OTHERS = ("it", "fr", "de")
SIGNS = re.compile(r"[±⚑→×·…<>|_=%&#@/]|\b\d+ ?(?:ms|µs|s|F)\b|\.\.|\d \d")
"""What a voice would read as a sign, as a letter, or not at all."""
CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{3}\b")
NOTING = """#!/bin/sh
case "$*" in
*"-z -a 0 "*) exit 0 ;;
*--version*|*--voices*) exec /usr/bin/espeak-ng "$@" ;;
esac
text=$(cat)
echo "$* | $text" >> {notes}
"""
ALARM = text("the display does not answer")


@cache
def told(game: str) -> tuple[Piece, ...]:
    """Give all pieces of a whole match, each once, with a fault that came in the middle of it."""
    table = Tabled(registry.find(game), 1, "box")
    narrator, pieces = Narrator(Wordiness.FULL), list[Piece]()
    run: Callable[[float], None] = table.box.run

    def narrated(until_ms: float) -> None:
        run(until_ms)
        if len(pieces) > 40:
            table.box.session.alarm("display 1", ALARM)
        snapshot = table.box.session.snapshot(round(table.box.now_ms * MS))
        pieces.extend(narrator.told(public_state(snapshot)))

    table.box.run = narrated  # type: ignore[method-assign]
    players = AtTheBox(table)
    players.sit_down()
    players.play()
    return tuple({piece.text: piece for piece in pieces}.values())


def sentences(game: str, code: str) -> list[str]:
    """Give what a match says as the voice has it, on the way that the box's own voice takes."""
    aloud = Aloud(Languages(code))
    return [aloud(piece).text for piece in told(game)]


def name_of(game: str, card: str, code: str) -> str:
    """Give a card's name as the voice has it."""
    said = in_language(card_says(registry.find(game).deck, card), language(code))
    return pronounced(str(said), code, spellings(code))


# -- each card ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", [name for name in registry.names() if registry.find(name).deck])
def test_every_card_has_a_sound_of_its_own(game, code):
    sounds: dict[str, list[str]] = {}
    for card in registry.find(game).deck:
        sounds.setdefault(phonemes(name_of(game, card.name, code), code), []).append(card.name)
    assert "" not in sounds
    assert {sound: names for sound, names in sounds.items() if len(names) > 1} == {}


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game", DECKS)
def test_no_card_keeps_its_english_name(game, code):
    """A card that is called alike in both ("totem") has to be said by the language's own rules all the same."""
    kept = [
        card.name
        for card in registry.find(game).deck
        if name_of(game, card.name, code) == name_of(game, card.name, "en") and re.search(r"[a-z]{3}", card.label)
    ]
    assert {name.rstrip(" 0123456789") for name in kept} <= {"totem", "squaw", "tipi"}


# -- whole matches -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", registry.names())
def test_no_sign_unit_or_short_form_is_left_for_the_voice(game, code):
    said = sentences(game, code)
    assert len(said) > 60
    assert [one for one in said if SIGNS.search(one)] == []
    shorts = {str(in_language(colour.short, language(code))) for colour in Colour}
    assert [one for one in said if shorts & set(CAPITALS.findall(one))] == []
    assert [one for one in said if not re.search(r"\w", one)] == []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game", DECKS)
def test_no_card_or_button_of_a_match_is_left_in_english(game, code):
    """By sound: an English name, said by the language's own voice, is heard nowhere where the language has its own."""
    words = {word for one in sentences(game, code) for word in re.findall(r"[^\W\d_]+", one.lower())}
    heard = {phonemes(word, code) for word in words}
    own = {
        sound_of_word(word, code)
        for card in registry.find(game).deck
        for word in name_of(game, card.name, code).split()
    }
    english = {word for card in registry.find(game).deck for word in name_of(game, card.name, "en").split()}
    foreign = {word: sound_of_word(word, code) for word in english if re.fullmatch("[a-z]{3,}", word)}
    left = [word for word, sound in foreign.items() if sound in heard and sound not in own]
    assert set(left) <= {"totem"}, "German has it in a count of totem poles"
    assert len(foreign) > len(set(foreign.values()) & own), "nothing was looked for"


def sound_of_word(word: str, code: str) -> str:
    return phonemes(word.lower(), code)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_card_that_is_revealed_is_heard_and_no_other(code):
    deck = registry.find("apache").deck
    revealed = re.compile(r"^Revealed: (.+)\.$")
    heard = 0
    for piece in told("apache"):
        if (found := revealed.match(piece.text)) is None:
            continue
        sound = phonemes(Aloud(Languages(code))(piece).text, code)
        names = {card.name: phonemes(name_of("apache", card.name, code), code) for card in deck}
        longest = [name for name, one in names.items() if one in sound]
        assert found[1] in longest
        assert all(names[name] in names[found[1]] for name in longest), "another card is heard than the one revealed"
        heard += 1
    assert heard >= 10


@pytest.mark.parametrize("code", LANGUAGES)
def test_who_is_first_and_by_which_button_is_heard_and_a_false_place_is_not(code):
    orders = [one for one in sentences("apache", code) if re.search(r"\b1 ?: ", one)]
    assert len(orders) >= 5
    for order in orders:
        colours = {one: phonemes(str(in_language(one.says, language(code))), code) for one in Colour}
        first = phonemes(re.split(r"\b1 ?: ", order)[1].split(" ")[0], code)
        (who,) = [one for one, sound in colours.items() if sound == first]
        opening = re.search(r"\b1 ?: \S+ ", order)
        assert opening is not None
        sound = phonemes(order, code)
        assert phonemes(opening[0], code) in sound
        false = [
            one for one in Colour
            if one is not who and phonemes(opening[0].replace(str(in_language(who.says, language(code))), "")
                                           + str(in_language(one.says, language(code))), code) in sound
        ]  # fmt: skip
        assert false == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_options_turns_faults_and_the_end_are_all_among_what_is_said(code):
    pieces = told("apache")
    english = " ".join(piece.text for piece in pieces)
    for expected in (" turns the next card.", " must choose: ", f"Fault: {ALARM}.", "punished", "The match is over."):
        assert expected in english
    said = " ".join(sentences("apache", code))
    for word in ("turns", "choose", "Fault", "punished", "over", "wins"):
        assert code == "en" or re.search(rf"\b{word}\b", said) is None


# -- as far as the program ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_reaches_the_program_is_the_sentence_in_the_voice_of_its_language(code, tmp_path, monkeypatch):
    notes, program = tmp_path / "notes", tmp_path / "espeak-ng"
    program.write_text(NOTING.format(notes=notes))
    program.chmod(0o755)
    orders = [piece for piece in told("apache") if piece.urgency is Urgency.RULING and "final" in piece.text]
    aloud = Aloud(Languages(code))
    wanted = [aloud(piece).text for piece in orders[:5]]
    over: list[int] = []
    thread = VoiceThread(
        "voice", [EspeakNg(program=str(program))], Manner(code), lambda _state: None,
        on_said=lambda token, _t_ns, _fault: over.append(token),
    )  # fmt: skip
    thread.start()
    for number, piece in enumerate(orders[:5]):
        thread.say([aloud(piece)._replace(token=number, urgency=Urgency.START)])
        wait_for(partial(over.__contains__, number))
    thread.stop()
    given = [line.partition(" | ") for line in notes.read_text().splitlines()]
    assert [text for _, _, text in given] == wanted
    voice = {"en": "en-gb", "fr": "fr-fr"}.get(code, code)
    assert all(f"-v {voice} " in options for options, _, _ in given)


def wait_for(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it was not said")

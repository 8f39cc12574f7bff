"""The program in French, Italian and German: whole, with the same places to fill in, and as short as displays need it.

A display's rows have candidates of several lengths; what English writes in full has to fit in each language, too.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import polib
import pytest

from companion.config.languages import language
from companion.core.panel import Colour
from companion.core.words.language import ENGLISH
from companion.core.words.texts import text
from companion.screens.oled import picture
from companion.screens.oled.glyphs import MORE
from companion.screens.oled.large import picture as large
from companion.testing.extraction.templates import OURS, template
from tests.screens.scenes import SCENES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language

TEMPLATES = {said.package: said for said in OURS}
PACKAGES = tuple(TEMPLATES)
CODES = ("fr", "it", "de")
SIZES = ((128, 64), (256, 64))
ENGLISH_LABELS = {"idle": 1, "idle-full": 1, "standing-card-five": 1}
"""Scenes whose labels are plain English, and how many of these do not fit beside another language's three letters: in a
match they are texts, and lose the colour that the letters say already."""
ASKS = "pages ask in the infinitive, the box its players"
SHORT = "a display has room for less"
OF_A_RACE = "pages say it of a race, the program of a result: the gender differs"
NOT_ALIKE = {
    "Calibrate": ASKS,
    "Look at the box": ASKS,
    "Play on a phone": ASKS,
    "Press now": ASKS,
    "Try it": ASKS,
    "Which card was turned? Enter it, or say that there was none.": ASKS,
    "Your choice": ASKS,
    "final": OF_A_RACE,
    "Host": "the page's name in the menu, its head on the page",
    "knob push": "what to do at the box, a name on pages",
    "not recorded": OF_A_RACE,
    "Protest": "a column of sheets, a button on pages",
    "provisional": OF_A_RACE,
    "saving": SHORT,
    "Score": SHORT,
    "Your card": "in a race; on pages it has a profile's code",
    "{colour} {place}": "pages part the two with a comma",
}
"""Messages that the program and its pages say each in its own way, and why."""
GIVEN_UP = {
    "fr": r"boîtes?\b|compens|calibr|pénalis|pupitre|(?:toi|tu)\b|poste de l|homme-médecine|faiseur de pluie",
    "it": r"box\b|compensazion|calibr|penalizz|protest|postazione (?:di|dell)|sensor|uomo di medicina|mago della",
    "de": r"Telefon|Entscheide?s?\b|eich(?:en|ung)|violett|gestraft|Fallblättchen|Protest(?!ant)|Ausgleich",
}
"""The beginnings of words that are none of ours in a language, since each thing has another name there."""
PLACE = re.compile(r"\{\w*\}")
NOT_READ = re.compile(r"\{#?[\w-]*\}|\]\([^)]*\)")
"""Places, anchors and addresses."""
TAG = re.compile(r"</?\w+>")


@cache
def catalogue(package: str, code: str) -> polib.POFile:
    found: polib.POFile = polib.pofile((resources.files(package) / "locale" / f"{code}.po").read_text("utf-8"))
    return found


def said(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_is_missing_or_in_doubt(package: str, code: str) -> None:
    found = [entry for entry in catalogue(package, code) if not entry.obsolete]
    assert found
    assert [entry.msgid for entry in found if entry.fuzzy or not all(said(entry))] == []
    assert [entry.msgid for entry in found if entry.msgid_plural and len(said(entry)) != 2] == []


@cache
def made(package: str) -> polib.POFile:
    return template(TEMPLATES[package])


def said_twice(found: polib.POFile) -> list[tuple[str, str]]:
    """Give what gettext refuses: a message that comes again, be it alone and of a number."""
    seen = Counter((entry.msgctxt or "", entry.msgid) for entry in found if not entry.obsolete)
    return [key for key, times in seen.items() if times > 1]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_comes_twice_in_a_catalogue(package: str, code: str) -> None:
    assert said_twice(catalogue(package, code)) == []


@pytest.mark.slow  # looks through the whole program
@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_comes_twice_in_a_template(package: str) -> None:
    assert said_twice(made(package)) == []


def left_over(found: polib.POFile, wanted: polib.POFile) -> tuple[list[str], list[str]]:
    """Give the messages that a catalogue lacks, and those that it has and nobody says."""
    known, all_said = (
        {(entry.msgctxt or "", entry.msgid, entry.msgid_plural) for entry in one if not entry.obsolete}
        for one in (found, wanted)
    )
    return sorted(one for _, one, _ in all_said - known), sorted(one for _, one, _ in known - all_said)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("package", PACKAGES)
def test_a_catalogue_has_what_is_said_and_nothing_else(package: str, code: str) -> None:
    assert left_over(catalogue(package, code), made(package)) == ([], [])


def told_alike(words: str) -> str:
    """Give a translation without what may differ: apostrophes, spaces, capitals."""
    return re.sub(r"['’\s]", "", words).lower()


def told_unlike(code: str) -> dict[str, set[str]]:
    """Give the messages of both the program and its pages that are translated in two ways."""
    found: dict[tuple[str | None, str], dict[str, str]] = {}
    for package in PACKAGES:
        for entry in catalogue(package, code):
            if not entry.obsolete:
                found.setdefault((entry.msgctxt, entry.msgid), {})[told_alike(said(entry)[0])] = said(entry)[0]
    return {message: set(ways.values()) for (_, message), ways in found.items() if len(ways) > 1}


@pytest.mark.parametrize("code", CODES)
def test_the_program_and_its_pages_have_one_word_for_one_thing(code: str) -> None:
    assert {one: ways for one, ways in told_unlike(code).items() if one not in NOT_ALIKE} == {}


def test_each_exception_is_one() -> None:
    assert set().union(*map(told_unlike, CODES)) >= set(NOT_ALIKE)


def told_everywhere(code: str) -> Iterator[tuple[str, str]]:
    """Give what is said in a language with where it stands: catalogues, help and rules, the games' too."""
    own = Path(str(resources.files("companion")))
    for path in own.rglob(f"locale/{code}.po"):
        found = [entry for entry in polib.pofile(str(path)) if not entry.obsolete]
        yield from ((str(path.relative_to(own)), one) for entry in found for one in said(entry))
    for path in own.rglob(f"*.{code}.md"):
        yield from ((str(path.relative_to(own)), line) for line in path.read_text("utf-8").splitlines())


@pytest.mark.parametrize("code", CODES)
def test_no_word_that_was_given_up_comes_back(code: str) -> None:
    told = list(told_everywhere(code))
    assert {place for place, _ in told if place.endswith(".md")}
    wrong = re.compile(rf"\b(?:{GIVEN_UP[code]})", re.IGNORECASE)
    assert [one for one in told if wrong.search(NOT_READ.sub("", one[1]))] == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("package", PACKAGES)
def test_each_translation_has_the_places_and_tags_of_its_message(package: str, code: str) -> None:
    for entry in catalogue(package, code):
        if entry.obsolete:
            continue
        message = f"{entry.msgid} {entry.msgid_plural}"
        for words in said(entry):
            missing = set(PLACE.findall(message)) ^ set(PLACE.findall(words))
            assert missing <= ({"{count}"} if entry.msgid_plural else set()), (entry.msgid, words)
            assert sorted(TAG.findall(words)) == sorted(TAG.findall(entry.msgid)), (entry.msgid, words)
            assert words.count("\n") == entry.msgid.count("\n"), (entry.msgid, words)
            ends = [(one[:1].isspace(), one[-1:].isspace()) for one in (words, entry.msgid)]
            assert ends[0] == ends[1], (entry.msgid, words)


@pytest.mark.parametrize("code", ["en", *CODES])
def test_three_letters_of_a_colour_are_capitals_and_unlike_each_other(code: str) -> None:
    spoken = language(code)
    shorts = [colour.short.in_language(spoken) for colour in Colour]
    assert all(len(short) == 3 and short.isupper() for short in shorts), shorts
    assert all(one[0] != two[0] or one[1] != two[1] for one, two in combinations(shorts, 2)), shorts
    names = [colour.says.in_language(spoken) for colour in Colour]
    assert [name[:3].upper() for name in names] == shorts or code == "en"
    assert len(set(names)) == len(names)


def cut(texts: list[str], spoken: Language) -> list[str]:
    """Give what was cut short: what is not over yet ends with an ellipsis, too."""
    going = {f"{one.in_language(spoken)}{MORE}" for one in (text("provisional"), text("closed"), text("saving"))}
    return [one for one in texts if one.endswith(MORE) and one.split()[-1] not in going]


def usual(scene: Scene, size: tuple[int, int], spoken: Language) -> list[str]:
    canvas = picture.draw(scene, size, language=spoken)
    assert canvas.faults() == []
    return cut([placed.text for placed in canvas.placed], spoken)


def enlarged(scene: Scene, size: tuple[int, int], spoken: Language) -> list[str]:
    found: list[str] = []
    for page in range(large.draw(scene, size, 0, spoken).pages):
        canvas = large.draw(scene, size, page, spoken)
        assert canvas.faults() == []
        found += [placed.text for placed in canvas.placed]
    return cut(found, spoken)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", SCENES)
def test_no_picture_cuts_what_english_has_room_for(name: str, code: str) -> None:
    for size in SIZES:
        found = usual(SCENES[name], size, language(code))
        assert len(found) <= len(usual(SCENES[name], size, ENGLISH)) + ENGLISH_LABELS.get(name, 0), found


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", SCENES)
def test_no_large_picture_cuts_what_english_has_room_for(name: str, code: str) -> None:
    for size in SIZES:
        found = enlarged(SCENES[name], size, language(code))
        assert len(found) <= len(enlarged(SCENES[name], size, ENGLISH)), found

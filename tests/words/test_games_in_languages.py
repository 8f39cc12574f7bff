"""Our games in French, Italian and German: nothing untranslated, in the words of the printed editions, and it fits."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import polib
import pytest

from companion.config.languages import language
from companion.core.panel import Colour
from companion.core.ruling.offers import Step
from companion.core.words.texts import in_language
from companion.games import registry
from companion.screens.oled.glyphs import width
from companion.screens.oled.picture import draw
from companion.testing.catalogues import faults
from companion.testing.driving import Driver
from companion.testing.extraction.templates import begun, said_by, template
from companion.testing.showing import texts_of
from companion.testing.suite import GROUP, HINT, LABEL, ROLE, TEXT, fits, is_drawn
from companion.testing.walks import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer

pytestmark = pytest.mark.slow  # walks through whole matches

CODES = ("fr", "it", "de")
NAMES = [name for name in registry.names() if registry.find(name).words.startswith("companion.")]
LINE, ASKED, COUNTED = 128, 92, 80
"""Pixels of a 128-pixel display: a line; what is asked, beside a seat's name in big letters; what a score counts."""
PRINTED = {
    ("apache", "it"): {
        "chief": "Capo", "warrior": "Guerriero", "maiden": "Fanciulla", "hunter": "Cacciatore", "buffalo": "bufalo",
        "totem pole": "totem", "tomahawk": "tomahawk", "necklace": "collana", "teepee": "tenda", "Pow-Wow": "Pow-Wow",
        "Wedding": "Matrimonio", "Warpath": "di guerra", "Shared booty": "bottino", "hand card": "carta tribù",
        "{colour} is on the warpath for buffalo: {given}.": "sentiero di guerra", "the usual booty": "bottino abituale",
        "{colour} ({role}) claims {what}: {cards} ({count} card).": "reclama", "{seat} reveals": "scopre",
        "{cards}, prisoner {who}": "prigioniero", "no {card} is face up": "a faccia in su",
    },
    ("les-apaches", "fr"): {
        "hideout": "planque", "District {n}": "Quartier", "leader": "meneur", "novice": "novice", "fence": "receleur",
        "reinforcement": "renfort", "burghers": "bourgeois", "the policeman": "agent de ville", "bail": "caution",
        "jail": "prison", "hospital": "hôpital", "cemetery": "cimetière", "Burglary": "Cambriolage", "theft": "vol",
        "wounded": "blessé", "killed": "tué", "jailed": "emprisonné", "Round {n}": "Manche", "Gang": "Gang",
        "turn {n} of {most}": "tour", "Fit for action": "Opérationnels", "Money": "Argent", "Board": "Plateau",
        "{colour} is first player now.": "premier joueur", "lay a hideout": "poser", "move figures": "déplacer",
    },
}  # fmt: skip
"""Each message with the word that the edition in this language prints for it."""
NOT_PRINTED = {
    ("apache", "it"): "bisont|tepee|tipi|teepee|ragazz|squaw|ascia|capotrib|nozze|rivendic|sentiero della|palo",
    ("les-apaches", "fr"): (
        r"cachette|repaire|secteur|policier|gendarme|débutant|leader|round|rue|butin|clan|receler|figures?\b"
    ),
}
"""Other words for the same, of which none may stand anywhere."""
FILLED_IN = re.compile(r"\{\w*\}")


@cache
def made(name: str) -> polib.POFile:
    return template(said_by(registry.find(name)))


@cache
def catalogue(name: str, code: str) -> polib.POFile:
    path = resources.files(registry.find(name).words).joinpath("locale", f"{code}.po")
    return polib.pofile(path.read_text("utf-8"))


def left_over(found: polib.POFile, wanted: polib.POFile) -> list[str]:
    """Give the messages that a catalogue lacks, and those that it has and nobody says; with what is wrong in it."""
    known = {(entry.msgid, entry.msgid_plural) for entry in found if not entry.obsolete}
    said = {(entry.msgid, entry.msgid_plural) for entry in wanted}
    return [*faults(found), *sorted(one for one, _ in known ^ said)]


def forms(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_no_message_is_missing_or_unsure(name: str, code: str) -> None:
    assert left_over(catalogue(name, code), made(name)) == []
    assert catalogue(name, code).metadata["Plural-Forms"] == begun(made(name), code).metadata["Plural-Forms"]


def test_a_new_message_is_missed() -> None:
    found, wanted = polib.POFile(), polib.POFile()
    found.append(polib.POEntry(msgid="Old", msgstr="Alt"))
    wanted.extend([polib.POEntry(msgid="Old"), polib.POEntry(msgid="New")])
    assert left_over(found, wanted) == ["New"]
    found.append(polib.POEntry(msgid="New", msgstr="Neu", flags=["fuzzy"]))
    assert left_over(found, wanted) == ["'New': is fuzzy"]


@pytest.mark.parametrize(("edition", "terms"), PRINTED.items(), ids="-".join)
def test_it_has_the_words_of_the_printed_edition(edition: tuple[str, str], terms: dict[str, str]) -> None:
    said = {entry.msgid: forms(entry) for entry in catalogue(*edition)}
    assert {key: said.get(key) for key, term in terms.items() if term not in (said.get(key) or [""])[0]} == {}
    wrong = re.compile(rf"\b(?:{NOT_PRINTED[edition]})", re.IGNORECASE)
    assert [form for entry in said.values() for form in entry if wrong.search(FILLED_IN.sub("", form))] == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_a_text_has_no_more_characters_than_there_is_room_for(name: str, code: str) -> None:
    rooms = {entry.msgid: re.search(r"at most (\d+) characters$", entry.comment) for entry in made(name)}
    for entry in catalogue(name, code):
        room = rooms[entry.msgid]
        for form in forms(entry) if room else ():
            assert room is not None
            assert len(form) <= max(int(room[1]), len(entry.msgid)), form
            assert all(map(is_drawn, form)), form


def texts_in(game: AnyGame, state: Any) -> Iterator[tuple[str, int]]:
    """Give what a game says in a state for displays, each with how many characters it may have."""
    for viewer in (None, *(colour for colour, _ in game.view(state, None).scores)):
        view = game.view(state, viewer)
        yield from ((said, TEXT) for said in texts_of(view))
        yield from ((hint, HINT) for hint in view.hints)
        yield from ((face.label, ROLE) for face in game.buttons(state, viewer))
    yield from ((one.label, LABEL) for one in game.adjustable(state))
    for offer in game.offers(state):
        yield from ((prompt, TEXT) for prompt in asked(game, state, offer))
        yield from ((hint, HINT) for hint in [offer.hint] if hint)
        yield from ((option.group_label, GROUP) for option in offer.options if option.group_label)


def asked(game: AnyGame, state: Any, offer: Offer) -> list[str]:
    """Give what an offer asks, and what its first step does."""
    step = game.step(state, offer, ()) if offer.is_stepped else None
    return [offer.prompt, *([step.prompt] if isinstance(step, Step) else [])]


def without_seat(said: str, code: str) -> str:
    """Give what is asked without the seat's name, which stands beside it."""
    for colour in Colour:
        said = said.removeprefix(in_language(colour.short, language(code))).removeprefix(colour.short)
    return said.strip()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_said_in_a_match_fits_a_small_display_in_every_language(name: str, seed: int) -> None:
    game = registry.find(name)
    walk = Walk(game, seed)
    for state in walk.states():
        view = game.view(state, None)
        for code in CODES:
            spoken = language(code)
            told = [(in_language(said, spoken), most) for said, most in texts_in(game, state)]
            assert [said for said, most in told if not fits(said, most)] == []
            assert [hint for hint in view.hints if width(in_language(hint, spoken)) > LINE] == []
            assert width(in_language(view.phase or "", spoken)) <= LINE
            assert width(in_language(view.score_label, spoken)) <= COUNTED
            prompts = [prompt for offer in game.offers(state) for prompt in asked(game, state, offer)]
            shown = [without_seat(in_language(prompt, spoken), code) for prompt in prompts]
            assert [prompt for prompt in shown if width(prompt) > ASKED] == []


class Eye(Driver):
    """Drives a match and looks at the display in every language. seen: what letters have no glyph, by language."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.seen: dict[str, set[str]] = {}
        super().__init__(game, seed)

    def look(self) -> None:
        """Draw the display, and note every letter that it could not write and every text out of its place."""
        for code in CODES:
            canvas = draw(self.box.scene, (128, 64), language=language(code))
            missing = {letter for placed in canvas.placed for letter in placed.text if not is_drawn(letter)}
            if wrong := {*missing, *canvas.faults()}:
                self.seen.setdefault(code, set()).update(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_the_display_writes_every_language(name: str) -> None:
    eye = Eye(registry.find(name), 0)
    eye.play()
    assert eye.seen == {}


BENDING = re.compile(
    r"\b(?:k?ein|nimmt|nimmst|gibt|gibst|verliert|verlierst|bekommt|bekommst) \{(?:card|cards|what)\}", re.IGNORECASE
)
"""A German verb or article right before a card bends its name ("nimmt roten Häuptling"), and names come unbent."""


@pytest.mark.parametrize("name", ["", *registry.names()])
def test_german_says_a_card_s_name_where_it_stands_unbent(name: str) -> None:
    own = resources.files("companion").joinpath("locale", "de.po").read_text("utf-8")
    messages = catalogue(name, "de") if name else polib.pofile(own)
    said = [form for entry in messages for form in (entry.msgstr, *entry.msgstr_plural.values())]
    assert said
    assert [form for form in said if BENDING.search(form)] == []

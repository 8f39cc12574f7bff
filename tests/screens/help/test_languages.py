"""The guide and the rules in every language of the program: complete, of the same shape, and no English left.

What is held is the shape (headings, their anchors, items, rows) and that it is another language; whether it is well
said only a reader can tell.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.adapters.web.pages import PAGES as WEB_PAGES
from companion.app.guide.help import GUIDE, pages_of, rules_of, text_in
from companion.config.languages import language, languages
from companion.core.words.texts import PROGRAM, Text
from companion.files.reading import package_text
from companion.games import registry
from companion.screens.help.markup import headings
from companion.screens.text.terms import anchor_of

CODES = [code for code in languages(PROGRAM) if code != "en"]
OWN = [game for game in map(registry.find, registry.names()) if game.rules.startswith("companion.")]
"""The program's own games; somebody else's may bring English rules alone."""
TEXTS = {game.name: game.rules for game in OWN} | {"the guide": GUIDE}
EVERY = [(name, code) for name in TEXTS for code in CODES]
OTHERS = {page.address for page in WEB_PAGES}
_COMMON = (
    "the and of with which that this when where who whoever from into only each every other there their than then"
    " what is are has have does not nobody anybody everybody first last one two takes gets"
)
ENGLISH = frozenset(_COMMON.split())
"""Common words of English; but for a few below, none is a word of another language here."""
ALSO_THERE = {"fr": {"est"}, "it": {"due"}, "de": {"was", "hat", "war", "die"}}
KEPT = ("What's Your Game", "Once We Moved Like the Wind", "Once We Moved", "Five of a fruit")
"""English that stays: names of games and of who published them."""
LONGEST = 1.45
"""A translation is no more than so many times as long as the English: nothing was added."""
SHORTEST = 0.85
"""And no less than this: nothing was left out."""


def in_code(named: str, code: str) -> str:
    """Give a text of a package in a language, and nothing where it is not translated."""
    stem, _, ending = named.rpartition(".")
    return package_text(f"{stem}.{code}.{ending}")


def missing() -> list[str]:
    """Name every text that a language lacks, as its file would be called."""
    found = []
    for named in TEXTS.values():
        package, _, file = named.partition(":")
        stem, _, ending = file.rpartition(".")
        for code in CODES:
            path = Path(*package.split("."), f"{stem}.{code}.{ending}")
            try:
                in_code(named, code)
            except OSError:
                found.append(str(path))
    return found


def shape(text: str) -> list[tuple[str, ...]]:
    """Give what each line that is more than prose is: a heading with its level and anchor, an item, a row's cells."""
    heads = iter(headings(text))
    found: list[tuple[str, ...]] = []
    for line in text.splitlines():
        if line.startswith("#"):
            one = next(heads)
            found.append(("heading", str(one.level), one.anchor))
        elif kind := re.match(r"(-|\d+\.) ", line):
            found.append(("item", kind[1]))
        elif line.startswith("|"):
            found.append(("row", str(line.count("|"))))
        elif not line:
            found.append(("",))
    return found


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def test_no_text_lacks_a_language():
    assert missing() == []


def test_a_game_of_ours_without_rules_in_a_language_is_named(monkeypatch):
    monkeypatch.setitem(TEXTS, "new", "companion.games.order:new.md")
    assert missing() == [f"companion/games/order/new.{code}.md" for code in CODES]


@pytest.mark.parametrize(("name", "code"), EVERY)
def test_each_has_the_headings_items_and_rows_of_the_english(name, code):
    assert shape(in_code(TEXTS[name], code)) == shape(package_text(TEXTS[name]))


@pytest.mark.parametrize(("name", "code"), EVERY)
def test_each_leads_to_the_same_places(name, code):
    assert Counter(links(in_code(TEXTS[name], code))) == Counter(links(package_text(TEXTS[name])))


@pytest.mark.parametrize(("name", "code"), EVERY)
def test_no_english_is_left(name, code):
    text = in_code(TEXTS[name], code)
    for kept in KEPT:
        text = text.replace(kept, "")
    said = re.sub(r"\{#[^}]+\}|\]\([^)]+\)|`[^`]+`", " ", text)
    found = set(re.findall(r"[a-zà-ÿß]+", said.lower()))
    assert found & ENGLISH - ALSO_THERE[code] == set()


@pytest.mark.parametrize("name", TEXTS)
def test_the_english_would_be_found(name):
    found = set(re.findall(r"[a-z]+", package_text(TEXTS[name]).lower()))
    assert len(found & ENGLISH) > len(ENGLISH) / 3


@pytest.mark.parametrize(("name", "code"), EVERY)
def test_nothing_is_left_out_and_nothing_added(name, code):
    share = len(in_code(TEXTS[name], code)) / len(package_text(TEXTS[name]))
    assert SHORTEST < share < LONGEST


@pytest.mark.parametrize(("name", "code"), EVERY)
def test_what_is_strong_or_a_number_is_there_too(name, code):
    """A number lost is a rule told wrong; numbers in words are not looked at."""
    said, english = in_code(TEXTS[name], code), package_text(TEXTS[name])
    numbers = re.compile(r"(?<![\w#-])\d+")
    assert Counter(numbers.findall(said)) == Counter(numbers.findall(english))
    assert said.count("**") == english.count("**")


@pytest.mark.parametrize("code", CODES)
def test_every_link_of_every_page_leads_somewhere(code):
    pages = {page.address: page for page in pages_of(OWN, language(code))}
    ids = {address: re.findall(r'id="([^"]+)"', page.html) for address, page in pages.items()}
    for address, page in pages.items():
        assert len(ids[address]) == len(set(ids[address])), address
        for link in re.findall(r'href="([^"]+)"', page.html):
            where, _, anchor = link.partition("#")
            where = where or address
            assert where in pages or where in OTHERS, link
            assert not anchor or anchor in ids[where], link


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_the_anchors_of_the_english_one(code):
    pages = zip(pages_of(OWN), pages_of(OWN, language(code)), strict=True)
    for english, page in pages:
        assert re.findall(r'id="([^"]+)"', page.html) == re.findall(r'id="([^"]+)"', english.html)


@pytest.mark.parametrize("code", ["en", *CODES])
@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
def test_each_clause_leads_to_a_heading_whatever_the_box_and_the_reader_speak(game, code):
    known = {one.anchor for one in headings(rules_of(game, language(code)).text)}
    for clause in game.clauses.values():
        assert anchor_of(clause.message if isinstance(clause, Text) else clause) in known


def test_a_language_that_is_not_there_has_the_english(monkeypatch):
    assert text_in(GUIDE, language("it")) != package_text(GUIDE)
    assert text_in(GUIDE, language("eo")) == package_text(GUIDE)

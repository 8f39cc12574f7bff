"""The help pages: every heading, word, game and setting is on them, and every link within them leads somewhere."""

from __future__ import annotations

import re

import msgspec
import pytest

from companion.adapters.web.pages import PAGES as WEB_PAGES
from companion.app.guide.help import pages_of, rules_of
from companion.config.describing import UNITS, described
from companion.config.settings import Seats, SeatSettings, Settings
from companion.core.ruling.parameters import Choice, Parameter
from companion.files.reading import package_text
from companion.games import registry
from companion.screens.help.markup import headings
from companion.screens.help.pages import GameRules, help_pages, rules_text
from companion.screens.text.terms import TERMS, anchor_of
from tests.contract.everything import EVERYTHING
from tests.contract.nim import NIM, Nim

GAMES = [registry.find(name) for name in registry.names()]
PAGES = {page.address: page for page in pages_of(GAMES)}
GUIDE = package_text("companion.screens.help:guide.md")
OTHERS = {page.address for page in WEB_PAGES}
"""Pages that are no help pages."""


def ids(page):
    return re.findall(r'id="([^"]+)"', page.html)


def test_there_is_a_page_of_the_guide_of_each_game_and_of_the_settings():
    assert list(PAGES) == ["/help", *(f"/help/rules/{name}" for name in registry.names()), "/help/settings"]
    for page in PAGES.values():
        assert page.html.count("<h1") == 1
        assert page.html.count("aria-current") == 1


@pytest.mark.parametrize("address", PAGES)
def test_every_link_leads_to_a_page_and_an_anchor_and_no_anchor_stands_twice(address):
    page = PAGES[address]
    assert len(ids(page)) == len(set(ids(page)))
    for link in re.findall(r'href="([^"]+)"', page.html):
        where, _, anchor = link.partition("#")
        where = where or address
        assert where in PAGES or where in OTHERS, link
        assert not anchor or anchor in ids(PAGES[where]), link


def test_the_contents_are_the_headings_of_the_guide():
    listed = re.findall(r'<li><a href="#([^"]+)">([^<]+)</a></li>', PAGES["/help"].html)
    assert listed == [*((one.anchor, one.words) for one in headings(GUIDE)), ("words", "Words")]
    assert all(f'id="{anchor}"' in PAGES["/help"].html for anchor, _ in listed)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.word)
def test_each_word_is_explained_at_its_anchor(term):
    assert f'<div id="{term.anchor}"><dt>{term.word}</dt>' in PAGES["/help"].html


def keys():
    for table in msgspec.structs.fields(Settings):
        if table.name != "pins":
            kind = SeatSettings if table.type is Seats else table.type
            for field in msgspec.structs.fields(kind):
                yield table.name, field.name


@pytest.mark.parametrize(("table", "key"), list(keys()))
def test_each_setting_stands_there_with_its_default_and_what_it_may_be(table, key):
    name = f"{table}.COLOUR" if table == "seats" else table
    told = next(one for one in described() if one.name == name)
    said = next(one for one in told.settings if one.key == key)
    anchor = anchor_of(f"{name} {key}")
    entry = PAGES["/help/settings"].html.split(f'<div id="{anchor}">')[1].split("</div>")[0]
    assert f"<code>{key}</code>" in entry
    assert "Default: <code>" in entry
    assert "Allowed: " in entry
    assert said.says.endswith(".")
    assert all(not key.endswith(ending) or unit in entry for ending, unit in UNITS.items())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_programs_own_games_bring_their_rules(game):
    rules = rules_of(game)
    assert headings(rules.text)[0][:2] == (1, game.title)
    said = PAGES[f"/help/rules/{game.name}"].html
    assert all(parameter.label in said for parameter in game.parameters)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_clause_that_a_ruling_may_name_is_a_heading_of_the_rules(game):
    known = {one.words for one in headings(rules_of(game).text)}
    assert set(game.clauses.values()) <= known


def test_a_game_without_rules_is_told_by_its_buttons_and_what_it_asks():
    text = rules_text(EVERYTHING, "")
    assert text.startswith(f"# {EVERYTHING.title}\n")
    for face in EVERYTHING.buttons(None, None):
        assert f"**{face.label}**" in text
    for parameter in EVERYTHING.parameters:
        assert f"**{parameter.label}** (`{parameter.key}`)" in text


def test_a_game_whose_rules_cannot_be_read_has_a_page_all_the_same(caplog):
    class Astray(Nim):
        rules = "companion.games.nowhere:rules.md"

    assert rules_of(Astray()).text == ""
    assert "no rules that can be read" in caplog.text


def test_what_a_package_writes_becomes_no_element():
    pages = help_pages(GUIDE, [GameRules(NIM, "# <b>Nim</b>\n<script>x</script>")], [])
    assert "<script" not in pages[1].html
    assert "&lt;b&gt;" in pages[1].html


@pytest.mark.parametrize(
    ("parameter", "says"),
    [
        (Parameter("a", "A", default=True), "yes or no, usually yes"),
        (Parameter("b", "B", "number", 3, low=1, high=9), "a number from 1 to 9, usually 3"),
        (Parameter("c", "C", "choice", "y", (Choice("x", "Ex"), Choice("y", "Why"))), "Ex or Why, usually Why"),
        (Parameter("d", "D", "file"), "a text file"),
        (Parameter("e", "E", is_variant=True), "a variant, on or off"),
    ],
)
def test_what_a_setup_asks_is_said_with_its_range_and_default(parameter, says):
    class Asking(Nim):
        parameters = (parameter,)

    assert f"**{parameter.label}** (`{parameter.key}`): {says}." in rules_text(Asking(), "")

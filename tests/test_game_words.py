"""No game's word stands outside its package: not in the core, not on a screen, not in a page's script or style.

The words are read from every installed game (its name, titles, buttons, cards, drawings, lines and their fields, what
its setup asks) and, for what a package says only in sentences, from a list. They are looked for as whole words in every
source of the program outside `companion/games/`, in identifiers too: `isBuffalo` and `buffalo_count` are found.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import companion
from companion.core.record.lines import Line
from companion.games import registry
from tests.adapters.web.test_static_files import FETCHED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.game import Game

ROOT = Path(companion.__file__).parent
KINDS = (".py", ".js", ".css", ".html", ".d.ts")
ONLY_SAID = """
    Indian buffalo totem tomahawk necklace teepee tepee prisoner spouse wedding booty warpath pow wow powwow chief
    warrior maiden hunter tribute prairie Apache Dorra hourglass
"""
"""What Apache's package says in sentences alone, or in several spellings; the others' words are all read from them."""

PLAIN: dict[str, str] = {
    "clock": "turns, clocks, pauses and points are the core's own, for every game: there is no word of its own but one",
}
"""Games that are about nothing but what the core has too, each with why; `ONLY_SAID` has the words they do own."""

GENERAL: dict[str, str] = {
    "order": "the order of a race: the core ranks presses in every game",
    "first": "a seat's first button, and who was first: the core's own",
    "second": "a seat's second button, and the unit of time",
    "third": "a seat's third button",
    "fourth": "a seat's fourth button",
    "round": "where a game stands: a field of every game's view",
    "red": "a colour of the panel",
    "yellow": "a colour of the panel",
    "green": "a colour of the panel",
    "blue": "a colour of the panel",
    "purple": "a colour of the panel",
    "colour": "the field that names the seat of a press, on standard lines too",
    "claim": "the verdict of the core on a good play: it may claim something",
    "take": "what a program does with an event, a box with a press",
    "shared": "what is shared between threads",
    "board": "a circuit board, and the Raspberry Pi itself",
    "box": "the referee box",
    "draft": "what is written and not settled yet",
    "figures": "numbers that are told of somebody",
    "killed": "a process that was ended from outside",
    "leaders": "who lead: a field of many an outcome",
    "les": "less, without the letter that a plural has",
    "other": "another one of anything",
    "pieces": "parts of a text or of a path",
    "printed": "labels, results and sheets are",
    "once": "one time, and as soon as: English everywhere",
    "moved": "what a match is that goes on on another box",
    "turns": "what a knob makes, what players take, what something becomes",
    "area": "a part of every game's view that has a name",
    "game": "what is played, whichever it is",
    "file": "what lies on a disk",
    "picked": "what was taken from a menu",
    "card": "what lies on a table, what is revealed, and a part of a page",
    "ground": "the electrical one of a panel",
    "tile": "a part of the home page",
    "big": "how large letters and numbers are",
    "quick": "what takes little time",
    "maker": "what makes something: a match, or pins",
}
"""Words of a game that are English in general use, each with what else it means here."""


def words_of(text: str) -> set[str]:
    """Give the words of a text in lower case: "Pow-Wow" has two, and so has `isBooty`."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)
    return {part.lower() for part in parts}


def vocabulary(game: Game[Any]) -> set[str]:
    """Give every word that a game gives for people or for its records."""
    said: list[str] = [game.name, game.title, game.race_name, *game.roles, *game.symbols, *game.seats.titles]
    for card in game.deck:
        said += [card.name, card.plural, card.symbol]
    for parameter in game.parameters:
        said += [parameter.key, parameter.label, *(word for one in parameter.choices for word in (one.key, one.label))]
    for line in game.lines:
        said += [str(line.__struct_config__.tag), *(set(line.__struct_fields__) - set(Line.__struct_fields__))]
    return {word for text in said for word in words_of(text) if len(word) > 2}


@cache
def forbidden() -> frozenset[str]:
    names = [name for name in registry.names() if name not in PLAIN]
    found = words_of(ONLY_SAID).union(*(vocabulary(registry.find(name)) for name in names))
    return frozenset(found - set(GENERAL))


def sources() -> list[Path]:
    found = (path for path in ROOT.rglob("*") if path.name.endswith(KINDS))
    return sorted(path for path in found if ROOT / "games" not in path.parents and FETCHED not in path.parents)


def singular(word: str) -> Iterable[str]:
    """Give a word and what it may be the plural of."""
    yield word
    if word.endswith("s"):
        yield word[:-1]


def found_in(text: str) -> list[str]:
    """Name the games' words in a text, each with the number of its line."""
    return [
        f"{number}: {word}"
        for number, line in enumerate(text.splitlines(), start=1)
        for word in sorted(words_of(line))
        if any(one in forbidden() for one in singular(word))
    ]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_word_of_a_game_stands_outside_its_package(path: Path) -> None:
    assert found_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "const isBuffalo = 1;",
        ".booty { }",
        "<h2>Pow-Wow</h2>",
        'game: "apache"',
        "def teepees(): ...",
        "TOTEM_POLE",
        "2 hunters",
    ],
)
def test_a_game_s_word_is_found_however_it_is_written(text: str) -> None:
    assert found_in(text)


def test_what_is_searched_are_pages_and_program_and_for_what_games_say() -> None:
    searched = {path.name.partition(".")[2] for path in sources()}
    assert searched == {"py", "js", "css", "html", "d.ts"}
    assert {"apache", "hunter", "buffalo", "totem", "warpath", "prisoner", "spouse"} <= forbidden()


def test_every_word_that_is_let_through_is_one_of_a_game_and_stands_somewhere() -> None:
    of_games = words_of(ONLY_SAID).union(*(vocabulary(registry.find(name)) for name in registry.names()))
    used = {word for path in sources() for word in words_of(path.read_text(encoding="utf-8"))}
    assert [
        word for word in GENERAL if word not in of_games or not any(one in used for one in (word, f"{word}s"))
    ] == []

"""What games refuse is said in the language of whoever is told: whole messages, never put together beforehand."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.games
from companion.config.languages import language
from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.words.texts import in_language
from companion.games.big_manitou.lines import HuntLine
from companion.games.big_manitou.refusing import refusal
from companion.games.les_apaches.rules.acting import refuse
from tests.games.big_manitou.table import GAME, Table
from tests.words.pseudo import PSEUDO, ours

GAMES = Path(companion.games.__file__).parent
REFUSING = frozenset(("Illegal", "refuse", "refusal", "_illegal", "_demand"))
"""What the games' modules call to refuse a line; the reason is the last argument."""
MODULES = sorted(path for path in GAMES.rglob("*.py") if path.parent != GAMES)


def plain_reasons(source: str) -> list[str]:
    """Give the reasons in a module that are plain strings, or put together: those are English for everybody."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSING and node.args:
            why = node.args[-1]
            is_word = isinstance(why, ast.Constant) and isinstance(why.value, str)
            if is_word or isinstance(why, ast.JoinedStr):
                found.append(f"line {node.lineno}: {ast.unparse(why)}")
    return found


def test_a_plain_reason_is_found() -> None:
    assert plain_reasons("raise Illegal('no')") == ["line 1: 'no'"]
    assert plain_reasons("refuse('1.2', f'not {what}')") == ["line 1: f'not {what}'"]
    assert plain_reasons("raise Illegal(text('no'))") == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(GAMES)))
def test_no_game_refuses_in_plain_english(path: Path) -> None:
    assert plain_reasons(path.read_text("utf-8")) == []


def refused(table: Table, line: object) -> Illegal:
    with pytest.raises(Illegal) as error:
        GAME.apply(table.state, line)
    return error.value


def test_a_refusal_is_english_in_itself_and_italian_for_who_reads_italian() -> None:
    table = Table("red yellow").laid("tipi 1", "tipi 3", "totem")
    error = refused(table, HuntLine(colour=Colour.YELLOW, card="red hunter 1", ground="left"))
    assert str(error) == "rule 6: the red hunter 1 is not yellow's"
    told = in_language(str(error), language("it"))
    assert told == "regola 6: cacciatore 1 rosso: non è una carta di giallo"
    assert ours(in_language(str(error), PSEUDO)) == []


def test_a_phase_is_named_in_the_reader_s_language() -> None:
    error = refused(Table("red yellow"), HuntLine(colour=Colour.YELLOW, card="yellow hunter 1", ground="left"))
    assert in_language(str(error), language("de")).startswith("Regel 1: jetzt nicht: ")
    assert ours(in_language(str(error), PSEUDO)) == []


def test_a_rule_s_number_stands_where_the_language_has_it() -> None:
    assert in_language(str(refusal(3, "x")), language("fr")) == "règle 3 : x"
    with pytest.raises(Illegal) as error:
        refuse("4.5", "x")
    assert in_language(str(error.value), language("de")) == "x (Regel 4.5)"

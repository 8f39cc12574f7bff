"""A whole value in a language, before it is laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import Colour
from companion.core.words.language import ENGLISH
from companion.core.words.telling import in_words
from companion.core.words.texts import text
from tests.words.pseudo import PSEUDO, pseudo

if TYPE_CHECKING:
    from collections.abc import Callable


class Pair(NamedTuple):
    """A named tuple."""

    says: str
    colour: Colour


@dataclass(frozen=True)
class Held:
    """A dataclass that holds others."""

    pair: Pair
    more: tuple[str, ...]
    named: dict[str, str]
    does: Callable[[], int] = field(default=lambda: 1)


def test_every_text_is_said_and_all_else_is_as_it_was() -> None:
    held = Held(Pair(text("ace"), Colour.RED), ("a name", text("b")), {"ace": text("c")})
    told = in_words(held, PSEUDO)
    assert told.pair == Pair(pseudo("ace"), Colour.RED)
    assert told.more == ("a name", pseudo("b"))
    assert told.named == {"ace": pseudo("c")}
    assert told.does is held.does
    assert type(told.pair.says) is str


def test_english_costs_nothing() -> None:
    held = Held(Pair(text("ace"), Colour.RED), (), {})
    assert in_words(held, ENGLISH) is held

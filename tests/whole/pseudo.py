"""A language that nobody speaks: every letter of a message is another one, so that what was never translated shows.

What a game says in it may have no letter of ours but in the colours' names: those are the box's own words.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

from companion.core.panel import Colour
from companion.core.ruling.offers import Step
from companion.testing.showing import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.view import Ledger

WIDE = 0xFEE0
"""From an ASCII letter to the full-width one that looks like it."""
_PARTS = re.compile(r"(\{[^{}]*\}|%[sd]|%\([^)]*\)[sd])")
_WORD = re.compile(r"[A-Za-z]{2,}")
_COLOURS = frozenset(word.lower() for colour in Colour for word in (str(colour), colour.short))


def pseudo(message: str) -> str:
    """Give a message in that language; its placeholders stay as they are."""
    return "".join(part if _PARTS.fullmatch(part) else "".join(map(_wide, part)) for part in _PARTS.split(message))


def _wide(letter: str) -> str:
    return chr(ord(letter) + WIDE) if letter.isascii() and letter.isalpha() else letter


class Pseudo(NullTranslations):
    """Speaks it."""

    def gettext(self, message: str) -> str:
        """Give a message."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Give the message for this number."""
        return pseudo(msgid1 if n == 1 else msgid2)


def ours(text: str, *, known: frozenset[str] = frozenset()) -> list[str]:
    """Give the words of a text that are of no translation, nor a colour's, nor `known`."""
    return [word for word in _WORD.findall(text) if word.lower() not in _COLOURS | known]


def said_by(game: AnyGame) -> Iterator[tuple[str, str]]:
    """Give every text that a game says of itself, each with what it is."""
    yield "race_name", game.race_name
    yield from (("seats", title) for title in (*game.seats.titles, game.seats.first) if title)
    for parameter in game.parameters:
        yield "parameter", parameter.label
        yield from (("choice", choice.label) for choice in parameter.choices)
    for card in game.deck:
        yield "card", card.says
        yield "cards", card.plural or card.says


def said_in(game: AnyGame, state: Any, viewer: Colour | None) -> Iterator[tuple[str, str]]:
    """Give every text that a game says in a state."""
    view = game.view(state, viewer)
    known = {card.name for card in game.deck}
    yield from (("view", text) for text in texts_of(view) if text not in known)
    yield from (("hint", hint) for hint in view.hints)
    yield from (("button", face.label) for face in game.buttons(state, viewer))
    yield from (("adjustable", one.label) for one in game.adjustable(state))
    for offer in game.offers(state):
        yield from said_of(game, state, offer)
    for ledger in game.ledgers(state):
        yield from _said_of_ledger(ledger)
    yield from (("held", held.label) for held in game.held(state))


def said_of(game: AnyGame, state: Any, offer: Offer) -> Iterator[tuple[str, str]]:
    """Give every text of an offer; of its fields, the first."""
    yield f"prompt of {offer.kind}", offer.prompt
    yield f"hint of {offer.kind}", offer.hint
    for option in offer.options:
        yield f"option of {offer.kind}", option.label
        yield f"group of {offer.kind}", option.group_label
    if offer.is_stepped:
        step = game.step(state, offer, ())
        if isinstance(step, Step):
            yield f"field of {offer.kind}", step.prompt
            yield from ((f"value of {offer.kind}", value.label) for value in step.values)


def _said_of_ledger(ledger: Ledger) -> Iterator[tuple[str, str]]:
    yield from (("ledger", text) for text in (ledger.title, *ledger.columns, ledger.note))
    for row in ledger.rows:
        yield from (("ledger row", text) for text in (row.label, *row.values))

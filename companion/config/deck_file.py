"""Decks: which code is which physical card. Printed codes are made here; factory codes (RFID) come from a TOML file.

game = "NAME"
[cards]
"04A2B91C" = "red ace"           one line for each physical card: the reader's code, the record's name of the card
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.config.toml_edit import edit, set_all, table_of
from companion.config.toml_file import Origins, TomlFile, did_you_mean
from companion.core.errors import Malformed
from companion.core.play.scanning import LONGEST_CODE
from companion.games import registry

if TYPE_CHECKING:
    from pathlib import Path

    from tomlkit import TOMLDocument


@dataclass
class Deck:
    """The cards of one game by code. codes: in the order in which they are printed or were enrolled."""

    game: str
    codes: dict[str, str] = field(default_factory=dict)

    def card(self, code: str) -> str | None:
        """Give the card's name as the record has it, None for a code that is not in the deck."""
        return self.codes.get(code)

    def missing(self) -> dict[str, int]:
        """Give how many of each card have no code yet, without those that all have one."""
        counts: dict[str, int] = {}
        for card in cards_of(self.game):
            counts[card] = counts.get(card, 0) + 1
        for card in self.codes.values():
            counts[card] -= 1
        return {card: count for card, count in counts.items() if count}

    def enrol(self, code: str, card: str) -> None:
        """Add a card. Raises Malformed for a code or a card that cannot be; nothing has changed then."""
        if not re.fullmatch(rf"[!-~][ -~]{{0,{LONGEST_CODE - 1}}}", code):
            raise Malformed(f"{code!r} is no code: 1 to {LONGEST_CODE} printable characters")
        if code in self.codes:
            raise Malformed(f"{code} is {self.codes[code]} already")
        names = sorted(set(cards_of(self.game)))
        if card not in names:
            raise Malformed(f"{self.game} has no card {card!r}; {did_you_mean(card, names)}")
        if card not in self.missing():
            raise Malformed(f"all {cards_of(self.game).count(card)} cards {card!r} have a code already")
        self.codes[code] = card


def cards_of(game: str) -> tuple[str, ...]:
    """Give the names of all the cards of a game, one for each physical card. Raises Malformed, UnknownGame."""
    cards = _cards_of(game)
    if not cards:
        raise Malformed(f"the game {game} has no cards that a scanner could reveal")
    return cards


def has_cards(game: str) -> bool:
    """Tell whether a game has cards that a scanner could reveal. Raises UnknownGame."""
    return bool(_cards_of(game))


def _cards_of(game: str) -> tuple[str, ...]:
    return tuple(card.name for card in registry.find(game).deck for _ in range(card.copies))


def printed_deck(game: str) -> Deck:
    """Give the deck of the printed labels: "NAME-001" and so on, by the name and in the order of the game."""
    return Deck(game, {f"{game.upper()}-{number:03}": card for number, card in enumerate(cards_of(game), start=1)})


def read_deck(path: Path) -> Deck:
    """Read a deck's file. Raises Malformed, Unavailable."""
    file = TomlFile(path)
    origins = Origins(file)
    for key in file.table.keys() - {"game", "cards"}:
        raise origins.wrong((key,), f"there is no such key; {did_you_mean(key, ['game', 'cards'])}")
    game, cards = file.table.get("game"), file.table.get("cards", {})
    if not isinstance(game, str) or game not in registry.listed() or registry.problem(game):
        raise origins.wrong(("game",), f"must name an installed game: {', '.join(registry.names())}", game)
    if not isinstance(cards, dict):
        raise origins.wrong(("cards",), "must be a table: code = card", cards)
    deck = Deck(game)
    for code, card in cards.items():
        try:
            deck.enrol(code, str(card))
        except Malformed as error:
            raise origins.wrong(("cards", code), str(error)) from None
    return deck


def write_deck(path: Path, deck: Deck) -> None:
    """Write a deck's file, whole or not at all; the comments in it stay. Raises OSError, Malformed."""

    def change(document: TOMLDocument) -> None:
        if document.get("game") != deck.game:
            document["game"] = deck.game
        set_all(table_of(document, "cards"), deck.codes)

    edit(path, "Which code is which card. Written by companion deck enrol; may be edited.", change)

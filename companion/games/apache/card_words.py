"""What Apache's cards are called for people. Every text goes through `text`; each card has its own, as languages differ
in which word comes first and how it agrees with the other.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.core.ruling.looks import ButtonFace, Card
from companion.core.ruling.plain_game import PlainGame
from companion.games.apache.cards import CARDS, DECK, HAND_CARDS, INDIANS, NAMES, Role

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.games.apache.state import State


class CardWords(PlainGame["State"]):
    """Cards and buttons in words."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """Give what a `reveal` may name, and how it is drawn; printed labels are numbered in this order."""
        return _deck(self)

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:  # noqa: ARG002 - no phases
        """Give the hand cards, which are always the same."""
        return _faces(self)

    def counted(self, name: str, count: int) -> str:
        """Say how many of a card ("3 necklaces", "red hunter")."""
        return _cards(self)[name].counted(count)

    def card_says(self, name: str) -> str:
        """Give a card's name for people."""
        return _cards(self)[name].says

    def role_says(self, role: str) -> str:
        """Give a hand card's name for people."""
        return _roles(self)[role]

    def booty_words(self, count: int) -> dict[str, str]:
        """Give the names, as they are for so many of each."""
        return {
            "buffalo": self.texts("buffalo", "buffalo", count),
            "totem pole": self.texts("totem pole", "totem poles", count),
            "tomahawk": self.texts("tomahawk", "tomahawks", count),
            "necklace": self.texts("necklace", "necklaces", count),
            "teepee": self.texts("teepee", "teepees", count),
        }

    def indian_words(self, count: int) -> dict[str, str]:
        """Give the names, as they are for so many of each."""
        return {
            "red chief": self.texts("red chief", "red chiefs", count),
            "red warrior": self.texts("red warrior", "red warriors", count),
            "red maiden": self.texts("red maiden", "red maidens", count),
            "red hunter": self.texts("red hunter", "red hunters", count),
            "yellow chief": self.texts("yellow chief", "yellow chiefs", count),
            "yellow warrior": self.texts("yellow warrior", "yellow warriors", count),
            "yellow maiden": self.texts("yellow maiden", "yellow maidens", count),
            "yellow hunter": self.texts("yellow hunter", "yellow hunters", count),
            "green chief": self.texts("green chief", "green chiefs", count),
            "green warrior": self.texts("green warrior", "green warriors", count),
            "green maiden": self.texts("green maiden", "green maidens", count),
            "green hunter": self.texts("green hunter", "green hunters", count),
            "blue chief": self.texts("blue chief", "blue chiefs", count),
            "blue warrior": self.texts("blue warrior", "blue warriors", count),
            "blue maiden": self.texts("blue maiden", "blue maidens", count),
            "blue hunter": self.texts("blue hunter", "blue hunters", count),
            "purple chief": self.texts("purple chief", "purple chiefs", count),
            "purple warrior": self.texts("purple warrior", "purple warriors", count),
            "purple maiden": self.texts("purple maiden", "purple maidens", count),
            "purple hunter": self.texts("purple hunter", "purple hunters", count),
        }

    def role_words(self) -> dict[str, str]:
        """Give the names of hand cards without their colour."""
        return {
            "chief": self.text("chief"),
            "warrior": self.text("warrior"),
            "maiden": self.text("maiden"),
            "hunter": self.text("hunter"),
        }


@cache
def _deck(words: CardWords) -> tuple[Card, ...]:
    """Give the cards, once for each language that the game speaks."""
    one, many = ({**words.booty_words(count), **words.indian_words(count)} for count in (1, 2))
    return tuple(
        Card(
            name=NAMES[card],
            plural=many[NAMES[card]],
            copies=DECK[card],
            colour=HAND_CARDS[card].colour if card in INDIANS else None,
            symbol=str(HAND_CARDS[card].role) if card in INDIANS else NAMES[card],
            is_counted=card not in INDIANS,
            label=one[NAMES[card]],
        )
        for card in CARDS
    )


@cache
def _cards(words: CardWords) -> dict[str, Card]:
    return {card.name: card for card in words.deck}


@cache
def _roles(words: CardWords) -> dict[str, str]:
    return words.role_words()


@cache
def _faces(words: CardWords) -> tuple[ButtonFace, ...]:
    known = words.role_words()
    return tuple(ButtonFace(known[role], str(role)) for role in Role)

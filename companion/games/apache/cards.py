"""The cards of Apache: what there is and how often (`apache.md`, Cards). Knows no state, no player and no word.

A card is a small integer, so that a table or a deck is a tuple of counts: 0 to 19 are the Indians in the order of the
panel's buttons, 20 to 24 the booty kinds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from companion.core.panel import Button, Colour
from companion.core.panel import button_of as button_of_role


class Role(StrEnum):
    """A hand card, in the order of a seat's buttons (`apache.md`, Cards)."""

    CHIEF = "chief"
    WARRIOR = "warrior"
    MAIDEN = "maiden"
    HUNTER = "hunter"


ROLES = tuple(Role)


class HandCard(NamedTuple):
    """A player's hand card, and the Indian among the prairie cards that matches it."""

    colour: Colour
    role: Role

    @property
    def label(self) -> str:
        """ "red hunter": as records name the prairie card."""
        return f"{self.colour} {self.role}"


HAND_CARDS: tuple[HandCard, ...] = tuple(HandCard(colour, role) for colour in Colour for role in Role)
"""All twenty, by colour, then by role."""

Card = int
Counts = tuple[int, ...]
"""How many of each card, by its number."""

BUFFALO, TOTEM_POLE, TOMAHAWK, NECKLACE, TEEPEE = range(20, 25)
BOOTY = (BUFFALO, TOTEM_POLE, TOMAHAWK, NECKLACE, TEEPEE)
INDIANS = tuple(range(20))
CARDS = INDIANS + BOOTY

NAMES: tuple[str, ...] = (
    *(hand_card.label for hand_card in HAND_CARDS),
    "buffalo",
    "totem pole",
    "tomahawk",
    "necklace",
    "teepee",
)
"""As the record names them."""
BY_NAME: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}


def role_of(card: Card) -> Role:
    """Give the role of an Indian's card."""
    return HAND_CARDS[card][1]


MALES: tuple[Card, ...] = tuple(card for card in INDIANS if role_of(card) is not Role.MAIDEN)
MAIDENS: tuple[Card, ...] = tuple(card for card in INDIANS if role_of(card) is Role.MAIDEN)
USUAL: dict[Role, Card] = {
    Role.CHIEF: TOTEM_POLE,
    Role.WARRIOR: TOMAHAWK,
    Role.MAIDEN: NECKLACE,
    Role.HUNTER: BUFFALO,
}
"""The usual booty of each role."""

_PER_ROLE = {Role.CHIEF: 2, Role.WARRIOR: 2, Role.MAIDEN: 2, Role.HUNTER: 3}
DECK: Counts = (*(_PER_ROLE[role] for _, role in HAND_CARDS), 33, 9, 9, 9, 9)
"""The 114 prairie cards."""
EMPTY: Counts = (0,) * len(DECK)


def indian(colour: Colour, role: Role) -> Card:
    """Give the prairie card that matches a hand card."""
    return _INDIAN[colour, role]


def button_of(card: Card) -> Button | None:
    """Give the arcade button that names a card, None for booty."""
    return button_of_role(*HAND_CARDS[card], ROLES) if card < len(HAND_CARDS) else None


def with_count(counts: Counts, card: Card, change: int) -> Counts:
    """Give counts in which there are `change` more of `card`."""
    return (*counts[:card], counts[card] + change, *counts[card + 1 :])


_INDIAN: dict[tuple[Colour, Role], Card] = {pair: card for card, pair in enumerate(HAND_CARDS)}

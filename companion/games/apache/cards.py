"""The cards of Apache: what there is and how often (`apache.md`, Cards). Knows no state and no player.

A card is a small integer, so that a table or a deck is a tuple of counts: 0 to 19 are the Indians in the order of the
panel's buttons, 20 to 24 the booty kinds.
"""

from __future__ import annotations

from companion.core.panel import BUTTONS, Button, Colour, Role

Card = int
Counts = tuple[int, ...]
"""How many of each card, by its number."""

BUFFALO, TOTEM_POLE, TOMAHAWK, NECKLACE, TEEPEE = range(20, 25)
BOOTY = (BUFFALO, TOTEM_POLE, TOMAHAWK, NECKLACE, TEEPEE)
INDIANS = tuple(range(20))
CARDS = INDIANS + BOOTY

NAMES: tuple[str, ...] = (
    *(button.label for button in BUTTONS),
    "buffalo",
    "totem pole",
    "tomahawk",
    "necklace",
    "teepee",
)
"""As the record names them."""
BY_NAME: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}

ROLES = tuple(Role)
MALES: tuple[Card, ...] = tuple(card for card in INDIANS if BUTTONS[card].role is not Role.MAIDEN)
MAIDENS: tuple[Card, ...] = tuple(card for card in INDIANS if BUTTONS[card].role is Role.MAIDEN)
USUAL: dict[Role, Card] = {
    Role.CHIEF: TOTEM_POLE,
    Role.WARRIOR: TOMAHAWK,
    Role.MAIDEN: NECKLACE,
    Role.HUNTER: BUFFALO,
}
"""The usual booty of each role."""

_PER_ROLE = {Role.CHIEF: 2, Role.WARRIOR: 2, Role.MAIDEN: 2, Role.HUNTER: 3}
DECK: Counts = (*(_PER_ROLE[button.role] for button in BUTTONS), 33, 9, 9, 9, 9)
"""The 114 prairie cards."""
EMPTY: Counts = (0,) * len(DECK)


def indian(colour: Colour, role: Role) -> Card:
    """Give the prairie card that matches a hand card."""
    return _INDIAN[colour, role]


def button_of(card: Card) -> Button | None:
    """Give the arcade button that names a card, None for booty."""
    return BUTTONS[card] if card < len(BUTTONS) else None


def with_count(counts: Counts, card: Card, change: int) -> Counts:
    """Give counts in which there are `change` more of `card`."""
    return (*counts[:card], counts[card] + change, *counts[card + 1 :])


def plural(card: Card, count: int) -> str:
    """Give "3 necklaces", "1 teepee", "5 buffalo"."""
    return f"{count} {NAMES[card]}{'' if count == 1 or card == BUFFALO else 's'}"


_INDIAN: dict[tuple[Colour, Role], Card] = {(button.colour, button.role): card for card, button in enumerate(BUTTONS)}

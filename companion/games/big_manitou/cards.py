"""The cards and tiles of Big Manitou (`big-manitou.md`, Cards, tiles, grounds). Knows no state and no player.

Both are small integers: of a tribe's cards 0 to 9 are the hunters 1 to 10, 10 to 14 the heroes; of the tiles 0 to 5 are
the tipis 1 to 6, 6 to 11 the buffaloes 1 to 6, then horse, totem, tomahawk.
"""

from __future__ import annotations

from companion.core.panel import Colour

Card = int
Tile = int

HUNTERS: tuple[Card, ...] = tuple(range(10))
CHIEFTAIN, SQUAW, RAIN_MAKER, SCOUT, MEDICINE_MAN = HEROES = tuple(range(10, 15))
CARDS = HUNTERS + HEROES
ROLES: tuple[str, ...] = (
    *(f"hunter {card + 1}" for card in HUNTERS),
    "chieftain",
    "squaw",
    "rain maker",
    "scout",
    "medicine man",
)
"""What a card is called after its colour."""
COPIES: tuple[int, ...] = (1,) * 10 + (2, 2, 1, 1, 1)

BEATS: dict[Card, frozenset[Card]] = {
    CHIEFTAIN: frozenset({MEDICINE_MAN, RAIN_MAKER, SCOUT}),
    SQUAW: frozenset({CHIEFTAIN}),
    MEDICINE_MAN: frozenset({RAIN_MAKER, SQUAW}),
    RAIN_MAKER: frozenset({SCOUT, SQUAW}),
    SCOUT: frozenset({MEDICINE_MAN, SQUAW}),
}
"""Which heroes each hero beats; of two different ones one beats the other."""

HIGHEST_NUMBER = 6
TIPIS: tuple[Tile, ...] = tuple(range(HIGHEST_NUMBER))
BUFFALOES: tuple[Tile, ...] = tuple(range(HIGHEST_NUMBER, 2 * HIGHEST_NUMBER))
NUMBERED = TIPIS + BUFFALOES
HORSE, TOTEM, TOMAHAWK = range(2 * HIGHEST_NUMBER, 2 * HIGHEST_NUMBER + 3)
TILES: tuple[Tile, ...] = (*NUMBERED, HORSE, TOTEM, TOMAHAWK)
TILE_NAMES: tuple[str, ...] = (
    *(f"tipi {number}" for number in range(1, HIGHEST_NUMBER + 1)),
    *(f"buffalo {number}" for number in range(1, HIGHEST_NUMBER + 1)),
    "horse",
    "totem",
    "tomahawk",
)
"""As the record names them."""
TILES_BY_NAME: dict[str, Tile] = {name: tile for tile, name in enumerate(TILE_NAMES)}
MOST_TILES = 60

GROUNDS = ("left", "middle", "right")
"""The hunting grounds, in the order in which they are shared."""

NAMES: dict[Colour, tuple[str, ...]] = {colour: tuple(f"{colour} {role}" for role in ROLES) for colour in Colour}
"""Of each tribe's cards, as the record names them ("red hunter 7")."""
BY_NAME: dict[str, tuple[Colour, Card]] = {
    name: (colour, card) for colour, names in NAMES.items() for card, name in enumerate(names)
}


def strength(card: Card) -> int:
    """Give the number that is printed on a hunter."""
    return card + 1


def number(tile: Tile) -> int:
    """Give the number on a tipi or a buffalo."""
    return tile % HIGHEST_NUMBER + 1


def is_hero(card: Card) -> bool:
    """Tell whether a card is a hero, and no hunter."""
    return card >= CHIEFTAIN

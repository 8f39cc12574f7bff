"""How a game's things look: cards, buttons, symbols. Pure data; knows no display and no game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.panel import POSITIONS, place_says
from companion.core.words.texts import named, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.words.texts import Text

SYMBOL_SIZE = 24
"""The side of the square in which a symbol's strokes are drawn on pages."""
BITMAP_HEIGHT = 7
"""Rows of a symbol on a small display; at most `BITMAP_WIDTH` pixels wide."""
BITMAP_WIDTH = 8


@dataclass(frozen=True, slots=True)
class Stroke:
    """A path of a symbol in a square of 24 × 24, in SVG's path language. width: of the line; 0: a filled area.

    turned: degrees about the middle, clockwise.
    """

    path: str
    width: float = 0.0
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Symbol:
    """One drawing, twice: for small displays and for pages.

    bitmap: seven rows from the top, "#" for a lit pixel, at most eight wide.
    strokes: for pages, drawn one over the other in the colour of the text.
    """

    bitmap: tuple[str, ...]
    strokes: tuple[Stroke, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card or piece that can be named in a record.

    name: as the record has it ("red ace"). label: as people read it, in the game's language; empty: the name.
    plural: of several ("red aces"); empty: the same word.
    copies: how many there are of it, 1 or more.
    colour: the player's colour it belongs to, None where to none. symbol: the name of its drawing, empty for none.
    is_counted: told with its number even where it is one ("1 apple"); False: "red ace".
    """

    name: str
    plural: str = ""
    copies: int = 1
    colour: Colour | None = None
    symbol: str = ""
    is_counted: bool = False
    label: str = ""

    @property
    def says(self) -> str:
        """Its name for people."""
        return self.label or self.name

    def counted(self, count: int) -> str:
        """Say how many of it: "red ace", "2 red aces", "1 stone"."""
        if count == 1 and not self.is_counted:
            return self.says
        return text("{count} {card}").format(count=count, card=self.says if count == 1 else self.plural or self.says)


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """What one of a seat's buttons is called and drawn as now. symbol: the name of a drawing; empty: dots."""

    label: str
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """All that a display needs to draw a game's things: symbols by name, cards by name, faces of the four buttons.

    roles: what the buttons are called for people whatever they do just now, by their names in the record.
    """

    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    cards: Mapping[str, Card] = field(default_factory=dict)
    buttons: tuple[ButtonFace, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)

    def called(self, name: str) -> Card | None:
        """Give the card that a record, or a text for people, calls so; None where there is none."""
        return self.cards.get(name) or next((card for card in self.cards.values() if card.label == name), None)

    def says(self, name: str) -> str:
        """Give a card's name for people; one that the game does not list is told plainly."""
        card = self.cards.get(name)
        return card.says if card else name

    def button_says(self, role: str) -> str:
        """Give a button's name for people, by its name in the record; its place where that is its name."""
        return place_says(role) if role in POSITIONS else self.roles.get(role, role)

    def symbol_of(self, name: str) -> str:
        """Give the name of the drawing for what a card or a button is called, empty where it has none."""
        if card := self.called(name):
            return card.symbol
        found = next((face for face in self.buttons if face.label == name), None)
        return found.symbol if found else (name if name in self.symbols else "")

    def counted(self, count: int, name: str) -> str:
        """Say how many of a card; one that the game does not list is told plainly."""
        card = self.cards.get(name)
        return card.counted(count) if card else text("{count} {card}").format(count=count, card=name)


def card_says(deck: Iterable[Card], name: str) -> str:
    """Give a card's name for people; one that is not in the deck is told plainly."""
    return next((card.says for card in deck if card.name == name), name)


def role_says(game: Buttons, roles: Sequence[str], role: str) -> str:
    """Give what a game calls a button for people, by its name in the record; by its place where it has no word."""
    faces = game.buttons(None, None) if role in roles else ()
    index = roles.index(role) if role in roles else 0
    return faces[index].label if index < len(faces) else place_says(role)


def button_named(game: Buttons, role: str) -> Text:
    """Give a button by its name in the record, which other languages say as the game calls it for people."""
    return named(role, role_says(game, game.roles, role))


PLAIN = Look()
"""No card and no symbol."""


class Buttons(Protocol):
    """What a game says of its buttons."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Their names in records, by place."""

    def buttons(self, state: Any, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """What they are called and drawn as."""


class Drawn(Protocol):
    """What a game says of how its things look."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards that can be named."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The buttons' names in records, by place."""

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        """Drawings by name."""

    def buttons(self, state: Any, seat: Colour | None) -> tuple[ButtonFace, ...]:
        """What the buttons are called and drawn as."""


def look_of(game: Drawn, state: Any) -> Look:
    """Give how a game's things look in a state; `state` None: before a match."""
    usual = game.buttons(None, None)
    roles = {role: face.label for role, face in zip(game.roles, usual, strict=False)}
    return Look(game.symbols, {card.name: card for card in game.deck}, game.buttons(state, None), roles)

"""Where a match of Big Manitou stands: frozen values, and what can be read off them. Knows no line.

Seats are numbers from 0 in the order of the setup, grounds 0 to 2 from the left.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.panel import Colour
from companion.games.big_manitou.cards import (
    CARDS,
    CHIEFTAIN,
    COPIES,
    GROUNDS,
    HUNTERS,
    Card,
    Tile,
    is_hero,
)

if TYPE_CHECKING:
    from companion.core.record.lines import Setup

HUNTS = {2: 4, 3: 3, 4: 4, 5: 5}
"""By the number of players."""
TURNS = 7
"""Of each player in a hunt."""
MOST_FACE_UP = 2
"""Heroes of one player on one ground."""


class Phase(Enum):
    """What is waited for (`big-manitou.md`, Course)."""

    COUNTS = "counts"
    BOOTY = "booty"
    CHOOSING = "choosing"
    TURNS = "turns"
    EIGHTH = "eighth"
    RIDE = "ride"
    THIEF = "thief"
    SHARING = "sharing"
    DONE = "done"
    OVER = "over"


class Terms(msgspec.Struct, frozen=True):
    """What a setup settles. first: the seat that deals the first hunt. quick: cards are drawn, not chosen."""

    colours: tuple[Colour, ...]
    first: int
    quick: bool

    @classmethod
    def of(cls, setup: Setup) -> Terms:
        """Read a setup that has been verified."""
        colours = tuple(seat.colour for seat in setup.seats)
        return cls(colours, colours.index(setup.first), bool((setup.parameters or {}).get("quick", False)))

    @property
    def hunts(self) -> int:
        """How many hunts are played."""
        return HUNTS[len(self.colours)]


class Played(NamedTuple):
    """A card that lies at a ground: whose, which, and whether it is face up."""

    seat: int
    card: Card
    is_up: bool = True


class Ground(NamedTuple):
    """Tiles in the order in which they were laid, cards in the order in which they were played."""

    tiles: tuple[Tile, ...] = ()
    cards: tuple[Played, ...] = ()

    def heroes_up(self) -> list[Played]:
        """Give the heroes that lie face up, the upper one last: all of one seat, two at most."""
        return [played for played in self.cards if played[1] >= CHIEFTAIN and played[2]]

    def hunters_of(self, seat: int) -> list[Card]:
        """Give the hunters that a seat has here."""
        return [card for whose, card, _ in self.cards if whose == seat and card < CHIEFTAIN]


class Fate(NamedTuple):
    """What became of a tile: who has taken it, from which ground in which hunt. seat: None where nobody did.

    by: "hero", "most", "second", "gone", or "stolen" where the seat gave it to the thief.
    """

    hunt: int
    ground: int | None
    seat: int | None
    by: str
    tile: Tile


class Correction(NamedTuple):
    """What is added by hand to what a seat's tiles say."""

    tipis: int = 0
    buffaloes: int = 0
    horses: int = 0
    totems: int = 0
    tomahawks: int = 0


class Holdings(msgspec.Struct, frozen=True):
    """Who has what. held: each seat's tiles, in the order it took them. totem, horse: who holds the cylinder.

    gone: how many tiles are out of the game. fates: of all tiles that left a ground or a seat, in that order.
    """

    held: tuple[tuple[Tile, ...], ...]
    corrections: tuple[Correction, ...]
    totem: int | None = None
    horse: int | None = None
    gone: int = 0
    fates: tuple[Fate, ...] = ()


class Due(NamedTuple):
    """A seat may take so many tiles from the ground that is shared."""

    seat: int
    by: str
    number: int


class Settling(NamedTuple):
    """What is left to be settled of a hunt.

    payers: who has still to pay the thief. ground: which is shared. due: who takes from it, the first one now.
    is_ranked: whether its totals have been worked out.
    """

    payers: tuple[int, ...] = ()
    ground: int = 0
    due: tuple[Due, ...] = ()
    is_ranked: bool = False


NO_GROUNDS = (Ground(),) * len(GROUNDS)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands.

    hunt: from 1. counts: how many tiles lie on each ground; () until that is known. spent: the cards of each seat that
    were played in the hunt before and are not there in this one. ready: who has its cards. turn: how many turns of the
    hunt are over. holder: who decides in the phases EIGHTH and RIDE.
    """

    terms: Terms
    phase: Phase = Phase.COUNTS
    hunt: int = 1
    counts: tuple[int, ...] = ()
    grounds: tuple[Ground, ...] = NO_GROUNDS
    spent: tuple[tuple[Card, ...], ...]
    ready: tuple[int, ...] = ()
    turn: int = 0
    holder: int | None = None
    holdings: Holdings
    settling: Settling = Settling()

    @classmethod
    def at_start(cls, terms: Terms) -> State:
        """Give the state before anything lies on the table."""
        nothing: tuple[tuple[int, ...], ...] = ((),) * len(terms.colours)
        return cls(terms=terms, spent=nothing, holdings=Holdings(nothing, (Correction(),) * len(terms.colours)))

    @property
    def seats(self) -> range:
        """The numbers of the seats."""
        return range(len(self.terms.colours))

    @property
    def dealer(self) -> int:
        """Who deals this hunt."""
        return (self.terms.first + self.hunt - 1) % len(self.terms.colours)

    @property
    def begins(self) -> int:
        """Who plays the first card of this hunt."""
        return (self.dealer + 1) % len(self.terms.colours)

    @property
    def seats_from_left(self) -> tuple[int, ...]:
        """All seats, clockwise, the one after the dealer first."""
        return tuple((self.begins + step) % len(self.terms.colours) for step in self.seats)

    def colour(self, seat: int) -> Colour:
        """Give the colour of a seat."""
        return self.terms.colours[seat]


def deciding(state: State) -> int | None:
    """Give the one seat that decides now; None where all do, or nobody."""
    match state.phase:
        case Phase.COUNTS | Phase.BOOTY:
            return state.dealer
        case Phase.TURNS:
            return (state.begins + state.turn) % len(state.terms.colours)
        case Phase.EIGHTH | Phase.RIDE:
            return state.holder
        case Phase.THIEF:
            return state.settling.payers[0]
        case Phase.SHARING:
            return state.settling.due[0].seat
    return None


def laid(state: State) -> int:
    """Give how many tiles have been drawn from the bag in this match."""
    on_grounds = sum(len(ground.tiles) for ground in state.grounds)
    return on_grounds + sum(map(len, state.holdings.held)) + state.holdings.gone


def ground_laid(state: State) -> int | None:
    """Give the ground on which the next tile is laid, None where all are."""
    pairs = zip(state.grounds, state.counts, strict=True) if state.counts else ()
    return next((index for index, (ground, count) in enumerate(pairs) if len(ground.tiles) < count), None)


def cards_to_take(state: State, seat: int) -> int:
    """Give with how many cards a seat goes hunting."""
    if seat == state.dealer:
        return TURNS
    return TURNS + 2 if seat == state.begins and len(state.seats) > 2 else TURNS + 1


def is_there(state: State, seat: int, card: Card) -> bool:
    """Tell whether a seat may still have a card: not played in this hunt, nor in the one before where that counts."""
    return COPIES[card] > copies_played(state, seat, card)


def copies_played(state: State, seat: int, card: Card) -> int:
    """Give how many of a card a seat can play no more in this hunt."""
    played = state.spent[seat].count(card)
    for ground in state.grounds:
        for whose, which, _ in ground.cards:
            played += which == card and whose == seat
    return played


def cards_left(state: State, seat: int) -> list[Card]:
    """Give the cards that a seat may still have, each kind once."""
    gone = [*state.spent[seat], *(card for ground in state.grounds for whose, card, _ in ground.cards if whose == seat)]
    return [card for card in CARDS if COPIES[card] > gone.count(card)]


def takes_hero(ground: Ground, seat: int) -> bool:
    """Tell whether a seat may lay a hero there: fewer than two of its own are face up."""
    up = ground.heroes_up()
    return len(up) < MOST_FACE_UP or up[0].seat != seat


def grounds_for(state: State, seat: int, card: Card) -> list[int]:
    """Give the grounds at which a seat may play a card."""
    everywhere = range(len(GROUNDS))
    if not is_hero(card):
        return list(everywhere)
    return [index for index in everywhere if takes_hero(state.grounds[index], seat)]


def is_full_everywhere(state: State, seat: int) -> bool:
    """Tell whether a seat could play no hero at any ground."""
    return not any(takes_hero(ground, seat) for ground in state.grounds)


def rides(state: State, seat: int) -> dict[int, list[Card]]:
    """Give the hunters of a seat by the ground at which they lie, grounds without any left out."""
    found = {index: ground.hunters_of(seat) for index, ground in enumerate(state.grounds)}
    return {index: sorted(hunters) for index, hunters in found.items() if hunters}


def played_in_hunt(state: State) -> tuple[tuple[Card, ...], ...]:
    """Give what each seat has played in this hunt."""
    cards = [played for ground in state.grounds for played in ground.cards]
    return tuple(tuple(played.card for played in cards if played.seat == seat) for seat in state.seats)


def thief_totals(state: State) -> list[int]:
    """Give the sum of each seat's hunters on all grounds, as printed."""
    totals = [0] * len(state.seats)
    for ground in state.grounds:
        for seat, card, _ in ground.cards:
            if card in HUNTERS:
                totals[seat] += card + 1
    return totals

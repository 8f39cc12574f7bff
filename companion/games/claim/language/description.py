"""A game as its file describes it, read and checked: what everything else goes by (`claim.md`). Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.ruling.looks import Card as LookCard
    from companion.core.ruling.looks import Symbol
    from companion.games.claim.language.counting import Filter
    from companion.games.claim.language.sight import Known, Sight

ALL = 10_000
"""More cards than there are: the number "all"."""
SEVERAL = frozenset({"others", "all", "wrong"})
"""Words for what may be several seats."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place: its name, and whose it is; empty for everybody's."""

    name: str
    whose: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of cards (`claim.md`, Moves). number: at most so many. cards, where: None for all."""

    source: Place
    target: Place
    cards: Filter | None = None
    number: int = ALL
    least: int = 0
    picks: bool = False
    from_bottom: bool = False
    on_bottom: bool = False
    where: Callable[[Sight], bool] | None = None


@dataclass(frozen=True, slots=True)
class Need:
    """What must hold for a hand to be right, and why it is not where it does not; also in few characters."""

    holds: Callable[[Sight], bool]
    why: str
    short: str


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand. takes: what it may take."""

    name: str
    label: str
    symbol: str
    needs: tuple[Need, ...]
    why: str
    short: str
    takes: tuple[Take, ...] = ()


@dataclass(frozen=True, slots=True)
class Take:
    """What a right press may take. hands: by name. when, rival: None for always, for nobody."""

    name: str
    label: str
    hands: tuple[str, ...]
    when: Callable[[Sight], bool] | None
    rival: Callable[[Sight], bool] | None
    moves: tuple[Move, ...]
    points: int

    @property
    def picks(self) -> bool:
        """Tell whether a card is picked."""
        return any(move.picks for move in self.moves)


@dataclass(frozen=True, slots=True)
class Cost:
    """What it costs to be wrong, or last. who: of the last: "last", "missing" or "slowest"."""

    moves: tuple[Move, ...] = ()
    points: int = 0
    who: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """When it is over, and who is ahead. deal: cards for each seat, ALL, or 0 where there is one deck for all."""

    deal: int = 0
    refill: bool = False
    after: str = "last"
    reveals: int = ALL
    empty: str = ""
    who: str = "one"
    points: int = 0
    counts: str = "won"
    fewest: bool = False


class Called(NamedTuple):
    """What `[game]` says: how the game and a race are called, for how many it is, its rules in a few words."""

    title: str
    race: str
    players: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Description:
    """All that a file says. copies: of each card, by its number. deck: the cards for displays.

    symbols: the drawings that cards and hands name. has_points: whether any points are given or counted.
    """

    called: Called
    known: Known
    copies: tuple[int, ...]
    deck: tuple[LookCard, ...]
    hands: tuple[Hand, ...]
    takes: tuple[Take, ...]
    wrong: Cost
    last: Cost | None
    ends: Ends
    symbols: Mapping[str, Symbol]
    has_points: bool

    @property
    def has_cards(self) -> bool:
        """Tell whether there are any."""
        return bool(self.copies)

    def hand(self, name: str) -> Hand:
        """Give the hand of this name."""
        return next(hand for hand in self.hands if hand.name == name)

    def card(self, name: str) -> int | None:
        """Give the number of the card of this name, None where there is none."""
        return self.known.names.index(name) if name in self.known.names else None

    def take(self, name: str) -> Take | None:
        """Give what may be taken by this name, None where there is no such thing."""
        return next((take for take in self.takes if take.name == name), None)

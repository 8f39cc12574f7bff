"""What a match of Driftwood consists of: cards, lines of its own, rulings of its own, the state."""

from enum import Enum

import msgspec

from companion.core.panel import Colour
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import Line, PressLine, Seat
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Outcome, Settled

COPIES = {"plank": 12, "bottle": 8, "pearl": 4}
POINTS = {"plank": 1, "bottle": 2, "pearl": 4}
COVES = ("north", "south")


class Cove(Line, frozen=True, tag="cove"):
    """Somebody picks a cove to live in."""

    colour: Colour
    cove: str


class Bury(Line, frozen=True, tag="bury"):
    """The taker buries so many of the cards that were just taken."""

    colour: Colour
    cards: int


class Storm(Line, frozen=True, tag="storm"):
    """Somebody calls the one storm they have."""

    colour: Colour
    cove: str


class Took(Settled, frozen=True, tag="settled"):
    """What somebody got in a scramble; result "claimed" or "nothing"."""

    cards: tuple[str, ...] = ()

    def moved(self) -> tuple[str, ...]:
        """Give what was taken."""
        return self.cards


class Points(Outcome, frozen=True, tag="outcome"):
    """The outcome: points by seat."""

    points: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most."""
        return self.leaders


class Phase(Enum):
    """Where a match stands."""

    COVES = "coves"
    BEACH = "beach"
    BURY = "burying"
    OVER = "over"


class Player(msgspec.Struct, frozen=True):
    """A seat. loose, buried: names of cards."""

    seat: Seat
    cove: str = ""
    loose: tuple[str, ...] = ()
    buried: tuple[str, ...] = ()
    has_storm: bool = True

    @property
    def points(self) -> int:
        """Loose cards count twice."""
        return sum(2 * POINTS[card] for card in self.loose) + sum(POINTS[card] for card in self.buried)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match. beach: what lies there. shown: all that was turned up. taken: by the taker, in the phase BURY."""

    players: tuple[Player, ...]
    first: Colour
    ties: Ties
    phase: Phase = Phase.COVES
    beach: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    race: RacePhase = RacePhase.WAITING
    number: int = 1
    presses: tuple[PressLine, ...] = ()
    closed_ns: int | None = None
    taker: Colour | None = None
    taken: tuple[str, ...] = ()

    def player(self, colour: Colour) -> Player | None:
        """Give who plays a colour, None where nobody does."""
        return next((player for player in self.players if player.seat.colour is colour), None)

    def left(self, card: str) -> int:
        """Give how many of a card are still face down."""
        return COPIES[card] - self.shown.count(card)

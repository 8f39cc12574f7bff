"""The frozen state of a match of Apache. Knows no rule beyond what follows from its own fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.core.panel import Colour
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import Anticipation, PressLine, Seat
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Place
from companion.games.apache.cards import DECK, EMPTY, Card, Counts, Role, indian

if TYPE_CHECKING:
    from companion.core.record.lines import Setup


class Terms(msgspec.Struct, frozen=True):
    """What the setup fixed. `colours` are those of the seats, clockwise.

    allies: per role, the unowned Indians that join a claim, in colour order; empty without "shared booty".
    """

    seats: tuple[Seat, ...]
    colours: tuple[Colour, ...]
    first: int
    ties: Ties
    anticipation: Anticipation | None
    warpath: bool
    wedding: bool
    allies: tuple[tuple[Role, tuple[Card, ...]], ...]

    @classmethod
    def of(cls, setup: Setup) -> Terms:
        """Take over a setup that has been verified."""
        colours = tuple(seat.colour for seat in setup.seats)
        variants = setup.variants or ()
        unowned = [colour for colour in Colour if colour not in colours] if "shared-booty" in variants else []
        return cls(
            seats=setup.seats,
            colours=colours,
            first=colours.index(setup.first),
            ties=setup.ties,
            anticipation=setup.anticipation,
            warpath="warpath" in variants,
            wedding="wedding" in variants,
            allies=tuple((role, tuple(indian(colour, role) for colour in unowned)) for role in Role),
        )

    def allies_of(self, role: Role) -> tuple[Card, ...]:
        """Give the Indians that join a claim of this role when they are face up."""
        return dict(self.allies)[role]

    def next_seat(self, seat: int) -> int:
        """Give the seat clockwise of `seat`."""
        return (seat + 1) % len(self.colours)


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Where a match stands.

    hidden, table: the cards not yet revealed and those face up. piles: victory piles by seat, bottom first. removed:
    out of the game by punishment, in that order. turn: the seat that reveals next; revealer: the seat that made the
    latest reveal. race: number of the Pow-Wow that runs or comes next. card: the newest revealed, None where the
    Pow-Wow that comes next has none yet. card_t_ns: its time; turned: when it was turned, not entered. joined: it was
    entered after the first press. closed_ns: until when the presses of a closed Pow-Wow were made. order, settled: the
    final order and how many of its places are settled.
    """

    match: Terms
    turn: int
    revealer: int
    phase: RacePhase = RacePhase.WAITING
    hidden: Counts = DECK
    table: Counts = EMPTY
    piles: tuple[tuple[Card, ...], ...]
    removed: tuple[Card, ...] = ()
    race: int = 1
    card: Card | None = None
    card_t_ns: int | None = None
    turned: bool = False
    joined: bool = False
    closed_ns: int | None = None
    presses: tuple[PressLine, ...] = ()
    order: tuple[Place, ...] = ()
    settled: int = 0

    @classmethod
    def at_start(cls, match: Terms) -> State:
        """Give the state before the first reveal."""
        return cls(match=match, turn=match.first, revealer=match.first, piles=((),) * len(match.colours))

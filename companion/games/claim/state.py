"""The frozen state of a match of Claim, and how it looks to a presser. Knows no rule beyond its own fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import Anticipation, PressLine, Seat
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Place
from companion.core.words.texts import text
from companion.games.claim.language.description import ALL
from companion.games.claim.language.reading import read_file
from companion.games.claim.language.sight import Card, Cards, Counted, Sight
from companion.games.claim.lines import CATALOGUE

if TYPE_CHECKING:
    from companion.core.record.lines import Setup
    from companion.games.claim.language.description import Description

NAME, FILE = "claim", "game"
"""The game's name in records, and the key of its parameter."""


class Terms(msgspec.Struct, frozen=True):
    """What the setup fixed. text: of the file. colours: of the seats, clockwise. first: the seat that begins."""

    text: str
    seats: tuple[Seat, ...]
    colours: tuple[Colour, ...]
    first: int
    ties: Ties
    anticipation: Anticipation | None

    @property
    def game(self) -> Description:
        """The game that the file describes; it was read without a fault before."""
        return game_of(self.text)

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """Give all seats from this one on."""
        count = len(self.colours)
        return tuple((seat + step) % count for step in range(count))


class Heat(msgspec.Struct, frozen=True):
    """The race that runs or comes next. card: the newest revealed for it; card_t_ns, turned, joined: as in `Race`.

    order, settled: the final order and how many of its places are settled. taken: how many of them have claimed;
    first_claim: the first seat that did.
    """

    number: int = 1
    card: Card | None = None
    card_t_ns: int | None = None
    turned: bool = False
    joined: bool = False
    closed_ns: int | None = None
    presses: tuple[PressLine, ...] = ()
    order: tuple[Place, ...] = ()
    settled: int = 0
    taken: int = 0
    first_claim: int | None = None


class State(msgspec.Struct, frozen=True):
    """Where a match stands. points: by seat. turn: where the turn is; revealer: who turned the newest card.

    reveals: how many cards have been revealed; newest: the last of them. done: it is over once `end` is written.
    """

    terms: Terms
    cards: Cards
    points: tuple[int, ...]
    turn: int
    revealer: int
    phase: RacePhase
    reveals: int = 0
    newest: Card | None = None
    heat: Heat = Heat()
    done: bool = False

    def sight(self, cards: Cards | None = None) -> Sight:
        """Give the state as patterns see it; `cards`: lying otherwise."""
        known, colours = self.terms.game.known, self.terms.colours
        return Sight(known, cards or self.cards, colours, Counted(self.points, self.newest, self.reveals))


def game_of(text: str) -> Description:
    """Give the game that a file describes. Raises Malformed with its first fault."""
    read = read_file(text)
    if read.game is None:
        fault = read.faults[0]
        where = "" if fault.line is None else f"line {fault.line}: "
        raise Malformed(f"field `files`: {FILE}: {where}{fault.says}")
    return read.game


def text_of(setup: Setup) -> str:
    """Give the text of the file that a setup has. Raises Malformed where it has none."""
    file = (setup.files or {}).get(FILE)
    if file is None:
        raise Malformed(f"field `files`: `{FILE}` is missing, the file that describes what is played")
    return file.text


def begun(setup: Setup) -> State:
    """Give the state before the first card, or press. Raises Malformed or Illegal."""
    content = text_of(setup)
    game = game_of(content)
    colours = tuple(seat.colour for seat in setup.seats)
    fewest, most = game.called.players
    if not fewest <= len(colours) <= most:
        says = text("{game} is for {fewest} to {most} players, not {count}", CATALOGUE)
        raise Illegal(says.format(game=game.called.title, fewest=fewest, most=most, count=len(colours)))
    terms = Terms(content, setup.seats, colours, colours.index(setup.first), setup.ties, setup.anticipation)
    phase = RacePhase.WAITING if game.has_cards else RacePhase.OPEN
    return State(terms, _dealt(terms), (0,) * len(colours), terms.first, terms.first, phase)


def _dealt(terms: Terms) -> Cards:
    """Give where all cards are at the start: in stocks, or in the common deck."""
    game, nobody = terms.game, ((),) * len(terms.colours)
    total, each = sum(game.copies), game.ends.deal
    stocks = [0] * len(terms.colours)
    for place, seat in enumerate(terms.clockwise(terms.first)):
        share = (total - place + len(stocks) - 1) // len(stocks) if each == ALL else each
        stocks[seat] = share
    deck = 0 if each else total
    buried = total - deck - sum(stocks)
    return Cards((), nobody, nobody, tuple(stocks), (), (), deck, buried, game.copies)

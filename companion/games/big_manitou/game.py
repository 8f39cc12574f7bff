"""Big Manitou as the contract of a game wants it. Knows no device; what it rules is in the modules beside."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS
from companion.core.ruling.looks import Card
from companion.core.ruling.parameters import Parameter, Seats
from companion.core.ruling.plain_game import PlainGame
from companion.games.big_manitou import offers, play, scoring
from companion.games.big_manitou.cards import COPIES, NAMES, ROLES, TILE_NAMES, TILES, is_hero
from companion.games.big_manitou.lines import LINES, ManitouOutcome
from companion.games.big_manitou.showing import Showing
from companion.games.big_manitou.state import Phase, State, Terms
from companion.games.big_manitou.symbols import SYMBOLS
from companion.games.big_manitou.wording import Telling, Wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.game import Adjustable, LineField
    from companion.core.ruling.looks import ButtonFace
    from companion.core.ruling.offers import Offer, Step
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import Ledger, View


class BigManitou(PlainGame[State]):
    """The game object that the entry point gives."""

    name = "big-manitou"
    lines: tuple[type[Line], ...] = LINES
    roles: tuple[str, ...] = POSITIONS
    symbols = SYMBOLS
    words = "companion.games.big_manitou"
    demo = "companion.games.big_manitou:demo.script"
    rules = "companion.games.big_manitou:rules.md"

    @property
    def seats(self) -> Seats:
        """Two to five; the first one of the setup deals, and the next one begins."""
        return Seats(2, 5, first=self.text("first dealer"))

    @property
    def title(self) -> str:
        """In the game's language, like all that people read."""
        return self.text("Big Manitou")

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Whether cards are drawn for a hunt, and not chosen."""
        return (Parameter("quick", self.text("Quick hunts")),)

    @property
    def deck(self) -> tuple[Card, ...]:
        """Every tribe's cards, and a code for each name of a tile."""
        return _deck(self)

    def start(self, setup: Setup) -> State:
        """Give the state before anything lies on the table."""
        return State.at_start(Terms.of(setup))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
        return play.apply(state, line)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give every decision that may or must be made now."""
        return offers.offers(state, Wording(self.translation))

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        """Give the next field of a stepped offer."""
        return offers.step(state, offer, chosen, Wording(self.translation))

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give what the referee may set by hand: what each seat has, and who holds the cylinders."""
        labels = {
            **Wording(self.translation).sorts(),
            "totem": self.text("totem: seat no."),
            "horse": self.text("horse: seat no."),
        }
        return scoring.adjustable(state, labels)

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:  # noqa: ARG002
        """Give what a seat's buttons are called and drawn as now."""
        return Showing(self.translation).faces(state)

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is Phase.OVER

    def can_end(self, state: State) -> bool:
        """Tell that a match may be stopped at any time."""
        return state.phase is not Phase.OVER

    def is_exhausted(self, state: State) -> bool:
        """Tell whether the last hunt is over."""
        return state.phase is Phase.DONE

    def outcome(self, state: State) -> ManitouOutcome:
        """Give the `outcome` object."""
        return scoring.outcome(state)

    def describe(self, line: Line, viewer: Colour | None = None) -> str:  # noqa: ARG002 - nothing is hidden
        """Say what a line is."""
        return Telling(self.translation).describe(line)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what in a line may be replaced."""
        return Telling(self.translation).fields(line)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the account's sentences for a ruling."""
        return Telling(self.translation).sentences(ruling)

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give what displays show."""
        return Showing(self.translation).view(state)

    def ledgers(self, state: State) -> tuple[Ledger, ...]:
        """Give points and tiles as tables."""
        return Showing(self.translation).ledgers(state)


def _drawn(tile: int) -> str:
    return TILE_NAMES[tile].partition(" ")[0]


@cache
def _deck(game: BigManitou) -> tuple[Card, ...]:
    """Return the cards. Every scene asks for them, so they are kept for each language."""
    words = Wording(game.translation)
    cards = tuple(
        Card(
            name,
            copies=COPIES[card],
            colour=colour,
            symbol=ROLES[card] if is_hero(card) else "hunter",
            label=words.full(name),
        )
        for colour, names in NAMES.items()
        for card, name in enumerate(names)
    )
    return (*cards, *(Card(TILE_NAMES[tile], symbol=_drawn(tile), label=words.tile(tile)) for tile in TILES))

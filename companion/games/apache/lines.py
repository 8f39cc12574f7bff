"""Apache's own lines and rulings: what a claimant chooses, and what becomes of each player (`docs/games/apache.md`)."""

from __future__ import annotations

import msgspec

from companion.core.panel import Colour
from companion.core.record.lines import Line
from companion.core.ruling.rulings import Outcome, Settled
from companion.core.words.texts import joined, text

CATALOGUE = "companion.games.apache"


class Claim(Line, frozen=True, tag="claim"):
    """The choice of the claimant whose turn it is. prisoner, spouse: the card that names it where one must."""

    colour: Colour
    take: str
    prisoner: str | None = None
    spouse: str | None = None


class HandSettled(Settled, frozen=True, tag="settled"):
    """What a player takes (`take`: "booty", "teepees" or "wedding"), or gives up. tribute: buffalo by giver."""

    take: str | msgspec.UnsetType = msgspec.UNSET
    cards: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    tribute: dict[str, int] | msgspec.UnsetType = msgspec.UNSET

    def moved(self) -> tuple[str, ...]:
        """Give the cards in the order they go onto the pile, or come off it."""
        return () if self.cards is msgspec.UNSET else self.cards

    def note(self) -> str:
        """Say who gave buffalo ("tribute: 2 from GRN, 1 from BLU")."""
        given = self.tribute if isinstance(self.tribute, dict) else {}
        if not given:
            return ""
        says = text("{count} from {seat}", CATALOGUE)
        from_whom = joined(says.format(count=count, seat=Colour(colour).short) for colour, count in given.items())
        return text("tribute: {given}", CATALOGUE).format(given=from_whom)


class ApacheOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object. `removed`, `table` and `unrevealed` are numbers of cards."""

    piles: dict[str, int]
    buffalo: dict[str, int]
    removed: int
    table: int
    unrevealed: int
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most cards."""
        return self.leaders

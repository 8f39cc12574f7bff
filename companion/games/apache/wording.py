"""Apache's own words: what a line says, the sentences of the readable account, reasons. Pure; knows no state."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import PressLine, Reveal
from companion.core.ruling.game import FieldValue, LineField
from companion.core.words.texts import joined
from companion.games.apache.card_words import CardWords
from companion.games.apache.cards import BY_NAME, DECK, NAMES, ROLES
from companion.games.apache.lines import ApacheOutcome, Claim, HandSettled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling

TAKES = ("booty", "teepees", "wedding")
NO_INDIAN, NO_BOOTY, ANTICIPATED = "no matching Indian", "nothing to claim", "anticipated"
"""Why a press is punished, as rulings name it."""


class Wording(CardWords):
    """What lines and rulings are in words."""

    @property
    def clauses(self) -> Mapping[str, str]:
        """Which heading of `rules.md` a verdict goes by."""
        return {
            "claim": self.text("What a hand card may claim"),
            NO_INDIAN: self.text("Punishment"),
            NO_BOOTY: self.text("Punishment"),
            ANTICIPATED: self.text("Too soon"),
        }

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is: a claim by what it takes, others as in every game."""
        if not isinstance(line, Claim):
            return self._standard(line, viewer)
        what = self.takes_says(line.take)
        if line.prisoner:
            says = self.text("{colour} chooses {what}, prisoner {card}")
            return says.format(colour=line.colour, what=what, card=self.card_says(line.prisoner))
        if line.spouse:
            says = self.text("{colour} chooses {what}, spouse {card}")
            return says.format(colour=line.colour, what=what, card=self.card_says(line.spouse))
        return self.text("{colour} chooses {what}").format(colour=line.colour, what=what)

    def _standard(self, line: Line, viewer: Colour | None) -> str:
        if isinstance(line, PressLine) and line.role in ROLES:
            line = replace(line, role=self.role_says(line.role))
        return super().describe(line, viewer)

    def takes_says(self, take: str) -> str:
        """Say what is taken."""
        if take == "booty":
            return self.text("the usual booty")
        return self.text("the teepees") if take == "teepees" else self.text("a wedding")

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what in a line may have been meant otherwise: the card of a reveal, the hand card of a press."""
        if isinstance(line, Reveal):
            cards = tuple(FieldValue(name, self.card_says(name)) for name in NAMES if DECK[BY_NAME[name]])
            return (LineField("card", self.text("card"), cards),)
        if isinstance(line, PressLine):
            roles = tuple(FieldValue(role, self.role_says(role)) for role in ROLES)
            return (LineField("role", self.text("hand card"), roles),)
        return ()

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:
        """Say why a hand card was punished: in a sentence's end, and where room is short."""
        if why == NO_INDIAN:
            card = self.card_says(f"{press.colour} {press.role}")
            return self.text("no {card} is face up").format(card=card), self.text("no Indian")
        if why == ANTICIPATED:
            return self.text("it was made before the card could be seen"), self.text("too soon")
        if why != NO_BOOTY:
            return why, why
        says = self.text("nothing lies there that a {role} could claim").format(role=self.role_says(press.role))
        return says, self.text("no booty")

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give what the general account cannot say: what was claimed, and the cards at the end."""
        match ruling:
            case HandSettled(result="claimed"):
                return self._claimed(ruling)
            case ApacheOutcome():
                return self._outcome(ruling)
        return None

    def _claimed(self, ruling: HandSettled) -> tuple[str, ...]:
        """Say what a claimant takes from the table, card by card, and which buffalo the others give."""
        cards = ruling.moved()
        says = self.texts(
            "{colour} ({role}) claims {what}: {cards} ({count} card).",
            "{colour} ({role}) claims {what}: {cards} ({count} cards).",
            len(cards),
            colour=ruling.colour,
            role=self.role_says(ruling.role),
            what=self.takes_says(str(ruling.take)),
            cards=joined(self.counted(name, len(list(same))) for name, same in groupby(cards)),
        )
        if not ruling.tribute:
            return (says,)
        gives = self.text("{colour} gives {count}")
        given = joined(gives.format(colour=Colour(colour), count=count) for colour, count in ruling.tribute.items())
        raid = self.text("{colour} is on the warpath for buffalo: {given}.").format(colour=ruling.colour, given=given)
        return (says, raid)

    def _outcome(self, ruling: ApacheOutcome) -> tuple[str, ...]:
        """Say what every pile counts and where the other cards are."""
        piles = joined(
            self.texts(
                "{colour} {count} card ({buffalo} buffalo)",
                "{colour} {count} cards ({buffalo} buffalo)",
                count,
                colour=Colour(colour),
                buffalo=ruling.buffalo[colour],
            )
            for colour, count in ruling.piles.items()
        )
        rest = self.text("Other cards: {table} on the table, {hidden} not revealed, {removed} out of the game.")
        return (
            self.text("Score: {piles}.").format(piles=piles),
            rest.format(table=ruling.table, hidden=ruling.unrevealed, removed=ruling.removed),
        )

"""Claim's own words: what a line says, the account's sentences (`sentences`), why a press was wrong. Pure."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from companion.core.panel import Colour, each_with
from companion.core.record.lines import PressLine, Reveal
from companion.core.ruling.game import FieldValue, LineField
from companion.core.words.texts import joined
from companion.games.claim.lines import ClaimLine, ClaimOutcome, Lost, PressSettled
from companion.games.claim.moving import OUT
from companion.games.claim.settling import ANTICIPATED, MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling
    from companion.games.claim.language.description import Description
    from companion.games.claim.lines import Moved


class Words:
    """The words for one file's game in one language. text, texts: translate, as `PlainGame` does."""

    def __init__(self, game: Description, text: Callable[[str], str], texts: Callable[[str, str, int], str]) -> None:
        self.game, self.text, self.texts = game, text, texts

    def claim(self, line: ClaimLine) -> str:
        """Say what is chosen."""
        take = self.game.take(line.take)
        what = joined(filter(None, (take.name if take else line.take, line.picked, line.rival)))
        return self.text("{colour} chooses {what}").format(colour=line.colour, what=what)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what may have been meant otherwise: the card of a reveal, the hand of a press."""
        if isinstance(line, Reveal):
            names = tuple(FieldValue(name, name) for name in self.game.known.names)
            return (LineField("card", self.text("card"), names),)
        if isinstance(line, PressLine):
            hands = tuple(FieldValue(hand.name, hand.label) for hand in self.game.hands)
            return (LineField("role", self.text("button"), hands),)
        return ()

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:
        """Say why a press was punished: in a sentence's end, and in at most 12 characters."""
        if why == ANTICIPATED:
            return self.text("it was made before the card could be seen"), self.text("too soon")
        for hand in self.game.hands:
            if hand.name == press.role:
                short = next((need.short for need in hand.needs if need.why == why), hand.short)
                return why, short
        return why, self.text("not right")

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give what the general account cannot say."""
        match ruling:
            case PressSettled(result="claimed" | "punished"):
                return (self._settled(ruling),)
            case Lost():
                return (self._lost(ruling),)
            case ClaimOutcome():
                return self._outcome(ruling)
        return None

    def _settled(self, ruling: PressSettled) -> str:
        what = self._what(() if ruling.moves is msgspec.UNSET else ruling.moves, ruling.points or 0)
        fields = {"colour": ruling.colour, "role": ruling.role, "what": what}
        if ruling.result == "punished":
            says = (
                self.text("{colour} ({role}) is wrong: {what}.") if what else self.text("{colour} ({role}) is wrong.")
            )
            return says.format(**fields)
        parts = [ruling.take, *(one for one in (ruling.picked, ruling.rival) if one is not msgspec.UNSET)]
        with_what, alone = (
            self.text("{colour} ({role}) takes {take}: {what}."),
            self.text("{colour} ({role}) takes {take}."),
        )
        return (with_what if what else alone).format(take=joined(map(str, parts)), **fields)

    def _lost(self, ruling: Lost) -> str:
        what = self._what(ruling.moves, ruling.points) or self.text("it costs nothing")
        if ruling.why == MISSING:
            return self.text("{colour} has not pressed: {what}.").format(colour=ruling.colour, what=what)
        return self.text("{colour} is the last: {what}.").format(colour=ruling.colour, what=what)

    def _what(self, moves: Iterable[Moved], points: int) -> str:
        parts = [self._move(move) for move in moves]
        if points:
            parts.append(self.points(points))
        return joined(parts, "; ")

    def counted(self) -> str:
        """Say what is counted."""
        return self.text("points") if self.game.ends.counts == "points" else self.text("cards")

    def left(self, count: int) -> str:
        """Say how many cards a seat still has to turn."""
        return self.text("{count} left").format(count=count)

    def points(self, points: int) -> str:
        """Say points that are added: "+1 point"."""
        said = self.texts("{count} point", "{count} points", abs(points))
        return joined(("+" if points > 0 else "-", said), "")

    def _move(self, move: Moved) -> str:
        looks = {look.name: look for look in self.game.deck}
        said = [looks[name].counted(len(list(same))) for name, same in groupby(move.cards)]
        cards = joined(said) or self.texts("{count} card", "{count} cards", move.count)
        source = self.place(move.source)
        if move.target == OUT:
            return self.text("{cards} from {source} out of the game").format(cards=cards, source=source)
        says = self.text("{cards} from {source} to {target}")
        return says.format(cards=cards, source=source, target=self.place(move.target))

    def place(self, name: str) -> str:
        """Say a place: "red's stock"."""
        what, _, colour = name.partition(" ")
        said = {
            "table": self.text("the table"),
            "pot": self.text("the pot"),
            "won": self.text("the won cards of {colour}"),
            "stock": self.text("the stock of {colour}"),
            "pile": self.text("the pile of {colour}"),
        }
        return said[what].format(colour=Colour(colour) if colour else "")

    def _outcome(self, ruling: ClaimOutcome) -> tuple[str, ...]:
        score = each_with(ruling.counts)
        sentences = [self.text("Score ({what}): {score}.").format(what=self.counted(), score=score)]
        if self.game.has_cards:
            rest = self.text("{table} on the table, {pot} in the pot, {unseen} face down, {out} out of the game")
            piles = ruling.table + sum(ruling.pile.values())
            told = rest.format(table=piles, pot=ruling.pot, unseen=ruling.unseen, out=ruling.out)
            sentences.append(self.text("Other cards: {rest}.").format(rest=told))
        return tuple(sentences)

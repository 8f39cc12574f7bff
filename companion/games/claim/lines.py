"""Claim's own line and rulings: what a presser chooses, and what becomes of each (`docs/games/claim.md`, Lines)."""

from __future__ import annotations

import msgspec

from companion.core.panel import Colour
from companion.core.record.lines import Line
from companion.core.ruling.rulings import Outcome, Ruling, Settled
from companion.core.words.texts import joined, listed, text, texts


class ClaimLine(Line, frozen=True, tag="claim"):
    """The choice of the presser whose turn it is. picked: a card; rival: a seat; each where the choice has one."""

    colour: Colour
    take: str
    picked: str | None = None
    rival: Colour | None = None


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """Cards that went from one place to another, in the order in which they were taken; names only of known ones."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    cards: tuple[str, ...]
    count: int


CATALOGUE = "companion.games.claim"
_WHITHER = {"pot": text("the pot", CATALOGUE), "table": text("the table", CATALOGUE)}
_MOST_NAMED = 2
"""More cards are counted and not named in a note."""


def _counted(count: int) -> str:
    return texts("{count} card", "{count} cards", count, CATALOGUE)


def _cards(names: list[str]) -> str:
    return listed(names) if len(names) <= _MOST_NAMED else _counted(len(names))


def _whither(place: str) -> str:
    if place in _WHITHER:
        return _WHITHER[place]
    return Colour(place).says if place in set(Colour) else place


class PressSettled(Settled, frozen=True, tag="settled"):
    """What became of a press: what was taken or given up, and for how many points."""

    take: str | msgspec.UnsetType = msgspec.UNSET
    picked: str | msgspec.UnsetType = msgspec.UNSET
    rival: Colour | msgspec.UnsetType = msgspec.UNSET
    moves: tuple[Moved, ...] | msgspec.UnsetType = msgspec.UNSET
    points: int | msgspec.UnsetType = msgspec.UNSET

    def named(self) -> tuple[str, ...]:
        """Give the names of the cards that went anywhere."""
        return tuple(card for move in self.moves or () for card in move.cards)

    def moved(self) -> tuple[str, ...]:
        """Give the names of the cards that the seat took, or gave up as a punishment; others are in the note."""
        return tuple(card for move in self.moves or () if self._is_own(move) for card in move.cards)

    def note(self) -> str:
        """Say how many points it was, what went elsewhere, how many cards nobody saw ("+1 point, 2 cards")."""
        parts = [signed(self.points)] if self.points else []
        others: dict[str, list[str]] = {}
        for move in self.moves or ():
            if move.cards and not self._is_own(move):
                others.setdefault(move.target.split(" ")[-1], []).extend(move.cards)
        goes = text("{cards} to {place}", CATALOGUE)
        parts += [goes.format(cards=_cards(names), place=_whither(whither)) for whither, names in others.items()]
        unseen = sum(move.count - len(move.cards) for move in self.moves or ())
        return joined([*parts, *([_counted(unseen)] if unseen else [])])

    def _is_own(self, move: Moved) -> bool:
        """Tell whether a move is what the result says: the taking, or the giving up."""
        place = move.source if self.result == "punished" else move.target
        return place.endswith(f" {self.colour}")


class Lost(Ruling, frozen=True, tag="lost"):
    """What it costs to be last. why: "missing" (no press) or "last"."""

    race: int
    colour: Colour
    why: str
    moves: tuple[Moved, ...]
    points: int


class ClaimOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object. counts: what is counted, by colour. table, pot, out, unseen: numbers of cards."""

    counts: dict[str, int]
    points: dict[str, int]
    won: dict[str, int]
    stock: dict[str, int]
    pile: dict[str, int]
    table: int
    pot: int
    out: int
    unseen: int
    reveals: int
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most, or fewest."""
        return self.leaders


def signed(points: int) -> str:
    """Say points: "+1 point", "-3 points"."""
    return texts("{signed} point", "{signed} points", abs(points), CATALOGUE, signed=f"{points:+d}")

"""What a pattern may look at: the cards as they lie, who presses, which hand. Knows no pattern and no file."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

Card = int
"""A card by its number in the file's order."""
Value = str | int
"""Of an attribute."""


class Cards(msgspec.Struct, frozen=True):
    """Where every card is (`docs/games/claim.md`, Places). Known ones from the bottom, unseen ones as numbers.

    piles, won, stocks: by seat. deck: how many are in the common deck. buried: unseen ones that are in no stock and not
    in the deck. unseen: how many of each card lie face down, wherever.
    """

    table: tuple[Card, ...]
    piles: tuple[tuple[Card, ...], ...]
    won: tuple[tuple[Card, ...], ...]
    stocks: tuple[int, ...]
    pot: tuple[Card, ...]
    out: tuple[Card, ...]
    deck: int
    buried: int
    unseen: tuple[int, ...]


class Known(NamedTuple):
    """The cards of a file, for patterns. values: of each card, by attribute. orders: of each attribute's values.

    tops: whether each seat has a pile of its own.
    """

    names: tuple[str, ...]
    values: tuple[dict[str, Value], ...]
    orders: dict[str, tuple[Value, ...]]
    tops: bool

    def is_number(self, attribute: str) -> bool:
        """Tell whether an attribute's values are numbers."""
        return isinstance(self.orders[attribute][0], int)


class Counted(NamedTuple):
    """What stays the same while a race is settled. points: by seat. newest, reveals: the last card, and how many."""

    points: tuple[int, ...]
    newest: Card | None
    reveals: int


class Sight:
    """A state as one presser sees it, while a pattern is looked at. `it` is what a quantifier is at.

    winner, wrong: who was the first with a right press, and who had a wrong one; () while that is not known.
    """

    __slots__ = (
        "_seen", "cards", "colours", "counted", "hand", "it", "known", "me", "place", "taken", "winner", "wrong",
    )  # fmt: skip

    def __init__(self, known: Known, cards: Cards, colours: tuple[str, ...], counted: Counted) -> None:
        self.known, self.cards, self.colours, self.counted = known, cards, colours, counted
        self.me, self.hand, self.place, self.taken = 0, "", 1, 0
        self.it: Value = 0
        self.winner: tuple[int, ...] = ()
        self.wrong: tuple[int, ...] = ()
        self._seen: tuple[Card, ...] | None = None

    def of(self, me: int, hand: str, place: int, taken: int) -> Sight:
        """Turn to a press: whose, which hand, its place, how many have claimed before."""
        self.me, self.hand, self.place, self.taken = me, hand, place, taken
        return self

    def after(self, winner: tuple[int, ...], wrong: tuple[int, ...]) -> Sight:
        """Say who was the first with a right press, and who had a wrong one, once that is known."""
        self.winner, self.wrong = winner, wrong
        return self

    def at(self, cards: Cards) -> Sight:
        """Give what the same presser sees with other cards."""
        other = Sight(self.known, cards, self.colours, self.counted)
        other.it = self.it
        return other.of(self.me, self.hand, self.place, self.taken).after(self.winner, self.wrong)

    @property
    def visible(self) -> tuple[Card, ...]:
        """Every card that is seen."""
        if self._seen is None:
            self._seen = tuple(pile[-1] for pile in self.cards.piles if pile) if self.known.tops else self.cards.table
        return self._seen

    def top(self, seat: int) -> tuple[Card, ...]:
        """Give the top of a seat's pile, () where there is none."""
        return self.cards.piles[seat][-1:]

    def others(self) -> tuple[int, ...]:
        """Give the other seats, clockwise from the presser."""
        count = len(self.colours)
        return tuple((self.me + step) % count for step in range(1, count))

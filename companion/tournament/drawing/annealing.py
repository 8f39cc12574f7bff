"""Improves the tables of a part of the field by exchanging two players at a time, as a metal cools. Integers alone.

The cost of a walk is `stiffness` × the sum of squared meetings + the spread in steps of the scores. A lower stiffness
lets a walk go through drawings with more meetings, which it must where those with the fewest do not hang together; the
best drawing it comes by is told by the aims themselves, meetings before spread. Players who must not meet cost more
than any walk ever pays.

A table is a set of players as the bits of a number, and what it costs is remembered by that number: an exchange then
takes four additions and two looks into a dict. Where tables have two sizes, one apart, the smaller have a player who is
nobody, so that exchanges move the sizes too; two of these at a table cost as much as players who must not meet.

An exchange that costs more is taken with probability 2^(−more / heat): the logarithm of a lot is worked out in 1/1024,
between powers of two along a line, which is near enough for that and the same on every machine.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tournament.drawing.field import Field, Tables
    from companion.tournament.drawing.lots import Lots

FORBIDDEN = 1 << 30
"""Meetings that two who must not meet count as: more than all others together, and than any walk takes on."""
FIRST = 1 << 40
"""Spread that one squared meeting outweighs when drawings are compared: more than there can be."""


def _logarithms() -> tuple[int, ...]:
    """Give −log₂ of (i + 1/2) / 4096, in 1/1024, for each i below 4096."""
    halves = (2 * index + 1 for index in range(4_096))
    return tuple((15 - half.bit_length()) * 1_024 - ((half << 10) >> (half.bit_length() - 1)) for half in halves)


LOGARITHMS = _logarithms()


class Walk(NamedTuple):
    """How a walk goes. blocks: of lots, 2,048 exchanges each. stiffness: see above.

    hot, cold: the heat at its begin and at its end, in 1/64 of a unit of the scores.
    """

    blocks: int
    stiffness: int
    hot: int
    cold: int

    def heats(self) -> list[int]:
        """Give the heat of each block: each the same part of the one before, but for the rounding."""
        heats, left = [], self.hot << 20
        fall = _root(self.hot, self.cold, max(1, self.blocks - 1))
        for _ in range(self.blocks):
            heats.append(left >> 20)
            left = left * fall >> 20
        return heats


def _root(hot: int, cold: int, steps: int) -> int:
    """Give the largest factor, in 2⁻²⁰, that leads from hot to no more than cold in so many steps."""
    low, high = 0, 1 << 20
    while high - low > 1:
        middle, left = (low + high) >> 1, hot << 20
        for _ in range(steps):
            left = left * middle >> 20
        low, high = (low, middle) if left > cold << 20 else (middle, high)
    return low


class _Table(NamedTuple):
    meetings: int
    spread: int


class Part:
    """Some tables of a field, of whose players those without a fixed table may change places.

    key: of the best drawing so far, meetings × 2^40 and spread in units, which all scores differ by multiples of.
    """

    def __init__(self, field: Field, tables: Tables, unit: int) -> None:
        self._players = sorted(player for table in tables for player in table)
        self._scores = [field.scores[player] // unit for player in self._players]
        self._squares = [_row(field, player, self._players) for player in self._players]
        self.masks, self.at = _as_bits(tables, {player: one for one, player in enumerate(self._players)})
        movable = [one for one, player in enumerate(self._players) if field.home[player] is None]
        self.free = [*movable, *range(len(self._players), len(self.at))]
        self._known: dict[int, _Table] = {}
        self._least = least_spread(self._scores, list(map(len, tables)))
        self.key = sum(table.meetings * FIRST + table.spread for table in map(self.known, self.masks))

    @property
    def is_best(self) -> bool:
        """Whether no drawing of these players at such tables could be better."""
        return self.key <= self._least

    @property
    def range(self) -> int:
        """The difference of the highest and the lowest score, in units."""
        return max(self._scores) - min(self._scores)

    @property
    def tables(self) -> Tables:
        """The best drawing so far, its tables in the order in which they were given."""
        return [[player for one, player in enumerate(self._players) if mask >> one & 1] for mask in self.masks]

    def walk(self, plan: Walk, lots: Lots) -> None:
        """Look for a better drawing, from the best so far on. Where nobody may change places there is none."""
        course = _Course(self, plan.stiffness)
        for heat in plan.heats():
            if self.is_best or not self.free:
                return
            course.exchange(lots.block(), heat)

    def known(self, mask: int) -> _Table:
        """Give what a table costs."""
        found = self._known.get(mask)
        if found is None:
            found = self._known[mask] = self._counted(mask)
        return found

    def _counted(self, mask: int) -> _Table:
        members, left = [], mask & ((1 << len(self._players)) - 1)
        while left:
            members.append((left & -left).bit_length() - 1)
            left &= left - 1
        meetings = FORBIDDEN if (mask >> len(self._players)).bit_count() > 1 else 0
        for at, one in enumerate(members):
            row = self._squares[one]
            for other in members[at + 1 :]:
                meetings += row[other]
        scores = [self._scores[one] for one in members]
        return _Table(meetings, max(scores, default=0) - min(scores, default=0))


def _row(field: Field, player: int, others: list[int]) -> list[int]:
    """Give what a player costs at a table with each of the others."""
    met, apart = field.met[player], field.apart[player]
    return [FORBIDDEN if other in apart else met.get(other, 0) for other in others]


def _as_bits(tables: Tables, index: dict[int, int]) -> tuple[list[int], list[int]]:
    """Give each table as bits, and where each player is; then where each is who is nobody."""
    largest = max(map(len, tables))
    has_nobodies = all(len(table) >= largest - 1 for table in tables)
    at, masks = [0] * len(index), []
    for number, table in enumerate(tables):
        mask = 0
        for player in table:
            at[index[player]] = number
            mask |= 1 << index[player]
        if has_nobodies and len(table) < largest:
            mask |= 1 << len(at)
            at.append(number)
        masks.append(mask)
    return masks, at


class _Prices(dict[int, int]):
    """What a walk takes a table to cost, by its bits, worked out when it is first asked for."""

    def __init__(self, part: Part, stiffness: int) -> None:
        super().__init__()
        self._part, self._stiffness = part, stiffness

    def __missing__(self, mask: int) -> int:
        table = self._part.known(mask)
        price = self[mask] = table.meetings * self._stiffness + table.spread
        return price


class _Course:
    """A walk on its way: where everybody sits now, and what it has come by that was better than all before."""

    def __init__(self, part: Part, stiffness: int) -> None:
        self._part, self._stiffness = part, stiffness
        self._prices = _Prices(part, stiffness)
        self._masks, self._at = list(part.masks), list(part.at)
        self._paid = [self._prices[mask] for mask in self._masks]
        self._key = part.key

    def exchange(self, lots: Sequence[int], heat: int) -> None:
        """Offer an exchange for each lot, and take it if it pays or the heat allows it.

        Of a lot's bits the lowest 16 choose one player, the next 16 the other, and the highest 12 how much more the
        exchange may cost. This is where all the time of a drawing goes, so it is one loop without a call.
        """
        part, prices, masks, at, paid = self._part, self._prices, self._masks, self._at, self._paid
        free, count, logarithms = part.free, len(part.free), LOGARITHMS
        for lot in lots:
            one, other = free[(lot & 0xFFFF) * count >> 16], free[(lot >> 16 & 0xFFFF) * count >> 16]
            table, second = at[one], at[other]
            if table == second:
                continue
            both = 1 << one | 1 << other
            mask, second_mask = masks[table] ^ both, masks[second] ^ both
            price, second_price = prices[mask], prices[second_mask]
            more = price + second_price - paid[table] - paid[second]
            if more > heat * logarithms[lot >> 52] >> 16:
                continue
            self._key += self._change(table, second, mask, second_mask)
            masks[table], masks[second], paid[table], paid[second] = mask, second_mask, price, second_price
            at[one], at[other] = second, table
            if self._key < part.key:
                part.key, part.masks, part.at = self._key, list(masks), list(at)

    def _change(self, table: int, second: int, mask: int, second_mask: int) -> int:
        """Give by how much the aims themselves change when two tables become others."""
        known, masks = self._part.known, self._masks
        new, second_new, old, second_old = known(mask), known(second_mask), known(masks[table]), known(masks[second])
        return (new.meetings + second_new.meetings - old.meetings - second_old.meetings) * FIRST + (
            new.spread + second_new.spread - old.spread - second_old.spread
        )


def least_spread(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """Give what the spread of tables of such sizes is at least, whoever meets whom.

    In the order of scores, no table reaches over the gap after the first n players only where tables have n seats.
    """
    sums = 1
    for size in sizes:
        sums |= sums << size
    order = sorted(scores)
    gaps = (high - low for low, high in pairwise(order))
    return sum(gap for n, gap in enumerate(gaps, 1) if not sums >> n & 1)

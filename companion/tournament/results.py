"""What a table of a round came to, whoever worked it out: from a record, or by hand. Pure data."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """How a player came off. rank: 1 for the best, equal for those who tied (1, 2, 2, 4).

    cards: of the table's cards that the player has, None in a game without any. punished: presses that were.
    """

    player: int
    rank: int
    cards: int | None = None
    punished: int = 0


class TableResult(NamedTuple):
    """A table's result. places: in the order of the seats. by_hand: the referee entered it. is_final: see `log`."""

    round: int
    table: int
    places: tuple[Place, ...]
    by_hand: bool = False
    is_final: bool = False


class RoundResults(NamedTuple):
    """A round as it stands. byes: players without a table. results: of those tables that have one.

    missed: players who had entered by then and were not drawn (dropped, or not there yet). given: points that the
    organiser entered, by player, in the place of what results give. waiting: tables without a result.
    """

    number: int
    results: tuple[TableResult, ...]
    byes: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    given: dict[int, int] = {}  # noqa: RUF012 - never changed
    waiting: tuple[int, ...] = ()

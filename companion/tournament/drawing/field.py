"""A round's players as the search works on them: counted from 0, in the order of their numbers."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.drawing.sizes import MOST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.tournament.drawing.wanted import Entrant, Wanted

Tables = list[list[int]]
"""Who sits at each table, by the player's place in the field; the tables that somebody is fixed at are the first."""


class Field:
    """Those who are seated in a round, each by a number from 0: `players` has who that is.

    met: whom each has met, and how often, squared. apart: whom each must not meet. numbers: the tables that somebody
    always sits at, in order. home: which of these that is for each player, None: any table will do.
    """

    def __init__(self, wanted: Wanted, seated: Iterable[Entrant]) -> None:
        self.entrants = sorted(seated, key=_player)
        self.players = [entrant.player for entrant in self.entrants]
        self.scores = [entrant.score for entrant in self.entrants]
        at = {player: index for index, player in enumerate(self.players)}
        self.met: list[dict[int, int]] = [{} for _ in self.players]
        for (one, other), times in wanted.meetings.items():
            if one in at and other in at:
                self.met[at[one]][at[other]] = self.met[at[other]][at[one]] = times * times
        self.apart: list[set[int]] = [set() for _ in self.players]
        for one, other in wanted.apart:
            if one in at and other in at:
                self.apart[at[one]].add(at[other])
                self.apart[at[other]].add(at[one])
        self.numbers = sorted({entrant.fixed for entrant in self.entrants if entrant.fixed is not None})
        self.home = [None if one.fixed is None else self.numbers.index(one.fixed) for one in self.entrants]

    @property
    def fixed(self) -> list[int]:
        """How many players always sit at each of `numbers`."""
        return [self.home.count(table) for table in range(len(self.numbers))]


def _player(entrant: Entrant) -> int:
    return entrant.player


def check_entrants(wanted: Wanted) -> None:
    """Raise Illegal where nothing can be drawn, whoever has a bye: entrants twice, or in each other's way."""
    players = sorted(entrant.player for entrant in wanted.entrants)
    for one, next_one in pairwise(players):
        if one == next_one:
            raise Illegal(f"player {one} is among the entrants twice")
    for table, fixed in sorted(_fixed(wanted).items()):
        if len(fixed) > MOST:
            says = text("players {players} always sit at table {table}, which takes {most}")
            raise Illegal(says.format(players=", ".join(map(str, fixed)), table=table, most=MOST))
        for pair in combinations(fixed, 2):
            if pair in wanted.apart:
                says = text("players {one} and {other} must not meet, and both always sit at table {table}")
                raise Illegal(says.format(one=pair[0], other=pair[1], table=table))


def _fixed(wanted: Wanted) -> dict[int, list[int]]:
    at: dict[int, list[int]] = {}
    for entrant in sorted(wanted.entrants, key=_player):
        if entrant.fixed is not None:
            at.setdefault(entrant.fixed, []).append(entrant.player)
    return at

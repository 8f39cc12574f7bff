"""The standings of an event: players in order by numbers of which each can be worked out by hand. Pure.

They follow from the results, the players, the order of the tie-breaks and the seed alone: in which order results and
players are given changes nothing. While tables wait or results are provisional, so are the standings.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.tournament.log.lines import TIE_BREAKS
from companion.tournament.standings import values
from companion.tournament.standings.rounds import RoundPoints, rounds_of
from companion.tournament.standings.values import LOWER_FIRST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from companion.tournament.log.lines import TieBreak
    from companion.tournament.results import RoundResults
    from companion.tournament.standings.rounds import Entered

    Value = Fraction | int
    """Of a tie-break: exact; an int for lots."""


class Standing(NamedTuple):
    """Where a player stands. place: from 1. points: their sum. values: one for each tie-break, in their order.

    rounds: what each round gave, from the player's first on. equal: where others are equal to the player in all but
    lots, they and the player, by number; else nobody.
    """

    place: int
    player: int
    points: int
    values: tuple[Value, ...]
    rounds: tuple[RoundPoints, ...]
    equal: tuple[int, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether none of the player's rounds waits or is provisional; those of others may be."""
        return all(one.is_final for one in self.rounds)


def standings(
    rounds: Iterable[RoundResults],
    players: Iterable[int],
    tie_breaks: Sequence[TieBreak],
    seed: str,
    event: str,
    entered: Iterable[Entered] = (),
) -> tuple[Standing, ...]:
    """Give all players in order, the first first. Without lots among the tie-breaks, equal players share a place.

    entered: see `rounds_of`. Raises Illegal: a player or a tie-break twice, an unknown tie-break, and as `rounds_of`.
    """
    numbers = _each_once("player", players)
    _check(tie_breaks)
    got = rounds_of(rounds, numbers, entered)
    measures = [_measure(tie_break, got, seed, event) for tie_break in tie_breaks]
    found = {player: tuple(measure(player) for measure in measures) for player in numbers}
    equal = _equal(found, tie_breaks)
    standing: list[Standing] = []
    keys = {player: _key(found[player], tie_breaks) for player in numbers}
    for count, player in enumerate(sorted(numbers, key=lambda one: (keys[one], one)), 1):
        before = standing[-1] if standing else None
        place = before.place if before and keys[before.player] == keys[player] else count
        those = got[player]
        standing.append(Standing(place, player, values.total(those), found[player], those, equal.get(player, ())))
    return tuple(standing)


def are_final(those: Iterable[Standing]) -> bool:
    """Tell whether nothing in the standings changes any more but by the organiser's hand."""
    return all(one.is_final for one in those)


def _each_once(what: str, numbers: Iterable[int]) -> list[int]:
    given = sorted(numbers)
    for one, following in pairwise(given):
        if one == following:
            raise Illegal(f"{what} {one} is there twice")
    return given


def _check(tie_breaks: Sequence[TieBreak]) -> None:
    for tie_break in tie_breaks:
        if tie_break not in TIE_BREAKS:
            raise Illegal(f"{tie_break!r} is no tie-break; there are {', '.join(TIE_BREAKS)}")
        if tie_breaks.count(tie_break) > 1:
            raise Illegal(f"the tie-break {tie_break!r} is there twice")


def _measure(
    tie_break: TieBreak, of: Mapping[int, tuple[RoundPoints, ...]], seed: str, event: str
) -> Callable[[int], Value]:
    """Give what tells a player's number of a tie-break."""
    match tie_break:
        case "points":
            return lambda player: values.points(of[player])
        case "wins":
            return lambda player: values.wins(of[player])
        case "cards":
            return lambda player: values.cards(of[player])
        case "opponents":
            return lambda player: values.opponents(player, of)
        case "punishments":
            return lambda player: values.punishments(of[player])
        case "lots":
            return lambda player: values.lot(seed, event, player)


def _key(found: tuple[Value, ...], tie_breaks: Sequence[TieBreak]) -> tuple[Value, ...]:
    """Give what is smaller, the better a player stands."""
    return tuple(
        value if tie_break in LOWER_FIRST else -value for value, tie_break in zip(found, tie_breaks, strict=True)
    )


def _equal(found: Mapping[int, tuple[Value, ...]], tie_breaks: Sequence[TieBreak]) -> dict[int, tuple[int, ...]]:
    """Give for each player who is equal to others in all but lots all those who are."""

    def in_all_but_lots(player: int) -> tuple[Value, ...]:
        return tuple(value for value, one in zip(found[player], tie_breaks, strict=True) if one != "lots")

    groups = (tuple(sorted(those)) for _, those in groupby(sorted(found, key=in_all_but_lots), in_all_but_lots))
    return {player: group for group in groups if len(group) > 1 for player in group}

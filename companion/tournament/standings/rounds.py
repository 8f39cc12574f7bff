"""What each round of an event gave each player, and why. Pure; knows no order of players.

A player's first round is the first that lists the player in any way: at a table, with a bye, as missing, or with points
of the organiser's. From then on every round counts, but one in which the player's table has no result yet. Who is on
none of a round's lists sits at one of the tables that wait, where there are any, and else has missed the round.
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.tournament.standings.points import BYE, MISSED, Score, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.tournament.results import Place, RoundResults, TableResult


class Entered(NamedTuple):
    """Since which round a player can have sat at a table."""

    player: int
    first_round: int


class Why(Enum):
    """What a round's points are for. GIVEN: the organiser entered them. BY_HAND: a table's result was entered so."""

    TABLE = "table"
    BY_HAND = "by hand"
    BYE = "bye"
    MISSED = "missed"
    GIVEN = "given"
    WAITING = "waiting"


class Seated(NamedTuple):
    """A player at a table that has a result. opponents: the others at it, in the order of the seats.

    sharing_first: how many came first, the player included; 0: the player did not. cards: how many the player has, and
    how many all have together; None where they were not counted for all of them. punished: presses that were.
    """

    table: int
    rank: int
    score: Score
    opponents: tuple[int, ...]
    sharing_first: int = 0
    cards: tuple[int, int] | None = None
    punished: int = 0


class RoundPoints(NamedTuple):
    """What a round gave a player. points: None while the table waits. at: None for who has no table with a result.

    is_final: nothing but the organiser's hand changes it any more.
    """

    round: int
    why: Why
    points: int | None
    at: Seated | None = None
    is_final: bool = True


def rounds_of(
    rounds: Iterable[RoundResults], players: Sequence[int], entered: Iterable[Entered] = ()
) -> dict[int, tuple[RoundPoints, ...]]:
    """Give what each round gave each player, in the order of the rounds, from the player's first on.

    entered: a player does not wait in a round before the one that this names, nothing else depends on it. Raises
    Illegal: a round twice, somebody twice in a round, somebody who is not in `players`, as `scores_of`.
    """
    found: dict[int, list[RoundPoints]] = {player: [] for player in players}
    since = {one.player: one.first_round for one in entered}
    seen: set[int] = set()
    for one in _in_order(rounds):
        listed = _listed(one)
        if unknown := sorted(listed.keys() - found.keys()):
            raise Illegal(f"round {one.number} has player {unknown[0]}, who is not in the event")
        seen.update(listed)
        for player, before in found.items():
            if (got := listed.get(player) or _unlisted(one, player in seen, since.get(player, 0))) is not None:
                before.append(got)
    return {player: tuple(got) for player, got in found.items()}


def _in_order(rounds: Iterable[RoundResults]) -> list[RoundResults]:
    ordered = sorted(rounds, key=lambda one: one.number)
    for one, following in pairwise(ordered):
        if one.number == following.number:
            raise Illegal(f"round {one.number} is there twice")
    return ordered


def _listed(one: RoundResults) -> dict[int, RoundPoints]:
    """Give what a round gave those whom it lists."""
    got: dict[int, RoundPoints] = {}
    for result in one.results:
        if result.round != one.number:
            raise Illegal(f"table {result.table} of round {result.round} is among those of round {one.number}")
        _add(got, _at(result))
    _add(got, (_Named(player, RoundPoints(one.number, Why.BYE, BYE)) for player in one.byes))
    _add(got, (_Named(player, RoundPoints(one.number, Why.MISSED, MISSED)) for player in one.missed))
    for player, points in one.given.items():
        before = got.get(player)
        got[player] = RoundPoints(one.number, Why.GIVEN, points, before.at if before else None)
    return got


class _Named(NamedTuple):
    player: int
    points: RoundPoints


def _add(got: dict[int, RoundPoints], more: Iterable[_Named]) -> None:
    for player, points in more:
        if player in got:
            raise Illegal(f"player {player} is twice in round {points.round}: at two tables, or at one and without one")
        got[player] = points


def _at(result: TableResult) -> Iterable[_Named]:
    scores = scores_of(result)
    best = min(place.rank for place in result.places)
    first = sum(place.rank == best for place in result.places)
    counted = [place.cards for place in result.places if place.cards is not None]
    cards = sum(counted) if len(counted) == len(result.places) else 0
    why = Why.BY_HAND if result.by_hand else Why.TABLE
    for place in result.places:
        others = tuple(player for player in scores if player != place.player)
        score = scores[place.player]
        seated = Seated(
            result.table, place.rank, score, others, first if place.rank == best else 0, _share(place, cards),
            place.punished,
        )  # fmt: skip
        yield _Named(place.player, RoundPoints(result.round, why, score.points, seated, result.is_final))


def _share(place: Place, cards: int) -> tuple[int, int] | None:
    return None if place.cards is None or not cards else (place.cards, cards)


def _unlisted(one: RoundResults, was_listed: bool, since: int) -> RoundPoints | None:
    if one.waiting and since <= one.number:
        return RoundPoints(one.number, Why.WAITING, None, is_final=False)
    return RoundPoints(one.number, Why.MISSED, MISSED) if was_listed else None

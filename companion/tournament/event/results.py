"""What the rounds of an event have come to, and what the next drawing is made from. Pure.

Which result a sealed record has is asked of whoever judges records (the desk, or `verify`), so that log and rules stay
apart: `Find` gives the places of a table by the `record` line that made it official.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.tournament.drawing.wanted import Entrant, Wanted
from companion.tournament.results import Place, RoundResults, TableResult
from companion.tournament.standings.points import BYE, MOST_SEATS, points_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import Round, TableState
    from companion.tournament.log.lines import RecordLine

    Find = Callable[[RecordLine], tuple[Place, ...] | None]
    """Gives a record's places by the line that made it official; None where it leads to none."""


def result_of(table: TableState, find: Find) -> TableResult | None:
    """Give a table's result as it stands, None while it has none, or a protest keeps it waiting."""
    if table.by_hand is not None:
        places = tuple(Place(one.player, one.rank, one.cards) for one in table.by_hand.places)
        return TableResult(table.round, table.number, places, by_hand=True, is_final=True)
    if table.record is None or table.is_disputed:
        return None
    found = find(table.record)
    return None if found is None else TableResult(table.round, table.number, found, is_final=table.is_final)


def round_results(found: Round, find: Find, entered: Iterable[int]) -> RoundResults:
    """Give a round as it stands. entered: all whom the standings have; who was not drawn has missed it."""
    results = {number: result_of(table, find) for number, table in found.tables.items()}
    seated = found.seated()
    return RoundResults(
        found.number,
        tuple(result for result in results.values() if result is not None),
        found.byes,
        tuple(player for player in entered if player not in seated),
        dict(found.given),
        tuple(number for number, result in results.items() if result is None),
    )


def results_of(event: Event, find: Find) -> tuple[RoundResults, ...]:
    """Give all rounds as they stand."""
    entered = event.players.ever()
    return tuple(round_results(one, find, entered) for one in event.rounds)


def points_so_far(rounds: Iterable[RoundResults]) -> dict[int, int]:
    """Give the sum of each player's points of all rounds, as results stand; who has none is left out."""
    total: Counter[int] = Counter()
    for one in rounds:
        points = dict.fromkeys(one.byes, BYE)
        for result in one.results:
            points.update(points_of(result))
        total.update({**points, **one.given})
    return dict(total)


def meetings_of(rounds: Iterable[Round]) -> Counter[tuple[int, int]]:
    """Give how often each two players have been drawn to one table, by (lower, higher) number."""
    return Counter(
        pair for one in rounds for table in one.tables.values() for pair in combinations(sorted(table.players), 2)
    )


def wanted_of(
    event: Event, scores: Mapping[int, int], number: int | None = None, players: Iterable[int] | None = None
) -> Wanted:  # fmt: skip
    """Give what a round is drawn from. scores: the points of each player in the rounds before it.

    number: the round's, None for the next one. players: whoever is to be drawn, None: all who are there. Raises Illegal
    where the seed is not known yet.
    """
    if event.seed is None:
        raise Illegal(text("the first round is drawn when check-in is closed"))
    before = event.rounds if number is None else event.rounds[: number - 1]
    byes = Counter(player for one in before for player in one.byes)
    seats = Counter(
        (player, seat)
        for one in before
        for table in one.tables.values()
        for seat, player in enumerate(table.players)
    )  # fmt: skip
    entrants = tuple(
        Entrant(
            player.number,
            scores.get(player.number, 0),
            player.fixed,
            byes[player.number],
            tuple(seats[player.number, seat] for seat in range(MOST_SEATS)),
        )
        for player in ([event.players[one] for one in players] if players is not None else event.players.there())
    )
    return Wanted(
        len(before) + 1,
        event.seed,
        entrants,
        meetings_of(before),
        frozenset(event.players.apart),
        len(event.boxes_in()) or None,
    )

"""Events that were never played, from a seed: late entries, drop-outs, byes, hand-made results, tables that wait."""

from __future__ import annotations

import random
from typing import NamedTuple

from companion.tournament.results import Place, RoundResults, TableResult


class MadeUp(NamedTuple):
    """An event. players: all who entered."""

    players: tuple[int, ...]
    rounds: tuple[RoundResults, ...]


def made_up(seed: int, most_players: int = 9, most_rounds: int = 5) -> MadeUp:
    """Make an event of up to so many players and rounds up."""
    rng = random.Random(seed)
    players = tuple(range(1, rng.randint(2, most_players) + 1))
    entered = {player: rng.choice((1, 1, 1, 2, 3)) for player in players}
    rounds = tuple(
        _round(rng, number, [p for p in players if entered[p] <= number]) for number in _numbers(rng, most_rounds)
    )
    return MadeUp(players, rounds)


def _numbers(rng: random.Random, most: int) -> range:
    return range(1, rng.randint(0, most) + 1)


def _round(rng: random.Random, number: int, there: list[int]) -> RoundResults:
    rng.shuffle(there)
    missed = [player for player in there if rng.random() < 0.1]
    free = [player for player in there if player not in missed]
    results, waiting, table = [], [], 1
    while len(free) >= 2:
        size = rng.randint(2, min(5, len(free)))
        seats, free = free[:size], free[size:]
        if rng.random() < 0.12:
            waiting.append(table)
        else:
            results.append(_result(rng, number, table, seats))
        table += 1
    given = {player: rng.randint(0, 24) for player in there if rng.random() < 0.05}
    return RoundResults(number, tuple(results), tuple(free), tuple(missed), given, tuple(waiting))


def _result(rng: random.Random, number: int, table: int, seats: list[int]) -> TableResult:
    counted = rng.random()
    places = [
        Place(
            player,
            rng.randint(1, 3),
            None if counted < 0.2 or (counted < 0.3 and rng.random() < 0.5) else rng.choice((0, 0, 5, 13)),
            rng.choice((0, 0, 1, 2)),
        )
        for player in seats
    ]
    return TableResult(number, table, tuple(_ranked(places)), rng.random() < 0.1, rng.random() < 0.7)


def _ranked(places: list[Place]) -> list[Place]:
    """Give ranks as results have them: 1, 2, 2, 4."""
    return [place._replace(rank=1 + sum(other.rank < place.rank for other in places)) for place in places]

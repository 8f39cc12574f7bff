"""Players of known strength, and the plan of what happens at the event: all of it follows from a seed. Pure."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FASTEST_MS, SLOWEST_MS = 350.0, 800.0
"""What the best and the worst player take on average."""
SPREAD_MS = 110.0
"""The standard deviation of one player's reactions."""
QUICKEST_MS, LATEST_MS = 120.0, 2_000.0
"""Nobody is quicker than a person can be, nor later than a race is open."""
MOST_PER_TABLE = 4


class Plan(NamedTuple):
    """What happens. seed: of players and reactions. players: how many, from number 1. boxes: at the beginning.

    protest, failure: the table at which a seat protests, and the one whose box fails; by round and number.
    """

    seed: str
    boxes: int
    players: int
    rounds: int = 4
    races: int = 5
    protest: tuple[int, int] = (2, 1)
    failure: tuple[int, int] = (2, 2)


def plan_of(boxes: int, seed: str, rounds: int) -> Plan:
    """Give the plan of an event with so many boxes: four players a box; where there is one box, it does not fail."""
    middle = min(2, rounds)
    return Plan(seed, boxes, boxes * MOST_PER_TABLE, rounds, protest=(middle, 1), failure=(middle, 2))


def strengths(plan: Plan) -> dict[int, float]:
    """Give by player the milliseconds that each takes on average; no two take the same."""
    numbers = list(range(1, plan.players + 1))
    Random(f"{plan.seed} strengths").shuffle(numbers)  # noqa: S311 - a simulation wants the same each time
    step = (SLOWEST_MS - FASTEST_MS) / max(plan.players - 1, 1)
    return {player: FASTEST_MS + place * step for place, player in enumerate(numbers)}


def reaction_ms(plan: Plan, mean_ms: float, player: int, number: int, race: int) -> float:
    """Give how long a player takes in a race of a round, whichever box it is played on."""
    drawn = Random(f"{plan.seed} {player} {number} {race}").gauss(mean_ms, SPREAD_MS)  # noqa: S311 - as above
    return round(min(max(drawn, QUICKEST_MS), LATEST_MS), 3)


def correlation(strength: Mapping[int, float], order: Sequence[int]) -> float:
    """Give how well an order agrees with the known strengths: Spearman's rank correlation, 1 where it is theirs.

    order: players, the best first, at least two; the strength of each is another.
    """
    known = {player: place for place, player in enumerate(sorted(order, key=strength.__getitem__))}
    count = len(order)
    squares = sum((place - known[player]) ** 2 for place, player in enumerate(order))
    return 1 - 6 * squares / (count * (count**2 - 1))

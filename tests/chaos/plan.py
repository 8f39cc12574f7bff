"""What is played and what goes wrong, as pure functions of a seed: who wins which race, and which fault comes when.

Who comes where in a race depends on seed, event, round, table, players and the race's number alone. So it does not
matter on which box a race is played, when, and how often that box was killed meanwhile: a race that a kill has cut off
is judged by the presses that it has, and the first of these is the winner's, as presses are recorded in their order.
"""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FASTEST_MS, SLOWEST_MS, SPREAD_MS = 350.0, 800.0, 110.0
PROTEST_ONE_OF = 4


class Played(NamedTuple):
    """What the races of a whole event follow from. races: of each match."""

    seed: str
    event: str
    races: int


class Place(NamedTuple):
    """A table of a round, and who sits there, by number, in the order of the seats."""

    round: int
    table: int
    players: tuple[int, ...]


def strength_ms(played: Played, player: int) -> float:
    """Give what a player takes on average."""
    return Random(f"{played.seed} {player}").uniform(FASTEST_MS, SLOWEST_MS)


def order_of(played: Played, place: Place, race: int) -> tuple[int, ...]:
    """Give the players of a table in the order in which they press in a race, counted from 1."""
    drawn = Random(f"{played.seed} {played.event} {place.round} {place.table} {place.players} {race}")
    times = {player: drawn.gauss(strength_ms(played, player), SPREAD_MS) for player in place.players}
    return tuple(sorted(place.players, key=lambda player: (times[player], player)))


def is_protested(played: Played, place: Place) -> bool:
    """Tell whether a seat of this table protests in its match."""
    return Random(f"{played.seed} {played.event} {place.round} {place.table} protests").randrange(PROTEST_ONE_OF) == 0


class Kind(Enum):
    """What goes wrong; the value is how it is counted."""

    KILL_BROKER = "broker killed (SIGKILL), and started again"
    STOP_BROKER = "broker stopped (SIGSTOP), and continued"
    KILL_DESK = "desk killed (SIGKILL), and started again"
    STOP_DESK = "desk stopped (SIGSTOP), and continued"
    KILL_BOX = "box killed (SIGKILL), and started again"
    STOP_BOX = "box stopped (SIGSTOP), and continued"
    CUT_ONE = "one connection cut"
    CUT_ALL = "all connections cut"
    REFUSE_ONE = "one refused for a while"
    REFUSE_ALL = "all refused for a while"
    HOLE_ONE = "one in a black hole, then cut"
    HOLE_ALL = "all in a black hole, then cut"
    STALL_ONE = "nothing passes one, then all of it does"
    DEAF_ONE = "one is heard and hears nothing, then cut"
    SLOW_ONE = "one delayed"


DECK = (
    Kind.KILL_BROKER,
    Kind.STOP_BROKER,
    Kind.KILL_DESK,
    Kind.KILL_DESK,
    Kind.STOP_DESK,
    *(Kind.KILL_BOX,) * 5,
    *(Kind.STOP_BOX,) * 2,
    *(Kind.CUT_ONE,) * 2,
    Kind.CUT_ALL,
    Kind.REFUSE_ONE,
    Kind.REFUSE_ALL,
    *(Kind.HOLE_ONE,) * 2,
    Kind.HOLE_ALL,
    Kind.STALL_ONE,
    *(Kind.DEAF_ONE,) * 2,
    Kind.SLOW_ONE,
)
"""Faults are dealt from this, shuffled; so each kind is there again and again."""
GAP_S = (2.0, 8.0)
"""From one fault's beginning to the next's: so there are some twelve in a minute, and they overlap."""
SHORT_S, LONG_S = (0.3, 5.0), (8.0, 30.0)
"""How long a fault lasts; one in `LONG_ONE_OF` is long enough that a broker gives up a client."""
LONG_ONE_OF = 8


class Fault(NamedTuple):
    """A fault. gap_s: after the beginning of the one before. targets: of which one is struck, by preference."""

    gap_s: float
    kind: Kind
    lasts_s: float
    targets: tuple[str, ...]


def faults_of(seed: str, boxes: Sequence[str], desk: str) -> Iterator[Fault]:
    """Give faults without an end. desk: what the desk is called, whose connection is struck as those of boxes are."""
    drawn = Random(f"{seed} faults")
    while True:
        for kind in drawn.sample(DECK, len(DECK)):
            lasts_s = drawn.uniform(*(LONG_S if drawn.randrange(LONG_ONE_OF) == 0 else SHORT_S))
            targets = list(boxes) if kind in {Kind.KILL_BOX, Kind.STOP_BOX} else [*boxes, desk]
            yield Fault(drawn.uniform(*GAP_S), kind, lasts_s, tuple(drawn.sample(targets, len(targets))))

"""Who was first: the order of the presses of one race (`record.md`, Order and Dead heat). Knows no game.

Serves the final order and the provisional one alike; verdicts are the game's to add. Place after place, the presses
left that no other one left was certainly made before are the candidates, and the setup's policy picks one. So no policy
ever turns a pair around whose times tell it apart, however long the chain of dead heats that it belongs to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.dead_heats import POLICIES, Candidate
from companion.core.ruling.rulings import Place
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.record.dead_heats import Ties
    from companion.core.record.lines import PressLine, Seat

Runner = tuple[Candidate, "PressLine"]


def rank(
    presses: Sequence[PressLine], seats: Sequence[Seat], revealer: Colour, ties: Ties, race: int
) -> tuple[Place, ...]:
    """Order the presses of race number `race`, in which every seat has at most one.

    seats: clockwise; their allowances are taken off the times. revealer: the seat that distances are counted from.
    ties: what decides between candidates. `Place.gap_ns` compares the raw times; `verdict` and `why` are left None.
    """
    runners = _runners(presses, seats, revealer, f"{ties.seed}:{race}")
    in_seat_order = [seat.colour for seat in seats]
    order = runners if len(runners) == 1 else _in_order(runners, ties)
    return tuple(
        Place(
            place=place,
            colour=press.colour,
            role=press.role,
            t_ns=press.t_ns,
            gap_ns=press.t_ns - order[0][1].t_ns,
            dead_heat=bool(tied := _tied_with((candidate, press), runners, in_seat_order)),
            tied_with=tied,
        )
        for place, (candidate, press) in enumerate(order, start=1)
    )


def _runners(presses: Sequence[PressLine], seats: Sequence[Seat], revealer: Colour, lots: str) -> list[Runner]:
    index = {seat.colour: number for number, seat in enumerate(seats)}
    total_ns = sum(press.t_ns for press in presses)
    runners = []
    for press in presses:
        seat = index[press.colour]
        adjusted_ns = press.t_ns - seats[seat].allowance_ms * MS
        distance = (seat - index[revealer]) % len(seats)
        ticket = f"{lots}:{press.colour}:{total_ns}"
        runners.append((Candidate(adjusted_ns, distance, press.error_ns, ticket), press))
    return runners


def _in_order(runners: list[Runner], ties: Ties) -> list[Runner]:
    order, left = POLICIES[ties.policy].order, runners
    places: list[Runner] = []
    while left:
        candidates = [one for one in left if not any(_is_surely_before(other[0], one[0]) for other in left)]
        places.append(min(candidates, key=lambda one: order(one[0])))
        left = [one for one in left if one is not places[-1]]
    return places


def _is_surely_before(one: Candidate, other: Candidate) -> bool:
    return one.time_ns < other.time_ns and not _is_tie(one, other)


def _is_tie(one: Candidate, other: Candidate) -> bool:
    """Tell whether two adjusted times are no further apart than the sum of their errors."""
    return abs(one.time_ns - other.time_ns) <= one.error_ns + other.error_ns


def _tied_with(runner: Runner, runners: list[Runner], in_seat_order: list[Colour]) -> tuple[Colour, ...]:
    """Give the seats that the times themselves cannot tell from this press, in seat order."""
    tied = {press.colour for other, press in runners if press is not runner[1] and _is_tie(runner[0], other)}
    return tuple(colour for colour in in_seat_order if colour in tied) if tied else ()

"""Who was first: the order of the presses of one race (`record.md`, Order and Dead heat). Knows no game.

Serves the final order and the provisional one alike; verdicts are the game's to add.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.dead_heats import POLICIES
from companion.core.ruling.rulings import Place
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import DeadHeat, PressLine, Seat

Runner = tuple[int, int, "PressLine"]
"""Adjusted time in ns, clockwise distance from the revealer in seats, the press."""


def rank(presses: Sequence[PressLine], seats: Sequence[Seat], revealer: Colour, policy: DeadHeat) -> tuple[Place, ...]:
    """Order the presses of one race, in which every seat has at most one.

    seats: clockwise; their allowances are taken off the times. revealer: the seat that ties are counted from. policy:
    what decides within a dead heat. `Place.gap_ns` compares the raw times; `verdict` and `why` are left None.
    """
    if len(presses) == 1:
        (press,) = presses
        return (Place(place=1, colour=press.colour, role=press.role, t_ns=press.t_ns, gap_ns=0),)
    places: list[Place] = []
    first_ns: int | None = None
    in_seat_order = [seat.colour for seat in seats]
    for group in _groups(sorted(_runners(presses, seats, revealer), key=_by_time)):
        is_dead_heat = len(group) > 1
        if is_dead_heat:
            order = POLICIES[policy].order
            group.sort(key=lambda runner: order(runner[0], runner[1]))
        for runner in group:
            press = runner[2]
            first_ns = press.t_ns if first_ns is None else first_ns
            places.append(
                Place(
                    place=len(places) + 1,
                    colour=press.colour,
                    role=press.role,
                    t_ns=press.t_ns,
                    gap_ns=press.t_ns - first_ns,
                    dead_heat=is_dead_heat,
                    tied_with=_tied_with(runner, group, in_seat_order) if is_dead_heat else (),
                )
            )
    return tuple(places)


def _runners(presses: Sequence[PressLine], seats: Sequence[Seat], revealer: Colour) -> list[Runner]:
    index = {seat.colour: number for number, seat in enumerate(seats)}
    origin = index[revealer]
    runners = []
    for press in presses:
        seat = index[press.colour]
        adjusted_ns = press.t_ns - seats[seat].allowance_ms * MS
        runners.append((adjusted_ns, (seat - origin) % len(seats), press))
    return runners


def _groups(runners: list[Runner]) -> list[list[Runner]]:
    """Cut sorted runners wherever neighbours are further apart than the sum of their errors."""
    groups: list[list[Runner]] = []
    before: Runner | None = None
    for runner in runners:
        if before is not None and _is_tie(runner, before):
            groups[-1].append(runner)
        else:
            groups.append([runner])
        before = runner
    return groups


def _is_tie(one: Runner, other: Runner) -> bool:
    return abs(one[0] - other[0]) <= one[2].error_ns + other[2].error_ns


def _tied_with(runner: Runner, group: list[Runner], in_seat_order: list[Colour]) -> tuple[Colour, ...]:
    """Give the seats of a dead heat that the times themselves cannot tell from this press, in seat order."""
    tied = {other[2].colour for other in group if other is not runner and _is_tie(runner, other)}
    return tuple(colour for colour in in_seat_order if colour in tied)


def _by_time(runner: Runner) -> tuple[int, int]:
    return runner[0], runner[1]

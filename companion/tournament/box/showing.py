"""What a box tells the desk of the race at its table: places and scores by seat, as people without a seat may see them.

The desk says it in the words of whoever looks on, with names: a colour means nothing to somebody who is not at the
table. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Idle, Results, Standing, Status
from companion.tournament.wire import ShownPlace, ShownRace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.view import View
    from companion.core.shown.scene import Row, Scene

SETTLED = frozenset((Status.FINAL, Status.NOT_RECORDED))
"""What is judged, and changes no more but by a correction."""


def race_of(scene: Scene, seats: Sequence[Colour]) -> ShownRace | None:
    """Give the race that a scene for everybody shows, None where it shows none. seats: in their order."""
    body = scene.body
    if not isinstance(body, (Standing, Results)):
        return None
    places = tuple(_place(row, seats) for row in body.rows if row.colour in seats)
    return ShownRace(number=body.number, is_final=body.status in SETTLED, places=places)


def scores_of(scene: Scene, seats: Sequence[Colour]) -> tuple[int, ...]:
    """Give each seat's score, () where the scene shows none."""
    body = scene.body
    view: View | None = body.view if isinstance(body, (Results, Idle)) else None
    scores = {} if view is None else dict(view.scores)
    return tuple(scores[seat] for seat in seats) if scores.keys() >= set(seats) else ()


def _place(row: Row, seats: Sequence[Colour]) -> ShownPlace:
    return ShownPlace(
        seat=seats.index(row.colour), place=row.place, gap_ns=row.gap_ns, error_ns=row.error_ns,
        is_tied=row.dead_heat, is_punished=row.verdict == "punish",
    )  # fmt: skip

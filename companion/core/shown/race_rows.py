"""Places and settlings as the rows and turns that a scene shows. Pure; knows a history and no match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour
from companion.core.record.lines import JudgeLine
from companion.core.ruling.rulings import Order, Settled
from companion.core.shown.scene import Row, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.record.lines import PressLine
    from companion.core.ruling.history import History
    from companion.core.ruling.rulings import Place, Ruling


def newest_race(history: History) -> tuple[Order, tuple[Row, ...], tuple[Turn, ...]] | None:
    """Give the newest judged race that stands, its rows and the turns settled so far; None before the first."""
    after: list[Ruling] = []
    for told in history.standing_backwards():
        after[:0] = told.rulings
        if isinstance(told.line, JudgeLine):
            order = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
            whys = {place.colour: place.why for place in order.order}
            turns = tuple(turn_of(r, whys.get(r.colour)) for r in after if isinstance(r, Settled))
            return order, rows(order.order, history.presses_of(told.number)), turns
    return None


def rows(places: Sequence[Place], presses: Iterable[PressLine]) -> tuple[Row, ...]:
    """Give the places as rows with the uncertainty of each gap, taken from the presses that made them."""
    errors = {(press.colour, press.t_ns): press.error_ns for press in presses}
    error = [errors.get((place.colour, place.t_ns), 0) for place in places]
    out = []
    for index, place in enumerate(places):
        other = _nearest(places, index) if place.dead_heat else 0
        out.append(
            Row(
                place=place.place,
                colour=place.colour,
                role=place.role,
                gap_ns=place.gap_ns,
                error_ns=error[index] + error[other] if index != other else error[index],
                dead_heat=place.dead_heat,
                verdict=place.verdict,
                why=place.why,
            )
        )
    return tuple(out)


def _nearest(places: Sequence[Place], index: int) -> int:
    """Give the index of the neighbour in the order that is nearest in time."""
    neighbours = [i for i in (index - 1, index + 1) if 0 <= i < len(places)]
    return min(neighbours, key=lambda i: abs(places[i].t_ns - places[index].t_ns), default=index)


def turn_of(settled: Settled, why: str | None) -> Turn:
    """Give what became of a player, with the reason where it was a punishment."""
    return Turn(
        colour=settled.colour,
        role=settled.role,
        result=settled.result,
        why=why if settled.result == "punished" else None,
        take=settled.take if isinstance(settled.take, str) else None,
        cards=settled.cards if isinstance(settled.cards, tuple) else (),
        tribute=tuple((Colour(c), n) for c, n in settled.tribute.items()) if isinstance(settled.tribute, dict) else (),
    )

"""Places and settlings as the rows and turns that a scene shows. Pure; knows a history and no match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.record.lines import JudgeLine, PressLine
from companion.core.ruling.rulings import Order, Settled
from companion.core.shown.scene import Row, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.ruling.rulings import Place, Ruling


class Judged(NamedTuple):
    """The newest judged race that stands. turns: those settled so far. is_newest: nothing new has happened since."""

    order: Order
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    is_newest: bool


def newest_race(history: History, game: Game[Any]) -> Judged | None:
    """Give the newest judged race that stands, its rows and the turns settled so far; None before the first."""
    after: list[Ruling] = []
    is_newest = True
    for told in history.standing_backwards():
        after[:0] = told.rulings
        if isinstance(told.line, JudgeLine):
            order = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
            found = rows(order.order, history.presses_of(told.number), game)
            whys = {row.colour: row.why_says for row in found}
            turns = tuple(turn_of(r, whys.get(r.colour, "")) for r in after if isinstance(r, Settled))
            return Judged(order, found, turns, is_newest)
        is_newest = is_newest and (isinstance(told.line, PressLine) or _settles(told.rulings))
    return None


def _settles(rulings: Iterable[Ruling]) -> bool:
    return any(isinstance(ruling, Settled) for ruling in rulings)


def rows(places: Sequence[Place], presses: Iterable[PressLine], game: Game[Any]) -> tuple[Row, ...]:
    """Give the places as rows with the uncertainty of each gap, taken from the presses that made them."""
    by_place = {(press.colour, press.t_ns): press for press in presses}
    found = [by_place.get((place.colour, place.t_ns)) for place in places]
    error = [press.error_ns if press is not None else 0 for press in found]
    out = []
    for index, place in enumerate(places):
        other = _nearest(places, index) if place.dead_heat else 0
        press = found[index]
        says, brief = game.reason(press, place.why) if place.why and press is not None else (place.why or "", "")
        out.append(
            Row(
                place=place.place,
                colour=place.colour,
                role=place.role,
                gap_ns=place.gap_ns,
                error_ns=error[index] + error[other] if index != other else error[index],
                dead_heat=place.dead_heat,
                tied_with=place.tied_with,
                verdict=place.verdict,
                why=place.why,
                why_says=says,
                why_brief=brief,
            )
        )
    return tuple(out)


def _nearest(places: Sequence[Place], index: int) -> int:
    """Give the index of the place nearest in time among those that cannot be told from this one."""
    tied = [i for i, place in enumerate(places) if place.colour in places[index].tied_with]
    return min(tied, key=lambda i: abs(places[i].t_ns - places[index].t_ns), default=index)


def turn_of(settled: Settled, why: str) -> Turn:
    """Give what became of a player, with the reason where it was a punishment."""
    return Turn(
        colour=settled.colour,
        role=settled.role,
        result=settled.result,
        why_says=why if settled.result == "punished" else "",
        cards=settled.moved(),
        note=settled.note(),
    )

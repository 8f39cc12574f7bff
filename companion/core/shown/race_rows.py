"""Places and settlings as the rows and turns that a scene shows. Pure; knows a history and no match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.record.lines import JudgeLine, PressLine, Setup
from companion.core.ruling.looks import button_named
from companion.core.ruling.rulings import Order, Settled
from companion.core.shown.scene import Allowance, Row, Turn
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.race import Race
    from companion.core.ruling.rulings import Place, Ruling


class Basis(NamedTuple):
    """What the times of a race are read by: each seat's allowance, and when its card was entered (None: not known)."""

    allowances_ns: Mapping[Colour, int]
    card_ns: int | None = None


NO_BASIS = Basis({})


def basis_of(setup: Setup, race: Race | None) -> Basis:
    """Give what the times of a match's race are read by."""
    allowances_ns = {seat.colour: seat.allowance_ms * MS for seat in setup.seats if seat.allowance_ms}
    return Basis(allowances_ns, race.card_t_ns if race is not None else None)


def basis_at(history: History, told: Told, game: Game[Any]) -> Basis:
    """Give what the times of the race are read by that `told` judges."""
    setup = history[0].line
    return basis_of(setup, game.race(told.before)) if isinstance(setup, Setup) else NO_BASIS


class Judged(NamedTuple):
    """The newest judged race that stands. turns: those settled so far. is_newest: nothing new has happened since."""

    order: Order
    rows: tuple[Row, ...]
    turns: tuple[Turn, ...]
    is_newest: bool


def newest_race(history: History, game: Game[Any]) -> Judged | None:
    """Give the newest judged race that stands, its rows and the turns settled so far; None before the first."""
    if not game.race_name:
        return None
    after: list[Ruling] = []
    is_newest = True
    for told in history.standing_backwards():
        after[:0] = told.rulings
        if isinstance(told.line, JudgeLine):
            order = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
            found = rows(order.order, history.presses_of(told.number), game, basis_at(history, told, game))
            whys = {row.colour: row.why_says for row in found}
            turns = tuple(turn_of(r, whys.get(r.colour, ""), game) for r in after if isinstance(r, Settled))
            return Judged(order, found, turns, is_newest)
        is_newest = is_newest and (isinstance(told.line, PressLine) or _settles(told.rulings))
    return None


def _settles(rulings: Iterable[Ruling]) -> bool:
    return any(isinstance(ruling, Settled) for ruling in rulings)


def rows(
    places: Sequence[Place], presses: Iterable[PressLine], game: Game[Any], basis: Basis = NO_BASIS
) -> tuple[Row, ...]:
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
                role=button_named(game, place.role),
                gap_ns=place.gap_ns,
                error_ns=error[index] + error[other] if index != other else error[index],
                dead_heat=place.dead_heat,
                tied_with=place.tied_with,
                verdict=place.verdict,
                why=place.why,
                why_says=says,
                why_brief=brief,
                allowance=_allowance(places, error, index, basis),
                anticipated=place.anticipated is True,
            )
        )
    return tuple(out)


def _allowance(places: Sequence[Place], error: Sequence[int], index: int, basis: Basis) -> Allowance | None:
    """Give the allowance that has put a place ahead of another that is below it, None where none has."""
    place, own_ns = places[index], basis.allowances_ns.get(places[index].colour, 0)
    for other in range(index + 1, len(places)):
        more_ns = own_ns - basis.allowances_ns.get(places[other].colour, 0)
        ahead_ns, tied_ns = places[other].t_ns - place.t_ns, error[index] + error[other]
        if more_ns > 0 and (ahead_ns < 0 or ahead_ns <= tied_ns < ahead_ns + more_ns):
            since_ns = None if basis.card_ns is None else place.t_ns - basis.card_ns
            raw_ns = place.t_ns - min(one.t_ns for one in places)
            return Allowance(own_ns, raw_ns, since_ns if since_ns is not None and since_ns >= 0 else None)
    return None


def _nearest(places: Sequence[Place], index: int) -> int:
    """Give the index of the place nearest in time among those that cannot be told from this one."""
    tied = [i for i, place in enumerate(places) if place.colour in places[index].tied_with]
    return min(tied, key=lambda i: abs(places[i].t_ns - places[index].t_ns), default=index)


def turn_of(settled: Settled, why: str, game: Game[Any]) -> Turn:
    """Give what became of a player, with the reason where it was a punishment."""
    return Turn(
        colour=settled.colour,
        role=button_named(game, settled.role),
        result=settled.result,
        why_says=why if settled.result == "punished" else "",
        cards=settled.moved(),
        note=settled.note(),
    )

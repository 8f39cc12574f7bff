"""Which sign holds for each seat while a scene is shown. Pure; knows no game by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.match.effects import PUNISH
from companion.core.shown.scene import Choosing, Final, Idle, Question, Results, Standing, Status
from companion.core.signals.signs import Sign

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core.panel import Colour
    from companion.core.shown.scene import Body, Scene


def signs_of(
    scene: Scene, seats: Collection[Colour], *, is_open: bool = False, has_races: bool = True
) -> dict[Colour, Sign]:
    """Give the sign of each seat that has one.

    seats: who plays. is_open: a race may begin with the next press. has_races: where none are run, whose turn it is
    is what a seat is called by.
    """
    body = scene.body
    if isinstance(body, Idle):
        if is_open:
            return dict.fromkeys(seats, Sign.OPEN)
        return {} if has_races or body.view.turn is None else {body.view.turn: Sign.YOURS}
    return _of_race(body, seats) if isinstance(body, Standing) else _of_all_else(body)


def _of_all_else(body: Body) -> dict[Colour, Sign]:
    match body:
        case Choosing(seat=seat, others=others):
            return dict.fromkeys((one for one in (seat, *others) if one is not None), Sign.YOURS)
        case Question(missing=missing):
            return dict.fromkeys(missing, Sign.YOURS)
        case Results(rows=rows):
            punished = {row.colour: Sign.PUNISHED for row in rows if row.verdict == PUNISH}
            return {row.colour: Sign.FIRST for row in rows if row.place == 1} | punished
        case Final(leaders=leaders):
            return dict.fromkeys(leaders, Sign.FIRST)
        case _:
            return {}


def _of_race(race: Standing, seats: Collection[Colour]) -> dict[Colour, Sign]:
    """Say who has pressed, and that the race is open to the others for as long as it takes presses."""
    pressed = {row.colour for row in race.rows} | set(race.made)
    others = dict.fromkeys(seats, Sign.OPEN) if race.status is Status.PROVISIONAL else {}
    return others | dict.fromkeys(pressed, Sign.ACCEPTED)

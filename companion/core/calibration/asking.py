"""What a desk or a phone asks of a calibration: the same that the knob does, by name. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.core.calibration.trials import WAYS
from companion.core.errors import Illegal
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.calibration.menu import CalibrationMenu
    from companion.core.calibration.trials import Way
    from companion.core.panel import Colour

Step = Literal["begin", "anew", "go on", "pause", "leave", "seat leaves", "plays"]
"""What can be asked: "begin" goes on with kept trials, "anew" does without them; the last two are of one seat."""


def take_step(calibrating: CalibrationMenu, step: Step, seat: Colour | None, way: Way | None) -> str:
    """Do it, and say what was done. Raises Illegal where it cannot be; nothing has changed then."""
    if step in {"begin", "go on"}:
        calibrating.go_on()
        return text("the trials go on")
    if step == "anew":
        calibrating.anew()
        return text("the trials begin anew")
    if step == "pause":
        calibrating.pause()
        return text("the trials rest")
    if step == "leave":
        calibrating.leave()
        return text("back to the seating; nothing is changed")
    if seat is None:
        raise Illegal(text("field `seat`: say which seat"))
    return _of_seat(calibrating, seat, way, leaves=step == "seat leaves")


def _of_seat(calibrating: CalibrationMenu, seat: Colour, way: Way | None, *, leaves: bool) -> str:
    if leaves:
        calibrating.without(seat)
        return text("{seat} tries no longer").format(seat=seat)
    if way is None:
        raise Illegal(text("field `way`: say how the seat plays"))
    calibrating.set_way(seat, way)
    return text("{seat} is measured as it plays: {way}").format(seat=seat, way=WAYS[way])

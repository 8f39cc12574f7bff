"""Which lamps in the buttons are lit and which blink, for a scene. Pure; knows no pod.

Lit: this seat's press has been accepted in the race that is shown. Blinking: this button picks something for the player
who has to choose now. While a seat is given a sign, its four lamps say that sign together, and nothing else. A sign
that lasts they say together too, unless one of them says more: which was pressed, or which picks what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.match.effects import PUNISH
from companion.core.panel import BUTTON_BY_LABEL, BUTTONS, button_of, named_button
from companion.core.shown.scene import Choosing, Results, Standing
from companion.core.signals.signs import Outlet

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.core.signals.board import Lit


class Lamps(NamedTuple):
    """Labels of buttons ("red fourth")."""

    lit: frozenset[str] = frozenset()
    blinking: frozenset[str] = frozenset()


def lamps_of(scene: Scene) -> Lamps:
    """Give the lamps of a scene."""
    match scene.body:
        case Standing(rows=rows) | Results(rows=rows):
            stands = (row for row in rows if row.verdict != PUNISH)
            pressed = (button_of(row.colour, row.role, scene.roles) for row in stands)
            return Lamps(lit=frozenset(button.label for button in pressed if button is not None))
        case Choosing(seat=seat, menu=menu):
            names = [item.button or (f"{seat} {item.role}" if item.role and seat else "") for item in menu.items]
            picks = (named_button(name, scene.roles) for name in names)
            return Lamps(blinking=frozenset(button.label for button in picks if button is not None))
        case _:
            return Lamps()


def with_signs(scene: Scene, on: Collection[Lit], given: Collection[Colour]) -> Lamps:
    """Give the lamps of a scene, those of the seats that a sign is told as `on` has the seat's lamp.

    given: the seats that are given a sign now. All others have the one that lasts, if any.
    """
    lamps = lamps_of(scene)
    lit_seats = {lit.seat for lit in on if lit.outlet is Outlet.LAMP}
    together = set(given) | (lit_seats - _by_themselves(scene, lamps))
    of_signs = {button.label for button in BUTTONS if button.colour in together}
    lit = {button.label for button in BUTTONS if button.colour in together & lit_seats}
    return Lamps((lamps.lit - of_signs) | lit, lamps.blinking - of_signs)


def _by_themselves(scene: Scene, lamps: Lamps) -> set[Colour]:
    """Give the seats of which single lamps say more than a sign that lasts: what picks, and what a race was run with.

    Once a race is settled, its places are what matters.
    """
    telling = lamps.blinking if isinstance(scene.body, Results) else lamps.blinking | lamps.lit
    return {BUTTON_BY_LABEL[label].colour for label in telling}

"""Which lamps in the buttons are lit and which blink, for a scene. Pure; knows no pod.

Lit: this seat's press has been accepted in the race that is shown. Blinking: this button picks something for the player
who has to choose now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import button_of, named_button
from companion.core.shown.scene import Choosing, Results, Standing

if TYPE_CHECKING:
    from companion.core.shown.scene import Scene


class Lamps(NamedTuple):
    """Labels of buttons ("red fourth")."""

    lit: frozenset[str] = frozenset()
    blinking: frozenset[str] = frozenset()


def lamps_of(scene: Scene) -> Lamps:
    """Give the lamps of a scene."""
    match scene.body:
        case Standing(rows=rows) | Results(rows=rows):
            pressed = (button_of(row.colour, row.role, scene.roles) for row in rows)
            return Lamps(lit=frozenset(button.label for button in pressed if button is not None))
        case Choosing(seat=seat, menu=menu):
            names = [item.button or (f"{seat} {item.role}" if item.role and seat else "") for item in menu.items]
            picks = (named_button(name, scene.roles) for name in names)
            return Lamps(blinking=frozenset(button.label for button in picks if button is not None))
        case _:
            return Lamps()

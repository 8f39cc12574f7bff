"""Which lamps in the buttons are lit and which blink, for a scene. Pure; knows no pod.

Lit: this seat's press has been accepted in the race that is shown. Blinking: this button picks something for the player
who has to choose now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import Button
from companion.core.shown.scene import Choosing, Results, Standing

if TYPE_CHECKING:
    from companion.core.shown.scene import Scene


class Lamps(NamedTuple):
    """Labels of buttons ("red hunter")."""

    lit: frozenset[str] = frozenset()
    blinking: frozenset[str] = frozenset()


def lamps_of(scene: Scene) -> Lamps:
    """Give the lamps of a scene."""
    match scene.body:
        case Standing(rows=rows) | Results(rows=rows):
            return Lamps(lit=frozenset(Button(row.colour, row.role).label for row in rows))
        case Choosing(seat=seat, menu=menu):
            by_role = {
                Button(seat, item.role).label for item in menu.items if item.role is not None and seat is not None
            }
            by_button = {item.button for item in menu.items if item.button is not None}
            return Lamps(blinking=frozenset(by_role | by_button))
        case _:
            return Lamps()

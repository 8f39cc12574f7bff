"""Whom a picture is for, where somebody must act, and the picture turned toward them. Pure; knows no display.

The display lies in the middle of a table, and half of the players see it upside down. So it turns toward whoever it
waits for; where that is nobody, or people of both sides, it stays as it is mounted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from companion.core.shown.scene import Choosing, Final, Idle, Question

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.screens.oled.canvas import Canvas


def waited_for(scene: Scene) -> tuple[Colour, ...]:
    """Give the seats that a scene asks something of; () where the referee or nobody is."""
    body = scene.body
    if isinstance(body, Choosing):
        return (body.seat, *body.others) if body.seat is not None and not body.more else ()
    if isinstance(body, Question):
        return body.missing
    if isinstance(body, (Idle, Final)) and body.menu is not None and body.menu.seat is not None:
        return (body.menu.seat,)  # which scans
    if isinstance(body, Idle) and body.menu is None and not body.held:
        running = tuple(clock.seat for clock in body.view.clocks if clock.is_running and clock.seat is not None)
        return running or ((body.view.turn,) if body.view.turn is not None else ())
    return ()


def is_for(scene: Scene, far: Collection[Colour]) -> bool:
    """Tell whether all that a scene waits for sit at the other side. far: the seats there."""
    waited = waited_for(scene)
    return bool(waited) and all(colour in far for colour in waited)


def turning(
    draw: Callable[[Scene, tuple[int, int], int], Canvas], far: Collection[Colour]
) -> Callable[[Scene, tuple[int, int], int], Canvas]:  # fmt: skip
    """Give `draw` with pictures that are for the far side upside down."""

    def turned(scene: Scene, size: tuple[int, int], page: int = 0) -> Canvas:
        canvas = draw(scene, size, page)
        if is_for(scene, far):
            canvas.image = canvas.image.transpose(Image.Transpose.ROTATE_180)
            top, bottom = canvas.first
            canvas.first = (canvas.height - bottom, canvas.height - top) if bottom > top else canvas.first
        return canvas

    return turned

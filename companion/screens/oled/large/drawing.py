"""How a box's pictures are drawn, as its settings have it: the size of the letters, and toward whom. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.language import ENGLISH
from companion.screens.oled import picture
from companion.screens.oled.facing import turning

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language
    from companion.screens.oled.canvas import Canvas
    from companion.screens.oled.large.leafing import Draw


def drawing(letters: str, far: Collection[Colour] = (), language: Callable[[], Language] = lambda: ENGLISH) -> Draw:
    """Give what draws scenes. letters: as the settings have them. far: seats that pictures turn toward; () for none.

    language: gives what pictures are in, asked for each of them.
    """
    draw = {"large": _large, "simple": _simple}.get(letters, _usual)()

    def drawn(scene: Scene, size: tuple[int, int], page: int = 0) -> Canvas:
        return draw(scene, size, page, language())

    return turning(drawn, far) if far else drawn


def _usual() -> Callable[[Scene, tuple[int, int], int, Language], Canvas]:
    return picture.draw


def _simple() -> Callable[[Scene, tuple[int, int], int, Language], Canvas]:
    from companion.screens.oled.large import simple  # noqa: PLC0415 - as below

    return simple.draw


def _large() -> Callable[[Scene, tuple[int, int], int, Language], Canvas]:
    from companion.screens.oled.large import picture as large  # noqa: PLC0415 - memory that the usual need not have

    return large.draw

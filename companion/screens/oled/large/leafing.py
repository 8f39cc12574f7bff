"""Which of a scene's pictures a display shows, where there are several: each for a while, one after the other.

What is new stands on the first. So a new scene begins there again, unless its first picture is the one that was shown
before: then somebody is still reading, and it goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from companion.core.shown.times import USUAL

if TYPE_CHECKING:
    from PIL import Image

    from companion.core.shown.scene import Scene


class Drawn(Protocol):
    """One of a scene's pictures."""

    image: Image.Image
    """Of mode "1"."""
    first: tuple[int, int]
    """The rows of pixels, the end exclusive, that should be seen before the others."""
    pages: int
    """How many pictures the scene has."""


Draw = Callable[["Scene", tuple[int, int], int], Drawn]
"""Draws a scene for a display of a size; the number counts its pictures on and on."""


def page_after(shown_ns: int, leaf_ns: int = USUAL.leaf_ns) -> int:
    """Give which picture is to be seen of a scene that has been shown for so long, counted on and on."""
    return max(0, shown_ns) // leaf_ns


class Leafing:
    """Leafs through a scene's pictures. leaf_ns: how long each stands."""

    def __init__(self, draw: Draw, leaf_ns: int = USUAL.leaf_ns) -> None:
        self._draw, self._leaf_ns = draw, leaf_ns
        self._page, self._pages, self._since_ns = 0, 1, 0
        self._first: bytes | None = None

    def picture(self, scene: Scene, size: tuple[int, int], now_ns: int, *, is_new: bool) -> Drawn:
        """Give the picture that is to be seen now. is_new: not the scene of before, nor that with its clocks moved."""
        if is_new:
            drawn = self._draw(scene, size, 0)
            self._begin(drawn, now_ns)
            if self._page == 0:
                return drawn
        elif self._pages > 1 and now_ns >= self._since_ns + self._leaf_ns:
            self._page, self._since_ns = (self._page + 1) % self._pages, now_ns
        return self._draw(scene, size, self._page)

    def _begin(self, drawn: Drawn, now_ns: int) -> None:
        self._pages = drawn.pages
        first = drawn.image.tobytes() if drawn.pages > 1 else None
        if first is None or first != self._first or self._page >= drawn.pages:
            self._page, self._since_ns = 0, now_ns
        self._first = first

    def next_ns(self) -> int | None:
        """Give when the next picture is due; None where there is but one."""
        return self._since_ns + self._leaf_ns if self._pages > 1 else None

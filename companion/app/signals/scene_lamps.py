"""What the lamps in buttons are to say, by the scene that is shown and the signs that seats are told."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.core.shown.scene import Menu, Question, Scene
from companion.screens.lamps import Lamps, with_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.core.panel import Colour
    from companion.core.signals.board import Lit


class SceneLamps:
    """Calls `light` with the lamps that are to be lit and to blink, whenever they have changed.

    `show` is called in the loop's thread, `tell` in that of the signals; `light` in either, one at a time.
    """

    def __init__(self, light: Callable[[Lamps], None]) -> None:
        self._light = light
        self._lock = threading.Lock()
        self._scene = Scene(Question("", (), Menu("", ())))
        self._on: frozenset[Lit] = frozenset()
        self._given: frozenset[Colour] = frozenset()
        self._shown = Lamps()

    def show(self, scene: Scene) -> bool:
        """Take what is shown now; tell whether a lamp has changed by it."""
        with self._lock:
            self._scene = scene
            return self._follow()

    def tell(self, on: frozenset[Lit], given: Collection[Colour]) -> None:
        """Take which seats' lamps are on, and who is being given a sign."""
        with self._lock:
            self._on, self._given = on, frozenset(given)
            self._follow()

    def forget(self) -> None:
        """Have all dark; what is told next is shown anew."""
        with self._lock:
            self._shown = Lamps()
            self._light(Lamps())

    def _follow(self) -> bool:
        lamps = with_signs(self._scene, self._on, self._given)
        if lamps == self._shown:
            return False
        self._shown = lamps
        self._light(lamps)
        return True

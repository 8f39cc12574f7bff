"""The lamps in the buttons of the box, which answer as those of pods do: a watcher of scenes, and a `Signals`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.app.signals.scene_lamps import SceneLamps
from companion.core.signals.single_lamps import SingleLamps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.adapters.signals.button_lamps import ButtonLamps
    from companion.core.panel import Colour
    from companion.core.shown.scene import Scene
    from companion.core.signals.board import Lit
    from companion.core.signals.signs import Sign
    from companion.screens.lamps import Lamps


class LitButtons:
    """Button lamps that follow the scene and the signs.

    The loop's thread must not wait for the bus: `show` keeps what is to be lit, under `_lock`, and has the signals'
    thread woken (`on_change`), which alone talks to the chips (`step`).
    """

    checks = True

    def __init__(self, lamps: ButtonLamps) -> None:
        self.name = lamps.name
        self.on_change: Callable[[], None] = lambda: None
        """Wakes the signals' thread; called in the loop's thread."""
        self._lamps = lamps
        self._lock = threading.Lock()
        self._single = SingleLamps()
        self._scene = SceneLamps(self._keep)

    def show(self, scene: Scene) -> None:
        """Take the scene that is shown."""
        if self._scene.show(scene):
            self.on_change()

    def open(self) -> None:
        """Have all dark. Raises Unavailable where a chip is not there."""
        self._lamps.open()

    def switch(self, on: frozenset[Lit], given: Mapping[Colour, Sign]) -> None:
        """Take what seats are told; `step` switches."""
        self._scene.tell(on, given)

    def step(self, now_ns: int) -> int | None:
        """Switch what has changed; give when the next of them changes by itself, None where none does."""
        with self._lock:
            on, next_ns = self._single.on(now_ns), self._single.next_change(now_ns)
        self._lamps.light(on)
        return next_ns

    def check(self) -> None:
        """See that the chips are still there."""
        self._lamps.check()

    def close(self) -> None:
        """Have all dark and let go."""
        self._lamps.close()

    def _keep(self, lamps: Lamps) -> None:
        with self._lock:
            self._single.show(lamps.lit, lamps.blinking)

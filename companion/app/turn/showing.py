"""What there is to see, handed to all displays and watchers, and only where it has changed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.app.turn.display_thread import DisplayThread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.turn.display_thread import Drawn
    from companion.app.turn.onlookers import Watcher
    from companion.app.turn.right_of_way import RightOfWay
    from companion.core.shown.scene import Scene
    from companion.ports import Display


class Showing:
    """The displays, each with its thread, and the watchers. alarm: told, by a display's name, how it is."""

    def __init__(
        self,
        displays: Sequence[Display],
        draw: Callable[[Scene, tuple[int, int]], Drawn],
        watchers: Sequence[Watcher],
        alarm: Callable[[str, str | None], None],
        way: RightOfWay,
    ) -> None:
        self._scene: Scene | None = None
        self._watchers = list(watchers)
        self._displays = [
            DisplayThread(f"display {number}", display, draw, partial(alarm, f"display {number}"), way)
            for number, display in enumerate(displays, start=1)
        ]

    def start(self) -> None:
        """Begin the displays' threads."""
        for thread in self._displays:
            thread.start()

    def show(self, scene: Scene) -> Scene:
        """Show a scene, where it is another than before; give what is shown now."""
        if scene == self._scene:
            return self._scene
        self._scene = scene
        for thread in self._displays:
            thread.show(scene)
        for watcher in self._watchers:
            watcher.show(scene)
        return scene

    def stop(self) -> None:
        """End the displays' threads, each once it has shown what is left."""
        for thread in self._displays:
            thread.stop()

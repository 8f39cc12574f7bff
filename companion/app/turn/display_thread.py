"""One display and the thread that keeps it up to date, so that no press waits for a bus. Knows no adapter."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.app.turn.right_of_way import RightOfWay
from companion.core.errors import Unavailable
from companion.core.shown.timed.ticking import as_of, clocks_of, next_tick
from companion.core.shown.times import USUAL
from companion.core.timing.events import SECOND
from companion.core.timing.histograms import Histogram
from companion.screens.oled.large.leafing import Leafing
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.shown.scene import Scene
    from companion.ports import Display
    from companion.screens.oled.large.leafing import Draw

RETRY_S = 2.0
"""How often the picture is sent anew, so that a display that failed comes back."""


class DisplayThread:
    """Shows the newest scene on one display, in a thread of its own.

    A scene may have several pictures, which it leafs through. One that is still on its way when a newer scene arrives
    is broken off for it. A game's clocks it counts on by itself, so that nobody else has anything to do for them, and
    gives way before each such picture. It has the right of way from a scene's arrival to the picture, but not while it
    has failed. clock: CLOCK_MONOTONIC in nanoseconds, the record's. Shared with the loop's thread, under the condition:
    `_scene` (None: nothing new), `_is_down` and `_stopping`.
    """

    def __init__(
        self,
        name: str,
        display: Display,
        draw: Draw,
        on_state: Callable[[str | None], None],
        way: RightOfWay | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        leaf_ns: int = USUAL.leaf_ns,
    ) -> None:
        self._way, self._clock = way or RightOfWay(), clock
        self._display, self._leafing, self._on_state = display, Leafing(draw, leaf_ns), on_state
        self._changed = threading.Condition()
        self._scene: tuple[Scene, int] | None = None  # and when it arrived
        self._stopping = self._is_down = False
        self._shown: Scene | None = None  # the thread's own
        self.times = Histogram()
        """From a scene's arrival to its picture, where no newer one came between; put by the thread alone."""
        self._thread = Watched(self._run, name=name)

    def start(self) -> None:
        """Begin to show."""
        self._thread.start()

    def show(self, scene: Scene) -> None:
        """Have this scene shown as soon as the bus is free."""
        with self._changed:
            self._scene = scene, self._clock()
            if not self._is_down:
                self._way.take(self._thread.name)
            self._changed.notify()

    def stop(self) -> None:
        """Show what is left, blank the display and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        self._is_down = False
        try:
            self._keep_up()
        except BaseException:
            with self._changed:
                self._is_down = True
                self._way.give(self._thread.name)
            raise

    def _keep_up(self) -> None:
        is_well: bool | None = None
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._scene is not None or self._stopping, self._patience_s())
                fresh, self._scene = self._scene, None
                self._shown = fresh[0] if fresh else self._shown
                stopping = self._stopping
            if fresh is None and not stopping:
                self._way.give_way()
            if self._shown is not None:  # the same picture again costs a few bytes, and notices a pulled cable
                is_well = self._try(self._shown, is_well, is_new=fresh is not None)
                if is_well and fresh is not None and not self._has_newer():
                    self.times = self.times.with_(self._clock() - fresh[1])
            self._give_way_back()
            if stopping:
                self._display.close()
                return

    def _patience_s(self) -> float:
        """Give how long a picture may stand: until a clock in it shows something else, or the next one is due."""
        if self._shown is None:
            return RETRY_S
        now_ns = self._clock()
        instants = (next_tick(clocks_of(self._shown), now_ns), self._leafing.next_ns())
        waits = [max(0, instant - now_ns) / SECOND for instant in instants if instant is not None]
        return min([RETRY_S, *waits])

    def _give_way_back(self) -> None:
        with self._changed:
            if self._scene is None:
                self._way.give(self._thread.name)

    def _has_newer(self) -> bool:
        return self._scene is not None  # without the condition: a moment late is soon enough

    def _try(self, scene: Scene, was_well: bool | None, *, is_new: bool) -> bool:
        try:
            if not was_well:
                self._display.open()
            now_ns = self._clock()
            drawn = self._leafing.picture(as_of(scene, now_ns), self._display.size, now_ns, is_new=is_new)
            self._display.show(drawn.image, drawn.first, self._has_newer)
        except Unavailable as error:
            if was_well is not False:
                self._on_state(str(error))
            return False
        if not was_well:
            self._on_state(None)
        return True

"""The box's own screens: its displays, and a terminal. They may show what goes nowhere else.

Pages are told of scenes by another way (`Follower`), so that nothing that is shown here apart can come to them. In the
loop's thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Final, Idle, Invitation, Lobby, Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.app.turn.display_thread import DisplayThread
    from companion.app.turn.onlookers import Watcher
    from companion.core.shown.scene import Question
    from companion.core.timing.histograms import Histogram

_QUIET = (Lobby, Idle, Final, Invitation)
"""What may make way for something else: nobody is waiting for it."""


class OwnScreens:
    """Shows each new scene on all of them."""

    def __init__(self, displays: Sequence[DisplayThread], watchers: Iterable[Watcher]) -> None:
        self._displays, self._watchers = displays, list(watchers)
        self._apart: Question | None = None
        self._until_ns = 0
        self._over: Lobby | None = None  # the seating that it was put over
        self._shown: Scene | None = None

    @property
    def are_there(self) -> bool:
        """Tell whether there is any."""
        return bool(self._displays or self._watchers)

    def start(self) -> None:
        """Begin to show."""
        for thread in self._displays:
            thread.start()

    def stop(self) -> None:
        """Show what is left, and end."""
        for thread in self._displays:
            thread.stop()

    def apart(self, what: Question | None, until_ns: int) -> None:
        """Show this in the place of quiet scenes until `until_ns`, or the seating is changed; None: no longer."""
        self._apart, self._until_ns, self._over = what, until_ns, None

    def times(self) -> tuple[Histogram, ...]:
        """Give of each display how long pictures took, from their scene to the panel."""
        return tuple(thread.times for thread in self._displays)

    def next_deadline(self) -> int | None:
        """Give the instant at which something is to go, None for none."""
        return None if self._apart is None else self._until_ns

    def show(self, scene: Scene, now_ns: int) -> None:
        """Show a scene, or what is shown apart in its place."""
        body = scene.body
        if isinstance(body, Lobby):
            self._over = self._over or body
        if now_ns >= self._until_ns or (isinstance(body, Lobby) and body != self._over):
            self._apart = None  # whoever sits down, or turns the knob, wants to see what it does
        is_quiet = isinstance(body, _QUIET) and not (isinstance(body, Idle) and (body.menu is not None or body.held))
        seen = Scene(self._apart, scene.alarms) if self._apart is not None and is_quiet else scene
        if seen == self._shown:
            return
        self._shown = seen
        for thread in self._displays:
            thread.show(seen)
        for watcher in self._watchers:
            watcher.show(seen)

"""Whoever looks at what the box does, in the loop's own thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.core.match.effects import Cue, Sound
    from companion.core.play.session import Session
    from companion.core.shown.scene import Scene


class Watcher(Protocol):
    """Whoever wants each new scene in the loop's own thread: a terminal, a log, later the web."""

    def show(self, scene: Scene) -> None:
        """Take a new scene; must not block."""


class Follower(Protocol):
    """Whoever wants more than the scene, after each turn in which it may have changed: the web."""

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Look at the session as it is now; must not block, nor keep it."""

    def sound(self, sound: Sound) -> None:
        """A tone is played, whether the buzzer is heard or not; must not block."""

    def cue(self, cue: Cue) -> None:
        """A seat that scans with a switch is offered something: for that seat alone; must not block."""

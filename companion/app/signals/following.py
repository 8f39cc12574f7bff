"""What follows the loop and tells the thread of lamps and motors what each seat is to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Lobby
from companion.core.signals.board import Lit
from companion.core.signals.lasting import signs_of
from companion.core.signals.signs import OF_TONE, Outlet, Sign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.app.signals.thread import SignalThread
    from companion.core.match.effects import Cue
    from companion.core.panel import Colour
    from companion.core.play.session import Session
    from companion.core.profiles.holding import Sitter
    from companion.core.profiles.profile import Signal
    from companion.core.shown.scene import Scene
    from companion.ports import Sound

TO_EVERYBODY = frozenset({Sign.TIME_LOW, Sign.TIME_UP})
"""What concerns all seats where it is said of none. All else that is said of none answers the knob, on the display."""


def unwanted(sitters: Mapping[Colour, Sitter]) -> frozenset[Lit]:
    """Give the lamps and motors that those who sit there by profiles of their own do not want."""
    wanted: tuple[tuple[Outlet, Signal], ...] = ((Outlet.LAMP, "lamp"), (Outlet.MOTOR, "motor"))
    return frozenset(
        Lit(colour, outlet)
        for colour, sitter in sitters.items()
        for outlet, signal in wanted
        if not sitter.profile.screens.wants(signal)
    )


class SignalFollower:
    """Tells the thread what is new. In the loop's thread."""

    def __init__(self, thread: SignalThread) -> None:
        self._thread = thread
        self._seen: tuple[object, ...] = ()
        self._alarms: frozenset[str] = frozenset()
        self._seats: tuple[Colour, ...] = ()
        self._left_out: frozenset[Lit] = frozenset()

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:  # noqa: ARG002
        """Show what lasts, say where there is a new alarm, and by what whoever sits there wants to be told."""
        if (left_out := unwanted(session.sitters)) != self._left_out:
            self._left_out = left_out
            self._thread.leave_out(left_out)
        match = session.match
        phase = match.phase if match is not None else None
        seen = (scene, phase, match is None)
        if seen == self._seen:
            return
        self._seen = seen
        if match is not None:
            self._seats = tuple(seat.colour for seat in match.setup.seats)
        elif isinstance(scene.body, Lobby):
            self._seats = scene.body.seats
        is_open = phase is RacePhase.OPEN
        has_races = match is not None and bool(match.game.race_name)
        self._thread.show(signs_of(scene, self._seats, is_open=is_open, has_races=has_races))
        alarms = frozenset(scene.alarms)
        if alarms - self._alarms:
            self._thread.give(Sign.ALARM, self._seats)
        self._alarms = alarms

    def sound(self, sound: Sound) -> None:
        """Have seen and felt what is heard."""
        sign = OF_TONE[sound.tone]
        seats = sound.seats or (self._seats if sign in TO_EVERYBODY else ())
        if seats:
            self._thread.give(sign, seats)

    def cue(self, cue: Cue) -> None:
        """Have a seat that scans feel what it is offered: its own motor, never its lamp."""
        self._thread.cue(cue.colour, cue.number)

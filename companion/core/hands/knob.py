"""The rotary knob's gestures, and what becomes of arcade presses while it is held. Knows no menu and no game.

    turned                                       Rotation
    pushed and let go within a second            Click
    held for a second, no arcade press           Hold (its letting go is then nothing)
    held, exactly one arcade press, let go       Chord: that button names a card
    held, two or more arcade presses             Play for each: they were plays after all
    held for longer than `CHORD_LIMIT_NS`        Play for each: somebody leans on the knob
    arcade press while it is not held            Play

No press is swallowed, and every one keeps its time. Events come in time order, except that a letting-go is known only
once the line has been quiet, so presses after it may already be here: they are told apart by their times.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.panel import KNOB_PUSH
from companion.core.timing.events import SECOND, Press, Release, Turned

HOLD_NS = SECOND
"""A push of at least this length without an arcade press is a Hold."""
CHORD_LIMIT_NS = 5 * SECOND
"""A push longer than this names no card."""


class Rotation(NamedTuple):
    """The knob was turned by `steps` detents, clockwise positive."""

    steps: int
    t_ns: int


class Click(NamedTuple):
    """The knob was pushed and let go; `t_ns` ± `error_ns` is when it was pushed."""

    t_ns: int
    error_ns: int = 0


class Hold(NamedTuple):
    """The knob has been held for a second, at `t_ns`."""

    t_ns: int


class Chord(NamedTuple):
    """One arcade button was pressed while the knob was held."""

    press: Press


class Play(NamedTuple):
    """An arcade press that stands for itself."""

    press: Press


Gesture = Rotation | Click | Hold | Chord | Play


class Knob:
    """Turns presses, releases and turnings into gestures."""

    def __init__(self) -> None:
        self._down_ns: int | None = None
        self._error_ns = 0  # of the push
        self._held: list[Press] = []
        self._spent = False  # this push has already become a Hold, or plays
        self._leaned = False  # this push has become plays: what follows in it are plays too

    @property
    def is_held(self) -> bool:
        """Tell whether the knob is pushed now."""
        return self._down_ns is not None

    @property
    def pushed_ns(self) -> int | None:
        """When it was pushed, while a letting-go may still make that a Click; None: it may not, or is not pushed."""
        return None if self._spent else self._down_ns

    def held(self) -> tuple[Press, ...]:
        """Give the presses whose meaning is not known yet."""
        return tuple(self._held)

    def earliest_held(self) -> int | None:
        """Give the time of the first press whose meaning is not known yet, None where there is none."""
        return min((press.t_ns for press in self._held), default=None)

    def feed(self, event: Press | Release | Turned) -> list[Gesture]:
        """Take the next event; releases of arcade buttons mean nothing."""
        if isinstance(event, Turned):
            return [Rotation(event.steps, event.t_ns)]
        if event.line == KNOB_PUSH:
            return self._push(event) if isinstance(event, Press) else self._let_go(event.t_ns)
        return self._arcade(event) if isinstance(event, Press) else []

    def advance(self, settled_ns: int) -> list[Gesture]:
        """Give what follows from time alone; every press up to `settled_ns` has been fed."""
        if self._down_ns is None:
            return []
        if not self._spent and not self._held and settled_ns >= self._down_ns + HOLD_NS:
            self._spent = True
            return [Hold(self._down_ns + HOLD_NS)]
        if self._held and settled_ns > self._down_ns + CHORD_LIMIT_NS:
            return self._plays()
        return []

    def next_deadline(self) -> int | None:
        """Give the settled instant at which `advance` next has something to do, None where it never has."""
        if self._down_ns is None:
            return None
        if self._held:
            return self._down_ns + CHORD_LIMIT_NS + 1
        return None if self._spent else self._down_ns + HOLD_NS

    def _push(self, press: Press) -> list[Gesture]:
        self._down_ns, self._error_ns = press.t_ns, press.error_ns
        self._spent = self._leaned = False
        return []

    def _arcade(self, press: Press) -> list[Gesture]:
        if self._down_ns is None or self._leaned or not 0 <= press.t_ns - self._down_ns <= CHORD_LIMIT_NS:
            return [Play(press)]
        self._held.append(press)
        return []

    def _plays(self) -> list[Gesture]:
        presses, self._held = self._held, []
        self._spent = self._leaned = True
        return [Play(press) for press in sorted(presses, key=lambda press: press.t_ns)]

    def _let_go(self, t_ns: int) -> list[Gesture]:
        if self._down_ns is None:
            return []
        held = sorted(self._held, key=lambda press: press.t_ns)
        inside = [press for press in held if press.t_ns <= t_ns]
        after: list[Gesture] = [Play(press) for press in held if press.t_ns > t_ns]
        down_ns, self._down_ns, self._held = self._down_ns, None, []
        if len(inside) == 1 and t_ns - down_ns <= CHORD_LIMIT_NS:
            return [Chord(inside[0]), *after]
        if inside:
            return [*(Play(press) for press in inside), *after]
        return after if self._spent else [Click(down_ns, self._error_ns), *after]

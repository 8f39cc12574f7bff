"""Clocks of a game as they stand at an instant, and when what is shown of them changes next. Pure.

What a game says of its clocks holds until its next line: how much was left at an instant, and how fast that goes. So a
display needs nobody to tell it the time; it draws what `as_of` gives, and again at `next_tick`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.shown.scene import Idle
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.ruling.view import Clock
    from companion.core.shown.scene import Scene

TENTHS_BELOW_NS = 20 * SECOND
"""With less than this left, tenths of a second are shown."""
TENTH = SECOND // 10


def unit_of(left_ns: int) -> int:
    """Give in which steps so much is shown."""
    return TENTH if abs(left_ns) < TENTHS_BELOW_NS else SECOND


def clocks_of(scene: Scene) -> tuple[Clock, ...]:
    """Give the clocks that a scene shows."""
    return scene.body.view.clocks if isinstance(scene.body, Idle) else ()


def as_of(scene: Scene, now_ns: int) -> Scene:
    """Give the scene with its clocks as they stand at an instant."""
    body = scene.body
    if not isinstance(body, Idle) or not body.view.clocks:
        return scene
    clocks = tuple(clock.as_of(now_ns) for clock in body.view.clocks)
    return replace(scene, body=replace(body, view=replace(body.view, clocks=clocks)))


def next_tick(clocks: Iterable[Clock], now_ns: int) -> int | None:
    """Give the next instant at which what is shown of a clock changes by itself, None where all stand."""
    ticks = (tick for clock in clocks if (tick := _tick(clock.as_of(now_ns))) is not None)
    return min((now_ns + tick for tick in ticks), default=None)


def _tick(clock: Clock) -> int | None:
    """Give in how many nanoseconds what is shown of a clock changes."""
    spent, passing = clock.rate
    if clock.is_running and clock.held_ns:
        return _down_to_next(clock.held_ns, SECOND)
    if not spent:
        return None
    unit = unit_of(clock.left_ns)
    steps = _down_to_next(clock.left_ns, unit) if spent > 0 else -clock.left_ns % unit + 1
    return -(-steps * passing // abs(spent))


def _down_to_next(value: int, unit: int) -> int:
    """Give how far a value is above the next lower multiple of a unit."""
    return (value - 1) % unit + 1


def lowest(clocks: Iterable[Clock], now_ns: int) -> int | None:
    """Give the next instant at which a clock that runs comes down to where little is left, None where none does."""
    found = (fall for clock in clocks if (fall := _low_at(clock)) is not None and fall > now_ns)
    return min(found, default=None)


def _low_at(clock: Clock) -> int | None:
    spent, passing = clock.rate
    above = clock.left_ns - clock.low_ns
    if not clock.low_ns or not clock.is_running or spent <= 0 or above <= 0:
        return None
    return clock.at_ns + clock.held_ns + -(-above * passing // spent)

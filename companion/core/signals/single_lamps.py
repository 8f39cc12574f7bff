"""Which single lamps are on at an instant, of those that are lit and those that blink. Pure: the caller gives the time.

A lamp that blinks is on and off for `BLINK_NS` each, in step with all others. Whatever it is told, none goes on sooner
than `LEAST_RISE_NS` after it last went on, so that no lamp flashes more than three times in any second (WCAG 2.2,
2.3.1); a pod does the same for its own lamps (firmware/pod/pod_program.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.signals.rhythms import LEAST_RISE_NS
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Collection

BLINK_NS = 262 * MS
"""As long as a pod's: 2^18 µs."""


class SingleLamps:
    """Lamps by any name. Instants are CLOCK_MONOTONIC in nanoseconds, and never go back."""

    def __init__(self) -> None:
        self._lit: frozenset[str] = frozenset()
        self._blinking: frozenset[str] = frozenset()
        self._on: frozenset[str] = frozenset()
        self._rose_ns: dict[str, int] = {}  # when each went on last

    def show(self, lit: Collection[str], blinking: Collection[str] = ()) -> None:
        """Have these lit and those blink from now on, and all others dark."""
        self._blinking = frozenset(blinking)
        self._lit = frozenset(lit) - self._blinking

    def on(self, now_ns: int) -> frozenset[str]:
        """Give those that are on now, and take it that they are."""
        before = self._on
        self._on = frozenset(lamp for lamp in self._wanted(now_ns) if self._may_be_lit(lamp, now_ns))
        self._rose_ns |= dict.fromkeys(self._on - before, now_ns)
        return self._on

    def next_change(self, now_ns: int) -> int | None:
        """Give the next instant at which one of them changes by itself, None where none does."""
        waiting = self._wanted(now_ns) - self._on
        changes = [self._rose_ns[lamp] + LEAST_RISE_NS for lamp in waiting if lamp in self._rose_ns]
        if self._blinking:
            changes.append((now_ns // BLINK_NS + 1) * BLINK_NS)
        return min(changes, default=None)

    def _wanted(self, now_ns: int) -> frozenset[str]:
        return self._lit if now_ns // BLINK_NS % 2 else self._lit | self._blinking

    def _may_be_lit(self, lamp: str, now_ns: int) -> bool:
        if lamp in self._on or lamp not in self._rose_ns:
            return True
        return now_ns - self._rose_ns[lamp] >= LEAST_RISE_NS

"""One device's events as keys that close and open. Pure: knows no file, and no library.

Theory of operation. A key's value is 1 or 0; 2 is the keyboard's own repeating, which is no press. Sticks, triggers and
hats become keys by their way from rest: closed from `press_percent` of it on, open again `SLACK_PERCENT` below that, so
that a hand that trembles around the threshold makes no flicker. Where an axis rests is what it says when it is opened:
in the middle, or at one end, and then only the way to the other end is a key.

After SYN_DROPPED the kernel's queue had overflowed: what comes until the next report is the rest of something broken
and is thrown away; then all levels must be asked for again (`is_adrift`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evdev.codes import EV_ABS, EV_KEY, MOST_AXES, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

EV_SYN, SYN_REPORT, SYN_DROPPED = 0x00, 0, 3
SLACK_PERCENT = 20
US_NS = 1_000
SECOND_NS = 1_000_000_000

RawEvent = tuple[int, int, int, int, int]
"""Seconds, microseconds, type, code, value: `struct input_event`."""


class Span(NamedTuple):
    """What an axis may say, and what it said when it was opened."""

    low: int
    high: int
    first: int

    @property
    def rest(self) -> float:
        """Where it is when nobody touches it: the middle, or the end that it was found at."""
        width = self.high - self.low
        if abs(2 * self.first - self.low - self.high) * 3 <= width:
            return (self.low + self.high) / 2
        return self.low if 2 * self.first < self.low + self.high else self.high


class KeyEdge(NamedTuple):
    """A key closed or opened. t_ns: the kernel's stamp."""

    key: Key
    active: bool
    t_ns: int


class Decoder:
    """The keys of one device. axes: by their code, those that can be keys. press_percent: 30 to 95.

    is_adrift: events were lost, and the levels must be told anew by `restate`. stamp_ns: of the newest event.
    """

    def __init__(self, axes: Mapping[int, Span], press_percent: int = 60) -> None:
        self._axes = {code: span for code, span in axes.items() if code < MOST_AXES and span.high > span.low}
        self._press = press_percent / 100
        self._release = (press_percent - SLACK_PERCENT) / 100
        self._is_dropping = False
        self.active: set[Key] = set()
        self.is_adrift = False
        self.stamp_ns: int | None = None

    def feed(self, events: Iterable[RawEvent]) -> list[KeyEdge]:
        """Take events in the order of the kernel; stops telling where some were lost, until `restate`."""
        out: list[KeyEdge] = []
        for seconds, microseconds, kind, code, value in events:
            t_ns = self.stamp_ns = seconds * SECOND_NS + microseconds * US_NS
            if kind == EV_SYN:
                self._sync(code)
            elif self._is_dropping or self.is_adrift:
                continue
            elif kind == EV_KEY and value in (0, 1):
                out += self._move(Key(code), value == 1, t_ns)
            elif kind == EV_ABS and code in self._axes:
                out += self._axis(code, value, t_ns)
        return out

    def restate(self, keys: Iterable[int], axes: Mapping[int, int]) -> AbstractSet[Key]:
        """Take the levels as they are now: keys that are down, and what each axis says. Gives what is closed."""
        self.is_adrift = self._is_dropping = False
        self.active = {Key(code) for code in keys}
        for code, value in axes.items():
            if code in self._axes:
                self._axis(code, value, 0)
        return self.active

    def _sync(self, code: int) -> None:
        if code == SYN_DROPPED:
            self._is_dropping = True
        elif code == SYN_REPORT and self._is_dropping:
            self._is_dropping, self.is_adrift = False, True

    def _axis(self, code: int, value: int, t_ns: int) -> list[KeyEdge]:
        span = self._axes[code]
        out: list[KeyEdge] = []
        for sign, end in ((1, span.high), (-1, span.low)):
            way = end - span.rest
            if way:
                key = Key(code, sign)
                part = (value - span.rest) / way
                out += self._move(key, part >= (self._release if key in self.active else self._press), t_ns)
        return sorted(out, key=lambda edge: edge.active)  # from one side to the other: let go first

    def _move(self, key: Key, active: bool, t_ns: int) -> list[KeyEdge]:
        if active == (key in self.active):
            return []
        (self.active.add if active else self.active.discard)(key)
        return [KeyEdge(key, active, t_ns)]

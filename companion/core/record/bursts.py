"""How often the same thing is said: the first few times in a while, then once for all the others together. Pure.

A broken or hostile source can give a fault, an ignored press or an alarm thousands of times a second. Each is fed here
under a key (a line, a source, a kind of fault): `most` within `window_ns` are to be said as they are. The others are
counted, and told as one `Burst` when the window ends. Where that many more came, the burst goes on: the next window is
twice as long, up to `longest_ns`, and all that comes in it is counted. So what is said grows with the number of keys
and of bursts, never with how much comes; and the counts are exact. Knows no clock: times come in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.core.timing.events import SECOND

OTHERS = "others"
"""The key of all that come when there are as many keys as there may be."""


class Burst(NamedTuple):
    """What was not said one by one. amount: the sum of what was fed with it. last: the newest text among it."""

    key: str
    left_out: int
    amount: int
    lasted_ns: int
    last: str

    @property
    def lasted(self) -> str:
        """Say how long, in seconds."""
        return f"{self.lasted_ns / SECOND:g} s"


@dataclass(slots=True)
class _Window:
    began_ns: int
    length_ns: int
    allowed: int
    left_out: int = 0
    amount: int = 0
    last: str = ""

    @property
    def ends_ns(self) -> int:
        return self.began_ns + self.length_ns

    def burst(self, key: str, until_ns: int) -> Burst:
        return Burst(key, self.left_out, self.amount, until_ns - self.began_ns, self.last)


class Bursts:
    """Counts under keys. Call `advance` before `feed`; time that goes back counts as none."""

    def __init__(
        self, most: int = 8, window_ns: int = 10 * SECOND, longest_ns: int = 640 * SECOND, keys: int = 256
    ) -> None:
        """most: said one by one in a window, 1 or more. keys: of so many at a time, what comes of others is one."""
        self._most, self._window_ns, self._longest_ns, self._keys = most, window_ns, longest_ns, keys
        self._windows: dict[str, _Window] = {}

    def feed(self, key: str, t_ns: int, text: str = "", amount: int = 0) -> bool:
        """Tell whether this is to be said; else it is counted."""
        window = self._windows.get(key)
        if window is None:
            key = key if len(self._windows) < self._keys else OTHERS
            window = self._windows.setdefault(key, _Window(t_ns, self._window_ns, self._most))
        if window.allowed:
            window.allowed -= 1
            return True
        window.left_out += 1
        window.amount += amount
        window.last = text
        return False

    def advance(self, now_ns: int) -> list[Burst]:
        """Let time pass; give what was left out in the windows that have ended."""
        over = [(key, window) for key, window in self._windows.items() if window.ends_ns <= now_ns]
        for key, window in over:
            if window.left_out > self._most:
                self._windows[key] = _Window(window.ends_ns, min(2 * window.length_ns, self._longest_ns), 0)
            else:
                del self._windows[key]
        return [window.burst(key, window.ends_ns) for key, window in over if window.left_out]

    def end(self, now_ns: int) -> list[Burst]:
        """Give all that was left out so far, and begin anew."""
        windows, self._windows = self._windows, {}
        return [
            window.burst(key, max(min(now_ns, window.ends_ns), window.began_ns))
            for key, window in windows.items()
            if window.left_out
        ]

    def next_deadline(self) -> int | None:
        """Give the instant at which `advance` has something to give, None where it has not."""
        return min((window.ends_ns for window in self._windows.values() if window.left_out), default=None)

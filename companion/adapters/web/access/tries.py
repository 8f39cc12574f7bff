"""How often a PIN may be tried: each caller waits longer after each wrong one, and all strangers together must work.

Whoever has one address gets few tries (`FREE_TRIES`, then a wait that doubles up to an hour), and nobody else's wrong
ones make a caller wait: a right PIN from another address is always looked at. Many addresses get as many tries as they
are; against them each try of a stranger must bring work (`puzzles`), the more the more wrong ones there were of late.
A drawn PIN has 6 digits, 500,000 tries on average. The bounds: 11 tries in the first hour of an address and 34 in a
day, so from all 254 addresses of a usual network some 8,600 in a day, less than one in a hundred PINs. With as many
addresses as one likes and 10^8 hashes a second (eight cores) the work allows 28,000 tries an hour.

The box's own machine waits a second after a wrong PIN, and never works: nobody else can lock it out.
Time comes in (`clock`, monotonic nanoseconds). Knows no PIN and no server. Not for several threads.
"""

from __future__ import annotations

from collections import OrderedDict
from math import ceil, log2
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.web.access.callers import is_near
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

FREE_TRIES = 5
"""So many wrong ones of a caller cost nothing."""
FIRST_WAIT_NS = 30 * SECOND
LONGEST_WAIT_NS = 3600 * SECOND
OWN_WAIT_NS = SECOND
"""What the box's own machine waits after a wrong one, beyond the free ones."""
FORGET_NS = 24 * 3600 * SECOND
MOST_CALLERS = 4096
"""So many are remembered, those that tried last; whoever has more addresses is bounded by the work alone."""

FREE_OF_ALL = 20
"""So many wrong ones of all strangers together, of late, before a try needs work."""
HALF_LIFE_NS = 1800 * SECOND
"""In this time half of them are forgotten."""
FEWEST_BITS, MOST_BITS = 10, 24
"""2^bits hashes are needed on average: 2^10 times the number of wrong ones, and at most half a minute of a laptop's."""


class _Wrong(NamedTuple):
    number: int
    newest_ns: int


class Tries:
    """The wrong tries of each caller, and of all strangers. first_wait_ns, free: of a caller."""

    def __init__(self, clock: Callable[[], int], *, free: int = FREE_TRIES, first_wait_ns: int = FIRST_WAIT_NS) -> None:
        self._clock, self._free, self._first_wait_ns = clock, free, first_wait_ns
        self._by_caller: OrderedDict[str, _Wrong] = OrderedDict()
        self._level, self._level_ns = 0.0, 0

    def wait_ns(self, caller: str) -> int:
        """Give how long until this caller's next try is looked at; 0 for now."""
        wrong = self._of(caller)
        if wrong.number < self._free:
            return 0
        doubled = min(self._first_wait_ns << min(wrong.number - self._free, 12), LONGEST_WAIT_NS)
        return max(0, wrong.newest_ns + (OWN_WAIT_NS if is_near(caller) else doubled) - self._clock())

    def bits(self, caller: str) -> int:
        """Give how much work this caller's next try must bring; 0 for none."""
        level = self.level()
        if is_near(caller) or level < FREE_OF_ALL:
            return 0
        return min(MOST_BITS, FEWEST_BITS + ceil(log2(level)))

    def level(self) -> float:
        """Give how many wrong ones of strangers there were of late: those of half an hour ago count half."""
        return float(self._level * 0.5 ** ((self._clock() - self._level_ns) / HALF_LIFE_NS))

    def wrong(self, caller: str) -> None:
        """A try was looked at, and wrong."""
        now_ns = self._clock()
        self._by_caller[caller] = _Wrong(self._of(caller).number + 1, now_ns)
        self._by_caller.move_to_end(caller)
        while len(self._by_caller) > MOST_CALLERS:
            self._by_caller.popitem(last=False)
        if not is_near(caller):
            self._level, self._level_ns = self.level() + 1, now_ns

    def right(self, caller: str) -> None:
        """A try was right: this caller's wrong ones are forgotten."""
        self._by_caller.pop(caller, None)

    def _of(self, caller: str) -> _Wrong:
        wrong = self._by_caller.get(caller)
        return wrong if wrong is not None and self._clock() - wrong.newest_ns < FORGET_NS else _Wrong(0, 0)

"""How often somebody may do something: so many at once, and so many a second. Knows no socket and no clock."""

from __future__ import annotations

from collections import OrderedDict

from companion.core.timing.events import SECOND

MOST_REMEMBERED = 1024
"""Addresses whose allowances are remembered; beyond, the one that asked longest ago is forgotten."""


class Allowance:
    """most: may be done at once. a_second: come back. Times: CLOCK_MONOTONIC, ns."""

    __slots__ = ("_a_second", "_left", "_most", "_seen_ns", "_warned_ns")

    def __init__(self, most: int, a_second: float, now_ns: int) -> None:
        self._most, self._a_second = most, a_second
        self._left, self._seen_ns = float(most), now_ns
        self._warned_ns = 0

    def take(self, now_ns: int) -> bool:
        """Take one; tell whether there was one left."""
        gained = (now_ns - self._seen_ns) / SECOND * self._a_second
        self._left = min(float(self._most), self._left + gained)
        self._seen_ns = now_ns
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def warn(self, now_ns: int) -> bool:
        """Tell whether it is to be said that nothing is left: once a second, however often it is asked for."""
        if now_ns < self._warned_ns + SECOND:
            return False
        self._warned_ns = now_ns
        return True


class Allowances:
    """An allowance for each address."""

    def __init__(self, most: int, a_second: float) -> None:
        self._most, self._a_second = most, a_second
        self._of: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, address: str, now_ns: int) -> bool:
        """Take one of an address's; tell whether there was one left."""
        allowance = self._of.get(address)
        if allowance is None:
            allowance = self._of[address] = Allowance(self._most, self._a_second, now_ns)
            if len(self._of) > MOST_REMEMBERED:
                self._of.popitem(last=False)
        self._of.move_to_end(address)
        return allowance.take(now_ns)

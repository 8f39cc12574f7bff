"""A host whose CLOCK_MONOTONIC is corrected by the network's time, and which may sleep: what its clocks really show.

Physical time runs from 0 in ns. RAW runs evenly with it, and stands still while the host sleeps. MONOTONIC is RAW at
rates that the kernel changes: each `Rate` holds from an instant of RAW on, until the next.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS, SECOND
from companion.core.timing.host_clocks import ClockReading

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

PPB = 10**9
US = 1000
RAW_0 = 5 * 10**12
MONO_0 = 7 * 10**12


class Rate(NamedTuple):
    """From so long after the beginning on, MONOTONIC gains so many parts in a billion on RAW."""

    after_ns: int
    gain_ppb: int


class Sleep(NamedTuple):
    """The host sleeps from `from_ns` to `until_ns` of physical time."""

    from_ns: int
    until_ns: int


def adjtime(after_ns: int, offset_ns: int, usual_ppb: int = 0) -> list[Rate]:
    """A correction by adjtime(3): 500 ppm until it is done."""
    gain_ppb = 500_000 if offset_ns > 0 else -500_000
    return [Rate(after_ns, usual_ppb + gain_ppb), Rate(after_ns + abs(offset_ns) * 2000, usual_ppb)]


def timesyncd(after_ns: int, offset_ns: int, usual_ppb: int = 0, shift: int = 3) -> list[Rate]:
    """A correction by the kernel's phase-locked loop, as systemd-timesyncd asks for it.

    Each second a part of what is left is worked off: one in 2 to the power of SHIFT_PLL (2) and the time constant (1
    at the shortest interval of polls, 32 s).
    """
    rates = []
    while abs(offset_ns) > 1000:
        chunk_ns = (abs(offset_ns) >> shift) * (1 if offset_ns > 0 else -1)
        rates.append(Rate(after_ns, usual_ppb + chunk_ns))
        offset_ns -= chunk_ns
        after_ns += SECOND
    return [*rates, Rate(after_ns, usual_ppb)]


def steps_of_rate(chance: random.Random, until_ns: int, most_ppb: int = 100_000_000) -> list[Rate]:
    """Other rates at any time, up to the most that a tick may be adjusted by; often none."""
    rates, at_ns = [], 0
    while at_ns < until_ns:
        gain_ppb = chance.choice((0, 0, chance.randint(-most_ppb, most_ppb), chance.randint(-83_333_000, 83_333_000)))
        rates.append(Rate(at_ns, gain_ppb))
        at_ns += chance.choice((MS, 5 * MS, 40 * MS, SECOND)) * chance.randint(1, 9)
    return [*rates, Rate(until_ns, 0)]


@dataclass
class HostWorld:
    """The host's clocks by physical time."""

    rates: Iterable[Rate] = ()
    sleeps: tuple[Sleep, ...] = ()
    _from_ns: list[int] = field(default_factory=list)
    _mono_ns: list[int] = field(default_factory=list)
    _gain_ppb: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        at_ns, mono_ns, gain_ppb = 0, MONO_0, 0
        for rate in [Rate(0, 0), *sorted(self.rates)]:
            mono_ns += (rate.after_ns - at_ns) * (PPB + gain_ppb) // PPB
            at_ns, gain_ppb = rate
            self._from_ns.append(at_ns)
            self._mono_ns.append(mono_ns)
            self._gain_ppb.append(gain_ppb)

    def slept_ns(self, at_ns: int) -> int:
        return sum(max(min(at_ns, sleep.until_ns) - sleep.from_ns, 0) for sleep in self.sleeps)

    def awake_ns(self, at_ns: int) -> int:
        """Give when the host can do what it has to do at `at_ns`."""
        return next((sleep.until_ns for sleep in self.sleeps if sleep.from_ns <= at_ns < sleep.until_ns), at_ns)

    def raw_ns(self, at_ns: int) -> int:
        return RAW_0 + at_ns - self.slept_ns(at_ns)

    def mono_ns(self, at_ns: int) -> int:
        ran_ns = at_ns - self.slept_ns(at_ns)
        at = bisect_right(self._from_ns, ran_ns) - 1
        return self._mono_ns[at] + (ran_ns - self._from_ns[at]) * (PPB + self._gain_ppb[at]) // PPB

    def reading(self, at_ns: int, chance: random.Random) -> ClockReading:
        """Read the clocks as a program does: RAW, up to 1 µs before and after MONOTONIC. CLOCK_BOOTTIME is 3 µs off."""
        raw_ns = self.raw_ns(at_ns)
        around = raw_ns - chance.randint(0, US), raw_ns + chance.randint(0, US)
        return ClockReading(self.mono_ns(at_ns), *around, self.slept_ns(at_ns) + chance.randint(-3 * US, 3 * US))

    def physical_ns(self, mono_ns: int) -> int:
        """Give the first instant at which MONOTONIC shows so much."""
        at = max(bisect_right(self._mono_ns, mono_ns) - 1, 0)
        ran_ns = self._from_ns[at] + -(-(mono_ns - self._mono_ns[at]) * PPB // (PPB + self._gain_ppb[at]))
        for sleep in self.sleeps:
            if ran_ns > sleep.from_ns:
                ran_ns += sleep.until_ns - sleep.from_ns
        return ran_ns

"""Two clocks and a link between them that dawdles: the truth that a clock mapping is held against."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from companion.core.timing.clock_mapping import PPB, ClockMapping
from companion.core.timing.events import MS, SECOND

BURST = 20


@dataclass
class TwoClocks:
    """A host, another clock that runs `drift_ppb` too fast, and delays drawn anew for every message.

    out_ns, back_ns: least and most delay of a request and of its answer. wander_ppb: how far the drift strays, in a
    random walk of one step a second, without ever leaving ±100 ppm.
    """

    seed: int
    drift_ppb: int
    out_ns: tuple[int, int] = (MS // 10, 5 * MS)
    back_ns: tuple[int, int] = (MS // 10, 5 * MS)
    wander_ppb: int = 0
    now_ns: int = 10**12
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self._since_ns = self.now_ns
        self._base = self.chance.randrange(10**15) * PPB  # the other clock at `_since_ns`, in ns/PPB

    def remote_ticks(self, at_ns: int) -> int:
        """What the other clock shows at a host's instant, in whole microseconds."""
        return (self._base + (at_ns - self._since_ns) * (PPB + self.drift_ppb)) // (1000 * PPB)

    def burst(self, mapping: ClockMapping, count: int = BURST) -> None:
        """Make round trips one after the other."""
        for _ in range(count):
            there = self.now_ns + self.chance.randint(*self.out_ns)
            back = there + self.chance.randint(*self.back_ns)
            mapping.feed(self.now_ns, self.remote_ticks(there), back)
            self.now_ns = back + 10_000

    def rest_of_second(self, began_ns: int) -> range:
        """Let the rest of a second pass; gives it."""
        rested = range(self.now_ns, began_ns + SECOND)
        self.now_ns = began_ns + SECOND
        self._wander()
        return rested

    def _wander(self) -> None:
        if self.wander_ppb:
            self._base += (self.now_ns - self._since_ns) * (PPB + self.drift_ppb)
            self._since_ns = self.now_ns
            step = self.chance.randint(-self.wander_ppb, self.wander_ppb)
            self.drift_ppb = min(max(self.drift_ppb + step, -100_000), 100_000)

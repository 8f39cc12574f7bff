"""How finely a page's clock is told: browsers round it, some to 16.7 or to 100 ms, and do not say so. Pure.

Every reading of a clock that goes in steps is a multiple of its step. So each step that a browser may have is held
against every reading the page tells, and dropped at the first that does not fit; what is left fits them all, and the
largest of it is the step. A clock of
1 ms keeps a step of 5 ms for a dozen readings once in 200 million times.
While few readings are known too large a step may be left: then the ± is too wide for a moment, never too narrow.
"""

from __future__ import annotations

_THIRDS = 3
STEPS = (300_000, 150_000, 100_000, 60_000, 50_010, 50_001, 50_000, 30_000, 25_000, 24_999, 15_000, 12_000, 6_000)
"""Steps that browsers have, or may, in thirds of a microsecond (a sixtieth of a second is 50,000 of them), the
largest first: 100, 50, 33.3, 20, 16.67, 10, 8.33, 5, 4 and 2 ms."""
ROUNDING = 2 * _THIRDS
"""A page tells whole microseconds."""
USUAL_STEP_US = 1000
"""What is assumed of every clock: no browser says that it is finer."""
COARSE_US = 4000
"""A clock with a larger step is told to people."""
SURE_AFTER = 12
"""Readings after which it is told."""


class ClockSteps:
    """The steps of one page's clock. told_us: what the page itself has found, USUAL_STEP_US where it has not looked."""

    def __init__(self) -> None:
        self._left = list(STEPS)
        self._readings = 0
        self.told_us = USUAL_STEP_US

    def feed(self, t_us: int) -> None:
        """Take a reading."""
        self._readings += 1
        thirds = t_us * _THIRDS
        self._left = [step for step in self._left if (thirds + ROUNDING) % step <= 2 * ROUNDING]

    @property
    def step_us(self) -> int:
        """The step, rounded up; at least USUAL_STEP_US."""
        found_us = -(-self._left[0] // _THIRDS) if self._left else 0
        return max(found_us, self.told_us, USUAL_STEP_US)

    @property
    def is_coarse(self) -> bool:
        """Tell whether it is certain that the clock goes in large steps."""
        return self._readings >= SURE_AFTER and self.step_us > COARSE_US

"""A page's clock as the box sees it: its round trips, its steps, and what the screen adds before it stamps a touch.

A mapping is trusted only while the other clock is known to have run on: a phone that slept stops its clock, and what it
then says would be placed too early. So a round trip that is not answered promptly makes a panel unready until new ones
have been.

What lies before the browser's stamp. A screen, a mouse or a keyboard is looked at from time to time, and what happened
since is stamped then: the true instant lies in the interval before the stamp, so half of that is taken off, and half of
it added to the ±. A touch controller takes a while besides, which the settings state (`TouchDelay`). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.adapters.web.phones.clock_steps import USUAL_STEP_US, ClockSteps
from companion.adapters.web.phones.stamps import RoundTrips, Span
from companion.core.timing.clock_mapping import ClockMapping, Mapped, SteadyTimes
from companion.core.timing.events import MS, SECOND
from companion.core.timing.host_clocks import HostClocks

if TYPE_CHECKING:
    from companion.adapters.web.wire.messages import By

INTERVAL_NS: dict[By, int] = {"touch": 16_666_668, "mouse": 8 * MS, "key": 16 * MS}
"""How often it is looked at: a screen 60 times a second where the phone has not been tried, a mouse 125 times; a
keyboard is scanned, and then looked at so."""
SHORTEST_TOUCH_US, LONGEST_TOUCH_US = 1_000, 50_000
"""Between how many and how few times a second a screen is looked at."""
LONGEST_STEP_US = 1_000_000
UNANSWERED_NS = 600 * MS
"""A round trip that takes longer says that the other clock may have stood still."""
STALE_NS = 3 * SECOND
"""A mapping is used for no longer after its newest round trip."""
ENOUGH_ROUND_TRIPS = 3


@dataclass(frozen=True, slots=True)
class TouchDelay:
    """How long a touch controller takes until a touch is there to be looked at, and the ± of that."""

    delay_ns: int = 2 * MS
    error_ns: int = 2 * MS


class PhoneClock:
    """One page's clock, since it was last known to have run on."""

    def __init__(self) -> None:
        self.syncs = 0
        self.touch_us: int | None = None
        """How often the page found its screen to be looked at, None where it was not tried."""
        self.is_step_told = False
        self.host = HostClocks()
        """The page's clock is mapped to the box's that nobody corrects; without readings, to CLOCK_MONOTONIC."""
        self.anew()

    def anew(self) -> None:
        """Forget what is known of the clock."""
        self.mapping = ClockMapping(resolution_ticks=USUAL_STEP_US)
        self.times = SteadyTimes(self.mapping)
        self.steps = ClockSteps()
        self.trips = RoundTrips()
        self.asked: dict[int, int] = {}  # round trips under way: id, sent_ns
        self.answered_ns: int | None = None

    def ask(self, now_ns: int) -> int:
        """Begin a round trip, and give its id."""
        self.syncs += 1
        self.asked[self.syncs] = now_ns
        for old in list(self.asked)[:-16]:
            del self.asked[old]
        return self.syncs

    def answer(self, number: int, t_us: int, received_ns: int) -> None:
        """End a round trip: the clock read `t_us` between its beginning and `received_ns`."""
        sent_ns = self.asked.pop(number, None)
        if sent_ns is None:
            return  # one that was given up, or told twice
        if received_ns - sent_ns > UNANSWERED_NS:
            self.anew()
            return
        self._see(t_us)
        self.mapping.feed(self.host.raw(sent_ns)[0], t_us, self.host.raw(received_ns)[1])
        self.trips.add(received_ns - sent_ns)
        self.answered_ns = received_ns

    def tried(self, step_us: int, touch_us: int | None) -> None:
        """Take what the page has found out of its device: the step of its clock, how often its screen is looked at."""
        self.steps.told_us = min(max(step_us, USUAL_STEP_US), LONGEST_STEP_US)
        if touch_us is not None:
            self.touch_us = min(max(touch_us, SHORTEST_TOUCH_US), LONGEST_TOUCH_US)
        self.mapping.coarsen(self.steps.step_us)

    def is_ready(self, now_ns: int) -> bool:
        """Tell whether a press could be placed."""
        if self.answered_ns is None or self.mapping.round_trips < ENOUGH_ROUND_TRIPS:
            return False
        waits_ns = now_ns - min(self.asked.values(), default=now_ns)
        return waits_ns <= UNANSWERED_NS and now_ns - self.answered_ns <= STALE_NS and self.mapping.is_known

    def error_ns(self) -> int | None:
        """Give the uncertainty that the mapping leaves, None while there is none."""
        if self.answered_ns is None or not self.mapping.is_known:
            return None
        return (self.mapping.best_round_trip_ns or 0) // 2 + self.steps.step_us * 1000

    def span(self, t_us: int, by: By, touch: TouchDelay) -> Span:
        """Give what a stamp of this clock comes to. Raises Malformed before the first round trip."""
        self._see(t_us)
        mapped = self._on_monotonic(self.times.place(t_us))
        interval_ns = self.touch_us * 1000 if by == "touch" and self.touch_us is not None else INTERVAL_NS[by]
        own = touch if by == "touch" else TouchDelay(0, 0)
        return Span(
            mapped.t_ns - own.delay_ns - interval_ns // 2, mapped.error_ns + own.error_ns + (interval_ns + 1) // 2
        )

    def _on_monotonic(self, mapped: Mapped) -> Mapped:
        low_ns = self.host.monotonic(mapped.t_ns - mapped.error_ns)[0]
        high_ns = self.host.monotonic(mapped.t_ns + mapped.error_ns)[1]
        t_ns = (low_ns + high_ns) // 2
        return Mapped(t_ns, high_ns - t_ns)

    def _see(self, t_us: int) -> None:
        self.steps.feed(t_us)
        self.mapping.coarsen(self.steps.step_us)

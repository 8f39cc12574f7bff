"""A pod's clock as the host knows it: round trips asked for, what they tell, and how wide the bound is. Pure.

One Ping is under way at a time; they go in bursts, so that the mapping sees short round trips without keeping the line
busy. Edges are placed once `WARM_TRIPS` have come back; after `WARM_PATIENCE_NS`, by what is known then.
"""

from __future__ import annotations

from companion.core.pods.link_events import Bound
from companion.core.pods.messages import TICK_BITS, AskReport, HostMessage, Ping
from companion.core.timing.clock_mapping import ClockMapping, SteadyTimes, TickCounter
from companion.core.timing.events import MS, SECOND

BURST = 20
BURST_EVERY_NS = SECOND
PING_PATIENCE_NS = 200 * MS
REPORT_EVERY_NS = 10 * SECOND
WARM_TRIPS = 8
"""Round trips after which the first edges are placed; with fewer the bound could be many times what it soon is."""
WARM_PATIENCE_NS = SECOND


class RoundTrips:
    """Which Ping is under way, and when the next is due; begun anew at each meeting."""

    def __init__(self, now_ns: int) -> None:
        self._number = 0
        self._left = BURST
        self._asked: tuple[int, int] | None = None  # number and instant of the Ping that is under way
        self._burst_at_ns = self._report_at_ns = now_ns

    def next_deadline(self) -> int:
        """Give the instant of the next Ping: of the next burst, or when the one under way is given up."""
        return self._burst_at_ns if self._asked is None else self._asked[1] + PING_PATIENCE_NS

    def ask(self, now_ns: int) -> list[HostMessage]:
        """Give what is to be asked now: a Ping, a report before it where one is due; nothing while one is under way."""
        if self._asked is not None and now_ns >= self._asked[1] + PING_PATIENCE_NS:
            self._asked = None
        if self._asked is not None or now_ns < self._burst_at_ns:
            return []
        messages: list[HostMessage] = []
        if now_ns >= self._report_at_ns:
            self._report_at_ns = now_ns + REPORT_EVERY_NS
            messages.append(AskReport())
        self._number = (self._number + 1) & 0xFFFF
        self._asked = (self._number, now_ns)
        self._left -= 1
        if self._left <= 0:
            self._left, self._burst_at_ns = BURST, now_ns + BURST_EVERY_NS
        return [*messages, Ping(self._number)]

    def answered(self, number: int) -> int | None:
        """Give when the Ping of that number was sent; None for one that was given up: its time says too little."""
        if self._asked is None or self._asked[0] != number:
            return None
        sent_ns, self._asked = self._asked[1], None
        return sent_ns


class PodClock:
    """The mapping for one boot of the pod.

    edge_error_ns: the uncertainty of the pod's own stamp. limit_ns: the widest bound that is still good. warm_by_ns:
    edges wait for a warm clock until then, and no longer.
    """

    def __init__(self, edge_error_ns: int, limit_ns: int, max_drift_ppb: int) -> None:
        self._edge_error_ns, self._limit_ns, self._max_drift_ppb = edge_error_ns, limit_ns, max_drift_ppb
        self.mapping = ClockMapping(max_drift_ppb=max_drift_ppb)
        self.is_wide = False
        self.warm_by_ns = 0
        self._times = SteadyTimes(self.mapping)
        self._ticks = TickCounter(TICK_BITS)
        self._newest_ticks: int | None = None
        self._trips = 0

    @property
    def is_warm(self) -> bool:
        """Tell whether enough round trips have come back since the meeting."""
        return self._trips >= WARM_TRIPS

    def anew(self) -> PodClock:
        """Give one that knows nothing of the pod's clock, and still whether a wide bound was said."""
        clock = PodClock(self._edge_error_ns, self._limit_ns, self._max_drift_ppb)
        clock.is_wide, clock.warm_by_ns = self.is_wide, self.warm_by_ns
        return clock

    def meet(self, now_ns: int) -> None:
        """Begin to wait for a warm clock; what is known of it stays."""
        self._trips = 0
        self.warm_by_ns = now_ns + WARM_PATIENCE_NS

    def map(self, sent_ns: int, ticks: int, received_ns: int) -> None:
        """Take a round trip: the pod read `ticks` between the two instants."""
        self._newest_ticks = self._ticks.extend(ticks)
        self.mapping.feed(sent_ns, self._newest_ticks, received_ns)
        self._trips += 1

    def place(self, ticks: int) -> tuple[int, int]:
        """Give instant and error in ns of an edge's stamp."""
        t_ns, error_ns = self._times.place(self._ticks.extend(ticks))
        return t_ns, error_ns + self._edge_error_ns

    def bound_ns(self, now_ns: int) -> int | None:
        """Give the error that an edge of now would carry; None while the pod's clock is not known."""
        ticks = self._newest_ticks
        if ticks is None or not self.mapping.is_known:
            return None
        newest_ns = self.mapping.to_host(ticks).t_ns
        return self.mapping.to_host(ticks + max(now_ns - newest_ns, 0) // 1000).error_ns + self._edge_error_ns

    def watch(self, now_ns: int) -> list[Bound]:
        """Say when the bound crosses the limit; back again only well within it."""
        bound_ns, limit_ns = self.bound_ns(now_ns), self._limit_ns
        if bound_ns is None or not self.is_warm:
            return []
        is_wide = bound_ns > (limit_ns * 3 // 4 if self.is_wide else limit_ns)
        if is_wide is self.is_wide:
            return []
        self.is_wide = is_wide
        return [Bound(is_wide, bound_ns)]

"""A pod's clock as the host knows it: round trips asked for, what they tell, and how wide the bound is. Pure.

One Ping is under way at a time: a burst at each meeting, then one every `PING_EVERY_NS`. Edges are placed once
`WARM_TRIPS` have come back; after `WARM_PATIENCE_NS`, by what is known then.

The pod's counter is mapped to CLOCK_MONOTONIC_RAW, as both run evenly, and what comes out to CLOCK_MONOTONIC by the
readings of `host_clocks`. Where the host has slept, nothing that was known is carried over.

While a pod's clock is in doubt (`doubts`), an edge is only believed to lie between the round trips next to its stamp,
which holds whatever the rate of the counter; one that is dated too early, between its stamp and its arrival. An edge
that is dated after it came counts from its arrival.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.pods.doubts import Doubts
from companion.core.pods.link_events import Bound, Doubt, DoubtCause
from companion.core.pods.messages import TICK_BITS, AskReport, HostMessage, Ping
from companion.core.timing.clock_mapping import ClockMapping, Mapped, SteadyTimes, TickCounter
from companion.core.timing.events import MS, SECOND, Disbelieved
from companion.core.timing.host_clocks import HostClocks
from companion.core.words.texts import number, text

if TYPE_CHECKING:
    from companion.core.timing.host_clocks import ClockReading

BURST = 20
PING_EVERY_NS = 50_370_000
"""No multiple of a USB frame (1 ms): Pings meet its looks at all phases, so that some hardly wait for one."""
PING_PATIENCE_NS = 200 * MS
REPORT_EVERY_NS = 10 * SECOND
WARM_TRIPS = 8
"""Round trips after which the first edges are placed; with fewer the bound could be many times what it soon is."""
WARM_PATIENCE_NS = SECOND


class RoundTrips:
    """Which Ping is under way, and when the next is due; begun anew at each meeting. number: of the last one before."""

    def __init__(self, now_ns: int, number: int = 0) -> None:
        self._number = number
        self._left = BURST
        self._asked: tuple[int, int] | None = None  # number and instant of the Ping that is under way
        self._ping_at_ns = self._report_at_ns = now_ns

    def anew(self, now_ns: int) -> RoundTrips:
        """Give those that begin now; an answer to a Ping of before is none of theirs."""
        return RoundTrips(now_ns, self._number)

    def next_deadline(self) -> int:
        """Give the instant of the next Ping, or when the one under way is given up."""
        return self._ping_at_ns if self._asked is None else self._asked[1] + PING_PATIENCE_NS

    def ask(self, now_ns: int) -> list[HostMessage]:
        """Give what is to be asked now: a Ping, a report before it where one is due; nothing while one is under way."""
        if self._asked is not None and now_ns >= self._asked[1] + PING_PATIENCE_NS:
            self._asked = None
        if self._asked is not None or now_ns < self._ping_at_ns:
            return []
        messages: list[HostMessage] = []
        if now_ns >= self._report_at_ns:
            self._report_at_ns = now_ns + REPORT_EVERY_NS
            messages.append(AskReport())
        self._number = (self._number + 1) & 0xFFFF
        self._asked = (self._number, now_ns)
        self._left -= 1
        if self._left <= 0:
            self._ping_at_ns = now_ns + PING_EVERY_NS
        return [*messages, Ping(self._number)]

    def answered(self, number: int) -> int | None:
        """Give when the Ping of that number was sent; None for one that was given up: its time says too little."""
        if self._asked is None or self._asked[0] != number:
            return None
        sent_ns, self._asked = self._asked[1], None
        return sent_ns


class Placed(NamedTuple):
    """When an edge was. disbelieved: what its stamp says, where it cannot be and the edge counts from its arrival."""

    t_ns: int
    error_ns: int
    disbelieved: Disbelieved | None = None


class Limits(NamedTuple):
    """What is taken for granted of a pod, ns: the uncertainty of its own stamp; the widest bound that is still good.

    max_drift_ppb: the most by which the rates of its counter and of the host's clock differ.
    """

    edge_error_ns: int
    bound_ns: int
    max_drift_ppb: int


class PodClock:
    """The mapping for one boot of the pod.

    host: the host's own clocks. doubts: what of the pod's times cannot be. warm_by_ns: edges wait for a warm clock
    until then, and no longer.
    """

    def __init__(self, limits: Limits, host: HostClocks | None = None, doubts: Doubts | None = None) -> None:
        self._limits = limits
        self._host = host or HostClocks()
        self.doubts = doubts or Doubts()
        self.mapping = ClockMapping(max_drift_ppb=limits.max_drift_ppb)
        self.is_wide = False
        self.warm_by_ns = 0
        self._times = SteadyTimes(self.mapping)
        self._ticks = TickCounter(TICK_BITS)
        self._last_edge: tuple[int, int] | None = None  # ticks and instant
        self._since_ns: int | None = None  # RAW when the pod had not begun anew yet; None where nobody knows
        self._trips = 0

    @property
    def is_warm(self) -> bool:
        """Tell whether enough round trips have come back since the meeting."""
        return self._trips >= WARM_TRIPS

    def anew(self) -> PodClock:
        """Give one that knows nothing of the pod's clock, and still whether a wide bound or a doubt was said."""
        clock = PodClock(self._limits, self._host, self.doubts)
        clock.is_wide, clock.warm_by_ns = self.is_wide, self.warm_by_ns
        newest = self.mapping.newest
        clock._since_ns = self._since_ns if newest is None else newest.sent_ns
        self.doubts.begin_anew()
        return clock

    def note(self, reading: ClockReading) -> bool:
        """Take a reading of the host's clocks; tell whether the host has slept: then what was known is void."""
        if not self._host.note(reading):
            return False
        self.mapping.begin_anew()
        self._times.forget()
        return True

    def meet(self, now_ns: int) -> None:
        """Begin to wait for a warm clock; what is known of it stays."""
        self._trips = 0
        self.doubts.told(None)
        self.warm_by_ns = now_ns + WARM_PATIENCE_NS

    def map(self, sent_ns: int, ticks: int, received_ns: int) -> None:
        """Take a round trip: the pod read `ticks` between the two instants."""
        before = self.mapping.contradictions
        self.mapping.feed(self._host.raw(sent_ns)[0], self._ticks.extend(ticks), self._host.raw(received_ns)[1])
        self._trips += 1
        if self.mapping.contradictions != before:
            self.doubts.catch(DoubtCause.CONTRADICTED, 0, received_ns)

    def place(self, ticks: int, now_ns: int) -> Placed:
        """Give when the next edge was, of which the host has known by `now_ns`. ticks: its stamp."""
        ticks = self._ticks.extend(ticks)
        heard_ns = self._host.raw(now_ns)[1]
        if not self.mapping.hear(ticks, heard_ns):
            return self._arrived(ticks, heard_ns, now_ns)
        is_early = self.doubts.is_early(ticks, now_ns)
        t_ns, error_ns = self._times.place(ticks, heard_ns)
        low_ns, high_ns = t_ns - error_ns, min(t_ns + error_ns, heard_ns)
        if self.doubts.is_in_doubt:
            low_ns, high_ns = self._widened(ticks, low_ns, heard_ns if is_early else high_ns)
        if self.mapping.is_reaching_back(ticks):
            low_ns, high_ns = self._at_begin(low_ns, high_ns)
        return self._in_order(ticks, self._on_monotonic(t_ns, low_ns, high_ns, now_ns))

    def bound_ns(self, now_ns: int) -> int | None:
        """Give the error that an edge of now would carry; None while the pod's clock is not known."""
        newest = self.mapping.newest
        if newest is None or not self.mapping.is_known:
            return None
        passed_ns = self._host.raw(now_ns)[0] - self.mapping.to_host(newest.ticks).t_ns
        ticks = newest.ticks + max(passed_ns, 0) // 1000
        t_ns, low_ns, high_ns = self.mapping.to_host(ticks).t_ns, *self.mapping.interval(ticks)
        if self.doubts.is_in_doubt:
            low_ns, high_ns = self._widened(ticks, low_ns, high_ns)
        return max(high_ns - t_ns, t_ns - low_ns) + self._limits.edge_error_ns

    def watch(self, now_ns: int) -> list[Bound | Doubt]:
        """Say what cannot be, and when the bound crosses the limit; back again only well within it."""
        newest, said = self.mapping.newest, self.doubts.say(now_ns)
        self.doubts.told(newest.ticks if newest is not None else None)
        bound_ns, limit_ns = self.bound_ns(now_ns), self._limits.bound_ns
        if bound_ns is None or not self.is_warm:
            return [*said]
        is_wide = bound_ns > (limit_ns * 3 // 4 if self.is_wide else limit_ns)
        if is_wide is self.is_wide:
            return [*said]
        self.is_wide = is_wide
        return [*said, Bound(is_wide, bound_ns)]

    def _arrived(self, ticks: int, heard_ns: int, now_ns: int) -> Placed:
        """Place an edge that is dated after it came: it was after the newest reading before it, and no later."""
        own_ns, own_error_ns = self.mapping.to_host(ticks)
        low_ns, _ = self.mapping.between(ticks)
        ahead_ns = max(own_ns - own_error_ns - heard_ns, 0)
        self.doubts.catch(DoubtCause.AHEAD, ahead_ns, now_ns)
        why = text("it is dated {ahead} ms after it came").format(ahead=number(f"{ahead_ns / MS:,.1f}"))
        own = Disbelieved(now_ns + own_ns - heard_ns, own_error_ns + self._limits.edge_error_ns, why)
        low_ns = heard_ns if low_ns is None else min(low_ns, heard_ns)
        return self._in_order(None, self._on_monotonic(heard_ns, low_ns, heard_ns, now_ns))._replace(disbelieved=own)

    def _in_order(self, ticks: int | None, mapped: Mapped) -> Placed:
        """Place an edge no earlier than the one before it, if its stamp is none the earlier (None: it says nothing)."""
        t_ns, error_ns = mapped
        last = self._last_edge
        if last is not None and (ticks is None or ticks >= last[0]):
            error_ns += max(last[1] - t_ns, 0)
            t_ns = max(t_ns, last[1])
        if ticks is not None:
            self._last_edge = (ticks, t_ns)
        return Placed(t_ns, error_ns + self._limits.edge_error_ns)

    def _widened(self, ticks: int, low_ns: int, high_ns: int) -> tuple[int, int]:
        """Give the bound that holds whatever the rate of the pod's counter."""
        before_ns, after_ns = self.mapping.between(ticks)
        return (
            low_ns if before_ns is None else min(low_ns, before_ns),
            high_ns if after_ns is None else max(high_ns, after_ns),
        )

    def _at_begin(self, low_ns: int, high_ns: int) -> tuple[int, int]:
        """Give the bound of an edge from before the first round trip of this boot of the pod.

        It was after all that the pod had said before it began anew. Where the host has slept since, the pod's counter
        has run on for longer than the host's clocks: the edge was later than it seems.
        """
        woke_ns = self._host.woke_raw_ns
        high_ns = max(high_ns, woke_ns) if woke_ns is not None and low_ns < woke_ns else high_ns
        return (low_ns if self._since_ns is None else min(max(low_ns, self._since_ns), high_ns)), high_ns

    def _on_monotonic(self, t_ns: int, low_ns: int, high_ns: int, now_ns: int) -> Mapped:
        """Give an instant of RAW and its bounds on CLOCK_MONOTONIC, before `now_ns`."""
        low_ns, high_ns = self._host.monotonic(low_ns)[0], min(self._host.monotonic(high_ns)[1], now_ns)
        t_ns = min(max(sum(self._host.monotonic(t_ns)) // 2, low_ns), now_ns - 1)
        return Mapped(t_ns, max(high_ns - t_ns, t_ns - low_ns))

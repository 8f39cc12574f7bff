"""Maps another machine's clock (a pod's counter, a phone's `performance.now`) to the host's, with a bound that holds.

Why the bound is certain. One round trip is asked for at `sent`, the other side reads its clock, the answer is here at
`received` (both on a clock of the host that runs evenly: `host_clocks`): the reading was taken somewhere between. Two
clocks whose rates differ by at most L cannot drift apart by more than L times the time that passes. So each round trip
says of an event the other clock put `d` ticks after its reading (d may be negative, T is the length of a tick):

    sent + d·T - |d|·T·L - r  <=  the event, on the host  <=  received + d·T + |d|·T·L + r

where r covers that a reading and an event are each only known to the resolution of that clock. All round trips say so
at once, so the event lies in the **intersection**: the best request (least time to there) bounds it below, the best
answer (least time back) bounds it above, and they need not belong to the same round trip. The half-width is therefore
at most half the best round trip plus its ageing. No assumption is made on how delays are distributed, or that the
drift is constant; only that it stays within L. When the intersection is empty that was not so (a clock was stepped or
slewed, or the machine began anew): `contradictions` counts it, and it begins again. What was known still holds for
events of before, up to the last reading that agreed with it; of one between that and the first reading after, no more
is known than that it lies between these two round trips. The same where it is told that one of the clocks stood still
(`begin_anew`).

An event that has come says the same as an answer: it was before its message came (`hear`).

The instant given is the middle of that interval, and the error its half-width: no other instant has a smaller one. A
least-squares line through the best of each burst of round trips tells the drift, for people; it decides nothing.

Integers only: nanoseconds on the host, ticks on the other side. Knows no wire, no thread and no clock.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Malformed
from companion.core.timing.events import MS, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

PPB = 1_000_000_000
"""Parts in a billion, in one."""
BURST_NS = 900 * MS
"""Round trips sent within so long of each other's first give one point to the regression."""
POINTS = 30
"""Points that the regression looks back on: half a minute at a burst a second."""
AFRESH_NS = 5 * SECOND
"""Longer than two presses of a race are usually apart."""
CONES = 48
"""Bounds kept on each side. Only events older than the newest round trips need more than the last."""
TRIPS = 256
"""Round trips that are remembered as they were: several seconds of them."""


class Mapped(NamedTuple):
    """An instant on the host's clock and the half-width of its uncertainty."""

    t_ns: int
    error_ns: int


class _Cone(NamedTuple):
    """One round trip's word on one side: the host's time less the other's, at `ticks`; it ages on both sides of it."""

    ticks: int
    offset_ns: int


class _Point(NamedTuple):
    """What a burst of round trips says by itself: the middle of its offset at `ticks`."""

    ticks: int
    offset_ns: int


class Trip(NamedTuple):
    """A round trip: the other clock read `ticks` between the two instants of the host."""

    ticks: int
    sent_ns: int
    received_ns: int


class _Former(NamedTuple):
    """What was known until the mapping began anew: its bounds, and its last round trip."""

    lows: list[_Cone]
    highs: list[_Cone]
    last: Trip


class TickCounter:
    """Extends a counter of `bits` bits that wraps: readings no further apart than half its range keep their order."""

    def __init__(self, bits: int) -> None:
        self._range = 1 << bits
        self._newest: int | None = None

    def extend(self, ticks: int) -> int:
        """Give the reading without the wrap, nearest to the newest one. Raises Malformed for more bits than it has."""
        if not 0 <= ticks < self._range:
            raise Malformed(f"a counter that wraps at {self._range} cannot read {ticks}")
        if self._newest is None:
            self._newest = ticks
            return ticks
        half = self._range // 2
        extended = self._newest + (ticks - self._newest + half) % self._range - half
        self._newest = max(self._newest, extended)
        return extended


class ClockMapping:
    """The other clock as seen from the host.

    tick_ns: length of its tick at its nominal rate (1,000 for microseconds). max_drift_ppb: L, the most by which the
    rates of both clocks differ, in parts per billion. resolution_ticks: by how much a reading may lie behind the true
    value (1 for a counter; more for a browser that rounds).
    """

    def __init__(self, tick_ns: int = 1000, max_drift_ppb: int = 120_000, resolution_ticks: int = 1) -> None:
        if tick_ns < 1 or not 0 <= max_drift_ppb < PPB or resolution_ticks < 0:
            raise Malformed("a tick takes at least 1 ns, the drift is 0 to 10^9 ppb, the resolution is not negative")
        self._tick_ns = tick_ns
        self._drift_ppb = max_drift_ppb
        self._resolution_ns = resolution_ticks * tick_ns + 1  # 1: the ageing within that one tick
        self.contradictions = 0
        self.round_trips = 0
        self.best_round_trip_ns: int | None = None
        self._lows: list[_Cone] = []
        self._highs: list[_Cone] = []
        self._drift = _Drift(tick_ns)
        self._trips: deque[Trip] = deque(maxlen=TRIPS)
        self._first: Trip | None = None  # since it began, or began anew
        self._former: _Former | None = None

    def coarsen(self, resolution_ticks: int) -> None:
        """Take it that a reading may lie behind the true value by so much; what is known of the clock stays."""
        self._resolution_ns = resolution_ticks * self._tick_ns + 1

    @property
    def is_known(self) -> bool:
        """Tell whether a round trip has been made, so that `to_host` can answer."""
        return bool(self._lows)

    @property
    def drift_ppb(self) -> int | None:
        """How much faster (positive) the other clock runs, by the regression; None with less than two bursts."""
        return self._drift.ppb()

    @property
    def newest(self) -> Trip | None:
        """The newest round trip, None before the first one."""
        return self._trips[-1] if self._trips else None

    def feed(self, sent_ns: int, remote_ticks: int, received_ns: int) -> None:
        """Take a round trip: asked at `sent_ns`, read as `remote_ticks` (extended), answered by `received_ns`.

        Round trips come in the order of time. Raises Malformed where the answer came before it was asked for.
        """
        if received_ns < sent_ns:
            raise Malformed(f"a round trip cannot end {sent_ns - received_ns} ns before it begins")
        base_ns = remote_ticks * self._tick_ns
        low, high = _Cone(remote_ticks, sent_ns - base_ns), _Cone(remote_ticks, received_ns - base_ns)
        if self.is_known and self._contradicts(low, high):
            self.contradictions += 1
            self.begin_anew()
        trip = Trip(remote_ticks, sent_ns, received_ns)
        self._first = self._first or trip
        self._trips.append(trip)
        self.round_trips += 1
        round_trip_ns = received_ns - sent_ns
        best_ns = self.best_round_trip_ns
        self.best_round_trip_ns = round_trip_ns if best_ns is None else min(best_ns, round_trip_ns)
        self._add(self._lows, low, 1)
        self._add(self._highs, high, -1)
        self._drift.feed(trip)

    def hear(self, remote_ticks: int, received_ns: int) -> bool:
        """Take it that an event the other clock put at `remote_ticks` was told by `received_ns`.

        False, and nothing is taken, where what is known puts it after that: it cannot be.
        """
        if not self.is_known or (self._first is not None and remote_ticks < self._first.ticks):
            return True
        high = _Cone(remote_ticks, received_ns - remote_ticks * self._tick_ns)
        if self._lowest(remote_ticks) - self._resolution_ns > high.offset_ns:
            return False
        self._add(self._highs, high, -1)
        return True

    def begin_anew(self) -> None:
        """What is known holds for events of before alone: one of the clocks stood still, or was stepped."""
        if self.is_known:
            self._former = _Former(self._lows, self._highs, self._trips[-1])
        self.best_round_trip_ns = self._first = None
        self._lows, self._highs = [], []
        self._drift = _Drift(self._tick_ns)

    def interval(self, remote_ticks: int) -> tuple[int, int]:
        """Give the earliest and the latest host time of an event the other clock put at `remote_ticks`.

        Raises Malformed before the first round trip.
        """
        if not self.is_known:
            raise Malformed("no round trip has been made yet: the other clock is not known")
        if self._former is not None and self._first is not None and remote_ticks < self._first.ticks:
            return self._interval_before(remote_ticks, self._former, self._first)
        return self._interval_by(remote_ticks, self._lows, self._highs)

    def is_reaching_back(self, remote_ticks: int) -> bool:
        """Tell whether an event was before the first round trip ever made: all that is known of it was learnt later."""
        return self._former is None and self._first is not None and remote_ticks < self._first.ticks

    def between(self, remote_ticks: int) -> tuple[int | None, int | None]:
        """Give the instants of the round trips next to an event: the request before it and the answer after it.

        They bound it whatever the rate of the other clock, as long as that runs forwards. None where there is none.
        """
        low_ns = max((trip.sent_ns for trip in self._trips if trip.ticks <= remote_ticks), default=None)
        high_ns = min((trip.received_ns for trip in self._trips if trip.ticks >= remote_ticks), default=None)
        return low_ns, high_ns

    def to_host(self, remote_ticks: int) -> Mapped:
        """Give the host's time of an event the other clock put at `remote_ticks`, with a bound that holds.

        Raises Malformed before the first round trip.
        """
        low_ns, high_ns = self.interval(remote_ticks)
        t_ns = (low_ns + high_ns) // 2
        return Mapped(t_ns, high_ns - t_ns)

    def _interval_by(self, ticks: int, lows: list[_Cone], highs: list[_Cone]) -> tuple[int, int]:
        base_ns = ticks * self._tick_ns
        return (
            base_ns + self._lowest_of(lows, ticks) - self._resolution_ns,
            base_ns + self._highest_of(highs, ticks) + self._resolution_ns,
        )

    def _interval_before(self, ticks: int, former: _Former, first: Trip) -> tuple[int, int]:
        """Give it of an event from before the mapping began anew."""
        if ticks > former.last.ticks:
            return former.last.sent_ns, first.received_ns
        low_ns, high_ns = self._interval_by(ticks, former.lows, former.highs)
        return min(low_ns, first.received_ns), min(high_ns, first.received_ns)

    def _ageing_ns(self, ticks: int) -> int:
        """By how much the clocks can have drifted apart in so many ticks, rounded up."""
        return -(-abs(ticks) * self._tick_ns * self._drift_ppb // PPB)

    def _lowest(self, ticks: int) -> int:
        return self._lowest_of(self._lows, ticks)

    def _highest(self, ticks: int) -> int:
        return self._highest_of(self._highs, ticks)

    def _lowest_of(self, lows: list[_Cone], ticks: int) -> int:
        return max(cone.offset_ns - self._ageing_ns(ticks - cone.ticks) for cone in self._telling(lows, ticks))

    def _highest_of(self, highs: list[_Cone], ticks: int) -> int:
        return min(cone.offset_ns + self._ageing_ns(ticks - cone.ticks) for cone in self._telling(highs, ticks))

    @staticmethod
    def _telling(cones: list[_Cone], ticks: int) -> list[_Cone]:
        """Give the bounds that can be the tightest at `ticks`: after the newest that is the newest (see `_add`)."""
        return cones[-1:] if ticks >= cones[-1].ticks else cones

    def _add(self, cones: list[_Cone], new: _Cone, sign: int) -> None:
        """Add a bound and drop those it makes idle; idle itself, it is not added. sign: 1 below, -1 above.

        None of the bounds kept is idle because of another, so from one to the next they get tighter forwards and
        looser backwards: only the newest can make a newer one idle, and what a new one makes idle stands at the end.
        """
        if cones and self._is_idle(new, cones[-1], sign):
            return
        while cones and self._is_idle(cones[-1], new, sign):
            cones.pop()
        cones.append(new)
        del cones[:-CONES]

    def _is_idle(self, cone: _Cone, other: _Cone, sign: int) -> bool:
        """Tell whether `other` says at least as much as `cone`, of every instant."""
        return sign * (other.offset_ns - cone.offset_ns) >= self._ageing_ns(other.ticks - cone.ticks)

    def _contradicts(self, low: _Cone, high: _Cone) -> bool:
        """Tell whether a round trip cannot be true together with those before it."""
        slack_ns = self._resolution_ns
        return (
            self._trips[-1].ticks > low.ticks  # a clock does not run backwards
            or self._highest(low.ticks) + slack_ns < low.offset_ns
            or self._lowest(high.ticks) - slack_ns > high.offset_ns
        )


class SteadyTimes:
    """Keeps the order and the distances of one clock's events while its mapping is being improved.

    A better mapping moves the offset. Two presses of one pod, one placed before and one after it moved, must not change
    places by that: from one event to the next the host's time advances as the ticks do, within `slew_ppb`. What that
    takes away from the best estimate is added to the error, so that the bound holds as before. Only once the mapping
    was found to be void, and AFRESH_NS have passed since the last event, is the next one placed without regard to it
    (never before it): a race in which that happens keeps its distances, later ones are right again.
    """

    def __init__(self, mapping: ClockMapping, tick_ns: int = 1000, slew_ppb: int = PPB // 50) -> None:
        self._mapping = mapping
        self._tick_ns = tick_ns
        self._slew_ppb = slew_ppb
        self._last: tuple[int, int] | None = None
        self._contradictions = 0

    def place(self, remote_ticks: int, latest_ns: int | None = None) -> Mapped:
        """Give the host's time of the next event; never after `latest_ns`, when it had come (None: that is not known).

        Raises Malformed before the first round trip.
        """
        t_ns = self._mapping.to_host(remote_ticks).t_ns
        low_ns, high_ns = self._mapping.interval(remote_ticks)
        if self._last is not None:
            t_ns = self._steadied(t_ns, remote_ticks, *self._last)
        if latest_ns is not None:
            t_ns, low_ns, high_ns = min(t_ns, latest_ns), min(low_ns, latest_ns), min(high_ns, latest_ns)
        self._last = (remote_ticks, t_ns)
        return Mapped(t_ns, max(high_ns - t_ns, t_ns - low_ns))

    def forget(self) -> None:
        """The next event is placed without regard to the last one."""
        self._last = None

    def _steadied(self, t_ns: int, ticks: int, last_ticks: int, last_ns: int) -> int:
        step_ns = (ticks - last_ticks) * self._tick_ns
        is_void = self._mapping.contradictions != self._contradictions
        if is_void and step_ns > AFRESH_NS:
            self._contradictions = self._mapping.contradictions
            return max(t_ns, last_ns + 1)
        slack_ns = abs(step_ns) * self._slew_ppb // PPB
        return min(max(t_ns, last_ns + step_ns - slack_ns), last_ns + step_ns + slack_ns)


class _Drift:
    """How much faster the other clock runs: a least-squares line through the middle of the best of each burst."""

    def __init__(self, tick_ns: int) -> None:
        self._tick_ns = tick_ns
        self._points: deque[_Point] = deque(maxlen=POINTS)
        self._burst: list[Trip] = []

    def feed(self, trip: Trip) -> None:
        if self._burst and trip.sent_ns - self._burst[0].sent_ns > BURST_NS:
            self._points.extend(self._open_point())
            self._burst.clear()
        self._burst.append(trip)

    def ppb(self) -> int | None:
        points = [*self._points, *self._open_point()]
        count = max(len(points), 1)
        ticks = sum(point.ticks for point in points) // count
        offset_ns = sum(point.offset_ns for point in points) // count
        spread = sum((point.ticks - ticks) ** 2 for point in points)
        covariance = sum((point.ticks - ticks) * (point.offset_ns - offset_ns) for point in points)
        return None if not spread else -covariance * PPB // (spread * self._tick_ns)

    def _open_point(self) -> Iterable[_Point]:
        """Give what the burst that is under way says, nothing where there is none."""
        if not self._burst:
            return ()
        low = max(trip.sent_ns - trip.ticks * self._tick_ns for trip in self._burst)
        high = min(trip.received_ns - trip.ticks * self._tick_ns for trip in self._burst)
        return (_Point(self._burst[-1].ticks, (low + high) // 2),)

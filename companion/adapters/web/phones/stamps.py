"""Whether the stamp on a phone's press is taken: within what its arrival and its own round trips allow. Pure.

What can be known. A page says when a button went down; the box knows for certain only when the message came. Nobody can
send a press before making it, so the true instant is never later than the arrival. Everything else is the page's word:
also its round trips, which a page that lies lengthens by answering late, and its clock, which it may read as it likes.
A page that delays all it says of its clock looks exactly like one behind a slow network, so no history of round trips
can tell the two apart.

Therefore the bound does not rest on the history:

    arrival - MOST_BACK_NS  <=  t_ns  <=  arrival

A press counts at most 10 ms before it came, whatever a page said before or with it. As the true instant is not later
than the arrival, a page that lies gains 10 ms at most: that is the whole proof. An honest page's press is moved to the
later end too where it was longer on its way; its ± then grows by as much, so that the truth stays within it.

The rest is about what is *told*. Where what a page says of a press cannot be (it lies in the future, or further back
than the phone's own round trips and a margin reach), or its ± is larger than the box's settings allow, its stamp is not
taken: it counts from its arrival, with no ±, and what the page said is noted. No ± is made smaller so that it fits.
"""

from __future__ import annotations

from collections import deque
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS, Disbelieved
from companion.core.words.texts import number, text

if TYPE_CHECKING:
    from companion.core.words.texts import Text

MOST_BACK_NS = 10 * MS
"""A press counts at most so long before it came."""
MARGIN_NS = 10 * MS
"""A press may have been so much longer on its way than the usual round trip: a page draws, a radio sleeps."""
REMEMBERED = 31
"""Round trips that are looked back on: a quarter of a minute."""
MAX_ERROR_NS = 30 * MS
"""The largest ± of a press that is believed, where the settings say nothing else."""


class Span(NamedTuple):
    """What a page's stamp comes to: the likeliest instant on the host's clock, and the half-width of its ±."""

    t_ns: int
    error_ns: int


class Stamp(NamedTuple):
    """When a press counts from. disbelieved: what the page said, where that is not taken; None where it is."""

    t_ns: int
    error_ns: int
    disbelieved: Disbelieved | None = None


class RoundTrips:
    """A phone's newest round trips, in nanoseconds."""

    def __init__(self) -> None:
        self._recent: deque[int] = deque(maxlen=REMEMBERED)

    def add(self, took_ns: int) -> None:
        """Note one that is over."""
        self._recent.append(took_ns)

    @property
    def longest_way_ns(self) -> int:
        """The longest that a message of this phone is taken to be on its way: a usual round trip, and the margin."""
        return (median_low(self._recent) if self._recent else 0) + MARGIN_NS


def stamped(span: Span, arrival_ns: int, trips: RoundTrips, max_error_ns: int, after_ns: int = 0) -> Stamp:
    """Judge what a page says of a press that came at `arrival_ns`.

    max_error_ns: the largest ± that is believed. after_ns: when the phone's press before counts from; none of its
    presses counts from earlier than one that came before it.
    """
    low_ns, high_ns = span.t_ns - span.error_ns, span.t_ns + span.error_ns
    t_ns = min(max(span.t_ns, arrival_ns - MOST_BACK_NS, after_ns), arrival_ns)
    error_ns = max(high_ns - t_ns, t_ns - low_ns)
    why = _why_not(low_ns - arrival_ns, arrival_ns - high_ns, trips.longest_way_ns)
    if not why and error_ns > max_error_ns:
        says = text("its ± is {error} ms, and at most {most} ms is believed")
        why = says.format(error=_ms(error_ns), most=_ms(max_error_ns))
    return Stamp(arrival_ns, 0, Disbelieved(*span, why)) if why else Stamp(t_ns, error_ns)


def _why_not(ahead_ns: int, behind_ns: int, longest_way_ns: int) -> str:
    """Say what cannot be of a stamp that lies at least so far ahead of its arrival, or behind it; "" where it can."""
    if ahead_ns > 0:
        return text("it is dated {ahead} ms after it came").format(ahead=_ms(ahead_ns))
    if behind_ns > longest_way_ns:
        says = text("it is dated {behind} ms before it came, where its round trips allow {longest} ms")
        return says.format(behind=_ms(behind_ns), longest=_ms(longest_way_ns))
    return ""


def _ms(ns: int) -> Text:
    return number(f"{ns / MS:,.1f}")

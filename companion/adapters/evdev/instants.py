"""When a press was made, of what a device is known to take: the interval that the instant surely lies in. Pure.

A press closes its contact, the device notices, the machine asks the device, the kernel stamps the answer. So a press
lies between the stamp less the polling interval and the device's own delay, and the stamp: it is placed in the middle.

Where the delay was never measured there is no such interval. The press then counts from its stamp, as one on a phone
does whose clock is not believed: it gains nothing by what nobody knows. Its ± is the stated most that such a device may
take, longer than any race of reflexes, so that no order it is in is called certain.
"""

from __future__ import annotations

from typing import NamedTuple

STAMP_NS = 1_000
"""The kernel's stamps of input events are whole microseconds, rounded down."""


class Instants(NamedTuple):
    """How an edge is placed: so long before its stamp, with this half-width. is_known: its delay was measured."""

    before_ns: int
    error_ns: int
    is_known: bool

    def of(self, stamp_ns: int) -> int:
        """Give the instant of an edge by its stamp."""
        return stamp_ns - self.before_ns


def instants_of(polling_ns: int | None, delay_ns: int | None, unknown_ns: int) -> Instants:
    """Give how a device's edges are placed.

    polling_ns: None where nobody knows it; then it is in what was measured. delay_ns: the longest that its model was
    measured to take; None where it was not. unknown_ns: the stated most that such a device may take.
    """
    if delay_ns is None:
        return Instants(0, unknown_ns, is_known=False)
    reach_ns = delay_ns + (polling_ns or 0)
    return Instants(reach_ns // 2, reach_ns - reach_ns // 2 + STAMP_NS, is_known=True)

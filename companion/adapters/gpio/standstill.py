"""Whether a program that reads reports from another thread stood still, so that some are on their way. Pure.

lgpio's reports come to the reader through two threads of the same process. Where the process stood still (stopped, or
without a CPU), its threads go on in any order: the reader may look before they have handed on all that the kernel kept,
and the reports that follow are then later than any stated delay. The reader cannot tell a standstill from a pause in
which nothing happened; so after every pause it waits a moment for late reports. Once one was very late, nothing since
then is taken for given until none has been very late for a while.
"""

from __future__ import annotations

from companion.core.timing.events import MS

LATE_NS = 75 * MS
"""A pause or a report's delay that is longer may be a standstill's: half the delay that is stated for lgpio."""
RESUMED_NS = 70 * MS
"""So soon after a standstill the first late report comes: on a busy machine it has taken 25 ms. Shorter than what is a
pause, so that pauses which follow each other hold nothing back for good."""
RECOVERED_NS = 100 * MS
"""So long after the last report that was very late, everything has been handed on."""


class Standstill:
    """What may be on its way. `given_until_ns`: the instant up to which nothing is, None where nothing is at all."""

    def __init__(self) -> None:
        self.given_until_ns: int | None = None
        self._read_ns: int | None = None
        self._until_ns = 0

    def look(self, now_ns: int, longest_ns: int, delay_ns: int) -> None:
        """Take that reports are read at `now_ns`. longest_ns: the worst delay among them. delay_ns: the stated one."""
        before_ns, self._read_ns = self._read_ns, now_ns
        if self.given_until_ns is not None and now_ns >= self._until_ns and longest_ns <= LATE_NS:
            self.given_until_ns = None
        if longest_ns > LATE_NS:
            self._hold(now_ns + RECOVERED_NS, now_ns - longest_ns - delay_ns)
        elif before_ns is not None and now_ns - before_ns > LATE_NS:
            self._hold(now_ns + RESUMED_NS, before_ns - delay_ns)

    def _hold(self, until_ns: int, given_until_ns: int) -> None:
        self._until_ns = max(self._until_ns, until_ns)
        if self.given_until_ns is None:
            self.given_until_ns = given_until_ns
